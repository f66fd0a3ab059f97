"""Comparisons that take equal values the other way: where other answers to "and if they are equal?" are asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from referee.core.expr import Expr, If, Op, Operator
from referee.core.ruleset import Core
from referee.core.stmt import Origin
from referee.core.traverse import rewrite_each
from referee.core.types import Bool
from referee.diagnostics.source import Span
from referee.frontend.names.other_answers import OtherAnswers

A = TypeVar("A")
VALUE, EQUAL_PASSES, EQUAL_FAILS = "value", "equal_passes", "equal_fails"
_OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
"""Of the comparisons by what is more, the one that takes equal values the other way, as they are written."""


def with_equal_values(core: Core, others: OtherAnswers, written: frozenset[Span]) -> Core:
    """The rules with both answers for each comparison that is `written` in them; each use of a definition has the same.
    """

    def change(part: Op) -> Expr | None:
        if part.op.value not in _OTHER or part.span not in written:
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
