"""A position as terms: an entry for each entry of a state, read and written under conditions."""

from __future__ import annotations

from typing import Self

from referee.core.ruleset import Role, Var
from referee.core.types import Bool
from referee.game.state import Layout, Open, Spread, State
from referee.smt import term, value
from referee.smt.encoding import content
from referee.smt.encoding.array_contents import ArrayContents
from referee.smt.encoding.content import Content
from referee.smt.term import Cond, Num
from referee.smt.value import Sym

LARGE = 32
"""An open condition with more entries is one function of its keys: a term for each would be too many."""

Entry = Sym | Content | None
"""A variable's value, what lies in a zone, or (None) a ruling that the header did not give."""


class TermStore(ArrayContents):
    """The entries of a position; changed in place while a step is followed."""

    entries: list[Entry]

    def __init__(self, layout: Layout, entries: list[Entry]) -> None:
        self.layout = layout
        self.entries = entries

    def copy(self) -> Self:
        return type(self)(self.layout, list(self.entries))


def of_state(layout: Layout, state: State) -> TermStore:
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
    return TermStore(layout, entries)


def unknown(layout: Layout, name: str) -> tuple[TermStore, Cond]:
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
    store = TermStore(layout, entries)
    return store, term.conj([*typed, conserved(store)])


def conserved(store: TermStore) -> Cond:
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


__all__ = ["Entry", "TermStore", "conserved", "of_state", "open_roles", "unknown"]
