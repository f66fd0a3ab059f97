"""What lies on the way to where an action leads: another answer is that it does not stop it."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from referee.core.expr import And, At, Fold, FoldKind, Look, Members, Or
from referee.core.read_write_sets import reads
from referee.core.ruleset import Core
from referee.core.stmt import Action, Guard
from referee.core.traverse import itself, rewrite_each, walk
from referee.diagnostics.source import Span
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.guard_answers import GUARD

OVER_OTHERS = "over_others"
_BETWEEN = "between on "


def with_ways_over_others(core: Core, others: OtherAnswers, written: Set[Span]) -> Core:
    """The rules with `written` conditions on where an action leads and on the cells in between; for another answer
    these do not count, as far as it is looked at what is there."""
    lines = {span.first_line for span in written}
    return replace(core, actions={name: replace(one, guards=tuple(
        _fewer(one, guard, others) if guard.origin.span.first_line in lines else guard for guard in one.guards
    )) for name, one in core.actions.items()})  # fmt: skip


def _fewer(action: Action, guard: Guard, others: OtherAnswers) -> Guard:
    joined = [part for one in walk(guard.cond, And) for part in one.parts]

    def over(fold: Fold) -> object | None:
        if fold not in joined or not _looks_between(fold):
            return None
        test = others.test(GUARD, OVER_OTHERS, guard.origin, alone=True, act=action.label)
        return None if test is None else Or((test, fold))

    cond = rewrite_each(guard.cond, Fold, over, lambda _: False)
    return guard if cond is guard.cond else replace(guard, cond=cond, shows=())


def _looks_between(fold: Fold) -> bool:
    """Whether something lies on each of the cells between two is what a fold asks."""
    source = next((one.of for one in itself(fold.source, Members)), None)
    tables = [one.table for one in itself(source, Look)]
    return (fold.kind in (FoldKind.ALL, FoldKind.ANY) and any(one.startswith(_BETWEEN) for one in tables)
            and fold.body is not None and any(True for _ in walk(fold.body, At))
            and not reads(fold.body) - {one.place.zone for one in walk(fold.body, At)})  # fmt: skip
