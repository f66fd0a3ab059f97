"""What may be done only where it has an effect: another answer is that it may be done all the same, and has none."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Expr, Op, Operator, Or
from referee.core.ruleset import Core
from referee.core.stmt import Action, Branch, Guard
from referee.core.traverse import rewrite_each, walk
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.needed_targets import TARGETS
from referee.other_rules.forms import as_a

WITHOUT_EFFECT = "without_effect"


def with_cases_without_effect(core: Core, others: OtherAnswers) -> Core:
    """The rules with actions that do one thing or another, with a condition on one of these; for another answer it may
    be taken all the same, and then nothing comes of it."""
    return replace(core, actions={
        name: _without(core, one, others) for name, one in core.actions.items()
    })  # fmt: skip


def _without(core: Core, action: Action, others: OtherAnswers) -> Action:
    for guard in action.guards:
        case, rest = _case(guard)
        if case is None or rest is None or not any(one.cond == case for one in walk(action.body, Branch)):
            continue
        if not core.statements_in(guard.origin.cites):
            continue
        test = others.test(TARGETS, WITHOUT_EFFECT, guard.origin, alone=True, act=action.label, label=guard.text)
        if test is None:
            continue
        vain = typed_operators.both((test, typed_operators.negate(rest)))

        def arm(branch: Branch, case: Expr = case, vain: Expr = vain) -> object | None:
            if branch.cond != case:
                return None
            return replace(branch, yes=(Branch(vain, (), branch.yes, branch.origin),))

        free = replace(guard, cond=Or((test, guard.cond)))
        action = replace(action, guards=tuple(free if one is guard else one for one in action.guards),
                         body=rewrite_each(action.body, Branch, arm, lambda _: False))  # fmt: skip
    return action


def _case(guard: Guard) -> tuple[Expr | None, Expr | None]:
    """The case that a condition speaks of, and what it says of it: of "it is no such card, or there is a target"."""
    either = as_a(guard.cond, Or)
    if either is None or len(either.parts) != 2:
        return None, None
    no = as_a(either.parts[0], Op)
    if no is None or no.op is not Operator.NOT:
        return None, None
    return no.args[0], either.parts[1]
