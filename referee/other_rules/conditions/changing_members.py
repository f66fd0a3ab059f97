"""Another answer to whom a loop reaches whose condition may change in it.

The loop is through those for whom something is so; by the other answer it must still be so when it is somebody's turn
in the loop.
"""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Local, Members, Or, Where
from referee.core.read_write_sets import block_writes, reads
from referee.core.ruleset import Core
from referee.core.stmt import Block, Branch, Call, Each, Move
from referee.core.traverse import in_play, itself, rewrite_each, statements
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.components.moved_piece import WHICH_SET
from referee.other_rules.forms import as_a, with_value

STILL_SO = "only_if_it_is_still_so"


def with_members_tested_again(core: Core, others: OtherAnswers) -> Core:
    """The rules with each loop through those for whom a condition holds, which the loop itself may change; for another
    answer it is tested again when each is reached."""

    def changed(block: Block, depth: int = 0) -> frozenset[str]:
        own = block_writes(block)
        if depth > 3:
            return own
        called = {one.procedure for one in statements(block, Call)}
        return own.union(*(changed(core.procedures[name].body, depth + 1) for name in called))

    def again(each: Each) -> Each:
        inner = replace(each, body=inside(each.body))
        found = [some for one in itself(each.source, Members)
                 for some in itself(one.of, Where)]  # fmt: skip
        if not found or found[0].where is None or _only_moves(each):
            return inner
        cond, name = found[0].where, found[0].var
        if not reads(cond) & changed(each.body):
            return inner
        test = others.test(WHICH_SET, STILL_SO, each.origin, alone=True)
        if test is None:
            return inner
        now = with_value(cond, name, Local(each.var, found[0].type.of))
        still = Or((typed_operators.negate(test), now))
        return replace(inner, body=(Branch(still, inner.body, (), each.origin),))

    def inside(block: Block) -> Block:
        return rewrite_each(block, Each, again, lambda _: False)

    return in_play(core, inside)


def _only_moves(each: Each) -> bool:
    """Whether all that is done is that the member itself is moved away."""
    return all(as_a(stmt, Move) is not None for stmt in each.body)
