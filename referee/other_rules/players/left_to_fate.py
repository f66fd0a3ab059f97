"""What fate chooses though no sentence speaks of lots: another answer is that who begins chooses it."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Const, Expr, Get
from referee.core.ruleset import Core, Role
from referee.core.stmt import Block, Branch, Chance, Decide, Option
from referee.core.traverse import rewrite_each
from referee.core.types import PLAYER, Elem
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.decisions import WHO

A_PLAYER = "a_player"
_BY_A_PLAYER = " by a player"


def with_players_in_the_place_of_fate(core: Core, others: OtherAnswers) -> Core:
    """The rules with what fate chooses in set-up; for another answer who begins chooses it."""
    player = Elem(PLAYER, 0, core.seats.number - 1)
    given = [one for one in core.vars.values() if one.type == player and one.role is Role.GIVEN and not one.keys]
    first: Expr = Get(given[0].name, (), player) if given else Const(0, player)

    def change(asked: Chance) -> object | None:
        if core.actions[asked.action].label != "choose" or not core.statements_in(asked.point.origin.cites):
            return None
        test = others.test(WHO, A_PLAYER, asked.point.origin, alone=True)
        if test is None:
            return None
        point = replace(asked.point, name=f"{asked.point.name}{_BY_A_PLAYER}")
        decided = Decide(point, first, (Option(asked.action, asked.bound),), None)
        return Branch(test, (decided,), (asked,), asked.point.origin)

    def inside(block: Block) -> Block:
        return rewrite_each(block, Chance, change, lambda _: False)

    return replace(core, main=(*inside(core.main[: core.setup]), *core.main[core.setup :]))
