"""Values that expressions have whatever the position: what constants, and what else is known, decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

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
    Operator,
    Or,
    Split,
    Where,
)
from referee.core.types import Value
from referee.system.lazy_dataclasses import dataclass

Known = Mapping[str, Value]
"""Variables without keys of which the value is known."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The value of an expression, where what is known is enough for it."""

    value: Value


def decided(expr: Expr, known: Known) -> Decided | None:
    """The value of an expression, None if it depends on more than what is known."""
    match expr:
        case Const(value):
            return Decided(value)
        case Get(var, ()) if var in known:
            return Decided(known[var])
        case And(parts):
            return _joined([decided(part, known) for part in parts], False)
        case Or(parts):
            return _joined([decided(part, known) for part in parts], True)
        case If():
            test = decided(expr.cond, known)
            return None if test is None else decided(expr.yes if test.value else expr.no, known)
        case Op(op, args):
            return _applied(op, [decided(arg, known) for arg in args])
        case Local() | Get() | Look() | At() | Fold() | Where() | Connected() | Split() | Let() | Only() | After():
            return None
        case _:
            assert_never(expr)


def _joined(parts: list[Decided | None], decisive: bool) -> Decided | None:
    """`and` and `or`: one part may decide all of it."""
    if any(part is not None and part.value is decisive for part in parts):
        return Decided(decisive)
    return None if None in parts else Decided(not decisive)


def _applied(op: Operator, args: list[Decided | None]) -> Decided | None:
    values = [arg.value for arg in args if arg is not None]
    if len(values) < len(args):
        return None
    match op:
        case Operator.NOT:
            return Decided(not values[0])
        case Operator.EQ:
            return Decided(values[0] == values[1])
        case Operator.NE:
            return Decided(values[0] != values[1])
        case Operator.IN:
            group = values[1]
            return Decided(values[0] in group) if isinstance(group, frozenset) else None
        case (Operator.LT | Operator.LE | Operator.GT | Operator.GE | Operator.ADD | Operator.SUB | Operator.MUL
              | Operator.NEG | Operator.LOWER | Operator.HIGHER | Operator.BETWEEN | Operator.SET | Operator.UNION
              | Operator.MINUS | Operator.SIZE):
            return None  # nothing is said, which is always right
        case _:
            assert_never(op)
