"""The type of what a source is gone through for."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import All, Domainlike, Members, Numbers, Within
from referee.core.ruleset import Core
from referee.core.types import COMPONENT, Elem, Int, Many, Scalar, SetOf, Type


def member_type(core: Core, source: Domainlike) -> Scalar:
    """The type of the members of a source. `TypeError` for one that is ill typed."""
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
