"""Facts that may be worth proving: what holds of all positions seen at a point in random games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from referee.core.types import Int, Many, SetOf
from referee.review import entries
from referee.review.claims import Claim
from referee.review.facts import FEW, Fact, Holds, Number, granted, numbers_of
from referee.symbolic import term, value
from referee.symbolic.slices import Slice, Sliced
from referee.symbolic.value import Bits

HANDFUL = 8
"""How many of a group may lie in a zone for its bounds there to be guessed, unless they are always as many."""


# ---------------------------------------------------------------------- what was seen
@dataclass(frozen=True)
class _Range:
    """A number with what it was at each position seen."""

    number: Number
    values: tuple[int, ...]

    def facts(self, label: str = "", when: Holds | None = None, inside: _Range | None = None,
              most: int | None = None) -> Iterator[Fact]:
        """Bounds; those that are no closer than the bounds of `inside` are left out."""
        least: int | None = 0
        if inside is not None:
            least, most = min(inside.values), max(inside.values)
        yield from entries.between(self.number, self.values, least, most, label, when)

    def where(self, chosen: Sequence[int]) -> _Range:
        """The same at some of the positions."""
        return _Range(self.number, tuple(self.values[i] for i in chosen))


def _ranges(numbers: Iterable[Number], seen: Sequence[Sliced]) -> Iterator[_Range]:
    for number in numbers:
        values = [number.read(s) for s in seen]
        if values and all(isinstance(v, int) for v in values):
            yield _Range(number, tuple(values))


class Guesser:
    """Makes facts from the slices of positions that were seen at a point."""

    def __init__(self, slice_: Slice, wide: bool = False) -> None:
        self._slice, self._layout, self._wide = slice_, slice_.layout, wide
        self._scalars = list(entries.scalars(self._layout, slice_))

    def base(self, seen: Sequence[Sliced]) -> Iterator[Fact]:
        """What may be of use for any claim: of single variables and zones."""
        yield from self._of_variables(seen)
        yield from (f for one in _ranges(self._sizes(), seen) for f in one.facts())
        yield from self._of_zones(seen)

    def of_claim(self, claim: Claim, seen: Sequence[Sliced], apart: bool) -> Iterator[Fact]:
        """What may be of use for one claim: of the numbers that it speaks of, also where nothing else makes it hold.

        `apart`: what holds of them where some variable has one value, else what holds whatever the variables are.
        """
        make = self._told_apart if apart else self._of_claim
        yield from make(claim, seen)
        other = granted(claim)
        if other is None:
            return
        rest = [s for s in seen if other(s) is False]
        for fact in make(claim, rest) if rest else ():
            yield Fact(f"unless granted: {fact.name}", entries.unless(entries.no(other), fact.holds))

    def _numbers(self, claim: Claim, seen: Sequence[Sliced]) -> tuple[list[_Range], list[_Range]]:
        """The numbers of a claim, and how many there are of what may decide on them."""
        sizes = list(_ranges(self._sizes(), seen))
        if self._wide:
            sizes.extend(r for r in _ranges(self._small_zones(), seen) if 0 < max(r.values) <= FEW)
        return list(_ranges(numbers_of([claim]), seen)), sizes

    def _of_claim(self, claim: Claim, seen: Sequence[Sliced]) -> Iterator[Fact]:
        ranges, sizes = self._numbers(claim, seen)
        for one in (*ranges, *sizes):
            yield from one.facts()
        yield from _pairs([r for r in ranges if r.number.compared] if len(ranges) > FEW else ranges)
        yield from self._by_player([*ranges, *sizes], seen)

    def _told_apart(self, claim: Claim, seen: Sequence[Sliced]) -> Iterator[Fact]:
        ranges, sizes = self._numbers(claim, seen)
        for label, when, chosen in self._modes(seen):
            for one in ranges:
                yield from one.where(chosen).facts(label, when, one)
        for label, when, chosen in self._sets(seen):
            for one in (*ranges, *sizes):
                yield from one.where(chosen).facts(label, when, one)

    # ------------------------------------------------------------------ variables and zones
    def _of_variables(self, seen: Sequence[Sliced]) -> Iterator[Fact]:
        for name, index, kind in self._scalars:
            yield from entries.of_values(name, kind, index, [s.entries[index] for s in seen])
        yield from self._gaps(seen)
        players = [(n, i) for n, i, k in self._scalars if entries.is_player(k)]
        players = [(n, i) for n, i in players if len({entries.player(s.entries[i]) for s in seen}) > 1]
        yield from self._memberships(players, seen)
        for number, (name, index) in enumerate(players):
            equal: str | None = None
            for other, second in players[:number]:
                values = [(s.entries[index], s.entries[second]) for s in seen]
                if not all(entries.known(a) and entries.known(b) for a, b in values):
                    continue
                same = {value.equal(a, b) for a, b in values}
                if same == {True} and equal is None:
                    equal = other
                    yield Fact(f"{name} = {other}", entries.same(index, second))
                elif same == {False}:
                    yield Fact(f"{name} is not {other}", entries.no(entries.same(index, second)))

    def _memberships(self, players: Sequence[tuple[str, int]], seen: Sequence[Sliced]) -> Iterator[Fact]:
        """Players who were always, or never, in a set, such as the set of those who are still to be asked."""
        sets = [(n, i) for n, i, k in self._scalars if isinstance(k, SetOf) and entries.is_player(k.of)]
        for name, index in sets:
            for player, second in players:
                values = {entries.belongs(index, second)(s) for s in seen}
                if values == {True}:
                    yield Fact(f"{player} is in {name}", entries.belongs(index, second))
                elif values == {False}:
                    yield Fact(f"{player} is not in {name}", entries.no(entries.belongs(index, second)))

    def _gaps(self, seen: Sequence[Sliced]) -> Iterator[Fact]:
        """Numbers of variables that were always equally far apart, such as a counter and what is set from it."""
        counters = [Number(name, entries.entry(index)) for name, index, kind in self._scalars if isinstance(kind, Int)]
        moving = [one for one in _ranges(counters, seen) if len(set(one.values)) > 1]
        for number, one in enumerate(moving):
            for other in moving[:number]:
                gaps = {a - b for a, b in zip(one.values, other.values, strict=True)}
                if len(gaps) == 1:
                    yield _apart(one.number, other.number, gaps.pop())
                    break  # the others follow from those of the first two

    def _of_zones(self, seen: Sequence[Sliced]) -> Iterator[Fact]:
        for zone in (self._layout.core.zones[name] for name in sorted(self._slice.zones)):
            spread = self._layout.zones[zone.name]
            for key, index in zip(spread.keys(), range(spread.base, spread.base + spread.count), strict=True):
                name = f"{zone.name}{list(key) if key else ''}"
                whole = next(_ranges([Number(f"number of {name}", entries.total(index))], seen), None)
                if whole is None:
                    continue
                yield from whole.facts(most=zone.capacity)
                many = range(len(self._slice.groups))
                groups = [Number(f"group {g} in {name}", entries.group(index, g)) for g in many]
                if len(groups) > 1 and max(whole.values) > 0:
                    for one in _ranges(groups, seen):
                        fixed = len(set(one.values)) == 1
                        yield from one.facts() if fixed or max(one.values) <= HANDFUL else ()

    def _sizes(self) -> Iterator[Number]:
        """How many components registers hold."""
        for name, index, kind in self._scalars:
            if isinstance(kind, Many):
                family, _, key = name.rstrip("]").partition("[")
                player = int(key) if key.isdigit() else 0
                yield Number(f"size of {name}", entries.size(index), f"size of {family}" if key else None, player)

    def _small_zones(self) -> Iterator[Number]:
        """How many of each group lie in the zones of players."""
        for zone in (self._layout.core.zones[name] for name in sorted(self._slice.zones)):
            spread = self._layout.zones[zone.name]
            if len(zone.keys) != 1 or not entries.is_player(zone.keys[0]):
                continue
            for (player,), index in zip(spread.keys(), range(spread.base, spread.base + spread.count), strict=True):
                for g in range(len(self._slice.groups)):
                    name, family = f"group {g} in {zone.name}[{player}]", f"{g} {zone.name}"
                    yield Number(name, entries.group(index, g), family, player)

    # ------------------------------------------------------------------ modes
    def _modes(self, seen: Sequence[Sliced]) -> Iterator[tuple[str, Holds, Sequence[int]]]:
        """Values of registers and readings by which positions may be told apart."""
        for name, index, kind in self._scalars:
            groups: dict[object, list[int]] = {}
            for number, store in enumerate(seen):
                groups.setdefault(entries.mode(kind, store.entries[index]), []).append(number)
            if None in groups or not 2 <= len(groups) <= FEW:
                continue
            for mode, there in groups.items():
                yield f"{name} is {mode}: ", entries.in_mode(kind, index, mode), there

    def _sets(self, seen: Sequence[Sliced]) -> Iterator[tuple[str, Holds, Sequence[int]]]:
        for name, index, kind in self._scalars:
            if isinstance(kind, SetOf):
                yield from self._in_sets(name, index, seen)

    def _in_sets(self, name: str, index: int, seen: Sequence[Sliced]) -> Iterator[tuple[str, Holds, Sequence[int]]]:
        """Whether something is in a small set."""
        sets = [e for s in seen if isinstance(e := s.entries[index], Bits)]
        size = len(sets[0].bits) if sets else 0
        for number in range(size if size <= FEW else 0):
            for fixed in (True, False):
                there = [i for i, s in enumerate(sets) if s.bits[number] is fixed]
                if 0 < len(there) < len(seen):
                    yield f"{number} in {name} is {fixed}: ", entries.bit(index, number, fixed), there

    def _by_player(self, ranges: Sequence[_Range], seen: Sequence[Sliced]) -> Iterator[Fact]:
        """Families of numbers at the player in a register, and at every other player."""
        families: dict[str, dict[int, _Range]] = {}
        for one in ranges:
            if one.number.family is not None:
                families.setdefault(one.number.family, {})[one.number.player] = one
        seats = self._layout.core.seats.number
        for name, index, kind in self._scalars:
            players = [entries.player(s.entries[index]) for s in seen]
            if not entries.is_player(kind) or None in players or len(set(players)) < 2:
                continue
            for family, members in families.items():
                if len(members) != seats:
                    continue
                numbers = {p: one.number for p, one in members.items()}
                at = Number(f"{family} of {name}", entries.picked(index, numbers))
                whole = _Range(at, tuple(v for one in members.values() for v in one.values))
                yield from _Range(at, tuple(members[p].values[i] for i, p in enumerate(players) if p is not None)
                                  ).facts(inside=whole)
                for player, one in members.items():
                    others = [i for i, p in enumerate(players) if p != player]
                    label, when = f"{name} is not {player}: ", entries.not_player(index, player)
                    yield from one.where(others).facts(label, when, whole)


def _pairs(ranges: Sequence[_Range]) -> Iterator[Fact]:
    """Numbers that were the same, or never larger than another one."""
    for number, one in enumerate(ranges[:24]):
        for other in ranges[:number]:
            gaps = [a - b for a, b in zip(one.values, other.values, strict=True)]
            if max(gaps) <= 0:
                yield _ordered(one.number, other.number, max(gaps))
            if min(gaps) >= 0:
                yield _ordered(other.number, one.number, -min(gaps))


def _apart(one: Number, other: Number, gap: int) -> Fact:
    said = f"{one.name} = {other.name}" + (f" {gap:+}" if gap else "")
    return Fact(said, lambda s: term.equal(one.read(s), term.total([other.read(s), gap])))


def _ordered(one: Number, other: Number, gap: int) -> Fact:
    said = f"{one.name} <= {other.name}" + (f" - {-gap}" if gap else "")
    return Fact(said, lambda s: term.at_most(one.read(s), term.total([other.read(s), gap])))
