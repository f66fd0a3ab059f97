"""A slice of a position: what a query reads is kept, the rest is anything that its type allows, at each reading anew.

A proof over slices is a proof over positions: whatever a step does with the whole position, some values of what is not
kept make the slice do the same. Every condition noted in `Slice.true` holds of those values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import cached_property
from itertools import count
from typing import Self

from referee.core.expr import Expr
from referee.core.ruleset import Var, Zone
from referee.core.types import COMPONENT, Elem, Type, Value
from referee.game.state import Layout, Open, Slot, State
from referee.smt import term, value
from referee.smt.abstraction import kept_spots
from referee.smt.abstraction.class_groups import Groups, GroupTally, admitted
from referee.smt.encoding import array_entries as arrays
from referee.smt.encoding.term_store import Entry, open_roles
from referee.smt.semantics.term_position import TermPosition
from referee.smt.term import Cond, Num
from referee.smt.value import Sym

SMALL = 16
"""An array with more entries is kept only at the focus, if at all."""
ANEW = " anew "
"""Stands in the names of unknowns between what they are read of and a number."""
SPOTS = " spots"
"""Behind the name of a zone: what lies on each spot of it."""
REMEMBERED = 10_000
"""Of so many values of each type it is remembered what they are as terms: the same few are met again and again."""
_READY: dict[Type, dict[Slot, Sym]] = {}
_fresh = count()


class Slice:
    """What is kept: small variables, zones by groups of classes, arrays by component at one component, the focus.

    `placed`: of which zones it is also kept what lies on each spot; `asked`: what rules look up
    or compare, that lemmas may speak of.
    """

    def __init__(
        self, layout: Layout, groups: Groups, variables: frozenset[str], zones: frozenset[str],
        placed: frozenset[str] = frozenset(), asked: tuple[Expr, ...] = (),
    ) -> None:
        self.layout, self.groups, self.zones, self.placed, self.asked = layout, groups, zones, placed, asked
        sizes = {name: layout.vars[name].count for name in variables}
        self._kept = frozenset(name for name, entries in sizes.items() if entries <= SMALL)
        self.focused = frozenset(n for n in variables - self._kept if groups.focus is not None and _by_class(layout, n))
        self.true: list[Cond] = []
        self.names = frozenset(layout.defs) | zones
        """Of everything that may be kept."""
        self._groups_at: dict[int, Groups] = {}
        self._entries_of: dict[frozenset[str], tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def at(self, focus: int) -> Slice:
        """The same slice with a known component as its focus."""
        if focus not in self._groups_at:
            self._groups_at[focus] = self.groups.at(focus)
        made = copy(self)
        made.groups, made.true = self._groups_at[focus], []
        return made

    @cached_property
    def plan(self) -> tuple[tuple[tuple[int, Var], ...], tuple[int, ...]]:
        """The entries that are kept of variables, each with its variable, and those of zones."""
        spreads = [(var, self.layout.vars[var.name]) for var in self.layout.defs.values() if self.kept(var)]
        zones = [self.layout.zones[name] for name in sorted(self.zones)]
        return (tuple((i, var) for var, spread in spreads for i in spread.entries),
                tuple(i for spread in zones for i in spread.entries))

    @cached_property
    def ready(self) -> tuple[tuple[int, Type, dict[Slot, Sym]], ...]:
        """The entries that are kept of variables, each with its type and what values of that are as terms."""
        return tuple((i, var.type, _READY.setdefault(var.type, {})) for i, var in self.plan[0])

    @cached_property
    def tallied(self) -> tuple[tuple[int, Zone, dict[Slot, GroupTally]], ...]:
        """The entries that are kept of zones, each with its zone and what contents of that are, counted."""
        spreads = [(self.layout.core.zones[name], self.layout.zones[name], dict[Slot, GroupTally]()) for name in
                   sorted(self.zones)]
        return tuple((i, zone, known) for zone, spread, known in spreads for i in spread.entries)

    def entries_of(self, names: frozenset[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The entries that are kept of some variables, and of some zones."""
        if names not in self._entries_of:
            variables, zones = self.plan
            inside = {i for name in names if name in self.zones for i in self.layout.zones[name].entries}
            single = (self.layout.vars[name].base for name in sorted(names & self.focused))
            found = *(i for i, var in variables if var.name in names), *single
            self._entries_of[names] = found, tuple(i for i in zones if i in inside)
        return self._entries_of[names]

    def kept(self, var: Var) -> bool:
        """Whether every entry of a variable is kept."""
        return var.name in self._kept

    def keeps(self, names: frozenset[str]) -> bool:
        """Whether every entry of some variables and zones is kept."""
        return names <= self._kept | self.zones

    def lacks(self, names: Iterable[str]) -> frozenset[str]:
        """Those variables, zones and spots of zones that are not kept and could be; spots only if nothing else."""
        spreads, zones = self.layout.vars, self.layout.core.zones
        found = {n for n in names if (n in zones and n not in self.zones) or (
            n in spreads and n not in self._kept and spreads[n].count <= SMALL)}
        asked = {n.removesuffix(SPOTS) for n in names if n.endswith(SPOTS)} - self.placed
        return frozenset(found or {f"{n}{SPOTS}" for n in asked if kept_spots.has_spots(zones[n])})

    def anything(self, kind: Type, of: str = "any") -> Sym:
        """Some value of a type; `of`: the variable that it is read of anew, if it is."""
        made = value.unknown(kind, f"{of}{ANEW}{next(_fresh)}")
        self.true.append(value.typed(kind, made))
        return made

    def some(self) -> Cond:
        """A condition of which nothing is known."""
        return term.unknown_cond(f"some {next(_fresh)}")

    def number(self, lo: int, hi: int, of: str = "number") -> Num:
        """Some number of a range; `of`: the zone of which it is read anew, if it is."""
        made = term.unknown_number(f"{of}{ANEW}{next(_fresh)}")
        self.true.extend((term.at_most(lo, made), term.at_most(made, hi)))
        return made


