"""Whether what lies at no distance is within a range: where another answer is asked for."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Const, Expr, Look, Op, Operator, Or
from referee.core.ruleset import Core
from referee.core.stmt import Origin
from referee.core.traverse import rewrite_each, walk
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers

RANGE, NOT_ITSELF = "range", "not_itself"
_DISTANCE = "distance "
"""How the tables begin that hold how far two places are from each other."""


def with_ranges_from_one_on(core: Core, others: OtherAnswers) -> Core:
    """The rules with each range, as far as a number of steps; for another answer the place itself is not in it.

    Only in actions and procedures: what is defined for many uses is asked about where it is used.
    """

    def narrowed(part: Op) -> Expr | None:
        if part.op not in (Operator.LE, Operator.LT) or part.span is None:
            return None
        far = part.args[0]
        nowhere = part.op is Operator.LT and any(one.value == 1 for one in walk(part.args[1], Const))
        if nowhere or not _is_distance(far):
            return None
        test = others.test(RANGE, NOT_ITSELF, Origin(part.span), alone=True)
        if test is None:
            return None
        away = typed_operators.compare(Operator.GE, far, typed_operators.number(1))
        return typed_operators.both((part, Or((typed_operators.negate(test), away))))

    return replace(
        core,
        actions={name: rewrite_each(one, Op, narrowed, lambda _: False) for name, one in core.actions.items()},
        procedures={name: rewrite_each(one, Op, narrowed, lambda _: False) for name, one in core.procedures.items()},
    )


def _is_distance(value: Expr) -> bool:
    """Whether a value is how far two places are from each other, by whichever answer that is counted."""
    if any(one.op in (Operator.ADD, Operator.SUB, Operator.MUL, Operator.NEG) for one in walk(value, Op)):
        return False
    return any(one.table.startswith(_DISTANCE) and one.keys[0] != one.keys[1] for one in walk(value, Look))
