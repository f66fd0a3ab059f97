"""The types of the core: every one finite and statically bounded."""

from __future__ import annotations

from enum import Enum
from typing import assert_never

from referee.system.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bool:
    """True or false. Values: `bool`."""


@dataclass(frozen=True, slots=True)
class Int:
    """Whole numbers lo..hi, both included. Values: `int`."""

    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Elem:
    """A member of a finite domain, by its index lo..hi in the domain, both included. Values: `int`."""

    domain: str
    lo: int
    hi: int


@dataclass(frozen=True, slots=True)
class Maybe:
    """A member or nothing. Values: `int` or `None`."""

    of: Elem | Int


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set of members. Values: `frozenset[int]`."""

    of: Elem | Int


@dataclass(frozen=True, slots=True)
class Many:
    """A multiset of at most `most` components. Values: sorted `tuple[int, ...]`."""

    of: Elem
    most: int


Scalar = Elem | Int
Type = Bool | Int | Elem | Maybe | SetOf | Many
Value = bool | int | None | frozenset[int] | tuple[int, ...]
"""A value of the core, as every engine exchanges it."""


class DomainKind(Enum):
    """What the members of a domain are; decides how they are written in a log."""

    PLAYER = "player"
    COMPONENT = "component"
    CELL = "cell"
    ENUM = "enum"
    LINE = "line"
    BRANCH = "branch"


PLAYER = "player"
"""The name of the domain of players; seat order is index order."""
COMPONENT = "component"
"""The name of the one domain of component classes; a kind is a range of it."""


@dataclass(frozen=True, slots=True)
class Domain:
    """A finite domain. `labels` are its members as a log writes them, in index order."""

    name: str
    kind: DomainKind
    labels: tuple[str | int, ...]
    ordered: bool = False

    @property
    def size(self) -> int:
        return len(self.labels)

    @property
    def whole(self) -> Elem:
        """The type of any member."""
        return Elem(self.name, 0, len(self.labels) - 1)


def size(kind: Scalar) -> int:
    """The number of values of a scalar type."""
    return kind.hi - kind.lo + 1


def lies_within(kind: Type, whole: Scalar) -> bool:
    """Whether a type is one of numbers or members, and all of them are in a range."""
    match kind:
        case Int(lo, hi) | Elem(_, lo, hi):
            return whole.lo <= lo and hi <= whole.hi
        case Bool() | Maybe() | SetOf() | Many():
            return False
        case _:
            assert_never(kind)


def is_at_most_one(kind: Type) -> bool:
    """Whether a value is a number or a member, or perhaps none."""
    match kind:
        case Int() | Elem() | Maybe():
            return True
        case Bool() | SetOf() | Many():
            return False
        case _:
            assert_never(kind)


def one_of(kind: Scalar | Many) -> Scalar:
    """The type of a member, of one or of several."""
    match kind:
        case Many(of):
            return of
        case Elem() | Int():
            return kind
        case _:
            assert_never(kind)
