"""Source for what asks the same of every entry of a variable: they lie side by side, and are looked at at once."""

from __future__ import annotations

from referee.codegen.code_scope import Coding
from referee.core.expr import All, Const, Domainlike, Expr, Get, Local, Op, Operator, Or
from referee.core.types import Bool, Elem, Int, size

_BEST = {Operator.LE: ("max", "<="), Operator.LT: ("max", "<"), Operator.GE: ("min", ">="), Operator.GT: ("min", ">")}


def bounded(code: Coding, source: Domainlike, var: str, cond: Expr) -> str | None:
    """Whether every entry of a variable is at most, or at least, a constant; None if something else is asked."""
    if not isinstance(cond, Op) or cond.op not in _BEST or not isinstance(cond.args[1], Const):
        return None
    entries = _entries(code, source, var, cond.args[0])
    if entries is None or not isinstance(cond.args[0].type, Int | Elem) or not isinstance(cond.args[1].value, int):
        return None
    best, sign = _BEST[cond.op]
    return f"({best}({entries}) {sign} {code.literal(cond.args[1].value)})"


def marked(code: Coding, source: Domainlike, var: str, cond: Expr) -> str | None:
    """The members of a source of which a condition holds that is one of some marks; None if it is no such condition."""
    parts = cond.parts if isinstance(cond, Or) else (cond,)
    found = [_entries(code, source, var, part) if part.type == Bool() else None for part in parts]
    if not isinstance(source, All) or not found or None in found:
        return None
    marks = str(found[0])
    for more in found[1:]:
        marks = f"map(either, {marks}, {more})"
    return f"compress(range({source.of.lo}, {source.of.hi + 1}), {marks})"


def _entries(code: Coding, source: Domainlike, var: str, expr: Expr) -> str | None:
    """All entries of the variable that an expression reads for each member of a source, if it reads no more."""
    if not isinstance(expr, Get) or not isinstance(source, All) or source.first is not None or source.down:
        return None
    entries = code.layout.vars[expr.var]
    if len(expr.keys) != 1 or not isinstance(expr.keys[0], Local) or expr.keys[0].name != var:
        return None
    if (source.of.lo, size(source.of)) != (entries.lows[0], entries.sizes[0]) or not entries.count:
        return None
    if expr.var in code.prover.doubtful or code.layout.may_be_open(expr.var) or entries.base >= code.layout.fixed:
        return None
    return f"s[{entries.base}:{entries.base + entries.count}]"
