"""What a scenario that goes wrong says: what stands in its way, in words that help to mend it."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee

RULES = """game "Rolls" for 2 players ana and ben

counters
  shown of player: up to 3 dice 1..6

play
  carry out lap(left of ana)
  nobody wins

procedure lap(eldest: player)
  for each p in players, in order from eldest
    p rolls 2 dice 1..6 into shown of p
  eldest must name

action name(number_said: 1..3)
  nothing

scenario "it goes wrong"
"""


@pytest.mark.parametrize(("lines", "said"), [
    ("  fate roll for ana shown {1, 2}\n", "refused: for cannot be ana here, only ben"),
    ("  fate roll for ben shown {1, 2, 3}\n",
     "refused: shown cannot be 1, 2, 3 here: there are to be 2 of them, not 3"),
    ("  at lap.name\n  ben name 2\n",
     "to start at lap.name, this has to be told: lap.eldest; write `given lap.eldest is ...` (a player)"),
])
def test_why_an_event_or_a_position_cannot_be(tmp_path: Path, lines: str, said: str) -> None:
    path = tmp_path / "rolls.rules"
    path.write_text(RULES + lines, encoding="utf-8")
    [result] = referee.load(path).test()
    assert [one.message for one in result.failures] == [said]
