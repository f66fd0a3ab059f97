"""What belongs to the version of rules: what they say, and neither comments nor scenarios."""

from __future__ import annotations

from pathlib import Path

import pytest

import referee
from tests.changed_text import changed

RULES = """\
game "Sticks" for 2 players first and second

counters
  taken: 0..7 starts 0

play
  turns from first, to the left
    turn player must take

scenario "three"
  first take 3
  expect taken = 3

action take(sticks: 1..3)
  needs "so many # are left": taken + sticks <= 7
  raise taken by sticks
  if taken = 7: opponent wins
"""


def version(folder: Path, text: str) -> str:
    path = folder / "sticks.rules"
    path.write_text(text, encoding="utf-8")
    return referee.load(path).version


@pytest.mark.parametrize(("old", "new"), [
    ("game", "# Who takes the last one loses.\n\ngame"), ("must take\n", "must take  # one or more\n"),
    ("  expect taken = 3\n", ""), ("first take 3\n", "first take 3; second take 1\n"), ("= 3\n", "= 3\n\n\n"),
    (RULES[RULES.index("scenario"):RULES.index("action")], ""),
    ("action", 'scenario "none"\n  expect taken = 0\n\naction'), ("\n", "\r\n"),
])
def test_comments_and_scenarios_are_no_part_of_it(tmp_path: Path, old: str, new: str) -> None:
    assert old in RULES
    assert version(tmp_path, changed(RULES, {old: new})) == version(tmp_path, RULES)


@pytest.mark.parametrize(("old", "new"), [
    ("1..3", "1..2"), ("# are left", "# are there"), ("  raise taken by sticks\n", ""), ("Sticks", "Stones"),
    ("action", 'assume polite "nobody passes"\n\naction'),
])
def test_whatever_rules_say_is_a_part_of_it(tmp_path: Path, old: str, new: str) -> None:
    assert old in RULES
    assert version(tmp_path, changed(RULES, {old: new})) != version(tmp_path, RULES)
