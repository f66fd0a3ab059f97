"""reading-kills-sentence: a line that only decides which way the game goes on is something of its sentence, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.review.finding import FindingOutcome
from referee.review.subject import ReviewEffort
from tests.review.flawed import reviewed

CODE = "reading-kills-sentence"
RULES = """game "Kicks" for 2 players ana and ben

counters
  hits of player: 0..9
  stopped: 0..1

reading soft "a soft kick: does it count, too?"                             [S1]
  default asked_for "if he says so"
  alternative counts "if it is not stopped"

play
  turns from ana, to the left, until some player p where hits of p >= 3
    turn player must kick
  if hits of ana > hits of ben: ana wins
  else: ben wins

action kick(hard: 0..1)
  set stopped to 0
  opponent must answer
  if hard = 1
    if stopped = 0                                                          [S2]
      me must cheer
  else if soft is counts
    if stopped = 0: raise hits of me by 1                                   [{cited}]
  else: me must cheer

action answer(stops: 0..1)
  if stops = 1: set stopped to 1

action cheer
  raise hits of me by 1
"""


def found(folder: Path, cited: str) -> list[str]:
    path = folder / "kicks.rules"
    path.write_text(RULES.replace("{cited}", cited), encoding="utf-8")
    findings = reviewed(path, CODE).found.findings
    return [one.message for one in findings if one.outcome is FindingOutcome.FOUND]


def test_a_line_that_forks_to_where_somebody_is_asked_is_something_of_its_sentence(tmp_path: Path) -> None:
    assert found(tmp_path, "S2") == []


def test_a_line_of_one_alternative_alone_is_not(tmp_path: Path) -> None:
    (one,) = found(tmp_path, "S3")
    assert one == "if soft is asked_for, nothing is left of S3"


SELDOM = """game "Kicks" for 2 players ana and ben

counters
  hits of player: 0..9

reading double "a double: does it count twice?"                             [S1]
  default twice "yes"
  alternative once "no: it counts as any other"

play
  turns from ana, to the left, until some player p where hits of p >= 5
    turn player must kick
  if hits of ana > hits of ben: ana wins
  else: ben wins

action kick(hard: 0..1)
  if double is twice: raise hits of me by 2
  else: raise hits of me by 1
  if hits of me = LIMIT
    lower hits of me by 1                                                   [S2]
"""


@pytest.mark.parametrize(("limit", "place"), [("6", ["double.once.S2"]), ("4", [])])
def test_a_line_that_no_game_comes_to_under_one_choice_speaks_against_it(
    tmp_path: Path, limit: str, place: list[str]
) -> None:
    path = tmp_path / "kicks.rules"
    path.write_text(SELDOM.replace("LIMIT", limit), encoding="utf-8")
    found = reviewed(path, CODE, effort=ReviewEffort(60, 100, positions=5)).of(CODE)
    assert [(one.place, one.outcome) for one in found] == [(one, FindingOutcome.CANDIDATE) for one in place]


USED = """game "Kicks" for 2 players ana and ben

counters
  hits of player: 0..40
  worth: 1..3

reading double "a double: does it count twice?"                             [S1]
  default twice "yes"
  alternative once "no: it counts as any other"

play
  turns from ana, to the left, until some player p where hits of p >= 20
    turn player must kick
  if hits of ana > hits of ben: ana wins
  else: ben wins

action kick(hard: 0..1)
  set worth to if double is twice then 3 else 2
  if hard = 1
    lower worth by 1, not below LEAST                                       [S2]
  raise hits of me by worth
"""


@pytest.mark.parametrize(("least", "places"), [("2", ["double.once.S2.idle"]), ("1", [])])
def test_a_line_that_changes_no_game_under_one_choice_speaks_against_it(
    tmp_path: Path, least: str, places: list[str]
) -> None:
    """Games come to it under both, so that it comes up is not enough."""
    path = tmp_path / "kicks.rules"
    path.write_text(USED.replace("LEAST", least), encoding="utf-8")
    found = reviewed(path, CODE, effort=ReviewEffort(60, 100, positions=5)).of(CODE)
    assert [(one.place, one.outcome) for one in found] == [(one, FindingOutcome.CANDIDATE) for one in places]
    for one in found:
        assert one.message == "if double is once, what S2 says changes no game"
        assert one.cites == ("S2",)


BREACH = """game "Steps" for 2 players ana and ben

counters
  steps: 0..9
  odd: 0..9

reading pause "after a step somebody waits: who?"
  default the_same "who made it"
  alternative the_other "the other one"

play
  turns from ana, to the left, until steps >= 4
    turn player must go
  if pause is the_same: ana wins
  else: ben wins

action go(far: 0..105)
  raise steps by 1
  if far = 105: raise odd by 1
  if pause is the_other: opponent must nod

action nod(how: 0..3)
  nothing

always nobody_goes_far: odd = 0
"""


def test_what_is_broken_under_any_choice_speaks_against_none(tmp_path: Path) -> None:
    """In eight games it happens to be broken under one choice only."""
    path = tmp_path / "steps.rules"
    path.write_text(BREACH, encoding="utf-8")
    assert reviewed(path, CODE).of(CODE) == []
