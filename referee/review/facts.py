"""Facts about positions that may be worth proving: the declared invariants, and what was seen in random games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.core.ruleset import Role
from referee.core.types import Bool, Elem, Int, Maybe, SetOf, Type
from referee.engine.play import complete
from referee.engine.walker import Walker
from referee.game.setting import Setting
from referee.game.state import Ended, Layout, Slot, State, Step
from referee.symbolic import content, term, value
from referee.symbolic.content import Pile
from referee.symbolic.evaluate import Context, Evaluator
from referee.symbolic.store import Store
from referee.symbolic.term import Cond
from referee.symbolic.value import Bits, Opt

FEW = 6
"""A register with more values than this is not told apart by them."""
END = -1
"""The place of a game that is over, among the points."""


@dataclass(frozen=True)
class Fact:
    """Something that holds at a place. `declared`: the name of the invariant it is, None for one that was seen."""

    name: str
    holds: Callable[[Store], Cond]
    declared: str | None = None


def declared(walker: Walker) -> list[Fact]:
    """The invariants and zone limits of a ruleset."""
    core = walker.core
    found = [Fact(i.name, _condition(i.guard.cond), i.name) for i in core.invariants]
    for zone in core.zones.values():
        if zone.limit is not None:
            for key in walker.layout.zones[zone.name].keys():
                found.append(Fact(f"limit of {zone.name}", _limit(zone.name, key), f"limit of {zone.name}"))
    return found


def _condition(cond: object) -> Callable[[Store], Cond]:
    def holds(store: Store) -> Cond:
        context = Context(store)
        found = Evaluator(context).condition(cond)  # type: ignore[arg-type]
        return term.both(found, term.no(context.failed))

    return holds


def _limit(name: str, key: tuple[int, ...]) -> Callable[[Store], Cond]:
    def holds(store: Store) -> Cond:
        zone = store.layout.core.zones[name]
        there, _ = store.zone(zone, key)
        assert zone.limit is not None
        return term.at_most(content.amount(there), Evaluator(Context(store)).number(zone.limit))

    return holds


# ---------------------------------------------------------------------- what was seen
def guessed(layout: Layout, states: list[State]) -> Iterator[Fact]:
    """What held in all positions, and what held whenever a register had one of its few values."""
    whole = list(seen(layout, states))
    yield from whole
    known = {f.name for f in whole}
    for var in layout.defs.values():
        if var.role not in (Role.REGISTER, Role.COUNTER):
            continue
        spread = layout.vars[var.name]
        for index in range(spread.base, spread.base + spread.count):
            groups: dict[object, list[State]] = {}
            for state in states:
                groups.setdefault(state.slots[index], []).append(state)
            if 2 <= len(groups) <= FEW:
                yield from _by_value(layout, var.type, index, groups, known)


def _by_value(
    layout: Layout, kind: Type, index: int, groups: dict[object, list[State]], known: set[str]
) -> Iterator[Fact]:
    """What held in each group of positions that agree on a register, and that it has no other value."""
    conds: dict[object, Callable[[Store], Cond]] = {v: _is(kind, index, v) for v in groups}
    yield Fact(f"{index} in {sorted(map(str, groups))}", lambda s: term.disj(c(s) for c in conds.values()))
    for given, states in groups.items():
        for fact in seen(layout, states):
            if fact.name not in known:
                yield Fact(f"{index} = {given}: {fact.name}", _when(conds[given], fact))


def _is(kind: Type, index: int, given: object) -> Callable[[Store], Cond]:
    wanted = value.of(kind, given)  # type: ignore[arg-type]
    return lambda s: value.equal(s.entries[index], wanted)


def _when(cond: Callable[[Store], Cond], fact: Fact) -> Callable[[Store], Cond]:
    return lambda s: term.disj((term.no(cond(s)), fact.holds(s)))


def visited(walker: Walker, setting: Setting, games: int, most: int) -> dict[int, list[State]]:
    """The positions of random games, by the point they are at (`END`: over)."""
    from random import Random

    from referee.engine.play import choose

    found: dict[int, list[State]] = {}
    for seed in range(games):
        random = Random(seed)
        step: Step = walker.begin(complete(walker, setting, random))
        for _ in range(most):
            if not isinstance(step, State):
                break
            found.setdefault(step.at, []).append(step)
            step = walker.advance(step, choose(walker, step, random))
        if isinstance(step, Ended):
            found.setdefault(END, []).append(step.state)
    return found


def seen(layout: Layout, states: list[State]) -> Iterator[Fact]:
    """What held in all of some positions: constants, ranges, what was missing, how full zones were."""
    for var in layout.defs.values():
        if var.role in (Role.PARAMETER, Role.GIVEN, Role.READING):
            continue
        spread = layout.vars[var.name]
        for index in range(spread.base, spread.base + spread.count):
            values = {s.slots[index] for s in states}
            yield from _of_variable(index, var.type, values)
    for zone in layout.core.zones.values():
        spread = layout.zones[zone.name]
        for index in range(spread.base, spread.base + spread.count):
            yield from _of_zone(layout, zone.name, index, [s.slots[index] for s in states])


def _of_variable(index: int, kind: Type, values: set[Slot]) -> Iterator[Fact]:
    match kind:
        case Bool() if len(values) == 1:
            fixed = next(iter(values))
            yield Fact(f"{index}", lambda s: term.same(s.entries[index], bool(fixed)))
        case Int() | Elem():
            numbers = [v for v in values if isinstance(v, int)]
            lo, hi = min(numbers), max(numbers)
            if lo > kind.lo:
                yield Fact(f"{index} >= {lo}", lambda s: term.at_most(lo, s.entries[index]))
            if hi < kind.hi:
                yield Fact(f"{index} <= {hi}", lambda s: term.at_most(s.entries[index], hi))
        case Maybe():
            if values == {None}:
                yield Fact(f"{index} none", lambda s: term.no(_opt(s, index).has))
            elif None not in values:
                yield Fact(f"{index} some", lambda s: _opt(s, index).has)
        case SetOf():
            if values == {frozenset()}:
                yield Fact(f"{index} empty", lambda s: term.conj(term.no(b) for b in _bits(s, index).bits))
            elif frozenset() not in values:
                yield Fact(f"{index} filled", lambda s: term.disj(_bits(s, index).bits))
        case _:
            return


def _opt(store: Store, index: int) -> Opt:
    found = store.entries[index]
    assert isinstance(found, Opt)
    return found


def _bits(store: Store, index: int) -> Bits:
    found = store.entries[index]
    assert isinstance(found, Bits)
    return found


def _of_zone(layout: Layout, name: str, index: int, contents: list[object]) -> Iterator[Fact]:
    from referee.core.ruleset import Form
    from referee.engine.zones import amount

    zone = layout.core.zones[name]
    amounts = [amount(zone, c) for c in contents]
    lo, hi = min(amounts), max(amounts)
    if lo > 0:
        yield Fact(f"{name} {index} >= {lo}", lambda s: term.at_most(lo, content.amount(s.entries[index])))  # type: ignore[arg-type]
    if hi < zone.capacity:
        yield Fact(f"{name} {index} <= {hi}", lambda s: term.at_most(content.amount(s.entries[index]), hi))  # type: ignore[arg-type]
    if zone.form is Form.PILE:
        depth = max(len(c) for c in contents if isinstance(c, tuple))
        yield Fact(f"{name} {index} depth", lambda s: _depth(s, index, depth))


def _depth(store: Store, index: int, depth: int) -> Cond:
    pile = store.entries[index]
    assert isinstance(pile, Pile)
    return term.conj(term.equal(block.size, 0) for block in pile.blocks[depth:])
