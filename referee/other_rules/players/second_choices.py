"""One of two things that must be done: another answer is that the second is there only for who cannot do the first."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.core.expr import Expr, Or
from referee.core.ruleset import Core
from referee.core.stmt import Action, Decide, Guard, Option
from referee.core.traverse import bodies, statements
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.decisions import MUST, PASS
from referee.frontend.statements.passing_options import possible

SECOND_IF_NOT = "the_second_only_if_the_first_cannot"
_LABEL = "what comes first in the sentence cannot be done"


def with_second_choices_last(core: Core, others: OtherAnswers) -> Core:
    """The rules with each decision between two actions of one sentence, of which the first needs something and the
    second nothing; for another answer the second may be done only where the first cannot be."""
    asked = [one for body in bodies(core) for one in statements(body, Decide)]
    offered = Counter(name for _, name in {(one.point.name, option.action) for one in asked for option in one.options})
    changed = dict[str, Action]()
    for one in asked:
        done = [option for option in one.options if core.actions[option.action].label != PASS]
        if len(done) != 2 or one.otherwise is not None or any(option.bound for option in done):
            continue
        first, second = (core.actions[option.action] for option in done)
        shared = set(core.statements_in(first.origin.cites)) & set(core.statements_in(second.origin.cites))
        if not shared & set(core.statements_in(one.point.origin.cites)) or offered[second.name] != 1:
            continue
        if not first.guards or second.guards or any(param.count is not None for param in first.params):
            continue
        test = others.test(MUST, SECOND_IF_NOT, one.point.origin, alone=True, first=first.label, second=second.label)
        if test is not None:
            changed[second.name] = replace(second, guards=(_not_before(first, test), *second.guards))
    return replace(core, actions={**core.actions, **changed}) if changed else core


def _not_before(first: Action, test: Expr) -> Guard:
    cannot = typed_operators.negate(possible(first, 0, Option(first.name)))
    return Guard(_LABEL, Or((typed_operators.negate(test), cannot)), first.origin)
