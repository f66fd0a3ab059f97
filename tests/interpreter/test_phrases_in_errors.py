"""Where exactly one is needed, the error says of what: every engine begins with the phrase of the rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.frontend import load_flow
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Failed, State
from referee.interpreter.walker import Walker
from referee.native.engine_names import ENGINES, engine

RULES = """
game "One" for 2 players ana and ben

counters
  dice: up to 2 dice 1..6
  points of player: 0..9

play
  ana must take one of whose, which, what
  ana wins

action whose
  raise points of turn player by 1

action which
  raise points of (the p in players where
    points of p = 0) by 1

action what
  raise points of me by highest of dice
"""
SAID = {
    "whose": "`turn player`: there is none, and exactly one is needed",
    "which": "`the p in players where`: there are 2, and exactly one is needed",
    "what": "`highest of dice`: there is none to take the best of",
}


def failure(walker: Walker, do: str) -> Failed:
    state = walker.begin(Setting(("ana", "ben")))
    assert isinstance(state, State)
    step = walker.advance(state, Event(0, do))
    assert isinstance(step, Failed)
    return step


@pytest.mark.parametrize("name", ENGINES)
def test_the_phrase_is_said(tmp_path: Path, name: str) -> None:
    path = tmp_path / "one.rules"
    path.write_text(RULES, encoding="utf-8")
    walker = engine(load_flow(path, 2, {}), name)
    assert {do: failure(walker, do).message for do in SAID} == SAID
