"""The one interval arithmetic: between which numbers the value of every operator and fold surely lies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import assert_never

from referee.core.expr import FoldKind
from referee.core.operators import Operations
from referee.core.types import Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type, Value, size

HUGE = 10**18
"""More than any number of rules and any number of members."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """A number from lo to hi, or (`none`) nothing; of a set or multiset each of its members. lo > hi: no number."""

    lo: int
    hi: int
    none: bool = False

    def inside(self, lo: int, hi: int) -> bool:
        """True if there is always a number, and one of lo..hi."""
        return not self.none and self.members_inside(lo, hi)

    def members_inside(self, lo: int, hi: int) -> bool:
        """True if every number is one of lo..hi."""
        return self.lo > self.hi or (lo <= self.lo and self.hi <= hi)

    @property
    def type(self) -> Int:
        """The type of the numbers."""
        return Int(self.lo, self.hi)


WIDE = Bounds(-HUGE, HUGE, True)
EMPTY = Bounds(1, 0, True)
TRUTH = Bounds(0, 1)


def hull(parts: Iterable[Bounds]) -> Bounds:
    """What holds of each part."""
    lo, hi, none = 1, 0, False
    for part in parts:
        none |= part.none
        if part.lo <= part.hi:
            lo, hi = (part.lo, part.hi) if lo > hi else (min(lo, part.lo), max(hi, part.hi))
    return Bounds(lo, hi, none)


def of_type(kind: Type) -> Bounds:
    """What a type says of its values."""
    match kind:
        case Bool():
            return TRUTH
        case Int(lo, hi) | Elem(_, lo, hi):
            return Bounds(lo, hi)
        case Maybe(of):
            return Bounds(of.lo, of.hi, True)
        case SetOf(of) | Many(of):
            return Bounds(of.lo, of.hi)
        case _:
            assert_never(kind)


def of_value(value: Value) -> Bounds:
    """What holds of one value."""
    if value is None:
        return EMPTY
    if isinstance(value, (frozenset, tuple)):
        return Bounds(min(value, default=1), max(value, default=0))
    return Bounds(int(value), int(value))


def most_members(kind: Type) -> int:
    """The most members that a value of a type can have, alike ones counted each; one for what is no set."""
    match kind:
        case SetOf(of):
            return size(of)
        case Many(_, most):
            return most
        case Bool() | Int() | Elem() | Maybe():
            return 1
        case _:
            assert_never(kind)


def fold(kind: FoldKind, body: Bounds, empty: Bounds | None, most: int) -> Bounds:
    """A fold over at most so many members, of each of which the body (or the member itself) lies in `body`."""
    match kind:
        case FoldKind.ANY | FoldKind.ALL:
            return TRUTH
        case FoldKind.COUNT:
            return Bounds(0, most)
        case FoldKind.SUM:
            return Bounds(0, 0) if body.lo > body.hi else Bounds(min(0, body.lo * most), max(0, body.hi * most))
        case FoldKind.MIN | FoldKind.MAX:
            return body if empty is None else hull((body, empty))
        case _:
            assert_never(kind)


class Intervals(Operations[Bounds]):
    """The operators on bounds. What a comparison comes to is not looked at: false or true."""

    def equal(self, one: Bounds, other: Bounds) -> Bounds:
        return TRUTH

    def unequal(self, one: Bounds, other: Bounds) -> Bounds:
        return TRUTH

    def less(self, one: Bounds, other: Bounds) -> Bounds:
        return TRUTH

    def at_most(self, one: Bounds, other: Bounds) -> Bounds:
        return TRUTH

    def greater(self, one: Bounds, other: Bounds) -> Bounds:
        return TRUTH

    def at_least(self, one: Bounds, other: Bounds) -> Bounds:
        return TRUTH

    def member(self, one: Bounds, group: Bounds) -> Bounds:
        return TRUTH

    def negation(self, one: Bounds) -> Bounds:
        return TRUTH

    def total(self, one: Bounds, other: Bounds) -> Bounds:
        return Bounds(one.lo + other.lo, one.hi + other.hi)

    def difference(self, one: Bounds, other: Bounds) -> Bounds:
        return Bounds(one.lo - other.hi, one.hi - other.lo)

    def product(self, one: Bounds, other: Bounds) -> Bounds:
        corners = [a * b for a in (one.lo, one.hi) for b in (other.lo, other.hi)]
        return Bounds(min(corners), max(corners))

    def opposite(self, one: Bounds) -> Bounds:
        return Bounds(-one.hi, -one.lo)

    def lower(self, numbers: Sequence[Bounds]) -> Bounds:
        return Bounds(min(one.lo for one in numbers), min(one.hi for one in numbers))

    def higher(self, numbers: Sequence[Bounds]) -> Bounds:
        return Bounds(max(one.lo for one in numbers), max(one.hi for one in numbers))

    def distance(self, one: Bounds, other: Bounds) -> Bounds:
        most = max(abs(one.lo - other.hi), abs(one.hi - other.lo))
        return Bounds(max(0, one.lo - other.hi, other.lo - one.hi), most)

    def set_of(self, members: Sequence[Bounds], of: Scalar) -> Bounds:
        return hull(members)

    def union(self, one: Bounds, other: Bounds) -> Bounds:
        return hull((one, other))

    def without(self, one: Bounds, other: Bounds) -> Bounds:
        return one

    def size(self, group: Bounds) -> Bounds:
        return Bounds(0, HUGE)


INTERVALS = Intervals()
