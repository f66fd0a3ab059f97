"""What can be read off a slice: entries of variables and zones, and facts about single ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from referee.core.ruleset import Role
from referee.core.types import PLAYER, Bool, Elem, Int, Maybe, SetOf, Type
from referee.game.state import Layout
from referee.review.facts import Fact, Holds, Number
from referee.symbolic import term, value
from referee.symbolic.slices import Slice, Sliced
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Bits, Counts, Opt


def scalars(layout: Layout, slice_: Slice) -> Iterator[tuple[str, int, Type]]:
    """The single variables and array entries that a slice keeps: name, entry, type."""
    for var in layout.defs.values():
        if var.role is Role.PARAMETER or (not slice_.kept(var) and var.name not in slice_.focused):
            continue
        spread = layout.vars[var.name]
        many = slice_.kept(var)
        for key, index in zip(spread.keys(), range(spread.base, spread.base + (spread.count if many else 1)),
                              strict=False):
            yield f"{var.title or var.name}{list(key) if key and many else ''}", index, var.type


def known(entry: object) -> bool:
    """Whether the value of an entry is known."""
    match entry:
        case bool() | int():
            return True
        case Opt():
            return isinstance(entry.has, bool) and isinstance(entry.value, int)
        case Bits():
            return all(isinstance(b, bool) for b in entry.bits)
        case _:
            return False


def is_player(kind: Type) -> bool:
    """Whether a type is one of players."""
    inner = kind.of if isinstance(kind, Maybe) else kind
    return isinstance(inner, Elem) and inner.domain == PLAYER


def player(entry: object) -> int | None:
    """The player that an entry holds, if it is known."""
    found = entry.value if isinstance(entry, Opt) and entry.has is True else entry
    return found if isinstance(found, int) else None


def of_values(name: str, kind: Type, index: int, entries: list[object]) -> Iterator[Fact]:
    """What held of one variable at all positions seen."""
    if not entries or not all(known(e) for e in entries):
        return
    match kind:
        case Bool() if len(set(entries)) == 1:
            fixed = bool(entries[0])
            yield Fact(f"{name} is {fixed}", lambda s: term.same(s.entries[index], fixed))
        case Int() | Elem():
            yield from between(Number(name, entry(index)), [e for e in entries if isinstance(e, int)], kind.lo,
                                kind.hi, "", None)
        case Maybe(inner):
            some = [e for e in entries if isinstance(e, Opt)]
            if all(e.has is False for e in some):
                yield Fact(f"{name} is none", lambda s: term.no(opt(s, index).has))
            elif all(e.has is True for e in some):
                yield Fact(f"{name} is some", lambda s: opt(s, index).has)
                inside = [e.value for e in some if isinstance(e.value, int)]
                yield from between(Number(name, lambda s: opt(s, index).value), inside, inner.lo, inner.hi, "", None)
        case SetOf():
            yield from of_sets(name, index, [e for e in entries if isinstance(e, Bits)])
        case _:
            return


def of_sets(name: str, index: int, sets: list[Bits]) -> Iterator[Fact]:
    """What held of one set at all positions seen."""
    for number in range(len(sets[0].bits) if sets else 0):
        values = {s.bits[number] for s in sets}
        if len(values) == 1:
            fixed = bool(values.pop())
            yield Fact(f"{number} in {name} is {fixed}", bit(index, number, fixed))
    if sets and not any(all(not b for b in s.bits) for s in sets):
        yield Fact(f"{name} is not empty", lambda s: term.disj(bits(s, index).bits))


def bit(index: int, number: int, fixed: bool) -> Holds:
    """Whether a member is in a set, or is not."""
    return lambda s: term.same(bits(s, index).bits[number], fixed)


def belongs(among: int, player: int) -> Holds:
    """Whether the player in an entry is in the set in another."""
    def holds(store: Sliced) -> Cond:
        entry = store.entries[player]
        if isinstance(entry, Opt):
            return term.both(entry.has, bits(store, among).has(entry.value))
        return bits(store, among).has(entry)

    return holds


def same(one: int, other: int) -> Holds:
    """Whether two variables hold the same."""
    return lambda s: value.equal(s.entries[one], s.entries[other])


def no(holds: Holds) -> Holds:
    """What holds where something does not."""
    return lambda s: term.no(holds(s))


def entry(index: int) -> Callable[[Sliced], Num]:
    """The number in an entry."""
    return lambda s: s.entries[index]


def size(index: int) -> Callable[[Sliced], Num]:
    """How many components a register holds."""
    def read(store: Sliced) -> Num:
        found = store.entries[index]
        assert isinstance(found, Counts)
        return found.size

    return read


def opt(store: Sliced, index: int) -> Opt:
    """An entry that may be nothing."""
    found = store.entries[index]
    assert isinstance(found, Opt)
    return found


def bits(store: Sliced, index: int) -> Bits:
    """An entry that is a set."""
    found = store.entries[index]
    assert isinstance(found, Bits)
    return found


def total(index: int) -> Callable[[Sliced], Num]:
    """How many components lie in a zone."""
    return lambda s: s.tallies[index].total


def group(index: int, group: int) -> Callable[[Sliced], Num]:
    """How many of a group lie in a zone."""
    return lambda s: s.tallies[index].counts[group]


def mode(kind: Type, entry: object) -> object:
    """The value by which positions are told apart; None if it is not known, or of no use."""
    match kind:
        case Elem(domain="player" | "component"):
            return None
        case Bool() | Elem() | Int():
            return entry if isinstance(entry, bool | int) else None
        case Maybe():
            if not isinstance(entry, Opt) or not isinstance(entry.has, bool):
                return None
            return "some" if entry.has else "none"
        case _:
            return None


def in_mode(kind: Type, index: int, mode: object) -> Holds:
    """Whether a variable has a value by which positions are told apart."""
    if isinstance(kind, Maybe):
        return lambda s: term.same(opt(s, index).has, mode == "some")
    return lambda s: value.equal(s.entries[index], mode)


def not_player(index: int, player: int) -> Holds:
    """Whether an entry holds another player, or nothing."""
    def holds(store: Sliced) -> Cond:
        entry = store.entries[index]
        return term.no(value.equal(entry, Opt(True, player) if isinstance(entry, Opt) else player))

    return holds


def picked(index: int, members: dict[int, Number]) -> Callable[[Sliced], Num]:
    """The number of a family at the player in an entry."""
    def read(store: Sliced) -> Num:
        entry = store.entries[index]
        at: Num = entry.value if isinstance(entry, Opt) else entry
        last = max(members)
        cases = [(term.equal(at, p), n.read(store)) for p, n in members.items() if p != last]
        return term.pick(cases, members[last].read(store))

    return read


def between(
    number: Number, values: Sequence[int], least: int | None, most: int | None, label: str, when: Holds | None
) -> Iterator[Fact]:
    """The least and the largest of some values as bounds."""
    if not values:
        return
    lo, hi = min(values), max(values)
    often = len(values) // 50  # a bound that was hardly ever met is most likely none
    if lo != least and values.count(lo) > often:
        yield Fact(f"{label}{number.name} >= {lo}", unless(when, lambda s: term.at_most(lo, number.read(s))))
    if hi != most and values.count(hi) > often:
        yield Fact(f"{label}{number.name} <= {hi}", unless(when, lambda s: term.at_most(number.read(s), hi)))


def unless(when: Holds | None, holds: Holds) -> Holds:
    """What holds under a condition."""
    return holds if when is None else lambda s: term.disj((term.no(when(s)), holds(s)))
