"""The start values of registers."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import Const
from referee.core.types import (
    Bool,
    Elem,
    Int,
    Many,
    Maybe,
    SetOf,
    Type,
    Value,
)


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
