"""Scenarios that start from a position: what is told wrongly has a code and a place, what cannot be fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.diagnostics.diagnostic import Problems
from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.rule_tests.scenario_runs import run_scenario

RULES = """\
game "Starts" for 2 players first and second

kind Card is GOAL, NO

components
  4 GOAL in deck
  4 NO in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner, at most 2

counters
  points of player: 0..10

play
  turns from first, to the left
    turn player must take

action take
  move GOAL from deck to hand of me

always not_both: points of first = 0 or points of second = 0

scenario "here"
"""


def ruleset(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "starts.rules"
    path.write_text(RULES + "".join(f"  {line}\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(("line", "code"), [
    ("given hands of first: GOAL", "NM01"), ("given hand of first: points of first", "SN04"),
    ("given points of first is 11", "TY09"), ("given number of deck is 3", "VR01"),
    ("given hand of first is 2", "VR01"), ("at play.tak", "SN06"),
    ("given deck: {10000 GOAL}", "SN04"), ("given turn player is first", "VR01"),
])
def test_what_is_told_wrongly(tmp_path: Path, line: str, code: str) -> None:
    with pytest.raises(Problems) as raised:
        load_scenarios(ruleset(tmp_path, line, "turn of first"))
    assert [(found.code, found.span.line) for found in raised.value.diagnostics] == [(code, 26)]


def test_a_position_has_one_turn(tmp_path: Path) -> None:
    with pytest.raises(Problems) as raised:
        load_scenarios(ruleset(tmp_path, "turn of first", "turn of second"))
    assert [found.code for found in raised.value.diagnostics] == ["SN03"]


@pytest.mark.parametrize(("lines", "why"), [
    (("given hand of first: GOAL",), "whose turn is it at play.take?; write `turn of PLAYER`"),
    (("turn of third",), '"third" does not play'),
    (("turn of first", "given hand of first: 3 GOAL"),
     "in this position limit of hand does not hold: number of hand of first = 3"),
    (("turn of first", "given hand of first: 5 GOAL"), "there are only 4 GOAL, not 5"),
    (("turn of first", "given deck: GOAL"), "3 GOAL lie nowhere: where they are at home, other components are said "
                                            "to lie"),
    (("turn of first", "given points of first is 1", "given points of second is 1"),
     "in this position not both does not hold: points of first = 1, points of second = 1"),
])
def test_what_cannot_be_fails(tmp_path: Path, lines: tuple[str, ...], why: str) -> None:
    found = load_scenarios(ruleset(tmp_path, *lines, "expect points of first = 0")).found
    assert [failure.message for failure in run_scenario(found[0]).failures] == [why]


def test_the_game_goes_on_from_there(tmp_path: Path) -> None:
    lines = ("given hand of second: 2 NO", "turn of first", "first take", "expect number of hand of first = 1")
    found = load_scenarios(ruleset(tmp_path, *lines)).found
    assert run_scenario(found[0]).passed
