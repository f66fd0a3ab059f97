"""reading-kills-sentence: a line that only decides which way the game goes on is something of its sentence, too."""

from __future__ import annotations

from pathlib import Path

from referee.review.finding import FindingOutcome
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
