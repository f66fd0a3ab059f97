"""Conditions that go by a definition which could have another answer: where it is asked of their own sentence too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.core.expr import Const, Expr, Get, Op, Operator, Or
from referee.core.ruleset import Core
from referee.core.stmt import Guard
from referee.core.traverse import rewrite_each, walk
from referee.diagnostics.source import Span
from referee.frontend.expressions.grid_relations import MAPS
from referee.frontend.names.other_answers import SELECTOR, OtherAnswer, OtherAnswers


def with_words_of_uses(core: Core, others: OtherAnswers, written: frozenset[Span]) -> Core:
    """The rules with each condition, `written` as one of an action, that goes by a definition; for another answer it
    alone goes by what the definition could be else. Its sentence may have another word than the one that is defined."""
    lines = {span.first_line for span in written}
    known = {one.index: one for one in others.found() if one.dimension == MAPS}

    def alone(guard: Guard) -> Guard:
        cited = known and guard.origin.span.first_line in lines and core.statements_in(guard.origin.cites)
        return _alone(guard, known, others) if cited else guard

    return replace(core, actions={
        name: replace(one, guards=tuple(alone(guard) for guard in one.guards)) for name, one in core.actions.items()
    })  # fmt: skip


def _alone(guard: Guard, known: Mapping[int, OtherAnswer], others: OtherAnswers) -> Guard:
    where = guard.origin

    def either(part: Op) -> Expr | None:
        index = next((one.value for one in walk(part.args, Const)), None)
        chosen = part.op is Operator.EQ and any(one.var == SELECTOR for one in walk(part.args, Get))
        other = known.get(index) if chosen and isinstance(index, int) else None
        if other is None or other.origins[0].span.first_line == where.span.first_line:
            return None
        test = others.test(MAPS, other.name, where, alone=True)
        return None if test is None else Or((part, test))

    return replace(guard, cond=rewrite_each(guard.cond, Op, either, lambda _: False))
