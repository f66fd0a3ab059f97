"""A review says no more than it has looked at: where it stops looking, nothing is proved."""

from __future__ import annotations

from pathlib import Path

from referee.review.finding import Finding, FindingOutcome
from referee.review.subject import ReviewEffort
from tests.review.flawed import Reviewed, reviewed

MANY_EVENTS = """game "Numbers" for 2 players first and second

counters
  said: 0..500

reading high "is so high a number counted?"
  default yes_it_is "it is"
  alternative no_it_is_not "it is not"

play
  turns from first, to the left, until said > 0
    turn player must say
  first wins

action say(number: 0..500)
  if number = 450 and high is no_it_is_not: set said to 1
  else: set said to number
"""
MANY_WAYS = """game "Pairs" for 2 players first and second

counters
  sum: 0..100

play
  turns from first, to the left, until sum > 0
    turn player must add
  first wins

action add(one: 0..30, other: 0..30)
  needs "they are alike": one = other
  needs "not both are the highest": one + other < 60
  set sum to one + other
"""
MANY_POSITIONS = """game "Hats" for 3 players ana, ben and cleo

counters
  count: 0..200
  hats of player: 0..3

play
  turns from ana, to the left, until count >= 150
    turn player must take one of go_on, greet
  nobody wins

define hatted = the p in players where hats of p > 0

action go_on
  raise count by 1
  if count > 100: raise hats of me by 1, not above 3

action greet
  needs "he has the hat": me is hatted
  raise count by 1
"""
SELDOM = """game "Steps" for 2 players first and second

counters
  count: 0..500

play
  turns from first, to the left, until count = 300
    turn player must take one of step, hop
  first wins

action step
  raise count by 1

action hop
  raise count by 1

always never_half_way: count is not 150
"""
FIVE = """game "Five" for 2 players first and second

counters
  done of player: 0..20

kind Lamp is A, B, C, D, E

components
  1 of each Lamp in shelf

zones
  shelf: bag of Lamp, open
  lit: bag of Lamp, open

play
  turns from first, to the left, until done of first > 0
    turn player must light
  first wins

action light
  for each lamp in shelf
    move lamp from shelf to lit
    raise done of me by number of lit
"""


ALL = ReviewEffort(games=4, events=400, positions=20_000)


def of(text: str, folder: Path, code: str, effort: ReviewEffort = ALL) -> Reviewed:
    path = folder / "game.rules"
    path.write_text(text, encoding="utf-8")
    return reviewed(path, code, effort=effort)


def proved(done: Reviewed, code: str) -> list[Finding]:
    return [one for one in done.found.of(code) if one.outcome is FindingOutcome.ABSENT]


def test_readings_that_differ_after_one_of_very_many_events_are_not_proved_alike(tmp_path: Path) -> None:
    done = of(MANY_EVENTS, tmp_path, "reading-divergence")
    assert proved(done, "reading-divergence") == []


def test_a_condition_that_decides_alone_in_a_way_that_was_not_looked_at_is_no_finding(tmp_path: Path) -> None:
    done = of(MANY_WAYS, tmp_path, "shadowed")
    assert done.of("shadowed") == []
    assert proved(done, "shadowed") == []


def test_of_a_point_with_many_positions_each_is_looked_at_or_nothing_is_proved(tmp_path: Path) -> None:
    done = of(MANY_POSITIONS, tmp_path, "no-target")
    assert proved(done, "no-target") == []


def test_what_is_to_hold_always_is_tested_at_each_position_of_each_game(tmp_path: Path) -> None:
    done = of(SELDOM, tmp_path, "contradiction", ReviewEffort(games=2, events=400, positions=0))
    (found,) = done.of("contradiction")
    assert found.witness is not None
    assert len(found.witness.events) == 150


def test_it_is_said_how_many_of_the_games_came_to_an_end(tmp_path: Path) -> None:
    for events, ended in ((299, 0), (300, 2)):
        done = of(SELDOM, tmp_path, "no-end", ReviewEffort(games=2, events=events, positions=0))
        assert [one.message for one in done.found.of("no-end")] == [f"2 games, of which {ended} came to an end"]


def test_orders_that_were_not_tried_are_not_proved_to_make_no_difference(tmp_path: Path) -> None:
    done = of(FIVE, tmp_path, "no-order")
    assert [(one.outcome, one.message) for one in done.found.of("no-order")] == [
        (FindingOutcome.BOUNDED, "it comes up 26 times in all 27 positions, and no difference was seen")]
