"""Positions with numbers that are too long for a log, those of positions that have come about: they are texts there."""

from __future__ import annotations

import json
from typing import Any

import pytest

import referee
from tests.judge.playing import does

RULES = """game "Wide" for 2 players ana and ben

board square: columns a..g, rows 1..7

kind Stone of player

position is field, at most 20

components
  9 Stone of each player in supply of owner

zones
  supply of player: bag of Stone, open
  field: slots of Stone on square, open

play
  turns from ana, to the left
    turn player must take one of lay, take

action lay(at: square)
  needs "it is free": field at at is empty
  move (Stone of me) from supply of me to field at at

action take(at: square)
  needs "it is yours": field at at is Stone of me
  needs "it comes for the first time", afterwards: occurrences of position < 2
  move (Stone of me) from field at at to supply of me
"""
EVENTS = (does("ana", "lay", at="g7"), does("ben", "lay", at="a1"), does("ana", "take", at="g7"),
          does("ben", "lay", at="b1"), does("ana", "lay", at="g7"))
"""After these ben may take a1, and not b1: with a1 and g7 the board was as it is then."""
NOTED = "the list of positions 2"
FULL = 3**49
"""The number of positions of the board."""


@pytest.fixture(scope="module")
def rules() -> referee.Ruleset:
    return referee.loads(RULES, name="wide")


@pytest.fixture
def state(rules: referee.Ruleset) -> dict[str, Any]:
    """The position after these events."""
    game = rules.new_game(["ana", "ben"])
    for event in EVENTS:
        game.play(event)
    found: dict[str, Any] = json.loads(json.dumps(game.position()))
    return found


def judged(rules: referee.Ruleset, state: dict[str, Any], *lines: dict[str, Any]) -> referee.Verdict:
    head = {"schema": "referee/log/1", "ruleset": "wide", "players": ["ana", "ben"], "state": state}
    return rules.judge([json.dumps(one) for one in (head, *lines)])


def test_long_numbers_are_texts_and_short_ones_are_numbers(state: dict[str, Any]) -> None:
    noted = state["set"][NOTED]
    corner = max(3**48, FULL - 2 * 3**48)
    assert [len(str(one)) > 18 for one in noted.values()] == [isinstance(one, str) for one in noted.values()]
    assert {type(one) for one in noted.values()} == {str, int}
    assert int(noted["1"]) in (corner, 2 * corner)


def test_a_game_goes_on_with_all_that_came_before(rules: referee.Ruleset, state: dict[str, Any]) -> None:
    again = rules.new_game(["ana", "ben"], state=state)
    assert again.position() == state
    assert judged(rules, state, does("ben", "take", at="a1")).outcome == "legal"
    verdict = judged(rules, state, does("ben", "take", at="b1"))
    assert (verdict.outcome, verdict.line) == ("illegal", 2)
    assert rules.judge(again.log()).outcome == "legal"


def test_what_came_before_hangs_on_each_digit(rules: referee.Ruleset, state: dict[str, Any]) -> None:
    numbers = state["set"][NOTED]
    assert judged(rules, state, does("ben", "take", at="b1")).outcome == "illegal"
    numbers["2"] = str(int(numbers["2"]) - 1)
    assert judged(rules, state, does("ben", "take", at="b1")).outcome == "legal"


@pytest.mark.parametrize("wrong", [
    "", "7", "-1", "x" * 30, "0" * 30, f"{FULL}", f"-{FULL - 1}", f"0{FULL - 1}", f"{FULL - 1} ", hex(FULL - 1),
    "9" * 50_000, f"{FULL - 1}.0", "\u0662" * 24, "?", [f"{FULL - 1}"], True,
])
def test_a_text_that_is_no_such_number_is_refused(rules: referee.Ruleset, state: dict[str, Any], wrong: object) -> None:
    state["set"][NOTED]["1"] = wrong
    refused = refusal(rules, state)
    assert refused.code == "LG26"
    assert len(refused.message) < 200


def refusal(rules: referee.Ruleset, state: dict[str, Any]) -> referee.LogError:
    """Why a log with this position cannot be read."""
    with pytest.raises(referee.LogError) as error:
        judged(rules, state, does("ben", "take", at="a1"))
    return error.value


def test_as_a_number_it_is_too_long_to_be_read(rules: referee.Ruleset, state: dict[str, Any]) -> None:
    state["set"][NOTED]["1"] = int(state["set"][NOTED]["1"])
    assert refusal(rules, state).code == "LG09"
    assert refusal(rules, state).message == "a number of 23 digits"
