"""What can be read off a slice: numbers of single entries of variables and zones."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.types import PLAYER, Elem, Maybe, Type
from referee.smt import term
from referee.smt.abstraction.slices import Sliced
from referee.smt.term import Num
from referee.smt.value import Bits, Counts, Opt


def is_player(kind: Type) -> bool:
    """Whether a type is one of players."""
    inner = kind.of if isinstance(kind, Maybe) else kind
    return isinstance(inner, Elem) and inner.domain == PLAYER


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


def member(index: int, number: int) -> Callable[[Sliced], Num]:
    """1 if a member is in a set, else 0."""
    return lambda s: term.number(bits(s, index).bits[number])


def members(index: int) -> Callable[[Sliced], Num]:
    """How many members a set has."""
    return lambda s: term.total([term.number(bit) for bit in bits(s, index).bits])


def of_member(index: int, number: int) -> Callable[[Sliced], Num]:
    """How often a member, told by its place among those that there may be, is in a multiset."""
    def read(store: Sliced) -> Num:
        found = store.entries[index]
        assert isinstance(found, Counts)
        return found.counts[number]

    return read


def counted(index: int, group: int) -> Callable[[Sliced], Num]:
    """How many of a group a register holds."""
    def read(store: Sliced) -> Num:
        found = store.entries[index]
        assert isinstance(found, Counts)
        return store.slice.groups.amounts(found.members())[group]

    return read


def on_spot(index: int, spot: int) -> Callable[[Sliced], Opt]:
    """What lies on a spot of a zone of which that is kept."""
    def read(store: Sliced) -> Opt:
        there = store.tallies[index].spots
        assert there is not None
        return there[spot]

    return read
