"""Why a game is not over where a log ends it, and why it is where a log goes on."""

from __future__ import annotations

from typing import Any

import pytest

import referee
from referee.api.results.verdicts import Verdict
from tests.changed_text import changed
from tests.reasons.test_turning_points import kept, said

SHARED = """
game "Steps" for 2 players

counters
  steps of player: 0..19
  left_over: 0..9 starts 5

given first: player

action step(many: 1..3)
  raise steps of me by many
  lower left_over by many, not below 0
"""
SOON = SHARED + """
play
  turns from first, to the left
    turn player must step

end as soon as some player p where steps of p >= 4: p wins
"""
ROUNDS = SHARED + """
play
  rounds lap from 1 to 2
    for each p in players, in order from first: p must step
  the p in players with the most (steps of it), ties: nobody wins
"""
WHOLE = SHARED + """
play
  turns from first, to the left
    turn player must step
    if left_over = 0: turn player wins
"""


PHASES = changed(SHARED, {"left_over: 0..9 starts 5": "left_over: 0..9 starts 5\n  glory of player: 0..9"}) + """
play
  carry out market
  carry out match
  if left_over = 0: set left_over to 1
  the p in players with the most (glory of it), ties: nobody wins

procedure market
  turns from first, to the left, until left_over = 0
    turn player must step

procedure match
  turns from first, to the left, until some player p where glory of p = 2
    turn player must play_on

action play_on
  raise glory of me by 1
"""


def judged(rules: str, *lines: dict[str, Any]) -> Verdict:
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "steps", "players": ["ana", "ben"],
                            "given": {"first": "ana"}}
    return referee.loads(rules, "steps").judge([head, *lines])


def steps(*many: int) -> list[dict[str, Any]]:
    return [{"by": ("ana", "ben")[turn % 2], "do": "step", "with": {"many": one}} for turn, one in enumerate(many)]


def reasons(verdict: Verdict) -> list[tuple[int | None, str, dict[str, str]]]:
    assert verdict.wrong is not None
    return [(one.line, one.text, dict(one.values)) for one in verdict.wrong.because]


END: dict[str, Any] = {"end": {"winner": "ana"}}


def test_what_an_end_as_soon_as_waits_for() -> None:
    assert reasons(judged(SOON, *steps(3, 1), END)) == [
        (None, "some player p where steps of p >= 4: no", {"steps of ana": "3", "steps of ben": "1"})]


def test_what_comes_later_is_told_with_what_ends_the_part_that_the_game_is_in() -> None:
    assert reasons(judged(PHASES, *steps(3, 1), END)) == [
        (None, "left_over = 0: no", {"left_over": "1"}), (None, "before the end there is still to come: match", {})]


def test_what_an_end_needs_is_told_where_a_part_in_it_goes_on_and_nothing_that_does_not_keep_it_away() -> None:
    played = [{"by": by, "do": "play_on"} for by in ("ana", "ben")]
    told = [text for _, text, _ in reasons(judged(PHASES, *steps(3, 2), *played, END))]
    assert told[0] == "some player p where glory of p = 2: no"
    assert not any("left_over" in text or "to come" in text for text in told)


def test_a_round_that_is_not_over_with_what_then_ends_the_game() -> None:
    assert reasons(judged(ROUNDS, *steps(3, 1, 1), END))[0] == (
        4, "for each p in players, in order from first: not over", {"still to come": "ben"})


def test_an_earlier_round_is_not_over_either() -> None:
    longer = changed(ROUNDS, {"1 to 2": "1 to 4"})
    assert reasons(judged(longer, *steps(3, 1), END))[0] == (
        3, "rounds lap from 1 to 4: not over", {"still to come": "2, 3, 4"})


def test_a_condition_beside_which_the_game_went_on() -> None:
    assert reasons(judged(WHOLE, *steps(3, 1), END)) == [(3, "left_over = 0: no", {"left_over": "1"})]


def test_where_nothing_came_before_the_event_that_would_end_it() -> None:
    head: dict[str, Any] = {
        "schema": "referee/log/1", "ruleset": "steps", "players": ["ana", "ben"], "given": {"first": "ana"},
        "state": {"at": "play.step", "turn": "ana", "set": {"left_over": 1}}}
    wrong = referee.loads(WHOLE, "steps").judge([head, END]).wrong
    assert wrong is not None
    assert [one.text for one in wrong.because] == [
        "after ana: step many 1 it would be over", "then it would be over: left_over = 0: yes"]


