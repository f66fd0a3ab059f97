"""Entries of arrays as terms: those that a key may mean are read and written together, each under its condition."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Protocol, assert_never

from referee.core.ruleset import Var, Zone
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.game.state import Layout, Spread
from referee.smt import term, value
from referee.smt.encoding import content
from referee.smt.encoding.content import Content
from referee.smt.term import Cond, Num
from referee.smt.value import Sym


class Entries(Protocol):
    """Entries by their places in a layout: values of variables, contents of zones, None where there is no value."""

    def __getitem__(self, index: int, /) -> Any: ...

    def __setitem__(self, index: int, new: Any, /) -> None: ...


def instances(spread: Spread, keys: Sequence[Num]) -> list[tuple[int, Cond]]:
    """The entries that a key may mean, each with the condition that it does."""
    ranges = []
    for key, low, size in zip(keys, spread.lows, spread.sizes, strict=True):
        if isinstance(key, int):
            ranges.append([(key, True)] if low <= key < low + size else [])
        else:
            ranges.append([(k, term.equal(key, k)) for k in range(low, low + size)])
    return [(spread.find([k for k, _ in one]), term.conj(c for _, c in one)) for one in product(*ranges)]


# ---------------------------------------------------------------------- variables
def read(layout: Layout, entries: Entries, var: Var, keys: Sequence[Num]) -> tuple[Sym, Cond]:
    """The value of a variable, and whether the key is one that it has."""
    spread = layout.vars[var.name]
    if entries[spread.base] is None:
        return _given(var, spread, keys)
    found: Sym | None = None
    inside = []
    for index, here in instances(spread, keys):
        entry = entries[index]
        assert entry is not None
        inside.append(here)
        found = entry if found is None else value.merge(here, entry, found)
    return (found, term.disj(inside)) if found is not None else (value.of(var.type, _least(var.type)), False)


def _given(var: Var, spread: Spread, keys: Sequence[Num]) -> tuple[Sym, Cond]:
    """An entry of a large array that the header did not give: a function of its keys."""
    inside = term.conj(
        term.both(term.at_most(low, key), term.less(key, low + size))
        for key, low, size in zip(keys, spread.lows, spread.sizes, strict=True)
    )
    return term.unknown_entry(var.name, keys, isinstance(var.type, Bool)), inside


def write(layout: Layout, entries: Entries, var: Var, keys: Sequence[Num], new: Sym, when: Cond) -> Cond:
    """Stores a value where `when` holds; whether the key is one that the variable has."""
    inside = []
    for index, here in instances(layout.vars[var.name], keys):
        inside.append(here)
        old = entries[index]
        assert old is not None
        entries[index] = value.merge(term.both(when, here), new, old)
    return term.disj(inside)


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
        case Many():
            return ()
        case _:
            assert_never(kind)


# ---------------------------------------------------------------------- zones
def zone(layout: Layout, entries: Entries, asked: Zone, keys: Sequence[Num]) -> tuple[Content, Cond]:
    """What lies in an instance of a zone, and whether the key is one that it has."""
    found: Content | None = None
    inside = []
    for index, here in instances(layout.zones[asked.name], keys):
        entry = entries[index]
        inside.append(here)
        found = entry if found is None else content.merged(here, entry, found)
    return (content.of(layout.core, asked, ()), False) if found is None else (found, term.disj(inside))


def put_zone(layout: Layout, entries: Entries, asked: Zone, keys: Sequence[Num], new: Content, when: Cond) -> None:
    """Stores what lies in an instance of a zone where `when` holds."""
    for index, here in instances(layout.zones[asked.name], keys):
        entries[index] = content.merged(term.both(when, here), new, entries[index])
