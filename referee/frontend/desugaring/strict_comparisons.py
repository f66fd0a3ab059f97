"""Comparisons that take equal values the other way: where other answers to "and if they are equal?" are asked for."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Expr, If, Op, Operator
from referee.core.ruleset import Core
from referee.core.stmt import Origin
from referee.core.traverse import rewrite
from referee.core.types import Bool
from referee.diagnostics.source import Span
from referee.frontend.names.other_answers import OtherAnswers

VALUE, EQUAL_PASSES, EQUAL_FAILS = "value", "equal_passes", "equal_fails"
_OTHER = {Operator.LT: Operator.LE, Operator.LE: Operator.LT, Operator.GT: Operator.GE, Operator.GE: Operator.GT}


def with_equal_values(core: Core, others: OtherAnswers, written: frozenset[Span]) -> Core:
    """The rules with both answers for each comparison that is `written` in them; each use of a definition has the same.
    """

    def change(part: object) -> Expr | None:
        if not isinstance(part, Op) or part.op not in _OTHER or part.span not in written:
            return None
        assert part.span is not None
        name = EQUAL_PASSES if part.op in (Operator.LT, Operator.GT) else EQUAL_FAILS
        test = others.test(VALUE, name, Origin(part.span), alone=True)
        inner = replace(part, args=tuple(rewrite(arg, change) for arg in part.args))
        if test is None:
            return inner
        return If(test, replace(inner, op=_OTHER[part.op]), inner, Bool(), part.span)

    return replace(
        core, main=rewrite(core.main, change), over=rewrite(core.over, change), ending=rewrite(core.ending, change),
        actions={name: rewrite(one, change) for name, one in core.actions.items()},
        procedures={name: rewrite(one, change) for name, one in core.procedures.items()},
        watched={name: rewrite(one, change) for name, one in core.watched.items()},
    )  # fmt: skip
