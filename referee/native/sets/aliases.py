"""Names that stand for another name or a constant are put in: so it is seen what a condition asks of a member."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar, assert_never

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
from referee.core.flow import Flow
from referee.core.stmt import Bind, Each
from referee.core.traverse import rewrite_each, walk
from referee.flow.register_names import substitute

A = TypeVar("A")


def aliases_put_in(flow: Flow) -> Flow:
    """The flow without names for what has a name."""
    return replace(flow, nodes=_put_in(flow.nodes))


def _put_in(node: A) -> A:
    return rewrite_each(node, Let, _without, lambda part: False)


def _without(let: Let) -> object | None:
    """What stands in its place; None if it stays."""
    if not _is_name(let.value, let.body):
        return None
    return _put_in(substitute(let.body, {let.var: let.value}))


def _is_name(value: Expr, body: Expr) -> bool:
    """Whether a value is a name or a constant, and that name means the same wherever it is put in."""
    match value:
        case Const():
            return True
        case Local(name):
            return name not in _bound(body)
        case (Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected() | Split() | Let()
              | Only() | After()):
            return False
        case _:
            assert_never(value)


def _bound(body: Expr) -> set[str]:
    """The names that are given inside an expression."""
    return {*(one.var for one in walk(body, Fold, Where, Let)), *(one.rest for one in walk(body, Split)),
            *(name for one in walk(body, Connected) for name in (one.var, one.here)),
            *(one.var for one in walk(body, Each)), *(one.name for one in walk(body, Bind))}
