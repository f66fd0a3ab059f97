"""Facts about slices that may be worth proving: what holds of all positions seen at a point in random games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from referee.core.expr import Expr, Fold, FoldKind, Get, Let, Op, Operator, Where
from referee.core.reads import locals_of
from referee.core.ruleset import Role
from referee.core.types import PLAYER, Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.game.state import Layout
from referee.review.claims import Claim, Instance
from referee.review.vocabulary import nodes_of
from referee.symbolic import term, value
from referee.symbolic.evaluate import Context
from referee.symbolic.sliced import SlicedEvaluator
from referee.symbolic.slices import Slice, Sliced
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Bits, Counts, Opt, Sym

FEW = 6
_COMPARED = (Operator.EQ, Operator.NE, Operator.LT, Operator.LE, Operator.GT, Operator.GE)
Holds: TypeAlias = Callable[[Sliced], Cond]


@dataclass(frozen=True)
class Fact:
    """Something that may hold at a point. `claim`: the name of the claim that it is part of, if it is."""

    name: str
    holds: Holds = field(compare=False)
    claim: str | None = None


@dataclass(frozen=True)
class Number:
    """A number that can be read off a slice; `player`: the one of whom it is, in a family of that name."""

    name: str
    read: Callable[[Sliced], Num] = field(compare=False)
    family: str | None = None
    player: int = 0


# ---------------------------------------------------------------------- claims
def parts_of(claim: Claim) -> Iterator[Fact]:
    """The instances of a claim as facts."""
    for number, instance in enumerate(claim.instances):
        yield Fact(f"{claim.name} {number}" if len(claim.instances) > 1 else claim.name, holds_of(instance), claim.name)


def holds_of(instance: Instance) -> Holds:
    """Whether an instance holds of a slice. What cannot be evaluated does not hold."""

    def holds(store: Sliced) -> Cond:
        context = Context(store, dict(bound(instance, store)))
        evaluate = SlicedEvaluator(context)
        inside: Cond = True
        for premise in instance.premises:
            with context.under(inside):
                inside = term.both(inside, evaluate.condition(premise))
        with context.under(inside):
            body = evaluate.condition(instance.body)
        return term.both(term.disj((term.no(inside), body)), term.no(context.failed))

    return holds


def bound(instance: Instance, store: Sliced) -> Iterator[tuple[str, Sym]]:
    """The names of an instance with their values."""
    yield from instance.env
    if instance.focus is not None:
        assert store.slice.groups.focus is not None
        yield instance.focus, store.slice.groups.focus


def numbers_of(claims: Iterable[Claim]) -> list[Number]:
    """The numbers that claims compare, and the counts they are made of."""
    found: dict[str, Number] = {}
    for claim in claims:
        for instance in claim.instances:
            for label, expr in _numeric(instance):
                player = next((v for _, v in instance.env), 0)
                name = f"{claim.name} {label} {dict(instance.env)}"
                family = f"{claim.name} {label}" if len(instance.env) == 1 else None
                found.setdefault(name, Number(name, _reader(instance, expr), family, player))
    return list(found.values())


def _numeric(instance: Instance) -> Iterator[tuple[str, Expr]]:
    names = {name for name, _ in instance.env} | {instance.focus}
    for number, one in enumerate(nodes_of((*instance.premises, instance.body))):
        if isinstance(one, Op) and one.op in _COMPARED:
            for side in one.args:
                if isinstance(side.type, Int) and isinstance(side, Op | Fold | Get) and _free(side) <= names:
                    yield f"{number} {one.args.index(side)}", side
        elif isinstance(one, Fold) and one.kind is FoldKind.COUNT and _free(one) <= names:
            yield f"{number}", one


def _free(expr: Expr) -> frozenset[str]:
    """The names that an expression takes from outside."""
    inner = {one.var for one in nodes_of(expr) if isinstance(one, Fold | Where | Let)}
    return locals_of(expr) - inner


def _reader(instance: Instance, expr: Expr) -> Callable[[Sliced], Num]:
    return lambda store: SlicedEvaluator(Context(store, dict(bound(instance, store)))).number(expr)


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
        yield from _between(self.number, self.values, least, most, label, when)

    def where(self, chosen: Sequence[int]) -> _Range:
        """The same at some of the positions."""
        return _Range(self.number, tuple(self.values[i] for i in chosen))


def _ranges(numbers: Iterable[Number], seen: Sequence[Sliced]) -> Iterator[_Range]:
    for number in numbers:
        values = [number.read(s) for s in seen]
        if values and all(isinstance(v, int) for v in values):
            yield _Range(number, tuple(values))  # type: ignore[arg-type]


class Guesser:
    """Makes facts from the slices of positions that were seen at a point."""

    def __init__(self, slice_: Slice, wide: bool = False) -> None:
        self._slice, self._layout, self._wide = slice_, slice_.layout, wide
        self._scalars = list(_scalars(self._layout, slice_))

    def base(self, seen: Sequence[Sliced]) -> Iterator[Fact]:
        """What may be of use for any claim: of single variables and zones."""
        yield from self._of_variables(seen)
        yield from self._of_zones(seen)

    def of_claim(self, claim: Claim, seen: Sequence[Sliced]) -> Iterator[Fact]:
        """What may be of use for one claim: of the numbers that it speaks of."""
        ranges = list(_ranges([*numbers_of([claim]), *self._sizes()], seen))
        if self._wide:
            ranges.extend(r for r in _ranges(self._small_zones(), seen) if 0 < max(r.values) <= FEW)
        for one in ranges:
            yield from one.facts()
        yield from _pairs(ranges)
        for label, when, chosen in self._modes(seen):
            for one in ranges:
                yield from one.where(chosen).facts(label, when, one)
        yield from self._by_player(ranges, seen)

    # ------------------------------------------------------------------ variables and zones
    def _of_variables(self, seen: Sequence[Sliced]) -> Iterator[Fact]:
        for name, index, kind in self._scalars:
            yield from _of_values(name, kind, index, [s.entries[index] for s in seen])
        players = [(n, i) for n, i, k in self._scalars if _is_player(k)]
        players = [(n, i) for n, i in players if len({_player(s.entries[i]) for s in seen}) > 1]
        for number, (name, index) in enumerate(players):
            for other, second in players[:number]:
                values = [(s.entries[index], s.entries[second]) for s in seen]
                if all(_known(a) and _known(b) and value.equal(a, b) is True for a, b in values):  # type: ignore[arg-type]
                    yield Fact(f"{name} = {other}", _same(index, second))
                    break

    def _of_zones(self, seen: Sequence[Sliced]) -> Iterator[Fact]:
        for zone in (self._layout.core.zones[name] for name in sorted(self._slice.zones)):
            spread = self._layout.zones[zone.name]
            for key, index in zip(spread.keys(), range(spread.base, spread.base + spread.count), strict=True):
                name = f"{zone.name}{list(key) if key else ''}"
                whole = next(_ranges([Number(f"number of {name}", _total(index))], seen), None)
                if whole is None:
                    continue
                yield from whole.facts(most=zone.capacity)
                groups = [Number(f"group {g} in {name}", _group(index, g)) for g in range(len(self._slice.groups))]
                if len(groups) > 1 and max(whole.values) > 0:
                    for one in _ranges(groups, seen):
                        yield from (f for f in one.facts() if max(whole.values) <= FEW or max(one.values) == 0)

    def _sizes(self) -> Iterator[Number]:
        """How many components registers hold."""
        for name, index, kind in self._scalars:
            if isinstance(kind, Many):
                family, _, key = name.rstrip("]").partition("[")
                player = int(key) if key.isdigit() else 0
                yield Number(f"size of {name}", _size(index), f"size of {family}" if key else None, player)

    def _small_zones(self) -> Iterator[Number]:
        """How many of each group lie in the zones of players."""
        for zone in (self._layout.core.zones[name] for name in sorted(self._slice.zones)):
            spread = self._layout.zones[zone.name]
            if len(zone.keys) != 1 or not _is_player(zone.keys[0]):
                continue
            for (player,), index in zip(spread.keys(), range(spread.base, spread.base + spread.count), strict=True):
                for g in range(len(self._slice.groups)):
                    yield Number(f"group {g} in {zone.name}[{player}]", _group(index, g), f"{g} {zone.name}", player)

    # ------------------------------------------------------------------ modes
    def _modes(self, seen: Sequence[Sliced]) -> Iterator[tuple[str, Holds, Sequence[int]]]:
        """Values of registers and readings by which positions may be told apart."""
        for name, index, kind in self._scalars:
            groups: dict[object, list[int]] = {}
            for number, store in enumerate(seen):
                groups.setdefault(_mode(kind, store.entries[index]), []).append(number)
            if isinstance(kind, SetOf):
                yield from self._in_sets(name, index, seen)
            if None in groups or not 2 <= len(groups) <= FEW:
                continue
            for mode, there in groups.items():
                yield f"{name} is {mode}: ", _in_mode(kind, index, mode), there

    def _in_sets(self, name: str, index: int, seen: Sequence[Sliced]) -> Iterator[tuple[str, Holds, Sequence[int]]]:
        """Whether something is in a small set."""
        sets = [s.entries[index] for s in seen]
        for number in range(len(sets[0].bits) if sets and isinstance(sets[0], Bits) else 0):
            for fixed in (True, False):
                there = [i for i, s in enumerate(sets) if isinstance(s, Bits) and s.bits[number] is fixed]
                if 0 < len(there) < len(seen) and len(sets[0].bits) <= FEW:  # type: ignore[union-attr]
                    yield f"{number} in {name} is {fixed}: ", _bit(index, number, fixed), there

    def _by_player(self, ranges: Sequence[_Range], seen: Sequence[Sliced]) -> Iterator[Fact]:
        """Families of numbers at the player in a register, and at every other player."""
        families: dict[str, dict[int, _Range]] = {}
        for one in ranges:
            if one.number.family is not None:
                families.setdefault(one.number.family, {})[one.number.player] = one
        seats = self._layout.core.seats.number
        for name, index, kind in self._scalars:
            players = [_player(s.entries[index]) for s in seen]
            if not _is_player(kind) or None in players or len(set(players)) < 2:
                continue
            for family, members in families.items():
                if len(members) != seats:
                    continue
                numbers = {p: one.number for p, one in members.items()}
                at = Number(f"{family} of {name}", _picked(index, numbers))
                whole = _Range(at, tuple(v for one in members.values() for v in one.values))
                yield from _Range(at, tuple(members[p].values[i] for i, p in enumerate(players) if p is not None)
                                  ).facts(inside=whole)
                for player, one in members.items():
                    others = [i for i, p in enumerate(players) if p != player]
                    yield from one.where(others).facts(f"{name} is not {player}: ", _not_player(index, player), whole)


def _scalars(layout: Layout, slice_: Slice) -> Iterator[tuple[str, int, Type]]:
    for var in layout.defs.values():
        if var.role is Role.PARAMETER or (not slice_.kept(var) and var.name not in slice_.focused):
            continue
        spread = layout.vars[var.name]
        many = slice_.kept(var)
        for key, index in zip(spread.keys(), range(spread.base, spread.base + (spread.count if many else 1)),
                              strict=False):
            yield f"{var.title or var.name}{list(key) if key and many else ''}", index, var.type


def _known(entry: object) -> bool:
    match entry:
        case bool() | int():
            return True
        case Opt():
            return isinstance(entry.has, bool) and isinstance(entry.value, int)
        case Bits():
            return all(isinstance(b, bool) for b in entry.bits)
        case _:
            return False


def _is_player(kind: Type) -> bool:
    inner = kind.of if isinstance(kind, Maybe) else kind
    return isinstance(inner, Elem) and inner.domain == PLAYER


def _player(entry: object) -> int | None:
    found = entry.value if isinstance(entry, Opt) and entry.has is True else entry
    return found if isinstance(found, int) else None


def _of_values(name: str, kind: Type, index: int, entries: list[object]) -> Iterator[Fact]:
    if not entries or not all(_known(e) for e in entries):
        return
    match kind:
        case Bool() if len(set(entries)) == 1:
            fixed = bool(entries[0])
            yield Fact(f"{name} is {fixed}", lambda s: term.same(s.entries[index], fixed))  # type: ignore[arg-type]
        case Int() | Elem():
            yield from _between(Number(name, _entry(index)), [e for e in entries if isinstance(e, int)], kind.lo,
                                kind.hi, "", None)
        case Maybe(inner):
            some = [e for e in entries if isinstance(e, Opt)]
            if all(e.has is False for e in some):
                yield Fact(f"{name} is none", lambda s: term.no(_opt(s, index).has))
            elif all(e.has is True for e in some):
                yield Fact(f"{name} is some", lambda s: _opt(s, index).has)
                inside = [e.value for e in some if isinstance(e.value, int)]
                yield from _between(Number(name, lambda s: _opt(s, index).value), inside, inner.lo, inner.hi, "", None)
        case SetOf():
            yield from _of_sets(name, index, [e for e in entries if isinstance(e, Bits)])
        case _:
            return


def _of_sets(name: str, index: int, sets: list[Bits]) -> Iterator[Fact]:
    for number in range(len(sets[0].bits) if sets else 0):
        values = {s.bits[number] for s in sets}
        if len(values) == 1:
            fixed = bool(values.pop())
            yield Fact(f"{number} in {name} is {fixed}", _bit(index, number, fixed))
    if sets and not any(all(not b for b in s.bits) for s in sets):
        yield Fact(f"{name} is not empty", lambda s: term.disj(_bits(s, index).bits))


def _bit(index: int, number: int, fixed: bool) -> Holds:
    return lambda s: term.same(_bits(s, index).bits[number], fixed)


def _same(one: int, other: int) -> Holds:
    return lambda s: value.equal(s.entries[one], s.entries[other])  # type: ignore[arg-type]


def _entry(index: int) -> Callable[[Sliced], Num]:
    return lambda s: s.entries[index]  # type: ignore[return-value]


def _size(index: int) -> Callable[[Sliced], Num]:
    def read(store: Sliced) -> Num:
        found = store.entries[index]
        assert isinstance(found, Counts)
        return found.size

    return read


def _opt(store: Sliced, index: int) -> Opt:
    found = store.entries[index]
    assert isinstance(found, Opt)
    return found


def _bits(store: Sliced, index: int) -> Bits:
    found = store.entries[index]
    assert isinstance(found, Bits)
    return found


def _total(index: int) -> Callable[[Sliced], Num]:
    return lambda s: s.tallies[index].total


def _group(index: int, group: int) -> Callable[[Sliced], Num]:
    return lambda s: s.tallies[index].counts[group]


def _mode(kind: Type, entry: object) -> object:
    """The value by which positions are told apart; None if it is not known, or of no use."""
    match kind:
        case Bool() | Elem() | Int():
            return entry if isinstance(entry, bool | int) else None
        case Maybe():
            if not isinstance(entry, Opt) or not isinstance(entry.has, bool):
                return None
            return _player(entry) if entry.has and isinstance(_player(entry), int) else "none"
        case _:
            return None


def _in_mode(kind: Type, index: int, mode: object) -> Holds:
    if isinstance(kind, Maybe):
        wanted = Opt(False, kind.of.lo) if mode == "none" else Opt(True, mode)  # type: ignore[arg-type]
        return lambda s: value.equal(s.entries[index], wanted)  # type: ignore[arg-type]
    return lambda s: value.equal(s.entries[index], mode)  # type: ignore[arg-type]


def _not_player(index: int, player: int) -> Holds:
    def holds(store: Sliced) -> Cond:
        entry = store.entries[index]
        return term.no(value.equal(entry, Opt(True, player) if isinstance(entry, Opt) else player))  # type: ignore[arg-type]

    return holds


def _picked(index: int, members: dict[int, Number]) -> Callable[[Sliced], Num]:
    def read(store: Sliced) -> Num:
        entry = store.entries[index]
        at: Num = entry.value if isinstance(entry, Opt) else entry  # type: ignore[assignment]
        last = max(members)
        cases = [(term.equal(at, p), n.read(store)) for p, n in members.items() if p != last]
        return term.pick(cases, members[last].read(store))

    return read


def _between(
    number: Number, values: Sequence[int], least: int | None, most: int | None, label: str, when: Holds | None
) -> Iterator[Fact]:
    if not values:
        return
    lo, hi = min(values), max(values)
    often = len(values) // 50  # a bound that was hardly ever met is most likely none
    if lo != least and values.count(lo) > often:
        yield Fact(f"{label}{number.name} >= {lo}", _unless(when, lambda s: term.at_most(lo, number.read(s))))
    if hi != most and values.count(hi) > often:
        yield Fact(f"{label}{number.name} <= {hi}", _unless(when, lambda s: term.at_most(number.read(s), hi)))


def _unless(when: Holds | None, holds: Holds) -> Holds:
    return holds if when is None else lambda s: term.disj((term.no(when(s)), holds(s)))


def _pairs(ranges: Sequence[_Range]) -> Iterator[Fact]:
    """Numbers that were the same, or never larger than another one."""
    for number, one in enumerate(ranges[:24]):
        for other in ranges[:number]:
            gaps = [a - b for a, b in zip(one.values, other.values, strict=True)]
            if max(gaps) <= 0:
                yield _ordered(one.number, other.number, max(gaps))
            if min(gaps) >= 0:
                yield _ordered(other.number, one.number, -min(gaps))


def _ordered(one: Number, other: Number, gap: int) -> Fact:
    said = f"{one.name} <= {other.name}" + (f" - {-gap}" if gap else "")
    return Fact(said, lambda s: term.at_most(one.read(s), term.total([other.read(s), gap])))
