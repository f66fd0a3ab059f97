"""Conditions on a member as tables of sets.

Constants and a few other values decide them: there is one set for each combination of those values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Or,
    Split,
    Where,
)
from referee.core.intervals import Bounds
from referee.core.known_operators import PLAIN
from referee.core.read_write_sets import locals_of
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.native.native_scope import NativeCoding, Scope, known

MOST_TESTED = 8_192
"""So many combinations of a member and other values are looked at."""


@dataclass(frozen=True, slots=True)
class Tabled:
    """`keys`: what decides besides the member, each with its lowest value and how many there are; `sets`: for each
    combination, row-major, a bit for each member that passes."""

    keys: tuple[Expr, ...]
    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    sets: tuple[int, ...]


def tabled(code: NativeCoding, cond: Expr, var: str, lo: int, width: int, scope: Scope) -> Tabled | None:
    """What a condition makes of the members lo..lo+width-1, if `var` is the member; None if more decides, or if it may
    fail. The keys are not said to come to be: that is for who asks."""
    keys = _keys(cond, var)
    if keys is None:
        return None
    keys = list(dict.fromkeys(keys))
    spread = [_spread(code.prover.value(key, known(scope)), key.type) for key in keys]
    if any(one is None for one in spread):
        return None
    ranges = [one for one in spread if one is not None]
    total = width
    for _, number in ranges:
        total *= number
        if total > MOST_TESTED:
            return None
    tables = code.out.function.module.tables
    made = cond, var, lo, width, tuple(spread)
    if made not in tables:
        tables[made] = _sets(code, cond, var, lo, width, keys, ranges)
    sets = tables[made]
    return None if sets is None else Tabled(
        tuple(keys), tuple(low for low, _ in ranges), tuple(number for _, number in ranges), sets)


def _sets(code: NativeCoding, cond: Expr, var: str, lo: int, width: int, keys: Sequence[Expr],
          ranges: Sequence[tuple[int, int]]) -> tuple[int, ...] | None:
    """A bit for each member that passes, for each combination; None if a condition fails."""
    sets = list[int]()
    try:
        for values in product(*(range(low, low + number) for low, number in ranges)):
            given = {key: bool(value) if is_truth(key.type) else value
                     for key, value in zip(keys, values, strict=True)}
            sets.append(sum(1 << at for at in range(width) if _value(code, cond, var, lo + at, given)))
    except (IndexError, TypeError):
        return None
    return tuple(sets)


def is_truth(kind: Type) -> bool:
    """Whether values are yes and no."""
    match kind:
        case Bool():
            return True
        case Int() | Elem() | Maybe() | SetOf() | Many():
            return False
        case _:
            assert_never(kind)


def _spread(bounds: Bounds, kind: Type) -> tuple[int, int] | None:
    """The lowest value that something has, and how many there are; None of what is no number, or may be nothing."""
    match kind:
        case Bool():
            return 0, 2
        case Int() | Elem() | Maybe():
            if bounds.none or not 0 <= bounds.hi - bounds.lo < MOST_TESTED:
                return None
            return bounds.lo, bounds.hi - bounds.lo + 1
        case SetOf() | Many():
            return None
        case _:
            assert_never(kind)


def _keys(expr: Expr, var: str) -> list[Expr] | None:
    """The largest parts that have nothing to do with the member, if all the rest is constants and operators."""
    if var not in locals_of(expr):
        return [] if isinstance(expr, Const) else [expr]
    match expr:
        case Local():
            return []
        case Look(_, keys):
            return _joined(keys, var)
        case Op(_, args):
            return _joined(args, var)
        case And(parts) | Or(parts):
            return _joined(parts, var)
        case If(cond, yes, no):
            return _joined((cond, yes, no), var)
        case Const() | Get() | At() | Fold() | Where() | Connected() | Split() | Let() | Only() | After():
            return None
        case _:
            assert_never(expr)


def _joined(parts: Sequence[Expr], var: str) -> list[Expr] | None:
    found = list[Expr]()
    for part in parts:
        keys = _keys(part, var)
        if keys is None:
            return None
        found.extend(keys)
    return found


def _value(code: NativeCoding, expr: Expr, var: str, member: int, given: Mapping[Expr, Any]) -> Any:
    """The value for a member. `IndexError` for an entry of a table that there is not."""
    if expr in given:
        return given[expr]
    match expr:
        case Const(value):
            return value
        case Local(name):
            assert name == var
            return member
        case Look(table, keys):
            entries, held = code.layout.tables[table]
            at = entries.find([_value(code, key, var, member, given) for key in keys])
            if at < 0:
                raise IndexError(table)
            return held.values[at - entries.base]
        case Op(_, args):
            return PLAIN.operate(expr, [_value(code, arg, var, member, given) for arg in args])
        case And(parts):
            return all(_value(code, part, var, member, given) for part in parts)
        case Or(parts):
            return any(_value(code, part, var, member, given) for part in parts)
        case If(cond, yes, no):
            return _value(code, yes if _value(code, cond, var, member, given) else no, var, member, given)
        case Get() | At() | Fold() | Where() | Connected() | Split() | Let() | Only() | After():
            raise TypeError("no constant")
        case _:
            assert_never(expr)


def values_of(code: NativeCoding, expr: Expr, var: str, lo: int, width: int) -> list[int] | None:
    """The number that an expression is for each member lo..lo+width-1; None if more than constants decides."""
    if _keys(expr, var) != []:
        return None
    try:
        found = [_value(code, expr, var, lo + at, {}) for at in range(width)]
    except (IndexError, TypeError):
        return None
    return found if all(type(one) is int for one in found) else None
