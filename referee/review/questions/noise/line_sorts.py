"""The lines of rules that say something of such a sort that some other answers to them are no question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from referee.core.expr import (
    All,
    And,
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    If,
    Local,
    Members,
    Op,
    Operator,
    Or,
    Where,
)
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core, Form
from referee.core.stmt import Action, Branch, Decide, Finish, Gap, Merge, Move, Unspecified, origin_of
from referee.core.traverse import bodies, inner_blocks, itself, rewrite, rules_of, statements, walk
from referee.core.types import PLAYER, Elem, SetOf
from referee.diagnostics.source import Span
from referee.frontend.names.other_answers import SELECTOR
from referee.frontend.statements.decisions import PASS

_AT_MOST, _AT_LEAST = (Operator.LT, Operator.LE), (Operator.GT, Operator.GE)


@dataclass(frozen=True, slots=True)
class LineSorts:
    """Lines of one core, by what they say.

    `read`: only some choice of a reading has them, or they are parts of definitions; `ruled`: the table has chosen
    them. Decisions: `idle` if something can be done that is always possible, `passes` if to do nothing is offered,
    `sole` if there is only one thing to do, and nothing to choose. Comparisons: `picked` if they say how far the
    smallest or largest of some is looked for, `ranges` if the same lies between two bounds. `priced`: actions that cost
    something; `won_alone`: who wins hangs on nobody else; `course`: what the game does by itself. `naming`: where in
    the rules a certain player is named. `heads`: what heads of actions cite; `first`: by the line of a head, what the
    first condition of its action does. `shuffled`: names of zones from which something is shuffled or laid onto a pile.
    """

    read: frozenset[Span]
    ruled: frozenset[Span]
    idle: frozenset[Span]
    passes: frozenset[Span]
    sole: frozenset[Span]
    picked: frozenset[Span]
    ranges: frozenset[Span]
    priced: frozenset[Span]
    won_alone: frozenset[Span]
    course: frozenset[Span]
    naming: frozenset[tuple[str, int]]
    heads: frozenset[str]
    first: Mapping[tuple[str, int], tuple[str, ...]]
    shuffled: frozenset[str]


def line_sorts(core: Core) -> LineSorts:
    """The lines of a core."""
    player = Elem(PLAYER, 0, core.seats.number - 1)
    named = [Elem(PLAYER, seat, seat) for seat in range(core.seats.number)]
    decisions = [one for body in bodies(core) for one in statements(body, Decide)]
    sole = (one for one in decisions if len(one.options) == 1 and not core.actions[one.options[0].action].params)
    ends = (one for body in bodies(core) for one in statements(body, Finish))
    players = (one for one in walk(rules_of(core), Const) if one.span is not None and one.type in named)
    return LineSorts(
        read=frozenset(_in_readings(core)),
        ruled=frozenset(_in_rulings(core)),
        idle=frozenset(one.point.origin.span for one in decisions if len(one.options) > 1 and any(
            _is_always_possible(core.actions[option.action]) for option in one.options)),
        passes=frozenset(one.point.origin.span for one in decisions if any(
            _is_passing(core.actions[option.action]) for option in one.options)),
        sole=frozenset(one.point.origin.span for one in sole),
        picked=frozenset(_ends_of_picks(core)),
        ranges=frozenset(_ends_of_ranges(core)),
        priced=frozenset(one.origin.span for one in core.actions.values() if _has_a_price(one)),
        won_alone=frozenset(one.origin.span for one in ends if _wins_for_its_own_sake(one.winners, player)),
        course=frozenset(origin_of(one).span for one in statements(core.main)),
        naming=frozenset(one.span.first_line for one in players if one.span is not None),
        heads=frozenset(cite for one in core.actions.values() for cite in one.origin.cites),
        first={(one.origin.span.path, one.origin.span.line): one.guards[0].origin.cites
               for one in core.actions.values() if one.guards},
        shuffled=frozenset(_shuffled(core)),
    )  # fmt: skip


def _shuffled(core: Core) -> Iterator[str]:
    """The words of the names of zones from which something is shuffled, or laid onto a pile."""
    for body in bodies(core):
        yield from (place.zone.replace("_", " ") for merge in statements(body, Merge) for place in merge.sources)
        yield from (one.source.zone.replace("_", " ") for one in statements(body, Move)
                    if core.zones[one.to.zone].form is Form.PILE)


def _wins_for_its_own_sake(winners: Expr, player: Elem) -> bool:
    """Whether players win by what is so of each of them, whatever it is of the others: a side, who has gained."""
    found = [one for one in walk((_by_the_rules(winners),), Where) if _goes_through(one.source, player)]
    return bool(found) and not any(_is_measured(one, player) for one in found)


def _is_measured(those: Where, player: Elem) -> bool:
    """Whether who is meant hangs on others too, or on a number that is the same for all of them."""
    for inner in walk((those.where,), Fold, Where):
        if _goes_through(inner.source, player):
            return True
    for one in walk((those.where,), Op):
        if one.op in (Operator.EQ, *_AT_MOST, *_AT_LEAST):
            own = [any(arg.name == those.var for arg in walk((side,), Local))
                   for side in one.args if next(itself(side, Const), None) is None]  # fmt: skip
            if any(own) and not all(own):
                return True
    return False


def _by_the_rules(value: Expr) -> Expr:
    """A value as the rules have it, without what other answers would make of it."""
    return rewrite(value, lambda one: next((_by_the_rules(either.no) for either in itself(one, If)
                                            if SELECTOR in variables_of(either.cond)), None))  # fmt: skip


def _goes_through(source: Domainlike, player: Elem) -> bool:
    """Whether it is players that are gone through."""
    return any(one.of == player for one in itself(source, All)) or any(
        one.of.type == SetOf(player) for one in itself(source, Members))


def _has_a_price(action: Action) -> bool:
    """Whether an action moves a certain number of things, by the sentence that it is done by."""
    moves = (one for one in statements(action.body, Move) if any(n is one.number for n in walk((one.number,), Const)))
    return any(set(one.origin.cites) & set(action.origin.cites) for one in moves)


def _ends_of_picks(core: Core) -> Iterator[Span]:
    """The comparisons that say from where or how far the smallest or largest number of some is looked for."""
    for pick in walk(rules_of(core), Fold):
        if pick.kind in (FoldKind.MIN, FoldKind.MAX):
            for one in walk((pick.source, pick.where), Op):
                bound = any(arg.name == pick.var for each in one.args for arg in itself(each, Local))
                if bound and one.span is not None and one.op in (*_AT_MOST, *_AT_LEAST):
                    yield one.span


def _ends_of_ranges(core: Core) -> Iterator[Span]:
    """The comparisons by which the same lies between two bounds."""
    for joined in walk(rules_of(core), And):
        compared = [one for part in joined.parts for one in itself(part, Op)
                    if one.op in (*_AT_MOST, *_AT_LEAST)]  # fmt: skip
        for one in compared:
            if one.span is not None and any(one.args[0] == other.args[0] and
                                            (one.op in _AT_MOST) is (other.op in _AT_LEAST) for other in compared):
                yield one.span


def _is_passing(action: Action) -> bool:
    """Whether it is to do nothing, and declared as such: what another answer makes of a decision is named after it."""
    return action.label == PASS and "." not in action.name


def _is_always_possible(action: Action) -> bool:
    """Whether who is offered an action can always do it, and has nothing to choose."""
    return not action.params and not action.guards


def _in_readings(core: Core) -> Iterator[Span]:
    """The lines that only some choice of a reading has, and the parts of definitions."""
    for body in bodies(core):
        for stmt in statements(body, Branch):
            if not core.readings.keys().isdisjoint(variables_of(stmt.cond)):
                yield from _lines_of(stmt)
    for joined in walk(rules_of(core), And, Or):
        yield from _told_apart(joined.parts, core.readings.keys())
    for either in walk(rules_of(core), If):
        yield from _told_apart((either.cond, either.yes, either.no), core.readings.keys())


def _told_apart(parts: Sequence[Expr], readings: Set[str]) -> Iterator[Span]:
    """The comparisons that stand beside a test of a reading: they count only as that comes out."""
    tests = [part for part in parts if variables_of(part) and variables_of(part) <= readings]
    if tests:
        yield from (one.span for part in parts if part not in tests for one in walk(part, Op) if one.span is not None)


def _in_rulings(core: Core) -> Iterator[Span]:
    """The lines that the table has chosen, of several that stand at a point of which nobody has said anything."""
    for body in bodies(core):
        ruled = {one.name for one in statements(body, Unspecified) if one.gap is Gap.SAID}
        for stmt in statements(body, Branch):
            if any(one.name in ruled for one in walk(stmt.cond, Local)):
                yield from (origin_of(one).span for one in statements(stmt.yes))


def _lines_of(stmt: Branch) -> Iterator[Span]:
    return (origin_of(one).span for block in inner_blocks(stmt) for one in statements(block))
