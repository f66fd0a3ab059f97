"""How often a position has come about is found in a long game as in a short one, by each engine."""

from __future__ import annotations

from typing import Any

import pytest

import referee
from tests.judge.playing import does

RULES = """game "There and back" for 2 players ana and ben

position is spot, laps, at most 300

counters
  spot: 0..9
  laps: 0..9

play
  turns from ana, to the left
    turn player must step

action step(to: 0..9, lap: 0..9)
  needs "not a third time", afterwards: occurrences of position < 3
  needs "this was not there before": occurrences of position < 3
  set spot to to
  set laps to lap
"""
MANY = 200
HEAD: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "back", "players": ["ana", "ben"]}


def walk(times: int) -> list[dict[str, Any]]:
    """Every position in turn, each twice, then again from the first on."""
    return [does(("ana", "ben")[at % 2], "step", to=at % 10, lap=at // 10 % 10) for at in range(times)]


@pytest.fixture(scope="module")
def rules() -> referee.Ruleset:
    return referee.loads(RULES, name="back")


@pytest.mark.parametrize("engine", ["generated", "reference"])
def test_the_third_time_is_found_after_all_others(engine: str, rules: referee.Ruleset) -> None:
    assert rules.judge([HEAD, *walk(MANY - 1)], engine=engine).outcome == "legal"
    verdict = rules.judge([HEAD, *walk(MANY + 1)], engine=engine)
    assert (verdict.outcome, verdict.line) == ("illegal", MANY + 2)
