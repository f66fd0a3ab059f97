"""Whether a number of what one player has is meant, or of what all have together."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import All, Const, Expr, Fold, FoldKind, Get, If, Local, Op, Operator
from referee.core.ruleset import Core, Role
from referee.core.stmt import Origin
from referee.core.traverse import in_all_play, itself, rewrite_each, walk
from referee.core.types import PLAYER, Bool, Elem, Int
from referee.frontend.names.other_answers import OtherAnswers

WHOSE, ALL_TOGETHER = "whose", "all_together"
WHO = "each player"
_REACHED = (Operator.GE, Operator.GT)
_MOST = 1_000_000
"""The largest number that the type of such a sum has."""


def with_sums_of_all(core: Core, others: OtherAnswers) -> Core:
    """The rules with each test whether a counter of a player has reached a number; for another answer it is what all
    players have together."""
    player = Elem(PLAYER, 0, core.seats.number - 1)

    def together(part: Op) -> Expr | None:
        if part.op not in _REACHED or part.span is None:
            return None
        own = next(itself(part.args[0], Get), None)
        little = (0, 1) if part.op is Operator.GE else (0,)  # these only say that there is something
        fixed = any(one is part.args[1] and one.value not in little for one in walk(part.args[1], Const))
        if own is None or not fixed or core.vars[own.var].role is not Role.STATE or not _is_of_a_player(own):
            return None
        test = others.test(WHOSE, ALL_TOGETHER, Origin(part.span), alone=True, what=own.var)
        if test is None:
            return None
        every = Fold(FoldKind.SUM, WHO, All(player), None, Get(own.var, (Local(WHO, player),), own.type),
                     Int(-_MOST, _MOST))  # fmt: skip
        return If(test, replace(part, args=(every, part.args[1])), part, Bool(), part.span)

    if core.seats.number < 2:
        return core
    return in_all_play(core, lambda node: rewrite_each(node, Op, together, lambda _: False))


def _is_of_a_player(own: Get) -> bool:
    return len(own.keys) == 1 and any(one.domain == PLAYER for one in walk(own.keys[0].type, Elem)) and any(
        True for _ in walk(own.type, Int))  # fmt: skip
