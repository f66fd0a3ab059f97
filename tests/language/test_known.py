"""Scenarios say who knows what was told before; what is not so fails, with the values that are hidden."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.diagnostics.diagnostic import Problems
from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.rule_tests.scenario_runs import run_scenario

RULES = """\
game "Known" for 2 players first and second

kind Card is GOAL, NO

components
  4 GOAL in deck
  4 NO in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner

counters
  points of player: 0..10

setup
  shuffle deck
  for each p in players: deal 2 from deck to hand of p

play
  repeat until points of first = 9
    simultaneously
      each player commits one of 1..3 as bid
    reveal bid once bid_is_high
    for each p in players: raise points of p by 1
  first wins

define bid_is_high = points of first >= 1

scenario "who knows"
  fate deal to first cards {GOAL, NO}; fate deal to second cards {NO, NO}
"""


def ruleset(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "known.rules"
    path.write_text(RULES + "".join(f"  {line}\n" for line in lines), encoding="utf-8")
    return path


def failures(tmp_path: Path, *lines: str) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
    scenario, = load_scenarios(ruleset(tmp_path, *lines)).found
    return [(failure.message, failure.values) for failure in run_scenario(scenario).failures]


def test_what_is_dealt_to_one_is_known_to_him_alone(tmp_path: Path) -> None:
    assert failures(tmp_path, "first knows that fate deal to first cards {GOAL, NO}",
                    "second does not know that fate deal to first cards {GOAL, NO}",
                    "public does not know that fate deal to first cards {GOAL, NO}") == []
    assert failures(tmp_path, "second knows that fate deal to first cards {GOAL, NO}",
                    "first does not know that fate deal to first cards {GOAL, NO}") == [
        ("this is not known", (("cards", "?"),)), ("this is known", ())]


def test_what_is_revealed_later_is_known_from_then_on(tmp_path: Path) -> None:
    secret = "second does not know that first commit bid 1"
    assert failures(tmp_path, "first commit bid 1", secret, "second commit bid 2", secret, "first commit bid 3", secret,
                    "second commit bid 3", "second knows that first commit bid 1",
                    "public knows that first commit bid 3") == []


def test_the_last_such_event_is_meant(tmp_path: Path) -> None:
    bids = ("first commit bid 1", "second commit bid 1")
    assert failures(tmp_path, *bids, *bids, "second knows that first commit bid 1", bids[0],
                    "second does not know that first commit bid 1") == []


def test_what_was_not_told_in_these_words_is_neither_known_nor_unknown(tmp_path: Path) -> None:
    assert failures(tmp_path, "first knows that first commit bid 1", "first commit bid 1",
                    "second does not know that first commit 1") == [("nothing was told before in these words", ())] * 2


@pytest.mark.parametrize("line", ["third knows that first commit bid 1", "first knows that third commit bid 1"])
def test_nobody_else_knows(tmp_path: Path, line: str) -> None:
    with pytest.raises(Problems) as raised:
        load_scenarios(ruleset(tmp_path, line))
    assert [found.code for found in raised.value.diagnostics] == ["NM01"]