def _by_class(layout: Layout, name: str) -> bool:
    keys = layout.defs[name].keys
    return len(keys) == 1 and isinstance(keys[0], Elem) and keys[0].domain == COMPONENT


class Sliced(TermPosition):
    """The entries of a slice: zones are tallies, what is not kept has no entry."""

    def __init__(self, slice_: Slice, entries: list[Entry], tallies: dict[int, GroupTally]) -> None:
        self.layout, self.entries = slice_.layout, entries
        self.slice, self.tallies = slice_, tallies

    def copy(self) -> Self:
        return type(self)(self.slice, list(self.entries), dict(self.tallies))

    # ------------------------------------------------------------------ variables
    def read(self, var: Var, keys: Sequence[Num]) -> tuple[Sym, Cond]:
        if self.slice.kept(var):
            return arrays.read(self.layout, self.entries, var, keys)
        if var.name in self.slice.focused:
            entry = self.entries[self.layout.vars[var.name].base]
            focus = self.slice.groups.focus
            assert entry is not None
            assert focus is not None
            at = term.equal(keys[0], focus)
            return (entry if at is True else value.merge(at, entry, self.slice.anything(var.type))), True
        return self.slice.anything(var.type, var.name), True

    def write(self, var: Var, keys: Sequence[Num], new: Sym, when: Cond) -> Cond:
        if self.slice.kept(var):
            return arrays.write(self.layout, self.entries, var, keys, new, when)
        if var.name in self.slice.focused:
            base, focus = self.layout.vars[var.name].base, self.slice.groups.focus
            old = self.entries[base]
            assert old is not None
            assert focus is not None
            self.entries[base] = value.merge(term.both(when, term.equal(keys[0], focus)), new, old)
        return True

    # ------------------------------------------------------------------ zones
    def tally(self, zone: Zone, keys: Sequence[Num]) -> tuple[GroupTally, Cond]:
        """What lies in an instance of a zone, and whether the key is one that it has."""
        if zone.name not in self.slice.zones:
            return _any_tally(self.slice, zone), True
        found: GroupTally | None = None
        inside = []
        for index, here in arrays.instances(self.layout.zones[zone.name], keys):
            entry = self.tallies[index]
            inside.append(here)
            found = entry if found is None else _merged(here, entry, found)
        return (_nothing(self.slice, zone) if found is None else found), term.disj(inside)

    def put_tally(self, zone: Zone, keys: Sequence[Num], new: GroupTally, when: Cond) -> None:
        """Stores what lies in an instance of a zone where `when` holds."""
        if zone.name not in self.slice.zones:
            return
        for index, here in arrays.instances(self.layout.zones[zone.name], keys):
            self.tallies[index] = _merged(term.both(when, here), new, self.tallies[index])


