"""A loop over players in which each decides several times: where "one thing by all first?" is asked for."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Local
from referee.core.ruleset import Core
from referee.core.stmt import Bind, Block, Branch, Decide, Each, origin_of
from referee.core.traverse import rewrite_each, walk
from referee.frontend.desugaring.swapped_effects import ORDER
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.turn_ends import asking_procedures, asks, of_players

EACH_STEP = "each_step_by_all"


def with_steps_by_all(core: Core, others: OtherAnswers) -> Core:
    """The rules with each loop over players in which each player does several things one after the other; for another
    answer all do the first before any does the second."""
    asking = asking_procedures(core)

    def split(each: Each) -> object | None:
        inner = replace(each, body=rewrite_each(each.body, Each, split, lambda _: False))
        at = _cut(each.body, asking)
        if at is None or not of_players(each.source):
            return inner
        where = origin_of(each.body[at])
        test = others.test(ORDER, EACH_STEP, each.origin if each.origin.cites else where, alone=True)
        if test is None:
            return inner
        later = inner.body[at:]
        first = replace(each, body=(*inner.body[:at], Branch(test, (), later, where)))
        second = Branch(test, (replace(each, body=later),), (), where)
        return Branch(typed_operators.TRUE, (first, second), (), each.origin)

    def inside(block: Block) -> Block:
        return rewrite_each(block, Each, split, lambda _: False)

    return replace(core, main=inside(core.main), procedures={
        name: replace(one, body=inside(one.body)) for name, one in core.procedures.items()})  # fmt: skip


def _cut(block: Block, asking: frozenset[str]) -> int | None:
    """Before which statement a second thing begins that asks somebody, and that takes no name from the first; None if
    there is none, or there are more than two."""
    deciding = [number for number, stmt in enumerate(block) if asks((stmt,), asking)]
    if len(deciding) != 2:
        return None
    at = deciding[1]
    named = {one.name for one in walk(block[:at], Bind)}
    named |= {one.taken for one in walk(block[:at], Decide) if one.taken is not None}
    return None if named & {one.name for one in walk(block[at:], Local)} else at
