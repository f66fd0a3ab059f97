"""How much more there is for each that lies in a place: where "for each, or once?" is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from referee.core.expr import Expr, Fold, FoldKind, If, Op, Operator, Within
from referee.core.ruleset import Core
from referee.core.stmt import Bind, Origin, Put
from referee.core.traverse import in_all_play, rewrite_each, walk
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.control_statements import OFTEN, ONCE

A = TypeVar("A")


def with_once_however_many(core: Core, others: OtherAnswers) -> Core:
    """The rules with each amount that is more by as much as there are of something in a place; for another answer it is
    more by one of them, however many lie there."""

    def less(sum_: Op, where: Origin) -> Expr:
        if sum_.op not in (Operator.ADD, Operator.MUL):
            return sum_  # what is compared or taken off is no amount
        return replace(sum_, args=tuple(once(part, where) for part in sum_.args))

    def once(part: Expr, where: Origin) -> Expr:
        test = others.test(OFTEN, ONCE, where, alone=True) if _counts_what_lies(part) else None
        if test is None:
            return rewrite_each(part, Op, lambda one: less(one, where), lambda _: False)
        one = typed_operators.number(1)
        several = typed_operators.compare(Operator.GT, part, one)
        return If(typed_operators.both((test, several)), one, part, part.type, where.span)

    def changed(stmt: Put | Bind) -> Put | Bind:
        if not core.statements_in(stmt.origin.cites):
            return stmt
        return replace(stmt, value=rewrite_each(stmt.value, Op, lambda one: less(one, stmt.origin), lambda _: False))

    def inside(node: A) -> A:
        return rewrite_each(rewrite_each(node, Put, changed, lambda _: False), Bind, changed, lambda _: False)

    return in_all_play(core, inside)


def _counts_what_lies(value: Expr) -> bool:
    """Whether a value is how many lie in a place."""
    return any(one is value and one.kind is FoldKind.COUNT and any(at is one.source for at in walk(one.source, Within))
               for one in walk(value, Fold))  # fmt: skip