def _merged(cond: Cond, yes: GroupTally, other: GroupTally) -> GroupTally:
    if cond is True or yes is other:
        return yes
    if cond is False:
        return other
    counts = tuple(term.choose(cond, a, b) for a, b in zip(yes.counts, other.counts, strict=True))
    by_groups = yes.whole is None and other.whole is None
    whole = None if by_groups else term.choose(cond, yes.total, other.total)
    return GroupTally(counts, kept_spots.merged(cond, yes.spots, other.spots), whole)


def _nothing(slice_: Slice, zone: Zone) -> GroupTally:
    there = kept_spots.known(slice_.layout.core, zone, ()) if zone.name in slice_.placed else None
    return GroupTally((0,) * len(slice_.groups), there)


def of_state(slice_: Slice, state: State) -> Sliced:
    """The slice of a concrete position; open values are anything."""
    if slice_.groups.focus is not None:
        return _of_each(slice_, state, [slice_])[0]
    return Sliced(slice_, _entries_kept(slice_, state), {
        index: _tally_of(slice_, zone, state.slots[index], known) for index, zone, known in slice_.tallied})


def _tally_of(slice_: Slice, zone: Zone, content: Slot, known: dict[Slot, GroupTally]) -> GroupTally:
    """What lies in a zone; the same few contents are met again and again."""
    found = known.get(content)
    if found is None:
        assert isinstance(content, tuple)
        there = kept_spots.known(slice_.layout.core, zone, content) if zone.name in slice_.placed else None
        found = GroupTally(slice_.groups.counted(_flat(content)), there)
        if len(known) < REMEMBERED:
            known[content] = found
    return found


def at_each(slice_: Slice, state: State, classes: Iterable[int]) -> list[Sliced]:
    """The slices of a concrete position with each of some components as the focus."""
    return _of_each(slice_, state, [slice_.at(c) for c in classes])


def _of_each(slice_: Slice, state: State, each: Iterable[Slice]) -> list[Sliced]:
    entries, members, placed = _entries_kept(slice_, state), _members(slice_, state), _on_spots(slice_, state)
    return [_looked_at(one, state, list(entries), members, placed) for one in each]


def _on_spots(slice_: Slice, state: State) -> dict[int, kept_spots.Spots]:
    """What lies on the spots of the zones of which that is kept."""
    layout = slice_.layout
    found = {}
    for zone in (layout.core.zones[name] for name in slice_.placed):
        for index in layout.zones[zone.name].entries:
            content = state.slots[index]
            assert isinstance(content, tuple)
            found[index] = kept_spots.known(layout.core, zone, content)
    return found


def _members(slice_: Slice, state: State) -> dict[int, list[int | None]]:
    """What lies in the zones that are kept."""
    return {index: _flat(state.slots[index]) for index in slice_.plan[1]}


Sign = tuple[int, tuple[int, ...], tuple[object, ...]]
"""By what components are told apart roughly: group, where they lie, the entry of each array, large ones as 2."""


def signs(slice_: Slice, state: State, classes: Iterable[int]) -> dict[int, Sign]:
    """What some components are like in a concrete position."""
    where: dict[int | None, list[int]] = {}
    for index, members in _members(slice_, state).items():
        for c in members:
            where.setdefault(c, []).append(index)
    arrays = [(slice_.layout.vars[name].base, slice_.layout.defs[name].keys[0]) for name in sorted(slice_.focused)]
    found: dict[int, Sign] = {}
    for c in classes:
        entries = (state.slots[base + c - key.lo] if key.lo <= c <= key.hi else None for base, key in arrays)
        rough = tuple(min(one, 2) if isinstance(one, int) else one for one in entries)
        found[c] = slice_.groups.of(c), tuple(where.get(c, ())), rough
    return found


def _entries_kept(slice_: Slice, state: State) -> list[Entry]:
    entries: list[Entry] = [None] * slice_.layout.size
    slots = state.slots
    for index, kind, known in slice_.ready:
        slot = slots[index]
        made = known.get(slot)
        if made is None:
            made = slice_.anything(kind) if isinstance(slot, Open) else value.of(kind, slot)  # type: ignore[arg-type]
            if not isinstance(slot, Open) and len(known) < REMEMBERED:
                known[slot] = made
        entries[index] = made
    return entries


