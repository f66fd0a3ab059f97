"""Amounts that may come to nothing: another answer is that what changes nothing may not be done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import Expr, Get, Local, Op, Operator, Or
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Core
from referee.core.stmt import Action, Bind, Guard, Origin, Put
from referee.core.traverse import drawn_actions, statements, walk
from referee.core.types import Int
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.decisions import HOW_MANY
from referee.other_rules.forms import as_a, with_value

NOT_NOTHING = "not_for_nothing"
_LABEL = "it comes to something"
_CHANGED = (Operator.ADD, Operator.SUB)


def with_nothing_refused(core: Core, others: OtherAnswers) -> Core:
    """The rules with each action that changes a counter by an amount that is worked out and may come to nothing; for
    another answer it may be done only if it comes to something."""
    drawn = drawn_actions(core)
    return replace(core, actions={name: one if name in drawn else _refused(core, one, others)
                                  for name, one in core.actions.items()})  # fmt: skip


def _refused(core: Core, action: Action, others: OtherAnswers) -> Action:
    for amount, where in _amounts(core, action):
        test = others.test(HOW_MANY, NOT_NOTHING, where, alone=True, act=action.label)
        if test is not None:
            some = typed_operators.compare(Operator.GT, amount, typed_operators.number(0))
            guard = Guard(_LABEL, Or((typed_operators.negate(test), some)), where)
            return replace(action, guards=(*action.guards, guard))
    return action


def _amounts(core: Core, action: Action) -> Iterator[tuple[Expr, Origin]]:
    """What an action raises or lowers counters by, in terms of what is chosen for it, if it may be nothing."""
    chosen, named = {param.name for param in action.params}, list[Bind]()
    for stmt in action.body:
        bound = as_a(stmt, Bind)
        if bound is not None:
            named.append(bound)
        for put in statements((stmt,), Put):
            amount = _by(put)
            if amount is None or not core.statements_in(put.origin.cites):
                continue
            for one in reversed(named):
                amount = with_value(amount, one.name, one.value)
            own = as_a(amount, Local)
            bounds = as_a(amount.type, Int)
            if own is None and bounds is not None and bounds.lo == 0 < bounds.hi and _is_known(amount, chosen):
                yield amount, put.origin


def _is_known(amount: Expr, chosen: set[str]) -> bool:
    """Whether an amount hangs on what is chosen, and on no name that the action gives only later."""
    return bool(locals_of(amount) & chosen)


def _by(put: Put) -> Expr | None:
    """What a counter is raised or lowered by."""
    for changed in (one for one in walk(put.value, Op) if one.op in _CHANGED):
        before = as_a(changed.args[0], Get)
        if before is not None and before.var == put.var and before.keys == put.keys:
            return changed.args[1]
    return None
