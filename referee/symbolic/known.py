"""Slices of which every entry is known: made from a model, and taken apart into the terms that they are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from referee.symbolic.groups import Tally
from referee.symbolic.slices import Sliced
from referee.symbolic.store import Entry
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Bits, Counts, Opt


def terms_of(store: Sliced) -> Iterator[Cond | Num]:
    """The conditions and numbers that the entries of a slice are made of, in an order that all stores of it share."""
    for entry in store.entries:
        match entry:
            case Opt():
                yield entry.has
                yield entry.value
            case Bits():
                yield from entry.bits
            case Counts():
                yield from entry.counts
            case None:
                continue
            case _:
                yield entry
    for index in sorted(store.tallies):
        yield from store.tallies[index].counts
    if store.slice.groups.focus is not None:
        yield store.slice.groups.focus


def in_model(store: Sliced, model: Callable[[Any], Any]) -> Sliced:
    """What a slice is in a model."""
    focus = store.slice.groups.focus
    slice_ = store.slice if focus is None else store.slice.at(model(focus))
    tallies = {i: Tally(tuple(model(c) for c in t.counts)) for i, t in store.tallies.items()}
    return Sliced(slice_, [_entry(e, model) for e in store.entries], tallies)


def _entry(entry: Entry, model: Callable[[Any], Any]) -> Entry:
    match entry:
        case Opt():
            return Opt(model(entry.has), model(entry.value))
        case Bits():
            return Bits(entry.lo, tuple(bool(model(b)) for b in entry.bits))
        case Counts():
            return Counts(entry.lo, tuple(model(c) for c in entry.counts))
        case None:
            return None
        case _:
            return model(entry)


def key_of(store: Sliced) -> object:
    """By what a known slice is told from another one."""
    tallies = (store.tallies[index].counts for index in sorted(store.tallies))
    return (tuple(store.entries), *tallies, store.slice.groups.focus)
