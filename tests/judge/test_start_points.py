"""Where a game can start, how these points are called, and what has to be told of the way to each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import referee
from referee.flow.lowering import lower
from referee.frontend import load
from referee.interpreter.start_points import StartPoints
from referee.judge.verdict import LogOutcome
from tests.judge.playing import does
from tests.judge.test_position import DUEL, codes, judged


def test_a_point_inside_loops_needs_what_they_keep() -> None:
    """`rounds r from 1 to 2`: which round it is, and which are to come."""
    guess = does("ana", "choose", guess="left")
    state = {"at": "play.choose_guess", "turn": "ana"}
    missing = judged(DUEL, state)
    assert codes(missing) == ["LG28"]
    assert missing.diagnostics[-1].message == "to start at play.choose_guess, this has to be told: r, r to come"
    assert missing.diagnostics[-1].expected == ('"r": 1..2', '"r to come": a list of 1..2')
    told = {**state, "set": {"r": 2, "r to come": []}}
    claim = {"assert": {"points of ana": 2}}
    assert judged(DUEL, told, guess, claim, does("ben", "choose")).outcome is LogOutcome.ILLEGAL
    assert judged(DUEL, told, guess, claim).outcome is LogOutcome.LEGAL
    first = {**state, "set": {"r": 1, "r to come": [2], "points of ana": 1}}
    claim = {"assert": {"points of ana": 4}}
    assert judged(DUEL, first, guess, guess, claim).outcome is LogOutcome.LEGAL


def test_whose_turn_it_is_may_be_told_among_the_values() -> None:
    state = {"set": {"turn player": "ben"}}
    assert judged(DUEL, state, does("ben", "rest")).outcome is LogOutcome.LEGAL
    assert codes(judged(DUEL, {"set": {"turn player": 1}})) == ["LG26"]


WAY: dict[str, Any] = {"r": 1, "r to come": [2]}


@pytest.mark.parametrize(("told", "code", "message"), [
    ({"r": 1, "r to com": [2]}, "LG26", "r to com is nothing that can be told at play.choose_guess"),
    ({**WAY, "r": 3}, "LG26", "r cannot be 3"),
    ({**WAY, "r": "one"}, "LG26", 'r cannot be this: "one" is no whole number'),
    ({**WAY, "r to come": 2}, "LG26", "r to come cannot be this: 2 is no list"),
    ({**WAY, "r to come": [2, 3]}, "LG26", "r to come cannot be 3"),
    ({**WAY, "r to come": {"2": 10 ** 9}}, "LG26", "r to come cannot be this: 1000000000 is not how many there are of "
                                                  '"2"'),
    ({"r": 1}, "LG28", "to start at play.choose_guess, this has to be told: r to come"),
    ({**WAY, "turn player": "zed"}, "LG26", '"zed" does not play'),
])
def test_what_is_told_of_the_way_has_to_fit(told: dict[str, Any], code: str, message: str) -> None:
    state: dict[str, Any] = {"at": "play.choose_guess", "set": {"turn player": "ana", **told}}
    found = judged(DUEL, state)
    assert (found.outcome, codes(found)[-1]) == (LogOutcome.UNREADABLE, code)
    assert found.diagnostics[-1].message == message


@pytest.mark.parametrize("state", [
    {"at": "play.shown" + " in x" * 20_000}, {"at": " in " * 20_000}, {"at": ""},
    {"at": "play.choose_guess", "set": {f"way {number}": 1 for number in range(1_500)}},
    {"at": "play.choose_guess", "set": {"r": 1, "r to come": [3] * 10_000}},
])
def test_a_position_of_any_size_is_refused_in_few_words(state: dict[str, Any]) -> None:
    found = judged(DUEL, {"turn": "ana", **state})
    assert (found.outcome, codes(found)) == (LogOutcome.UNREADABLE, ["LG26"])
    assert len(found.diagnostics[0].message) < 300


def test_a_name_that_is_nearly_one_is_asked_about() -> None:
    found = judged(DUEL, {"at": "play.choose_guess", "turn": "ana", "set": {"r": 1, "r to com": [2]}})
    assert found.diagnostics[-1].hint == "did you mean r to come?"


TOSS = """# Two tosses, one of them optional, and a part for three players.

game "Toss" for 2..3 players

option again: once or twice

counters
  heads of player: 0..9
  at_three: 0..9

play
  carry out toss
  if again is twice: carry out toss
  if number of players = 3: carry out third
  for each p in players: carry out toss_for(p)
  nobody wins

procedure toss
  fate chooses one of players as lucky, logged as flip(lucky: lucky)
  raise heads of lucky by 1

procedure third
  fate chooses one of players as other, logged as flip_three(other: other)
  raise at_three by 1

procedure toss_for(p: player)
  p must take one of wave, nod

action wave
  nothing

action nod
  nothing
