"""Which way round the turn goes: where another answer is asked for, with three players or more."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import If, Look
from referee.core.ruleset import TURN, Core, Table
from referee.core.stmt import Put
from referee.core.traverse import itself, rewrite_each
from referee.frontend.names.other_answers import OtherAnswers

WAY, THE_OTHER_WAY = "way_round", "the_other_way"
_NEXT, _BEFORE = "next player", "player on the other side"


def with_the_other_way_round(core: Core, others: OtherAnswers) -> Core:
    """The rules with each place where the turn passes to the next player; for another answer it passes to who sits on
    the other side."""
    table = core.tables.get(_NEXT)
    if core.seats.number < 3 or table is None:
        return core
    asked = False

    def turned(put: Put) -> Put | None:
        nonlocal asked
        passes = [one for one in itself(put.value, Look) if one.table == _NEXT]
        test = others.test(WAY, THE_OTHER_WAY, put.origin) if put.var == TURN and passes else None
        if test is None:
            return None
        asked, (look,) = True, passes
        return replace(put, value=If(test, replace(look, table=_BEFORE), look, look.type, look.span))

    main = (*core.main[: core.setup], *rewrite_each(core.main[core.setup :], Put, turned, lambda _: False))
    actions = {name: rewrite_each(one, Put, turned, lambda _: False) for name, one in core.actions.items()}
    procedures = {name: rewrite_each(one, Put, turned, lambda _: False) for name, one in core.procedures.items()}
    if not asked:
        return core
    before = tuple(table.values.index(seat) for seat in range(core.seats.number))
    tables = {**core.tables, _BEFORE: Table(_BEFORE, table.keys, table.type, before)}
    return replace(core, main=main, actions=actions, procedures=procedures, tables=tables)
