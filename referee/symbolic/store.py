"""A position as terms: an entry for each entry of a state, read and written under conditions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from referee.core.expr import Place
from referee.core.ruleset import Role, Var, Zone
from referee.core.types import Bool, Elem, Int, Maybe, SetOf, Type, Value
from referee.game.state import Layout, Open, Spread, State
from referee.symbolic import content, term, value
from referee.symbolic.content import Content
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Sym

LARGE = 32

Entry = Sym | Content | None
"""A variable's value, what lies in a zone, or (None) a ruling that the header did not give."""


class Store:
    """The entries of a position; changed in place while a step is followed."""

    def __init__(self, layout: Layout, entries: list[Entry]) -> None:
        self.layout = layout
        self.entries = entries

    def copy(self) -> Store:
        """A store that can be changed without changing this one."""
        return Store(self.layout, list(self.entries))

    # ------------------------------------------------------------------ variables
    def read(self, var: Var, keys: Sequence[Num]) -> tuple[Sym, Cond]:
        """The value of a variable, and whether the key is one that it has."""
        spread = self.layout.vars[var.name]
        if self.entries[spread.base] is None:
            return self._given(var, spread, keys)
        found: Sym | None = None
        inside = []
        for index, here in _entries(spread, keys):
            entry = self.entries[index]
            assert entry is not None
            inside.append(here)
            found = entry if found is None else value.merge(here, entry, found)
        return (found, term.disj(inside)) if found is not None else (value.of(var.type, _least(var.type)), False)

    def _given(self, var: Var, spread: Spread, keys: Sequence[Num]) -> tuple[Sym, Cond]:
        """An entry of a large array that the header did not give: a function of its keys."""
        inside = term.conj(
            term.both(term.at_most(low, key), term.less(key, low + size))
            for key, low, size in zip(keys, spread.lows, spread.sizes, strict=True)
        )
        return term.unknown_entry(var.name, keys, isinstance(var.type, Bool)), inside

    def write(self, var: Var, keys: Sequence[Num], new: Sym, when: Cond) -> Cond:
        """Stores a value where `when` holds; whether the key is one that the variable has."""
        spread = self.layout.vars[var.name]
        inside = []
        for index, here in _entries(spread, keys):
            inside.append(here)
            old = self.entries[index]
            assert old is not None
            self.entries[index] = value.merge(term.both(when, here), new, old)
        return term.disj(inside)

    # ------------------------------------------------------------------ zones
    def zone(self, zone: Zone, keys: Sequence[Num]) -> tuple[Content, Cond]:
        """What lies in an instance of a zone, and whether the key is one that it has."""
        spread = self.layout.zones[zone.name]
        found: Content | None = None
        inside = []
        for index, here in _entries(spread, keys):
            entry = self.entries[index]
            inside.append(here)
            found = entry if found is None else content.merged(here, entry, found)  # type: ignore[assignment, arg-type]
        if found is None:
            return content.of(self.layout.core, zone, ()), False
        return found, term.disj(inside)

    def put_zone(self, zone: Zone, keys: Sequence[Num], new: Content, when: Cond) -> None:
        """Stores what lies in an instance of a zone where `when` holds."""
        spread = self.layout.zones[zone.name]
        for index, here in _entries(spread, keys):
            old = self.entries[index]
            self.entries[index] = content.merged(term.both(when, here), new, old)  # type: ignore[arg-type]


def _entries(spread: Spread, keys: Sequence[Num]) -> list[tuple[int, Cond]]:
    """The entries that a key may mean, each with the condition that it does."""
    ranges = []
    for key, low, size in zip(keys, spread.lows, spread.sizes, strict=True):
        if isinstance(key, int):
            ranges.append([(key, True)] if low <= key < low + size else [])
        else:
            ranges.append([(k, term.equal(key, k)) for k in range(low, low + size)])
    return [(spread.find([k for k, _ in one]), term.conj(c for _, c in one)) for one in product(*ranges)]


def _least(kind: Type) -> Value:
    match kind:
        case Bool():
            return False
        case Int() | Elem():
            return kind.lo
        case Maybe():
            return None
        case SetOf():
            return frozenset()
        case _:
            return ()


def of_state(layout: Layout, state: State) -> Store:
    """A concrete position as (known) terms; an open value as one that nothing is said of."""
    entries: list[Entry] = [None] * layout.size
    for var in layout.defs.values():
        spread = layout.vars[var.name]
        entries_of = state.slots[spread.base : spread.base + spread.count]
        if _as_function(var, spread) and all(isinstance(slot, Open) for slot in entries_of):
            continue
        for index in spread.entries:
            slot = state.slots[index]
            known = not isinstance(slot, Open)
            entries[index] = value.of(var.type, slot) if known else value.unknown(var.type, f"{var.name} {index}")  # type: ignore[arg-type]
    for zone in layout.core.zones.values():
        spread = layout.zones[zone.name]
        for index in spread.entries:
            entries[index] = content.of(layout.core, zone, state.slots[index])
    return Store(layout, entries)


def unknown(layout: Layout, name: str) -> tuple[Store, Cond]:
    """A position of which nothing is said, and what makes it one: types, sound contents, each component once."""
    entries: list[Entry] = [None] * layout.size
    typed: list[Cond] = []
    for var in layout.defs.values():
        spread = layout.vars[var.name]
        if _as_function(var, spread):
            continue
        for index in spread.entries:
            made = value.unknown(var.type, f"{name} {var.name} {index}")
            entries[index] = made
            typed.append(value.typed(var.type, made))
    for zone in layout.core.zones.values():
        spread = layout.zones[zone.name]
        for index in spread.entries:
            there = content.anything(layout.core, zone, f"{name} {zone.name} {index}")
            entries[index] = there
            typed.append(content.sound(layout.core, zone, there))
    store = Store(layout, entries)
    return store, term.conj([*typed, conserved(store)])


def conserved(store: Store) -> Cond:
    """Every class has as many components in all zones together as it has."""
    core, layout = store.layout.core, store.layout
    totals: list[list[Num]] = [[] for _ in core.components]
    for zone in core.zones.values():
        lo, hi = content.classes(core, zone)
        spread = layout.zones[zone.name]
        for index in spread.entries:
            for c, number in content.held(store.entries[index], lo, hi).members():  # type: ignore[arg-type]
                totals[c].append(number)
    return term.conj(term.equal(term.total(parts), core.components[c].number) for c, parts in enumerate(totals))


def _as_function(var: Var, spread: Spread) -> bool:
    """True for large arrays of open conditions: an entry each would be too many. (Numbers would need their range.)"""
    return open_roles(var) and spread.count > LARGE and isinstance(var.type, Bool)


def open_roles(var: Var) -> bool:
    """True for variables that the header sets and no rule changes."""
    return var.role in (Role.PARAMETER, Role.GIVEN, Role.READING)


__all__ = ["Entry", "Place", "Store", "conserved", "of_state", "open_roles", "unknown"]
