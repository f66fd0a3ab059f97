"""Where players take turns in a core, and other answers to who comes when.

It finds where a turn ends, and loops in which each player decides; asked is "does each do all of it at one go?" and
"who begins the next time?".
"""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import All, Const, Domainlike, Expr, Get, If, Local, Look, Members
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core, Role, Table, Var
from referee.core.stmt import Bind, Block, Branch, Call, Decide, Each, Put, Repeat, origin_of
from referee.core.traverse import bodies, in_course, itself, rewrite_each, statements, walk
from referee.core.types import PLAYER, Elem
from referee.frontend.desugaring.later_moments import turn_over
from referee.frontend.desugaring.swapped_effects import ORDER
from referee.frontend.names.first_player import TURN_ORDER
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.joined_blocks import in_a_row

EACH_STEP, PASSES_ON = "each_step_by_all", "the_start_passes_on"
BEGUN, SEAT_AFTER = "rounds begun", "seat so many after"


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
        return in_a_row(first, second)

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


def with_the_start_passed_on(core: Core, others: OtherAnswers) -> Core:
    """The rules with each loop over players, within a loop over rounds, in which somebody decides and that always
    begins with the same; for another answer each time with the next one."""
    number, asking = core.seats.number, asking_procedures(core)
    player = Elem(PLAYER, 0, number - 1)
    set_ = {put.var for body in (core.main[core.setup :], *bodies(core)[1:]) for put in statements(body, Put)}
    found = list[str]()

    def shifted(each: Each) -> object | None:
        (source,) = tuple(itself(each.source, All)) or (None,)
        if source is None or not of_players(source) or not asks(each.body, asking) or source.down:
            return None
        first: Expr = Const(0, player) if source.first is None else source.first
        if variables_of(first) & set_ or next(walk(first, Local), None) is not None:
            return None
        test = others.test(TURN_ORDER, PASSES_ON, each.origin, alone=True)
        if test is None:
            return None
        begun = f"{BEGUN} {len(found) + 1}"
        found.append(begun)
        count = Get(begun, (), player)
        later = If(test, Look(SEAT_AFTER, (first, count), player), first, player)
        on = Put(begun, (), Look(SEAT_AFTER, (count, Const(min(1, number - 1), player)), player), each.origin)
        return in_a_row(replace(each, source=replace(source, first=later)), Branch(test, (on,), (), each.origin))

    def again(loop: Repeat) -> object | None:
        return replace(loop, body=rewrite_each(loop.body, Each, shifted, lambda _: False))

    def counted(loop: Each) -> object | None:
        if of_players(loop.source):
            return None
        return replace(loop, body=rewrite_each(loop.body, Each, shifted, lambda _: False))

    def inside(block: Block) -> Block:
        return rewrite_each(rewrite_each(block, Repeat, again, lambda _: False), Each, counted, lambda _: False)

    if number < 2:
        return core
    made = in_course(core, inside)
    if not found:
        return core
    where = next(iter(core.actions.values())).origin
    after = Table(SEAT_AFTER, (player, player), player, tuple(
        (one + more) % number for one in range(number) for more in range(number)))  # fmt: skip
    registers = {name: Var(name, (), player, 0, Role.REGISTER, where) for name in found}
    return replace(made, vars={**made.vars, **registers}, tables={**made.tables, SEAT_AFTER: after})


def at_ends_of_turns(core: Core, done: Block) -> Core:
    """The rules with something done at the end of each turn: where `turns` end, or each round of a loop over players
    in which somebody decides."""
    moment = core.procedures.get(turn_over())
    if moment is not None:
        ended = replace(moment, body=(*moment.body, *done))
        return replace(core, procedures={**core.procedures, moment.name: ended})
    asking = asking_procedures(core)

    def turn(each: Each) -> object | None:
        if not of_players(each.source) or not asks(each.body, asking):
            return None
        return replace(each, body=(*each.body, *done))

    setup, play = core.main[: core.setup], core.main[core.setup :]
    return replace(core, main=(*setup, *rewrite_each(play, Each, turn, lambda _: False)))


def of_players(source: Domainlike) -> bool:
    """Whether the members that are gone through are players."""
    everybody = list(itself(source, All))
    some = [one.of.type for one in itself(source, Members)]
    return any(kind.domain == PLAYER for one in everybody for kind in walk(one.of, Elem)) or any(
        kind.domain == PLAYER for one in some for kind in walk(one, Elem))


def asking_procedures(core: Core) -> frozenset[str]:
    """The procedures in which somebody decides, or in one that they carry out."""
    found: frozenset[str] = frozenset()
    while True:
        more = frozenset(name for name, one in core.procedures.items() if asks(one.body, found))
        if more == found:
            return found
        found = more


def asks(block: Block, asking: frozenset[str]) -> bool:
    """Whether somebody decides in a block; `asking`: the procedures in which somebody does."""
    return next(walk(block, Decide), None) is not None or any(one.procedure in asking for one in walk(block, Call))
