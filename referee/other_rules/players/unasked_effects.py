"""What happens to another's things though nobody is asked: another answer is that whoever brings it about may leave it.
"""

from __future__ import annotations

from dataclasses import replace

from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Core
from referee.core.stmt import Block, Branch, Each, Move, Origin, Put, origin_of
from referee.core.traverse import called, drawn_actions, rewrite_each, statements, walk
from referee.core.types import PLAYER, Elem
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.decisions import MUST
from referee.other_rules.players.player_rounds import asking_procedures, asks, of_players

LEFT_IF_HE_LIKES = "left_if_he_likes"


def with_unasked_effects_left(core: Core, others: OtherAnswers) -> Core:
    """The rules with each effect on several players in an action, or in a procedure of one player; for another answer
    it is left. That a player may leave it shows in games in which he does."""
    asking, drawn = asking_procedures(core), drawn_actions(core)
    done = called(core.procedures, (core.main[core.setup :], *(one.body for one in core.actions.values())))
    of_one = {name for name in done if sum(map(_is_player, core.procedures[name].params)) == 1}

    def left(each: Each) -> object | None:
        lines = [cite for one in statements(each.body) for cite in origin_of(one).cites]
        cites = core.statements_in(cite for cite in each.origin.cites if cite in lines)
        if not cites or not of_players(each.source) or asks(each.body, asking) or not _takes(each):
            return None
        test = others.test(MUST, LEFT_IF_HE_LIKES, Origin(each.origin.span, cites), alone=True)
        return None if test is None else Branch(typed_operators.negate(test), (each,), (), each.origin)

    def inside(block: Block) -> Block:
        return rewrite_each(block, Each, left, lambda _: False)

    return replace(
        core, actions={name: one if name in drawn else replace(one, body=inside(one.body))
                       for name, one in core.actions.items()},
        procedures={name: replace(one, body=inside(one.body)) if name in of_one else one
                    for name, one in core.procedures.items()},
    )  # fmt: skip


def _takes(each: Each) -> bool:
    """Whether something is taken from each of the players, or what he has is changed."""
    moved = any(each.var in locals_of(one.source.keys) and each.var not in locals_of(one.to.keys)
                for one in walk(each.body, Move))  # fmt: skip
    return moved or any(each.var in locals_of(one.keys) for one in walk(each.body, Put))


def _is_player(param: tuple[str, object]) -> bool:
    return any(kind.domain == PLAYER for kind in walk(param[1], Elem))
