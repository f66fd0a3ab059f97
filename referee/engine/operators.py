"""Operators as functions, one case for each, in the order of `core/expr.py` (comparisons together)."""

from __future__ import annotations

from typing import Any, assert_never

from referee.core.expr import Const, Expr, Get, Op, Operator
from referee.engine.faults import Unsettled
from referee.engine.fn import Compiler, Env, Fn, Scope, Slots
from referee.engine.sources import keyed
from referee.engine.unstated import decide


def operate(expr: Op, scope: Scope, code: Compiler) -> Fn:
    """An operator applied to its operands, which are all evaluated."""
    args = [code.expr(arg, scope) for arg in expr.args]
    match expr.op:
        case (Operator.EQ | Operator.NE | Operator.LT | Operator.LE | Operator.GT | Operator.GE | Operator.IN):
            compared = _compared(expr, args[0], args[1])
            return _with_open(expr, compared, scope, code) if _may_be_open(expr, code) else compared
        case Operator.NOT:
            (one,) = args
            return lambda slots, env: not one(slots, env)
        case Operator.NEG:
            (one,) = args
            return lambda slots, env: -one(slots, env)
        case Operator.SIZE:
            (one,) = args
            return lambda slots, env: len(one(slots, env))
        case Operator.SET:
            return lambda slots, env: frozenset([arg(slots, env) for arg in args])
        case Operator.LOWER:
            return lambda slots, env: min([arg(slots, env) for arg in args])
        case Operator.HIGHER:
            return lambda slots, env: max([arg(slots, env) for arg in args])
        case (Operator.ADD | Operator.SUB | Operator.MUL | Operator.UNION | Operator.MINUS | Operator.BETWEEN):
            return _of_two(expr.op, args[0], args[1])
        case _:
            assert_never(expr.op)


def _of_two(op: Operator, left: Fn, right: Fn) -> Fn:
    match op:
        case Operator.ADD:
            return lambda slots, env: left(slots, env) + right(slots, env)
        case Operator.SUB | Operator.MINUS:
            return lambda slots, env: left(slots, env) - right(slots, env)
        case Operator.MUL:
            return lambda slots, env: left(slots, env) * right(slots, env)
        case Operator.UNION:
            return lambda slots, env: left(slots, env) | right(slots, env)
        case _:
            return lambda slots, env: abs(left(slots, env) - right(slots, env))


def _compared(expr: Op, left: Fn, right: Fn) -> Fn:
    match expr.op:
        case Operator.EQ:
            return _equal(expr.args[1], left, right)
        case Operator.NE:
            return lambda slots, env: left(slots, env) != right(slots, env)
        case Operator.LT:
            return lambda slots, env: left(slots, env) < right(slots, env)
        case Operator.LE:
            return lambda slots, env: left(slots, env) <= right(slots, env)
        case Operator.GT:
            return lambda slots, env: left(slots, env) > right(slots, env)
        case Operator.GE:
            return lambda slots, env: left(slots, env) >= right(slots, env)
        case _:
            return lambda slots, env: left(slots, env) in right(slots, env)


def _equal(other: Expr, left: Fn, right: Fn) -> Fn:
    """Equality, the commonest of all comparisons; mostly with something constant."""
    if isinstance(other, Const) and other.value is None:
        return lambda slots, env: left(slots, env) is None
    if isinstance(other, Const):
        value = other.value
        return lambda slots, env: left(slots, env) == value
    return lambda slots, env: left(slots, env) == right(slots, env)


def _may_be_open(expr: Op, code: Compiler) -> bool:
    """True if an operand is a variable that may be without a value."""
    return any(isinstance(arg, Get) and code.layout.may_be_open(arg.var) for arg in expr.args)


def _with_open(expr: Op, compared: Fn, scope: Scope, code: Compiler) -> Fn:
    """A comparison with a variable that nobody stated: decided by its range, or the range is split."""
    sides = [_side(arg, scope, code) for arg in expr.args]
    keys = [[code.expr(key, scope) for key in arg.keys] if isinstance(arg, Get) else [] for arg in expr.args]

    def with_open(slots: Slots, env: Env) -> Any:
        try:
            return compared(slots, env)
        except Unsettled:
            decided = decide(expr.op, *[side(slots, env) for side in sides])
            if isinstance(decided, bool):
                return decided
            split, pieces = decided
            variable = expr.args[split]
            assert isinstance(variable, Get)
            key = tuple([one(slots, env) for one in keys[split]])
            raise Unsettled(variable.var, key, pieces) from None

    return with_open


def _side(expr: Expr, scope: Scope, code: Compiler) -> Fn:
    """An operand, where a variable without a value is its range."""
    if not isinstance(expr, Get):
        return code.expr(expr, scope)
    where = keyed(code.layout.vars[expr.var], expr.var, expr.keys, scope, code, expr.span)
    return lambda slots, env: slots[where(slots, env)]