def test_an_event_after_the_end_is_told_who_has_won_when_and_why() -> None:
    late = judged(SOON, *steps(3, 1, 1, 1))
    assert late.wrong is not None
    assert late.wrong.message == "ben: step, but the game is over since line 4: ana won"
    assert reasons(late) == [
        (4, "who has won: none -> ana, by end as soon as some player p where steps of p >= 4", {}),
        (4, "some player p where steps of p >= 4: yes", {"steps of ana": "4"})]


def test_that_nobody_has_won_is_told_too() -> None:
    late = judged(ROUNDS, *steps(1, 1, 1, 1, 1))
    assert late.wrong is not None
    assert late.wrong.message == "ana: step, but the game is over since line 5: nobody won"
    assert reasons(late)[0] == (5, "who has won: none -> none, by play", {})


@pytest.mark.parametrize(("name", "text", "values", "cited"), [
    ("go_goal/062", "some player p where goals of p >= 3: no", {"goals of ana": "2", "goals of ben": "0"}, "RO-46"),
    ("adrenalyn_xl/055", "for each p in players, in order from starting_gamer: not over", {"still to come": "ben"},
     "AX-46"),
    ("il_mister/055", "deck is empty: no", {"number of deck": "1"}, "IT-36"),
    ("il_mister/064", "goals_of(ana) = goals_of(ben): yes", {"goals_of(ana)": "0", "goals_of(ben)": "0"}, "IT-65"),
    ("king_of_the_pitch/074", "some player p where number of victories of p = 5: no",
     {"number of victories of ana": "1", "number of victories of ben": "0"}, "KP-69"),
])
def test_an_end_too_early_cites_the_statement_of_the_end(name: str, text: str, values: dict[str, str],
                                                         cited: str) -> None:
    found = kept(name)
    assert (text, values) in [said(one)[1:] for one in found.because[:2]]
    assert cited in found.cites


@pytest.mark.parametrize(("name", "first"), [
    ("adrenalyn_xl/050", "turn_over: no"),
    ("adrenalyn_xl/055", "for each p in players, in order from starting_gamer: not over"),
])
def test_of_an_end_too_early_neither_options_nor_what_rounds_did_that_are_over(name: str, first: str) -> None:
    assert [one.text for one in kept(name).because] == [
        first, "otherwise it would be over: rounds round from 1 to total_rounds: over"]


@pytest.mark.parametrize(("name", "cited"), [
    ("go_goal/063", "RO-46"), ("adrenalyn_xl/053", "AX-48"), ("adrenalyn_xl/054", "AX-46"), ("il_mister/058", "IT-37"),
    ("king_of_the_pitch/077", "KP-69"),
])
def test_an_event_after_the_end_cites_the_statement_that_ended_it(name: str, cited: str) -> None:
    assert cited in kept(name).cites


def test_a_player_is_told_what_lies_open() -> None:
    assert [one.text for one in kept("go_goal/062", "ben").because] == ["some player p where goals of p >= 3: no"]
    assert "RO-46" in kept("go_goal/063", "ben").cites


SECRET = SOON.replace("steps of player: 0..19", "steps of player: 0..19, seen by owner").replace(
    "(many: 1..3)", "(many: 1..3), seen by me")


def test_a_player_is_not_told_what_an_end_waits_for_that_hangs_on_secrets() -> None:
    lines = [{"schema": "referee/log/1", "ruleset": "steps", "players": ["ana", "ben"], "given": {"first": "ana"}},
             *steps(3, 1), END]
    found = [referee.loads(SECRET, "steps").judge(lines, for_=who).wrong for who in (None, "ben")]
    assert [one is not None and bool(one.because) for one in found] == [True, False]


FILLING = """
game "Filling" for 2 players

kind Fruit is APPLE, PLUM

components
  4 APPLE in orchard
  4 PLUM in orchard

zones
  orchard: pile of Fruit, face down
  rim: bag of Fruit, open

counters
  bells: 0..1

given first: player

setup
  shuffle orchard
  carry out fill

play
  turns from first, to the left, until bells = 1
    turn player must ring
  nobody wins

procedure fill
  deal 1 from orchard to rim

action ring
  set bells to 1
"""


def test_where_no_condition_is_known_it_is_told_what_the_game_is_still_in() -> None:
    wrong = judged(FILLING, {"end": {"winner": ["ana"]}}).wrong
    assert wrong is not None
    assert [one.text for one in wrong.because] == ["the game is at fill"]


ANSWERING = SHARED + """
play
  turns from first, to the left
    turn player must step
    window
      ask players, in order from first
      may answer
      until all pass
    if left_over = 0: turn player wins

action answer
  needs "there is something to say": left_over > 3
  nothing
"""


def test_a_window_that_is_open_is_not_over() -> None:
    found = [text for _, text, _ in reasons(judged(ANSWERING, *steps(1), {"end": {"winner": ["ana"]}}))]
    assert "window: not over" in found
