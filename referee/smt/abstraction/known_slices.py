"""Slices of which every entry is known: made from a model, and taken apart into the terms that they are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.smt.abstraction.class_groups import GroupTally
from referee.smt.abstraction.slices import Sliced
from referee.smt.encoding.term_leaves import changed
from referee.smt.term import Cond, Num


def terms_of(store: Sliced) -> list[Cond | Num]:
    """The conditions and numbers that the entries of a slice are made of, in an order that all stores of it share."""
    found: list[Cond | Num] = []
    for entry in store.entries:
        if entry is not None:
            changed(entry, found.append)
    for index in sorted(store.tallies):
        there = store.tallies[index]
        found.extend(there.counts if there.spots is None else (part for s in there.spots for part in (s.has, s.value)))
    focus = store.slice.groups.focus
    return found if focus is None else [*found, focus]


def in_model(store: Sliced, model: Callable[[Any], Any]) -> Sliced:
    """What a slice is in a model."""
    focus = store.slice.groups.focus
    slice_ = store.slice if focus is None else store.slice.at(model(focus))
    tallies = {i: _tally_in(t, model) for i, t in store.tallies.items()}
    return Sliced(slice_, [None if e is None else changed(e, model) for e in store.entries], tallies)


def _tally_in(there: GroupTally, model: Callable[[Any], Any]) -> GroupTally:
    spots = None if there.spots is None else tuple(changed(one, model) for one in there.spots)
    return GroupTally(tuple(model(c) for c in there.counts), spots)


def key_of(store: Sliced) -> object:
    """By what a known slice is told from another one."""
    return part_of(store, store.slice.names)


def part_of(store: Sliced, names: frozenset[str]) -> object:
    """By what a known slice is told from others by what looks at some variables and zones only."""
    variables, zones = store.slice.entries_of(names)
    return (*(store.entries[i] for i in variables), *(store.tallies[i] for i in zones), store.slice.groups.focus)
