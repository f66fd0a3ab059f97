"""Comparisons that take equal values the other way: where other answers to "and if they are equal?" are asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from referee.core.expr import Expr, Fold, FoldKind, Get, If, Local, Op, Operator, Within
from referee.core.ruleset import Core, Role
from referee.core.stmt import Origin
from referee.core.traverse import itself, rewrite_each, walk
from referee.core.types import Bool, Int
from referee.diagnostics.source import Span
from referee.frontend.names.other_answers import OtherAnswers

A = TypeVar("A")
VALUE, EQUAL_PASSES, EQUAL_FAILS = "value", "equal_passes", "equal_fails"
_OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
"""Of the comparisons by what is more, the one that takes equal values the other way, as they are written."""


def with_equal_values(core: Core, others: OtherAnswers, written: frozenset[Span]) -> Core:
    """The rules with both answers for each comparison that is `written` in them; each use of a definition has the same.

    Not where it only says that a place is there, that something is more than nothing, or where a parameter stands in
    it, of which one more is as good a value.
    """
    free = frozenset(name for name, var in core.vars.items() if var.role is Role.PARAMETER)

    def change(part: Op) -> Expr | None:
        if part.op.value not in _OTHER or part.span not in written:
            return None
        if _is_place(part) or _decides_nothing(part) or any(
                one is read and read.var in free for one in part.args for read in walk(one, Get)):
            return None
        assert part.span is not None
        name = EQUAL_FAILS if part.op.value.endswith("=") else EQUAL_PASSES
        test = others.test(VALUE, name, Origin(part.span), alone=True)
        inner = replace(part, args=both_ways(part.args))
        if test is None:
            return inner
        return If(test, replace(inner, op=Operator(_OTHER[part.op.value])), inner, Bool(), part.span)

    def both_ways(part: A) -> A:
        return rewrite_each(part, Op, change, lambda _: False)

    return replace(
        core, main=both_ways(core.main), over=both_ways(core.over), ending=both_ways(core.ending),
        actions={name: both_ways(one) for name, one in core.actions.items()},
        procedures={name: both_ways(one) for name, one in core.procedures.items()},
        watched={name: both_ways(one) for name, one in core.watched.items()},
    )  # fmt: skip


def _is_place(part: Op) -> bool:
    """Whether a number is compared with how many lie somewhere: it is a place there, or one that is to be had."""
    one, other = part.args
    return any(_is_local(number) and _counts_what_lies(many) for number, many in ((one, other), (other, one)))


def _is_local(value: Expr) -> bool:
    return any(one is value for one in walk(value, Local))


def _counts_what_lies(value: Expr) -> bool:
    folds = [one for one in itself(value, Fold) if one.kind is FoldKind.COUNT]
    return any(place is one.source for one in folds for place in walk(one.source, Within))


def _decides_nothing(part: Op) -> bool:
    """Whether it holds always or never if equal values are taken the other way."""
    (one,), (other,) = (tuple(walk(arg.type, Int))[:1] or (None,) for arg in part.args)
    if one is None or other is None or other.lo != other.hi:
        return False
    at_least, at_most = (Operator.GT, Operator.LE), (Operator.LT, Operator.GE)
    return (part.op in at_least and one.lo == other.lo) or (part.op in at_most and one.hi == other.lo)
