"""What the rules look up by variables, on spots (`row at place`) and in tables: numbers that lemmas may speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.read_write_sets import locals_of, variables_of
from referee.core.traverse import walk
from referee.core.types import Maybe
from referee.smt.abstraction.sliced_reading import SlicedEvaluator
from referee.smt.abstraction.slices import Sliced
from referee.smt.semantics.context import Context
from referee.smt.value import Opt

MOST_LOOKED_UP = 24
"""Of more it is not looked at what is there."""


def asked_spots(effects: Iterable[object], placed: frozenset[str], kept: frozenset[str]) -> tuple[At | Look, ...]:
    """What the rules ask for by its spot, in zones kept spot by spot, or look up where there may be nothing, if that is
    told by variables that are kept."""
    found: dict[str, At | Look] = {}
    for one in walk(tuple(effects), At, Look):
        if locals_of(one):
            continue
        known = isinstance(one.spot, Const) or one.place.zone not in placed if isinstance(one, At) else (
            not isinstance(one.type, Maybe) or all(isinstance(key, Const) for key in one.keys))
        name = None if known else said(one)
        if name is not None and variables_of(one) <= kept:
            found.setdefault(name, one)
    return tuple(found.values())[:MOST_LOOKED_UP]


def said(expr: Expr) -> str | None:
    """An expression in words by which it is told from others; None if it is not a simple one."""
    match expr:
        case Const():
            return str(expr.value)
        case Get():
            return expr.var if not expr.keys else _listed(expr.var, expr.keys)
        case Look():
            return _listed(expr.table, expr.keys)
        case At():
            zone = _listed(expr.place.zone, expr.place.keys) if expr.place.keys else expr.place.zone
            spot = said(expr.spot)
            return None if zone is None or spot is None else f"{zone} at {spot}"
        case Only():
            return said(expr.of)
        case Fold(kind=FoldKind.COUNT, source=Within(place=Place(spot=None, end=None) as place), where=None, body=None):
            there = _listed(place.zone, place.keys)
            return None if there is None else f"number of {there}"
        case Op(op=Operator.SIZE, args=(one,)):
            return None if said(one) is None else f"{said(one)} size"
        case Op(args=(one, other)):
            left, right = said(one), said(other)
            return None if left is None or right is None else f"({left} {expr.op.value} {right})"
        case Local() | Op() | And() | Or() | If() | Fold() | Where() | Connected() | Split() | Let() | After():
            return None
        case _:
            assert_never(expr)


def _listed(name: str, keys: tuple[Expr, ...]) -> str | None:
    parts = [said(key) for key in keys]
    return None if None in parts else f"{name}[{', '.join(str(part) for part in parts)}]"


def lying_there(expr: At | Look) -> Callable[[Sliced], Opt]:
    """What lies on the spot, or is found; without one, anything."""
    def read(store: Sliced) -> Opt:
        found = SlicedEvaluator(Context(store))(expr)
        assert isinstance(found, Opt)
        return found

    return read
