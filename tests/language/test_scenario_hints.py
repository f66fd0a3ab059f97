"""Scenarios that fail for how they are told: the failure says what is to be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.rule_tests.scenario_runs import run_scenario

RULES = """\
game "Hints" for 2 players first and second

kind Card is GOAL, NO

components
  4 GOAL in deck
  4 NO in deck

zones
  deck: pile of Card, face down
  aside: bag of Card, open
  hand of player: bag of Card, seen by owner

setup
  shuffle deck

play
  turns from first, to the left
    turn player draws 1 from deck to hand of turn player
    turn player must lay

action lay(card: Card in my hand)
  move card to aside
  me looks at hand of opponent

scenario "here"
"""


@pytest.mark.parametrize(("lines", "why"), [
    (("given deck: GOAL", "turn of first"),
     "3 GOAL lie nowhere: where they are at home, other components are said to lie; write `given aside: any 7 Card`"),
    (("given hand of first: GOAL", "turn of first", "fate draw to first NO"),
     "refused: it is for first to act; `at play.draw` begins there"),
    (("given hand of first: GOAL", "turn of first", "first lay GOAL", "second lay GOAL"),
     "refused: it is for fate to act"),
    (("given hand of first: GOAL", "given hand of second: NO", "turn of first", "first lay GOAL",
      "fate look for first NO"), '"NO" is no list; write {NO}'),
])
def test_a_failure_says_what_to_write(tmp_path: Path, lines: tuple[str, ...], why: str) -> None:
    path = tmp_path / "hints.rules"
    path.write_text(RULES + "".join(f"  {line}\n" for line in lines))
    found = load_scenarios(path).found
    assert [failure.message for failure in run_scenario(found[0]).failures] == [why]
