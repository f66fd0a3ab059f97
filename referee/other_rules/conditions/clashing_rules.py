"""Two conditions that nothing meets both: which of the two rules yields is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from referee.core.expr import Fold, FoldKind, Local, Or, Within
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Core
from referee.core.stmt import Action, Guard, Param
from referee.core.traverse import itself, walk
from referee.core.types import COMPONENT, Bool, Elem
from referee.flow.register_names import substitute
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.guard_answers import said

CLASH, YIELDS = "clash", "yields"
ANOTHER = "another of them"


def with_rules_that_yield(core: Core, others: OtherAnswers) -> Core:
    """The rules with each two conditions on the one component that an action chooses, of which one holds too where
    nothing meets it; for another answer the second does not count where no component meets both."""
    return replace(core, actions={name: _yielding(core, one, others) for name, one in core.actions.items()})


def _yielding(core: Core, action: Action, others: OtherAnswers) -> Action:
    guards = list(action.guards)
    for param, first, second in _clashing(core, action):
        test = others.test(CLASH, YIELDS, second.origin, alone=True, act=action.label, first=said(first),
                           second=said(second))  # fmt: skip
        if test is not None:
            other = Local(ANOTHER, param.type)
            both = typed_operators.both(substitute(one.cond, {param.name: other}) for one in (first, second))
            some = Fold(FoldKind.ANY, ANOTHER, param.source, None, both, Bool())
            at = next(number for number, one in enumerate(action.guards) if one is second)
            free = typed_operators.both((test, typed_operators.negate(some)))
            guards[at] = replace(guards[at], cond=Or((free, guards[at].cond)))
    return replace(action, guards=tuple(guards))


def _clashing(core: Core, action: Action) -> Iterator[tuple[Param, Guard, Guard]]:
    """Two conditions that cite different statements, each of the component that is chosen, the second of which yields.
    """
    chosen = [param for param in action.params if param.count is None
              and any(one.domain == COMPONENT for one in walk(param.type, Elem))]  # fmt: skip
    if len(chosen) != 1 or not any(one is chosen[0].source for one in walk(chosen[0].source, Within)):
        return
    (param,) = chosen
    about = [one for one in action.guards if param.name in locals_of(one.cond)
             and core.statements_in(one.origin.cites)]  # fmt: skip
    for first, second in permutations(about, 2):
        relative = any(_unless_there_is_none(one, param) for one in (first, second))
        if relative and not set(first.origin.cites) & set(second.origin.cites):
            yield param, first, second


def _unless_there_is_none(guard: Guard, param: Param) -> bool:
    """Whether a condition on what is chosen holds too where there is no such thing to choose."""
    spared = [part for joined in itself(guard.cond, Or) for part in joined.parts
              if param.name not in locals_of(part)]  # fmt: skip
    return any(fold.source == param.source for part in spared for fold in walk(part, Fold))
