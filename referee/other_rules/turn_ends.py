"""Where the turns of a game end, in its core."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import All, Domainlike, Members
from referee.core.ruleset import Core
from referee.core.stmt import Block, Call, Decide, Each
from referee.core.traverse import rewrite_each, walk
from referee.core.types import PLAYER, Elem
from referee.frontend.desugaring.later_moments import turn_over


def at_ends_of_turns(core: Core, done: Block) -> Core:
    """The rules with something done at the end of each turn: where `turns` end, or each round of a loop over players
    in which somebody decides."""
    moment = core.procedures.get(turn_over())
    if moment is not None:
        ended = replace(moment, body=(*moment.body, *done))
        return replace(core, procedures={**core.procedures, moment.name: ended})
    asking = asking_procedures(core)

    def turn(each: Each) -> object | None:
        if not of_players(each.source) or not asks(each.body, asking):
            return None
        return replace(each, body=(*each.body, *done))

    setup, play = core.main[: core.setup], core.main[core.setup :]
    return replace(core, main=(*setup, *rewrite_each(play, Each, turn, lambda _: False)))


def of_players(source: Domainlike) -> bool:
    """Whether the members that are gone through are players."""
    everybody = [one for one in walk(source, All) if one is source]
    some = [one.of.type for one in walk(source, Members) if one is source]
    return any(kind.domain == PLAYER for one in everybody for kind in walk(one.of, Elem)) or any(
        kind.domain == PLAYER for one in some for kind in walk(one, Elem))


def asking_procedures(core: Core) -> frozenset[str]:
    """The procedures in which somebody decides, or in one that they carry out."""
    found: frozenset[str] = frozenset()
    while True:
        more = frozenset(name for name, one in core.procedures.items() if asks(one.body, found))
        if more == found:
            return found
        found = more


def asks(block: Block, asking: frozenset[str]) -> bool:
    """Whether somebody decides in a block; `asking`: the procedures in which somebody does."""
    return next(walk(block, Decide), None) is not None or any(one.procedure in asking for one in walk(block, Call))
