"""The types of sources and the start values of registers."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import All, Const, Domainlike, Members, Numbers, Within
from referee.core.ruleset import Core
from referee.core.types import (
    COMPONENT,
    Bool,
    Elem,
    Int,
    Many,
    Maybe,
    Scalar,
    SetOf,
    Type,
    Value,
)


def member_type(core: Core, source: Domainlike) -> Scalar:
    """The type of what a source is gone through for."""
    match source:
        case Numbers():
            return _hull(source.lo.type, source.hi.type)
        case All():
            return source.of
        case Members():
            inner = source.of.type
            if isinstance(inner, (SetOf, Many)):
                return inner.of
            raise TypeError(f"{inner} has no members")
        case Within():
            kinds = core.zones[source.place.zone].kinds
            classes = [index for index, one in enumerate(core.components) if one.kind in kinds] or [0]
            return Elem(COMPONENT, classes[0], classes[-1])
        case _:
            assert_never(source)


def _hull(lo: Type, hi: Type) -> Scalar:
    match lo, hi:
        case (Elem(), Elem()) if lo.domain == hi.domain:
            return Elem(lo.domain, min(lo.lo, hi.lo), max(lo.hi, hi.hi))
        case (Int(), Int()):
            return Int(min(lo.lo, hi.lo), max(lo.hi, hi.hi))
        case _:
            raise TypeError(f"{lo} and {hi} are no ends of a range")


def start_of(kind: Type) -> Value:
    """What a register holds while nothing is kept in it: the least value of its type."""
    match kind:
        case Bool():
            return False
        case Int(lo, _) | Elem(_, lo, _):
            return lo
        case Maybe():
            return None
        case SetOf():
            return frozenset()
        case Many():
            return ()
        case _:
            assert_never(kind)


def const(value: Value, kind: Type) -> Const:
    """A literal."""
    return Const(value, kind)