"""



@pytest.fixture
def toss(tmp_path: Path) -> Path:
    path = tmp_path / "toss.rules"
    path.write_text(TOSS)
    return path


def names(path: Path, players: int, **options: str) -> list[str]:
    return [one.described for one in StartPoints(lower(load(path, players, options))).all()]


def test_points_of_one_name_are_told_apart_and_belong_to_their_shape(toss: Path) -> None:
    wave = "toss_for.wave_or_nod (needs play.order, toss_for.p)"
    assert names(toss, 2) == ["toss.choose_lucky", wave]
    assert names(toss, 3) == ["toss.choose_lucky", "third.choose_other", wave]
    both = ["toss.choose_lucky in toss.1", "toss.choose_lucky in toss.2"]
    assert names(toss, 2, again="twice") == [*both, wave]


@pytest.mark.parametrize(("at", "again", "code"), [
    ("toss.choose_lucky", "once", None), ("toss.choose_lucky in toss.1", "twice", None),
    ("toss.choose_lucky in toss.2", "twice", None), ("toss.choose_lucky in toss.1", "once", None),
    ("toss.choose_lucky", "twice", "LG26"), ("toss.choose_lucky in toss.2", "once", "LG26"),
    ("toss.choose_lucky in third", "twice", "LG26"), ("third.choose_other", "twice", "LG28"),
    ("toss.choose_luck", "once", "LG26"), ("end of the rules", "once", "LG28"),
])
def test_a_name_means_one_point_of_the_shape(toss: Path, at: str, again: str, code: str | None) -> None:
    head = {"schema": "referee/log/1", "ruleset": "toss", "players": ["ana", "ben"], "options": {"again": again},
            "state": {"at": at}}
    lines = [json.dumps(line) for line in (head, does("fate", "flip", lucky="ben"), {"assert": {"heads of ben": 1}})]
    rules = referee.load(toss)
    if code is None:
        assert rules.judge(lines).outcome == "legal"
        return
    with pytest.raises(referee.LogError) as refused:
        rules.judge(lines)
    assert refused.value.code == code


def test_a_scenario_names_a_point_with_blanks_in_quotes(toss: Path) -> None:
    toss.write_text(TOSS + """
scenario "the second toss is the last"
  players ana, ben
  with again is twice
  at "toss.choose_lucky in toss.2"
  fate flip ana
  fate may not flip ben
""")
    assert [(one.passed, one.failures) for one in referee.load(toss).test()] == [(True, ())]


def test_of_two_points_the_one_named_goes_on_as_it_does(toss: Path) -> None:
    """After the first toss there is a second one, after the second nothing but the waving."""
    rules = referee.load(toss)
    first = rules.new_game(["ana", "ben"], options={"again": "twice"}, state={"at": "toss.choose_lucky in toss.1"})
    first.advance_fate()
    assert [event.do for event in first.events] == ["flip", "flip"]
    second = rules.new_game(["ana", "ben"], options={"again": "twice"}, state={"at": "toss.choose_lucky in toss.2"})
    second.advance_fate()
    assert [event.do for event in second.events] == ["flip"]


def test_what_is_told_of_the_way_decides_how_the_game_goes_on(toss: Path) -> None:
    rules = referee.load(toss)
    way: dict[str, Any] = {"play.order": ["ben"], "toss_for.p": "ana"}
    game = rules.new_game(["ana", "ben"], state={"at": "toss_for.wave_or_nod", "set": way})
    assert game.asked is not None
    assert game.asked.who == ("ana",)
    game.play("ana", "wave")
    assert game.asked.who == ("ben",)
    told = game.position()
    assert told["set"] == {"play.order": [], "toss_for.p": "ben"}
    game.play("ben", "wave")
    assert game.over
    with pytest.raises(referee.LogError) as refused:
        rules.new_game(["ana", "ben"], state={"at": "toss_for.wave_or_nod", "set": {"toss_for.p": "ana"}})
    assert refused.value.code == "LG28"


def test_no_game_starts_where_some_have_chosen() -> None:
    game = referee.load(DUEL).new_game(["ana", "ben"], seed=4)
    while game.asked is not None and game.asked.point != "play.shown":
        game.play_out(1)
    assert "place" in game.position()
    game.play_out(1)
    with pytest.raises(referee.LogError, match="some have chosen already"):
        game.position()


def test_a_value_that_is_updated_by_itself_is_needed(toss: Path) -> None:
    """The round is read again behind a point in which nothing asks for it."""
    rules = toss.parent / "rounds.rules"
    rules.write_text("""game "Rounds" for 2 players first and second

counters
  thrown: 0..9

play
  rounds lap from 1 to 3
    fate chooses one of players as lucky, logged as flip(lucky: lucky)
    raise thrown by 1
  nobody wins
""")
    assert names(rules, 2) == ["play.choose_lucky (needs lap to come)"]


def test_a_view_of_a_position_keeps_what_everybody_knows_of_the_way(toss: Path) -> None:
    way = {"play.order": ["ben"], "toss_for.p": "ana"}
    head = {"schema": "referee/log/1", "ruleset": "toss", "players": ["ana", "ben"],
            "state": {"at": "toss_for.wave_or_nod", "set": way}}
    lines = [json.dumps(head), json.dumps(does("ana", "wave"))]
    rules = referee.load(toss)
    view = list(rules.redact(lines, "ben"))
    assert json.loads(view[0])["state"]["set"] == way
    assert rules.judge(view).outcome == "legal"


PEEK = """game "Peek" for 2 players first and second

kind Card is A < B

components
  4 A in deck
  4 B in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner

counters
  waved: 0..9

setup
  shuffle deck
  for each p in players: deal 1 from deck to hand of p

play
  let most = number of A in hand of first
  turns from first, to the left
    turn player must take one of wave, nod
    if most = 1: raise waved by 1

action wave
  nothing

action nod
  nothing
"""


def test_what_hangs_on_something_hidden_is_in_no_view(tmp_path: Path) -> None:
    path = tmp_path / "peek.rules"
    path.write_text(PEEK)
    rules = referee.load(path)
    game = rules.new_game(["ana", "ben"], seed=1)
    game.advance_fate()
    head = {**json.loads(game.log()[0]), "state": game.position()}
    assert "most" in head["state"]["set"]
    assert rules.judge([json.dumps(head)]).outcome == "legal"
    with pytest.raises(referee.NoView, match="most may hang on what he does not see"):
        list(rules.redact([json.dumps(head)], "ben"))
