"""Every kind of the core means the same in functions of whole games, which have forms of their own for sets."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from referee.codegen.whole_games.game_source import GameSource
from referee.codegen.whole_games.set_scope import NotWhole
from referee.codegen.whole_games.whole_game import WholeGame
from referee.core.expr import After, Connected, Split
from referee.core.flow import Gather
from referee.core.ruleset import Role
from referee.core.stmt import Block, Commit
from referee.flow.lowering import lower
from referee.game.event import spoken
from referee.game.event_table import EventTable
from referee.game.setting import Setting
from referee.game.state import Ended, State
from referee.interpreter.walker import Walker
from tests.conformance import world
from tests.conformance.agreement import GIVEN, NAMES
from tests.conformance.samples import ACTIONS, DOUBLE, KINDS, SAMPLES, Kind
from tests.sample_sizes import FULL
from tests.smt.drawn import shaken

LEFT = {Connected, Split, After, Gather, Commit}
"""No function of whole games is made of most that is of these kinds."""
BODIES, TIMES, STEPS = (100, 20, 4) if FULL else (3, 3, 3)


def compared(body: Block, seed: int, found: Counter[str]) -> None:
    """Some steps from positions in which much is otherwise: where the walker comes to, or nowhere."""
    flow, random = lower(world.core([body], [DOUBLE], ACTIONS)), Random(seed)
    walker, table = Walker(flow), EventTable()
    begun = walker.begin(Setting(NAMES, parameters={"given": {(): GIVEN}}))
    assert isinstance(begun, State)
    try:
        whole = WholeGame(GameSource(flow, walker.layout, begun.at).function, walker.layout.fixed)
    except NotWhole:
        found["not made"] += 1
        return
    for _ in range(TIMES):
        state = shaken(walker, begun, random, (Role.STATE,), 12)
        for _ in range(STEPS):
            legal = list(walker.legal(state))
            if not legal:
                break
            event = random.choice(legal)
            numbers = [table.number(spoken(event))]
            after = walker.advance(state, event, test_arrival=False)
            come, result = whole.follow(state, numbers, table), whole.result(state, numbers, table)
            where = f"{event} at {state}"
            if not isinstance(after, State):
                assert come is None, where
                assert result is None or (isinstance(after, Ended) and result[0] == after.winners), where
                found["ends"] += result is not None
                break
            assert result is None, where
            assert come is None or (come == after and repr(come) == repr(after)), where
            found["left" if come is None else "same"] += 1
            state = after


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: getattr(kind, "__name__", str(kind)))
def test_a_step_is_the_walkers(kind: Kind) -> None:
    every, at, found = SAMPLES[kind], KINDS.index(kind), Counter[str]()
    for number in range(min(BODIES, len(every))):
        compared(every[(at + number) % len(every)], number, found)
    assert found["same"] + found["ends"] > found["left"] or kind in LEFT, found
