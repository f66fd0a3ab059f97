"""Whether a value is a member of a source, without listing the source where that makes no difference."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Or,
    Split,
    Where,
    Within,
)
from referee.core.types import Bool, Elem, Int, Scalar
from referee.game.state import Layout
from referee.interpreter.closures.closure_types import NOTHING, Compiler, Env, Scope, Slots

Test = Callable[[Any, Slots, Env], bool]
"""True if a value is a member at a position. Raises what listing the members would raise."""


def membership(source: Domainlike, code: Compiler, scope: Scope = NOTHING) -> Test:
    """The test for a source."""
    match source:
        case All(of):
            lo, hi = of.lo, of.hi
            return lambda value, slots, env: isinstance(value, int) and lo <= value <= hi
        case Members(Where() as where) if where.where is not None and cannot_fail(where.where, code.layout):
            return _passing(where, code, scope)
        case Members() | Numbers() | Within():
            listed = code.source(source, scope)
            return lambda value, slots, env: value in listed(slots, env)
        case _:
            assert_never(source)


def _passing(where: Where, code: Compiler, scope: Scope) -> Test:
    """A member of a filtered source is one of the source that passes; whether others pass is no matter."""
    inside = membership(where.source, code, scope)
    key, inner = code.bind(where.var, scope)
    assert where.where is not None
    passes = code.expr(where.where, inner)

    def passing(value: Any, slots: Slots, env: Env) -> bool:
        if not inside(value, slots, env):
            return False
        env[key] = value
        return bool(passes(slots, env))

    return passing


def cannot_fail(expr: Expr, layout: Layout) -> bool:
    """True if an expression surely has a value: then it need not be evaluated for its errors. In doubt, False."""
    match expr:
        case Const() | Local():
            return True
        case Get(name, keys):
            return _in_range(keys, layout.defs[name].keys, layout) and not layout.may_be_open(name)
        case Look(table, keys):
            return _in_range(keys, layout.tables[table][1].keys, layout)
        case Op(args=parts) | And(parts) | Or(parts):
            return all(cannot_fail(part, layout) for part in parts)
        case If(cond, yes, no):
            return all(cannot_fail(part, layout) for part in (cond, yes, no))
        case At(place, spot):
            zone = layout.core.zones[place.zone]
            spots = (zone.spots,) if zone.spots is not None else (Int(-1, -1),)
            return _in_range((*place.keys, spot), (*zone.keys, *spots), layout)
        case Fold() | Where() | Connected() | Split() | Let() | Only() | After():
            return False
        case _:
            assert_never(expr)


def _in_range(keys: tuple[Expr, ...], ranges: tuple[Scalar, ...], layout: Layout) -> bool:
    return all(_within(key, kind) and cannot_fail(key, layout) for key, kind in zip(keys, ranges, strict=True))


def _within(key: Expr, kind: Scalar) -> bool:
    if isinstance(key.type, Bool) or not isinstance(key.type, (Int, Elem)):
        return False
    return kind.lo <= key.type.lo and key.type.hi <= kind.hi
