"""Of an event that surely ends a turn nobody but another player is asked after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.api.game_setting import players_of
from referee.frontend.loading.loader import load_flow
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.playouts import play_out
from referee.native.engine_names import engine
from referee.simulation.turn_ends import surely_last


@pytest.mark.parametrize("name", ["breakthrough", "othello"])
def test_after_the_last_event_of_a_turn_another_player_is_asked(name: str) -> None:
    walker = engine(load_flow(Path("rulesets/classics") / f"{name}.rules"))
    surely = surely_last(walker.flow)
    assert surely
    setting = Setting(players_of(walker.core))
    step = walker.begin(setting)
    for event in play_out(walker, setting, 1).events:
        assert isinstance(step, State)
        before, step = step, walker.advance(step, event)
        if before.at in surely and isinstance(step, State):
            assert walker.who(step) != walker.who(before)


@pytest.mark.parametrize("name", ["checkers", "dots_and_boxes", "mancala", "pig"])
def test_where_a_player_may_go_on_nothing_is_sure(name: str) -> None:
    assert surely_last(load_flow(Path("rulesets/classics") / f"{name}.rules")) == frozenset()
