"""What matters late in a game is asked: an answer is tried at its last places too, not at the first ones alone."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from referee.review.questions import short_games
from referee.review.questions.trials import AnswerTrials
from referee.review.questions.tried_places import PART, tried_places
from referee.review.review import Review
from referee.review.subject import ReviewEffort
from tests.review.test_questions import asked

EFFORT = ReviewEffort(games=4, events=400)
HEAD = """game "Long sticks" for 2 players first and second

counters
  taken: 0..200 starts 0
"""
LATE = """
play
  turns from first, to the left
    turn player must take

action take(number: 1..2)
  needs "one at a time at the end": number = 1 or taken < 180                      [S-1]
  raise taken by number
  if taken >= 190: me wins
"""
"""Some 110 events before the condition forbids anything."""
NOTED = """  mood: 0..1
  weight: 0..1
  least: 0..1
  points of player: 0..99

play
  turns from first, to the left, until taken = 60
    turn player must take
    turn player must rest

action take
  if weight > least: set mood to 1                                                 [S-1]
  if taken >= 50 and mood = 1: raise points of me by 1
  raise taken by 1

action rest
  set mood to 0
"""
"""From the first event on another answer leaves another mood, for one event, which is of no account before the end."""
STATEMENT = '[statement.S-1]\ntext = "{}"\nline = 1\nstatus = "encoded"\n'


@pytest.fixture(autouse=True)
def unshortened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game of a question as it was played: nothing here asks for a short one, which takes longest of all."""
    monkeypatch.setattr(AnswerTrials, "minimised", lambda trials, answer, found, clock: found)
    monkeypatch.setattr(short_games, "STEPS", 0)


def asked_of(folder: Path, rules: str, sentence: str) -> Review:
    """What is asked of rules with one sentence."""
    (folder / "game.rules").write_text(HEAD + rules, encoding="utf-8")
    (folder / "statements.toml").write_text(STATEMENT.format(sentence), encoding="utf-8")
    return asked(folder, EFFORT)


def test_a_condition_that_forbids_nothing_for_a_hundred_events_is_asked_about(tmp_path: Path) -> None:
    found = asked_of(tmp_path, LATE, "A player takes some sticks.")
    (one,) = (flaw for flaw in found.flaws if flaw.id.endswith("/guard.absent"))
    assert one.witness is not None
    assert len(one.witness.events) >= 80
    assert one.weight is not None
    assert one.weight.told == one.weight.games == EFFORT.games


def test_what_is_of_no_account_at_first_does_not_keep_the_late_places_from_being_tried(tmp_path: Path) -> None:
    found = asked_of(tmp_path, NOTED, "Who takes more is glad.")
    assert "value.equal_passes" in [one.id.rpartition("/")[2] for one in found.flaws]


def test_of_few_places_all_are_tried() -> None:
    visits = list(range(3 * PART))
    assert [place for part in tried_places(visits, "x") for place in part] == visits


def test_of_many_places_the_first_the_last_and_some_between_are_tried_in_their_order() -> None:
    visits = list(range(0, 3000, 3))
    first, drawn, last = tried_places(visits, "x")
    assert (list(first), list(last)) == (visits[:PART], visits[-PART:])
    assert len(drawn) == PART
    assert list(drawn) == sorted(set(drawn))
    assert max(later - sooner for sooner, later in pairwise(drawn)) < 2 * 3000 / PART
    assert [list(part) for part in tried_places(visits, "x")] == [first, drawn, last]
    assert list(tried_places(visits, "y"))[1] != drawn
