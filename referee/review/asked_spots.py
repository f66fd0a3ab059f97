"""Spots that the rules name by variables (`row at place`): what lies there is a number that lemmas may speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from referee.core.expr import At, Const, Expr, Get, Only, Op
from referee.core.reads import locals_of, nodes_of
from referee.symbolic.evaluate import Context
from referee.symbolic.sliced_folds import SlicedEvaluator
from referee.symbolic.slices import Sliced
from referee.symbolic.value import Opt

MOST = 24
"""Of more it is not looked at what lies there."""


def asked_spots(effects: Iterable[object], placed: frozenset[str], kept: frozenset[str]) -> tuple[At, ...]:
    """What the rules ask for by its spot, if that is told by variables that are kept, in zones kept spot by spot."""
    found: dict[str, At] = {}
    for one in nodes_of(tuple(effects)):
        if isinstance(one, At) and one.place.zone in placed and not locals_of(one) and not isinstance(one.spot, Const):
            name = said(one)
            named = {get.var for get in nodes_of(one) if isinstance(get, Get)}
            if name is not None and named <= kept:
                found.setdefault(name, one)
    return tuple(found.values())[:MOST]


def said(expr: Expr) -> str | None:
    """An expression in words by which it is told from others; None if it is not a simple one."""
    match expr:
        case Const():
            return str(expr.value)
        case Get():
            return expr.var if not expr.keys else _listed(expr.var, expr.keys)
        case At():
            zone = _listed(expr.place.zone, expr.place.keys) if expr.place.keys else expr.place.zone
            spot = said(expr.spot)
            return None if zone is None or spot is None else f"{zone} at {spot}"
        case Only():
            return said(expr.of)
        case Op(args=(one, other)):
            left, right = said(one), said(other)
            return None if left is None or right is None else f"({left} {expr.op.value} {right})"
        case _:
            return None


def _listed(name: str, keys: tuple[Expr, ...]) -> str | None:
    parts = [said(key) for key in keys]
    return None if None in parts else f"{name}[{', '.join(str(part) for part in parts)}]"


def lying_there(expr: At) -> Callable[[Sliced], Opt]:
    """What lies on the spot; without one, anything."""
    def read(store: Sliced) -> Opt:
        found = SlicedEvaluator(Context(store))(expr)
        assert isinstance(found, Opt)
        return found

    return read
