"""What is added by hand to what is printed: whether it counts there, and whether it adds up."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from referee.core.expr import Expr, Get, If, Look, Op, Operator
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core, Role
from referee.core.stmt import Origin, Put
from referee.core.traverse import in_all_play, itself, rewrite_each, walk
from referee.core.types import COMPONENT, Elem, Int
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.state_changes import SCOPE
from referee.other_rules.components.component_values import WHICH_VALUE

A = TypeVar("A")
PRINTED_ALONE, NOT_TWICE = "without_what_was_added", "does_not_add_up"
_SUMS = (Operator.ADD, Operator.SUB)


def with_added_values(core: Core, others: OtherAnswers) -> Core:
    """The rules with each sum of what is printed on something and a counter of it; for other answers it is what is
    printed alone, or what is given to it a second time takes the place of the first."""
    added = frozenset(
        get.var for node in (core.main, *core.actions.values(), *core.procedures.values()) for one in walk(node, Op)
        if one.op in _SUMS and _printed(one.args[0]) for get in itself(one.args[1], Get)
        if _is_of_a_component(core, get.var) and get.keys == _keys(one.args[0]))  # fmt: skip

    first: dict[tuple[str, ...], Origin] = {}  # asked once of what is printed and what is added to it

    def alone(part: Op) -> Expr | None:
        inner = replace(part, args=tuple(rewrite_each(arg, Op, alone, lambda _: False) for arg in part.args))
        if part.op not in _SUMS or part.span is None or not _printed(part.args[0]) or not variables_of(
                part.args[1]) & added:  # fmt: skip
            return inner
        (look,) = itself(part.args[0], Look)
        where = first.setdefault((look.table, *sorted(variables_of(part.args[1]) & added)), Origin(part.span))
        test = others.test(WHICH_VALUE, PRINTED_ALONE, where, alone=True)
        kind = typed_operators.join(part.args[0].type, inner.type)
        return inner if test is None or kind is None else If(test, part.args[0], inner, kind, part.span)

    def once(put: Put) -> Put:
        value = replace(put, value=rewrite_each(put.value, Op, alone, lambda _: False))
        sums = [one for one in walk(put.value, Op) if one.op is Operator.ADD and any(
            get is one.args[0] and get.var == put.var for get in walk(one.args[0], Get))]  # fmt: skip
        if put.var not in added or not sums:
            return value
        test = others.test(SCOPE, NOT_TWICE, put.origin, alone=True)
        kind = typed_operators.join(sums[0].args[1].type, value.value.type)
        if test is None or kind is None:
            return value
        return replace(value, value=If(test, sums[0].args[1], value.value, kind, put.origin.span))

    if not added:
        return core

    def inside(node: A) -> A:
        besides = rewrite_each(node, Op, alone, lambda part: next(walk(part, Put), None) is part)
        return rewrite_each(besides, Put, once, lambda _: False)

    return in_all_play(core, inside)


def _printed(value: Expr) -> bool:
    return any(one is value for one in walk(value, Look)) and any(True for _ in walk(value.type, Int))


def _keys(value: Expr) -> tuple[Expr, ...]:
    return next((one.keys for one in itself(value, Look)), ())


def _is_of_a_component(core: Core, name: str) -> bool:
    var = core.vars[name]
    return var.role is Role.STATE and len(var.keys) == 1 and any(
        one.domain == COMPONENT for one in walk(var.keys[0], Elem))  # fmt: skip
