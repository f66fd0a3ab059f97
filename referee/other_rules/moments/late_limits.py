"""When somebody gives up what he has too much of: other answers than where the rules look at it."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import All, Expr, Fold, Local, Within
from referee.core.ruleset import Core
from referee.core.stmt import Bind, Block, Branch, Call, Each, Move, Stmt
from referee.core.traverse import rewrite_each, statements, walk
from referee.core.types import PLAYER, Elem
from referee.frontend.desugaring.later_moments import WHEN
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.conditions.met_limits import LIMIT
from referee.other_rules.forms import as_a
from referee.other_rules.players.player_rounds import asking_procedures, asks, at_ends_of_turns

OUT_OF_TURN, AFTER_THE_REST = "out_of_turn", "after_the_rest_of_the_turn"
_WHO = "who has too much"


def with_limits_at_other_times(core: Core, others: OtherAnswers) -> Core:
    """The rules with what a player gives up of what he has too much: for another answer at the end of his turn and not
    within it; and, where others may get something in his turn, they too give up what they have too much."""
    core = _out_of_turn(core, others)
    steps = [one.procedure for one in statements(core.main[core.setup :], Call)]
    asking, late, changed = asking_procedures(core), list[Stmt](), dict(core.procedures)
    for at, name in enumerate(steps):
        if not any(one in asking for one in steps[at + 1 :]):
            continue
        made = list[Stmt]()
        own = core.procedures[name]
        outside = {param for param, _ in own.params} | {one.name for one in walk(own.body, Bind)}
        for stmt in own.body:
            limit = as_a(stmt, Branch)
            if limit is None or not _is_a_limit(limit, asking) or _names(limit) & outside:
                made.append(stmt)
                continue
            test = others.test(WHEN, AFTER_THE_REST, limit.origin, alone=True)
            made.append(limit if test is None else Branch(test, (), (limit,), limit.origin))
            late += [] if test is None else [Branch(test, (limit,), (), limit.origin)]
        changed[name] = replace(changed[name], body=tuple(made))
    core = replace(core, procedures=changed)
    return at_ends_of_turns(core, tuple(late)) if late else core


def _out_of_turn(core: Core, others: OtherAnswers) -> Core:
    """With what is called for who has the turn, and looks at what he has too much, called for all players in turn."""
    asking, player = asking_procedures(core), Elem(PLAYER, 0, core.seats.number - 1)
    got_by_others = {move.to.zone for action in core.actions.values() for move in walk(action.body, Move)
                     for key in move.to.keys if as_a(key, Local) is None and key.type == player}  # fmt: skip

    def change(call: Call) -> object | None:
        limits = [one for one in statements(core.procedures[call.procedure].body, Branch) if _is_a_limit(one, asking)]
        whose = [one for one in call.args if one.type == player]
        given_up = {move.source.zone for one in limits for move in statements(one.yes, Move)}
        if len(whose) != 1 or call.results or not given_up & got_by_others:
            return None
        where = limits[0].origin
        test = others.test(LIMIT, OUT_OF_TURN, where, alone=True)
        if test is None:
            return None
        of_each: tuple[Expr, ...] = tuple(Local(_WHO, player) if one is whose[0] else one for one in call.args)
        body: Block = (replace(call, args=of_each),)
        return Branch(test, (Each(_WHO, All(player), body, where),), (call,), where)

    setup, play = core.main[: core.setup], core.main[core.setup :]
    return replace(core, main=(*setup, *rewrite_each(play, Call, change, lambda _: False)))


def _names(limit: Branch) -> set[str]:
    return {one.name for one in walk(limit, Local)}


def _is_a_limit(branch: Branch, asking: frozenset[str]) -> bool:
    """Whether somebody who has too much of something chooses what of it goes away."""
    counted = any(as_a(one.source, Within) is not None for one in walk(branch.cond, Fold))
    named = any(True for _ in walk(branch.cond, Local))
    gone = any(True for _ in statements(branch.yes, Move))
    return (counted or named) and gone and not branch.no and asks(branch.yes, asking)
