"""What is chosen where something has just been laid, or is about to be: other answers to "that too?"."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Place
from referee.core.ruleset import Core
from referee.core.stmt import Action, Block, Branch, Decide, Each, Move, Stmt, origin_of
from referee.core.traverse import expressions, walk, with_blocks
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.components.moved_piece import WHICH_SET
from referee.other_rules.forms import as_a

USED_NOW, GOT_NOW = "also_what_is_used_now", "also_what_he_just_got"


def with_what_is_handed_back(core: Core, others: OtherAnswers) -> Core:
    """The rules with actions that choose from where what they use goes in the end; for another answer it goes there
    first, and may be chosen. And with exchanges: for another answer who is to give something has got the other first.
    """
    return replace(core, actions={
        name: replace(one, body=_exchanged(core, _gone_first(core, one, others), one, others))
        for name, one in core.actions.items()
    })  # fmt: skip


def _gone_first(core: Core, action: Action, others: OtherAnswers) -> Block:
    last = action.body[-1] if action.body else None
    cleared = None if last is None else as_a(last, Each)
    moves = [] if cleared is None else list(walk(cleared.body, Move))
    if cleared is None or len(moves) != 1 or not core.statements_in(cleared.origin.cites):
        return action.body
    zone = moves[0].to.zone

    def block(stmts: Block) -> Block:
        found: list[Stmt] = []
        for stmt in stmts:
            asked = as_a(stmt, Decide)
            test = (others.test(WHICH_SET, USED_NOW, asked.point.origin, alone=True, also=cleared.origin,
                                act=action.label) if asked is not None and zone in _chosen_from(core, asked)
                    else None)  # fmt: skip
            if test is not None:
                found.append(Branch(test, (cleared,), (), origin_of(stmt)))
            found.append(with_blocks(stmt, block))
        return tuple(found)

    return (*block(action.body[:-1]), cleared)


def _exchanged(core: Core, stmts: Block, action: Action, others: OtherAnswers) -> Block:
    found = list(stmts)
    for at, stmt in enumerate(stmts):
        asked = as_a(stmt, Decide)
        given = None if asked is None else _given(core, asked, stmts[at + 1 :])
        if asked is None or given is None:
            continue
        test = others.test(WHICH_SET, GOT_NOW, asked.point.origin, alone=True, act=action.label)
        if test is not None:
            later = at + 1 + stmts[at + 1 :].index(given)
            found[later] = Branch(test, (), (given,), given.origin)
            found[at] = Branch(test, (given, asked), (asked,), given.origin)
    return tuple(found)


def _given(core: Core, asked: Decide, rest: Block) -> Move | None:
    """What is moved to who decides, where he chooses from, before what he has chosen is taken from there."""
    zones = _chosen_from(core, asked)
    moves = [move for move in (as_a(one, Move) for one in rest) if move is not None]
    given = next((one for one in moves if one.to.zone in zones and _is_his(one, asked)), None)
    taken = next((one for one in moves if given is not None and one.source.zone == given.to.zone
                  and one.source.keys == given.to.keys), None)  # fmt: skip
    return given if given is not None and taken is not None and moves.index(given) < moves.index(taken) else None


def _is_his(move: Move, asked: Decide) -> bool:
    """Whether a move leads to a place of who decides."""
    return len(move.to.keys) == 1 and any(one == move.to.keys[0] for one in expressions(asked.actor))


def _chosen_from(core: Core, asked: Decide) -> set[str]:
    """The zones of which a statement lets somebody choose."""
    chosen = [core.actions[one.action] for one in asked.options if "." in one.action]
    return {place.zone for one in chosen for param in one.params for place in walk(param.source, Place)}
