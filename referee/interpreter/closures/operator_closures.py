"""Operators as functions of a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.core.expr import Const, Expr, Get, Op, Operator
from referee.core.operators import Comparison, Operations, comparison
from referee.core.types import Scalar
from referee.interpreter.closures.closure_types import Compiler, Env, Fn, Scope, Slots
from referee.interpreter.closures.open_comparisons import decide
from referee.interpreter.closures.source_closures import keyed
from referee.interpreter.interruptions import Unsettled


def operate(expr: Op, scope: Scope, code: Compiler) -> Fn:
    """An operator applied to its operands, which are all evaluated."""
    args = [code.expr(arg, scope) for arg in expr.args]
    made = _to_constant(expr, args, code) or _FUNCTIONS.operate(expr, args)
    op = comparison(expr.op)
    return made if op is None or not _may_be_open(expr, code) else _with_open(expr, op, made, scope, code)


class _Functions(Operations[Fn]):
    """Operands and results are functions; each operator is one of its own, because a call more would cost."""

    def equal(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: one(slots, env) == other(slots, env)

    def unequal(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: one(slots, env) != other(slots, env)

    def less(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: one(slots, env) < other(slots, env)

    def at_most(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: one(slots, env) <= other(slots, env)

    def greater(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: one(slots, env) > other(slots, env)

    def at_least(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: one(slots, env) >= other(slots, env)

    def member(self, one: Fn, group: Fn) -> Fn:
        return lambda slots, env: one(slots, env) in group(slots, env)

    def negation(self, one: Fn) -> Fn:
        return lambda slots, env: not one(slots, env)

    def total(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: one(slots, env) + other(slots, env)

    def difference(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: one(slots, env) - other(slots, env)

    def product(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: one(slots, env) * other(slots, env)

    def opposite(self, one: Fn) -> Fn:
        return lambda slots, env: -one(slots, env)

    def lower(self, numbers: Sequence[Fn]) -> Fn:
        return lambda slots, env: min([one(slots, env) for one in numbers])

    def higher(self, numbers: Sequence[Fn]) -> Fn:
        return lambda slots, env: max([one(slots, env) for one in numbers])

    def distance(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: abs(one(slots, env) - other(slots, env))

    def set_of(self, members: Sequence[Fn], of: Scalar) -> Fn:
        return lambda slots, env: frozenset([one(slots, env) for one in members])

    def union(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: one(slots, env) | other(slots, env)

    def without(self, one: Fn, other: Fn) -> Fn:
        return lambda slots, env: one(slots, env) - other(slots, env)

    def size(self, group: Fn) -> Fn:
        return lambda slots, env: len(group(slots, env))


_FUNCTIONS = _Functions()


def _to_constant(expr: Op, args: Sequence[Fn], code: Compiler) -> Fn | None:
    """Equality with something constant, the commonest of all comparisons; None if it is anything else."""
    if expr.op is not Operator.EQ or not isinstance(other := expr.args[1], Const):
        return None
    left, value = args[0], other.value
    if value is None and not code.wary:
        return lambda slots, env: left(slots, env) is None
    return lambda slots, env: left(slots, env) == value


def _may_be_open(expr: Op, code: Compiler) -> bool:
    """True if an operand is a variable that may be without a value."""
    return any(isinstance(arg, Get) and code.layout.may_be_open(arg.var) for arg in expr.args)


def _with_open(expr: Op, op: Comparison, compared: Fn, scope: Scope, code: Compiler) -> Fn:
    """A comparison with a variable that nobody stated: decided by its range, or the range is split."""
    sides = [_side(arg, scope, code) for arg in expr.args]
    keys = [[code.expr(key, scope) for key in arg.keys] if isinstance(arg, Get) else [] for arg in expr.args]

    def with_open(slots: Slots, env: Env) -> Any:
        try:
            return compared(slots, env)
        except Unsettled:
            decided = decide(op, *[side(slots, env) for side in sides])
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
