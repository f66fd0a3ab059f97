"""What may be done so often only: another answer is that a like action counts among it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import Const, Get, Op, Operator, Or
from referee.core.read_write_sets import block_writes, variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Action, Branch, Guard, Put
from referee.core.traverse import walk
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.costs_of_turn import COSTS
from referee.other_rules.conditions.sibling_guards import of_one_decision
from referee.other_rules.forms import as_a

ONE_OF_THEM = "one_of_them"


def with_one_number_for_like_actions(core: Core, others: OtherAnswers) -> Core:
    """The rules with actions that a counter allows so often; for another answer an action that is offered beside one of
    them, and of which the counter says nothing, counts among them."""
    changed = dict(core.actions)
    for here, there in of_one_decision(core):
        for guard, put in _allowed(here):
            if put.var in block_writes(there.body) or put.var in variables_of(tuple(g.cond for g in there.guards)):
                continue
            if not core.statements_in(there.origin.cites) or "." in there.name:
                continue
            test = others.test(COSTS, ONE_OF_THEM, there.origin, alone=True, also=put.origin, here=here.label,
                               there=there.label)  # fmt: skip
            if test is None:
                continue
            free = Or((typed_operators.negate(test), guard.cond))
            one = changed[there.name]
            changed[there.name] = replace(one, guards=(*one.guards, replace(guard, cond=free, shows=())),
                                          body=(Branch(test, (put,), (), put.origin), *one.body))  # fmt: skip
    return replace(core, actions=changed)


def _allowed(action: Action) -> Iterator[tuple[Guard, Put]]:
    """Conditions that a counter of nobody is more than nothing, with the line that counts it down."""
    for guard in action.guards:
        op = as_a(guard.cond, Op)
        counter, least = (as_a(op.args[0], Get), as_a(op.args[1], Const)) if op and len(op.args) == 2 else (None, None)
        if op is None or counter is None or least is None or counter.keys or op.op is not Operator.GT:
            continue
        for put in (one for one in walk(action.body, Put) if one.var == counter.var and not one.keys):
            less = as_a(put.value, Op)
            if less is not None and less.op is Operator.SUB and least.value == 0:
                yield guard, put