def _looked_at(
    slice_: Slice, state: State, entries: list[Entry], members: dict[int, list[int | None]],
    placed: dict[int, kept_spots.Spots],
) -> Sliced:
    """The slice of a position of which the entries that any focus shares are known."""
    for name in slice_.focused:
        entries[slice_.layout.vars[name].base] = _at_focus(slice_, slice_.layout.defs[name], state)
    counted = slice_.groups.counted
    return Sliced(slice_, entries, {i: GroupTally(counted(there), placed.get(i)) for i, there in members.items()})


def _flat(slot: object) -> list[int | None]:
    assert isinstance(slot, tuple)
    return [c for one in slot for c in (one if isinstance(one, tuple) else (one,))]


def _at_focus(slice_: Slice, var: Var, state: State) -> Sym:
    spread, focus = slice_.layout.vars[var.name], slice_.groups.focus
    assert focus is not None
    key = var.keys[0]
    if isinstance(focus, int):
        inside = key.lo <= focus <= key.hi
        return value.of(var.type, state.slots[spread.base + focus - key.lo]) if inside else slice_.anything(var.type)  # type: ignore[arg-type]
    slots: list[Value] = [state.slots[spread.base + i] for i in range(spread.count)]  # type: ignore[misc]
    return value.look(len(slots), focus, key.lo, lambda i: value.of(var.type, slots[i]))


def unknown(slice_: Slice) -> Sliced:
    """The slice of a position of which nothing is said; what makes it one is noted in the slice."""
    layout = slice_.layout
    entries: list[Entry] = [None] * layout.size
    for var in layout.defs.values():
        spread = layout.vars[var.name]
        if slice_.kept(var):
            for index in spread.entries:
                entries[index] = slice_.anything(var.type)
        elif var.name in slice_.focused:
            entries[spread.base] = slice_.anything(var.type)
    tallies = {}
    for zone in (layout.core.zones[name] for name in sorted(slice_.zones)):
        spread = layout.zones[zone.name]
        for index in spread.entries:
            tallies[index] = _any_placed(slice_, zone) if zone.name in slice_.placed else _any_tally(slice_, zone)
    made = Sliced(slice_, entries, tallies)
    slice_.true.extend(_conserved(made))
    return made


def any_spots(slice_: Slice, zone: Zone) -> kept_spots.Spots:
    """Whatever may lie on the spots of a zone."""
    made, true = kept_spots.unknown(slice_.layout.core, zone, slice_.some, slice_.number)
    slice_.true.extend(true)
    return made


def _any_placed(slice_: Slice, zone: Zone) -> GroupTally:
    """Spots of which nothing is said, counted by groups."""
    there = any_spots(slice_, zone)
    found = GroupTally(slice_.groups.on_spots(there, admitted(slice_.layout.core, zone)), there,
                  term.total([term.number(one.has) for one in there]))
    if zone.spots is not None and zone.capacity < len(there):
        slice_.true.append(term.at_most(found.total, zone.capacity))
    return found


def _any_tally(slice_: Slice, zone: Zone) -> GroupTally:
    groups, core = slice_.groups, slice_.layout.core
    may = admitted(core, zone)
    counts: list[Num] = []
    for group in range(len(groups)):
        counts.append(slice_.number(0, zone.capacity, zone.name) if groups.meets(group, may) else 0)
    found = GroupTally(tuple(counts))
    slice_.true.append(term.at_most(found.total, zone.capacity))
    if groups.focus is not None and not isinstance(groups.focus, int):
        lies = term.disj(term.equal(groups.focus, c) for c in may)
        slice_.true.append(term.disj((lies, term.equal(counts[0], 0))))
    return found


def _conserved(store: Sliced) -> list[Cond]:
    """Every group has as many components in all zones together as it has; in those that are kept, no more."""
    groups = store.slice.groups
    compare = term.equal if len(store.slice.zones) == len(store.layout.core.zones) else term.at_most
    return [
        compare(term.total([t.counts[group] for t in store.tallies.values()]), groups.size(group))
        for group in range(len(groups))
    ]


__all__ = ["Slice", "Sliced", "any_spots", "at_each", "of_state", "open_roles", "signs", "unknown"]
