"""What two actions of a decision have in common by a sentence of its own: another answer is that one has it not."""

from __future__ import annotations

from dataclasses import replace

from referee.core.ruleset import Core
from referee.core.stmt import Action, Branch, Stmt
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.sibling_guards import SIBLINGS, of_one_decision
from referee.other_rules.forms import as_a

NOT_WITH_IT = "not_with_this_one"


def with_effects_of_one_alone(core: Core, others: OtherAnswers) -> Core:
    """The rules with each effect under a condition that two actions among which one chooses have by a sentence that is
    about neither; for another answer the second has it not."""
    changed, order = dict(core.actions), list(core.actions)
    for here, there in of_one_decision(core):
        if order.index(here.name) < order.index(there.name):
            found = tuple(_alone(core, stmt, here, there, others) for stmt in changed[there.name].body)
            changed[there.name] = replace(changed[there.name], body=found)
    return replace(core, actions=changed)


def _alone(core: Core, stmt: Stmt, here: Action, there: Action, others: OtherAnswers) -> Stmt:
    effect = as_a(stmt, Branch)
    cites = () if effect is None else core.statements_in(effect.origin.cites)
    own = set(core.statements_in((*here.origin.cites, *there.origin.cites)))
    also = (one for one in (as_a(stmt, Branch) for stmt in here.body) if one is not None)
    if effect is None or not cites or set(cites) & own or all(
        core.statements_in(one.origin.cites) != cites for one in also):  # fmt: skip
        return stmt
    test = others.test(SIBLINGS, NOT_WITH_IT, effect.origin, alone=True, here=here.label, there=there.label)
    return stmt if test is None else Branch(test, (), (effect,), effect.origin)
