"""Expressions that look at no position are worked out when the code is written.

What stands in their place is a constant, or one for each value of a local.
"""

from __future__ import annotations

from typing import assert_never

from referee.codegen.code_scope import Coding, Scope, known, offset
from referee.core.expr import All, Domainlike, Fold, Local, Members, Numbers, Where, Within
from referee.core.read_write_sets import locals_of, reads
from referee.core.traverse import walk
from referee.core.types import Many, SetOf
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.interruptions import Fault, Unsettled

MOST_VALUES, MOST_MEMBERS = 16, 1_000
"""For so many values of a local it is worked out, and if no more members are gone through for each."""


def worked_out(code: Coding, expr: Fold | Where, scope: Scope) -> str | None:
    """The value of an expression that looks at no position; None if it does, or makes an error, or is much work."""
    if reads(expr) or _members(code, expr.source, scope) > MOST_MEMBERS:
        return None
    free = [name for name in scope if name in locals_of(expr)]
    if any(True for one in walk(expr, Local) if one.name in free for _ in walk(one.type, SetOf, Many)):
        return None  # a set has no bounds
    value_of = ExpressionClosures(code.layout).expr(expr)
    try:
        if not free:
            return code.literal(value_of([], {}))
        bounds = scope[free[0]].bounds
        if len(free) > 1 or bounds.none or not 0 <= bounds.hi - bounds.lo < MOST_VALUES:
            return None
        values = tuple(value_of([], {free[0]: one}) for one in range(bounds.lo, bounds.hi + 1))
    except (Fault, Unsettled, LookupError):
        return None
    if any(one.__class__ not in (int, bool) for one in values):
        return None
    table = code.objects.name("k", ("worked out", values, tuple(one.__class__ for one in values)), values)
    return f"{table}[{offset(scope[free[0]].text, bounds.lo)}]"


def _members(code: Coding, source: Domainlike, scope: Scope) -> int:
    """How many members are gone through at most, where that is a constant: of other sources more than is worked out."""
    match source:
        case All() | Numbers():
            return code.prover.most_of(source, known(scope))
        case Members() | Within():
            return MOST_MEMBERS + 1
        case _:
            assert_never(source)
