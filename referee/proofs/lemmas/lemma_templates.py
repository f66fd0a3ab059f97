"""Numbers that can be read off a slice: what lemmas are made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from referee.core.expr import At, Expr, Look
from referee.core.read_write_sets import reads
from referee.core.ruleset import Role, Zone
from referee.core.types import COMPONENT, PLAYER, Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.proofs.lemmas import slice_entries
from referee.proofs.lemmas.looked_up_spots import lying_there, said
from referee.proofs.lemmas.slice_facts import numbers_of, remembering
from referee.proofs.proof_claims import Claim
from referee.smt import term
from referee.smt.abstraction.class_groups import admitted
from referee.smt.abstraction.kept_spots import number_of
from referee.smt.abstraction.sliced_reading import SlicedEvaluator
from referee.smt.abstraction.slices import Slice, Sliced
from referee.smt.semantics.context import Context
from referee.smt.term import Num
from referee.smt.value import Opt

COUNT, KIND = "number", "kind"
DIFFERENCE = 3.0
"""The weight of differences; what weighs more says more, and is guessed later."""
WIDE = 12
"""A number made of more unknowns is looked at only if all of them matter, or if the rules compare it."""
COMPARED = 0.9
"""The weight of what the rules themselves compare: before any number by itself."""
SAID = 3
"""How many classes of a group are named."""
FEW_CLASSES = 6
"""Of more classes it says nothing which of them were seen on a spot."""
MOST_MEMBERS = 32
"""Of sets of more it is not looked at what is in them."""


@dataclass(frozen=True)
class Feature:
    """A number of a slice. `sort`: numbers of one sort may be compared; `ordered`: it makes sense that one is larger.

    `family`, `player`: the same number of every player has the same family. `reads`: the variables and zones it is of.
    `telling`: which values it was seen with says something. `own`: it can be read off slices of its own kind only.
    """

    name: str
    read: Callable[[Sliced], Num] = field(compare=False)
    sort: str = field(compare=False)
    reads: frozenset[str] = field(compare=False)
    ordered: bool = field(compare=False, default=True)
    family: str | None = field(compare=False, default=None)
    player: int = field(compare=False, default=0)
    weight: float = field(compare=False, default=1)
    telling: bool = field(compare=False, default=True)
    own: bool = field(compare=False, default=False)
    parts: tuple[Feature, ...] = field(compare=False, default=())
    of: Callable[..., int] | None = field(compare=False, default=None)

    @property
    def wide(self) -> float:
        """Of how many unknowns it may be made, at most, to be looked at where not all of them matter."""
        return inf if self.weight <= COMPARED else WIDE

    def combined(self, row: Sequence[int | None]) -> int | None:
        """Its value, from the values of its parts."""
        assert self.of is not None
        return None if None in row else self.of(*row)

    def at(self, store: Sliced) -> int | None:
        """Its value on a known slice; None if that is not known."""
        if self.of is not None:
            return self.combined([part.at(store) for part in self.parts])
        found = self.read(store)
        return int(found) if isinstance(found, bool | int) else None


def labels_of(slice_: Slice) -> Sequence[str]:
    """What groups of components are called: by kind, or by some of their classes; a name that is no word is quoted, as
    lemmas are told apart by what they say."""
    groups, core, found = slice_.groups, slice_.layout.core, list[str]()
    for number, part in enumerate(groups.parts):
        kinds = {core.components[c].kind for c in part}
        whole = [c for c, one in enumerate(core.components) if {one.kind} == kinds]
        named = "/".join(_word(str(core.components[c].name)) for c in sorted(part)[:SAID])
        more = f"/{len(part) - SAID} more" if len(part) > SAID else ""
        label = _word(next(iter(kinds))) if len(whole) == len(part) else named + more
        found.append(label if label not in found else f"{label} ({number})")
    return [*(["the component"] if groups.focus is not None else []), *found]


def _word(name: str) -> str:
    return name if re.fullmatch(r"\w+", name) else repr(name)


def features_of(slice_: Slice, claim: Claim | None = None) -> Iterator[Feature]:
    """The features of what a slice keeps, single ones before those made of several."""
    labels = labels_of(slice_)
    yield from _of_variables(slice_, labels)
    yield from _of_zones(slice_, labels)
    for one in slice_.asked:
        if isinstance(one, At | Look):
            yield from _of_asked(one, slice_, labels)
        elif (name := said(one)) is not None:
            yield Feature(name, remembering(_number(one), reads(one)), COUNT, reads(one), weight=COMPARED, own=True)
    if slice_.groups.focus is not None:
        yield Feature("the component", _focus, COMPONENT, frozenset(), False, telling=False, own=True)
        for g, label in list(enumerate(labels))[1:]:
            yield Feature(f"the component is {label}", _of_group(g), KIND, frozenset(), False, telling=False, own=True)
    if claim is not None:
        for number in numbers_of(claim):
            yield Feature(number.name, number.read, COUNT, number.reads, True, number.family, number.player,
                          own=True)


def _focus(store: Sliced) -> Num:
    focus = store.slice.groups.focus
    assert focus is not None
    return focus


def _of_group(group: int) -> Callable[[Sliced], Num]:
    def read(store: Sliced) -> Num:
        part, focus = store.slice.groups.parts[group - 1], _focus(store)
        return int(focus in part) if isinstance(focus, int) else term.number(term.disj(
            term.equal(focus, c) for c in sorted(part)))

    return read


def _of_variables(slice_: Slice, labels: Sequence[str]) -> Iterator[Feature]:
    layout = slice_.layout
    for var in layout.defs.values():
        if (var.role is Role.PARAMETER and not slice_.kept(var)) or (
            not slice_.kept(var) and var.name not in slice_.focused
        ):
            continue
        spread, many = layout.vars[var.name], slice_.kept(var)
        by_player = bool(var.keys) and isinstance(var.keys[0], Elem) and var.keys[0].domain == PLAYER and many
        for key, index in zip(spread.keys(), range(spread.base, spread.base + (spread.count if many else 1)),
                              strict=False):
            name = f"{var.name}{list(key) if key and many else ''}"
            family = f"{var.name}{list(key[1:])}" if by_player else None
            player = key[0] if by_player else 0
            yield from _of_entry(name, index, var.type, frozenset({var.name}), family, player, slice_, labels)


def _of_entry(name: str, index: int, kind: Type, reads: frozenset[str], family: str | None, player: int,
              slice_: Slice, labels: Sequence[str]) -> Iterator[Feature]:
    def made(part: str, read: Callable[[Sliced], Num], sort: str, ordered: bool) -> Feature:
        own = f"{family}{part}" if family is not None else None
        return Feature(f"{name}{part}", read, sort, reads, ordered, own, player)

    def by_member(one: Feature, inner: Elem | Int, number: int, said: str) -> Feature:
        """What is told of a member that is a player may be told of the one whom a variable names."""
        player = isinstance(inner, Elem) and inner.domain == PLAYER
        return replace(one, family=f"{name} {said}", player=inner.lo + number) if player else one

    match kind:
        case Bool():
            yield made("", lambda s: term.number(s.entries[index]), KIND, False)
        case Int():
            yield made("", lambda s: s.entries[index], COUNT, True)
        case Elem(domain=domain):
            yield made("", lambda s: s.entries[index], domain, False)
            yield from _kinds_of(kind, slice_, labels, made, lambda s: s.entries[index])
        case Maybe(of=inner):
            yield from _kinds_of(inner, slice_, labels, made, lambda s: _or_less(slice_entries.opt(s, index), inner.lo))
            sort, ordered = (COUNT, True) if isinstance(inner, Int) else (inner.domain, False)
            yield made("", lambda s: _or_less(slice_entries.opt(s, index), inner.lo), sort, ordered)
            if ordered or inner.hi > inner.lo:
                yield made(" is some", lambda s: term.number(slice_entries.opt(s, index).has), KIND, False)
        case SetOf(of=inner):
            for i in range(inner.hi - inner.lo + 1) if inner.hi - inner.lo < MOST_MEMBERS else ():
                yield by_member(made(f" has {i}", slice_entries.member(index, i), KIND, False), inner, i, "has")
            yield made(" size", slice_entries.members(index), COUNT, True)
        case Many(of=inner):
            yield made(" size", slice_entries.size(index), COUNT, True)
            if inner.domain == COMPONENT:
                for g, label in enumerate(labels) if len(slice_.groups) > 1 else ():
                    yield replace(made(f" counts {label}", slice_entries.counted(index, g), COUNT, True), own=True)
            elif inner.hi - inner.lo < MOST_MEMBERS:
                for i in range(inner.hi - inner.lo + 1):
                    one = made(f" number of {i}", slice_entries.of_member(index, i), COUNT, True)
                    yield by_member(one, inner, i, "number of")


def _kinds_of(kind: Type, slice_: Slice, labels: Sequence[str], made: Callable[..., Feature],
              read: Callable[[Sliced], Num]) -> Iterator[Feature]:
    """Of which groups a component is that a variable names."""
    if not isinstance(kind, Elem) or kind.domain != COMPONENT:
        return
    for label, part in zip(labels[slice_.groups.first :], slice_.groups.parts, strict=True):
        if any(kind.lo <= c <= kind.hi for c in part) and not all(c in part for c in range(kind.lo, kind.hi + 1)):
            yield made(f" is {label}", _among(part, read), KIND, False)


def _among(part: frozenset[int], read: Callable[[Sliced], Num]) -> Callable[[Sliced], Num]:
    def found(store: Sliced) -> Num:
        one = read(store)
        return int(one in part) if isinstance(one, int) else term.number(term.disj(
            term.equal(one, c) for c in sorted(part)))

    return found


def _or_less(entry: Opt, lo: int) -> Num:
    """The value of an entry that may be nothing; nothing is less than all values."""
    return term.choose(entry.has, entry.value, lo - 1)


def _of_zones(slice_: Slice, labels: Sequence[str]) -> Iterator[Feature]:
    layout = slice_.layout
    for zone in (layout.core.zones[name] for name in sorted(slice_.zones)):
        spread = layout.zones[zone.name]
        by_player = bool(zone.keys) and slice_entries.is_player(zone.keys[0])
        for key, index in zip(spread.keys(), spread.entries, strict=True):
            name, names = f"{zone.name}{list(key) if key else ''}", frozenset({zone.name})
            family = f"{zone.name}{list(key[1:])}" if by_player else None
            player = key[0] if by_player else 0
            for g, label in enumerate(labels) if len(slice_.groups) > 1 else ():
                yield Feature(f"{name} counts {label}", slice_entries.group(index, g), COUNT, names, True,
                              f"{family} counts {label}" if family else None, player, own=True)
            yield Feature(f"{name} all", slice_entries.total(index), COUNT, names, True,
                          f"{family} all" if family else None, player)
            if zone.name in slice_.placed:
                yield from _of_spots(zone, name, index, family, player, slice_, labels)


def _of_spots(zone: Zone, name: str, index: int, family: str | None, player: int, slice_: Slice,
              labels: Sequence[str]) -> Iterator[Feature]:
    may = admitted(slice_.layout.core, zone)
    kind = Elem(COMPONENT, min(may), max(may))
    low = zone.spots.lo if zone.spots is not None else 0
    for spot in range(number_of(zone)):
        def made(part: str, read: Callable[[Sliced], Num], sort: str, ordered: bool, spot: int = spot) -> Feature:
            said = f" at {low + spot}{part}"
            own = f"{family}{said}" if family is not None else None
            return Feature(f"{name}{said}", read, sort, frozenset({zone.name}), ordered, own, player, own=True)

        there = slice_entries.on_spot(index, spot)
        yield made(" is some", _taken(there), KIND, False)
        yield from _kinds_of(kind, slice_, labels, made, _there(there, kind.lo))
        yield replace(made("", _there(there, kind.lo), COMPONENT, False), telling=kind.hi - kind.lo < FEW_CLASSES)


def _number(one: Expr) -> Callable[[Sliced], Num]:
    return lambda s: SlicedEvaluator(Context(s)).number(one)


def _of_asked(one: At | Look, slice_: Slice, labels: Sequence[str]) -> Iterator[Feature]:
    """What lies on a spot that the rules name by variables, or is looked up by these."""
    name, names, there = said(one), reads(one), lying_there(one)
    assert isinstance(one.type, Maybe)
    kind = one.type.of
    assert isinstance(kind, Elem | Int)

    def made(part: str, read: Callable[[Sliced], Num], sort: str, ordered: bool) -> Feature:
        return Feature(f"{name}{part}", remembering(read, names), sort, names, ordered, own=True)

    yield made(" is some", _taken(there), KIND, False)
    yield from _kinds_of(kind, slice_, labels, made, _there(there, kind.lo))
    yield replace(made("", _there(there, kind.lo), COMPONENT, False), telling=kind.hi - kind.lo < FEW_CLASSES)


def _taken(read: Callable[[Sliced], Opt]) -> Callable[[Sliced], Num]:
    return lambda s: term.number(read(s).has)


def _there(read: Callable[[Sliced], Opt], lo: int) -> Callable[[Sliced], Num]:
    return lambda s: _or_less(read(s), lo)


# ---------------------------------------------------------------------- of several
def _made(name: str, parts: tuple[Feature, ...], read: Callable[[Sliced], Num], of: Callable[..., int],
          weight: float, ordered: bool = True) -> Feature:
    reads: frozenset[str] = frozenset().union(*(p.reads for p in parts))
    own = any(p.own for p in parts)
    return Feature(name, read, COUNT if ordered else KIND, reads, ordered, weight=weight, own=own, parts=parts, of=of)


def difference(one: Feature, other: Feature) -> Feature:
    """How much larger one number is than another."""
    return _made(f"{one.name} - {other.name}", (one, other), lambda s: term.minus(one.read(s), other.read(s)),
                 lambda a, b: a - b, DIFFERENCE)


def together(*parts: Feature) -> Feature:
    """The sum of several numbers."""
    return _made(" + ".join(p.name for p in parts), parts, lambda s: term.total([p.read(s) for p in parts]),
                 lambda *values: sum(values), 2 + len(parts))


def alike(one: Feature, other: Feature) -> Feature:
    """1 if two are the same, else 0."""
    return _made(f"{one.name} = {other.name}", (one, other),
                 lambda s: term.number(term.equal(one.read(s), other.read(s))), lambda a, b: int(a == b), 0.5, False)


def picked(at: Feature, members: Mapping[int, Feature]) -> Feature:
    """The number of a family at the player that another feature says; 0 if it says none."""
    some = next(iter(members.values()))
    players = list(members)

    def read(store: Sliced) -> Num:
        where = at.read(store)
        return term.pick([(term.equal(where, p), one.read(store)) for p, one in members.items()], 0)

    def of(where: int, *values: int) -> int:
        return values[players.index(where)] if where in members else 0

    return _made(f"{some.family} of {at.name}", (at, *members.values()), read, of, 1.5, some.ordered)
