"""Whatever a log or a scenario makes the program compute is bounded: every command ends in seconds, with a code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.attack.bounded import complains, run

RULES, UNREADABLE = 3, 4
LEVELS = ("fa", "fb", "fc", "fd", "fe", "ff")
ENDLESS = " ".join(f"every {name} in square:" for name in LEVELS) + " fa = fa"
"""Six loops, one in the other, over a board of 64 squares."""
COSTLY = " ".join(f"every {name} in square:" for name in LEVELS[:3]) + " fa = fa"
"""Three of them: a quarter of a million, which a claim may ask for, but not eight times on one line."""
HEADER = '{"schema": "referee/log/1", "ruleset": "breakthrough", "players": ["black", "white"]}\n'
MOVE = '{"by": "black", "do": "move", "with": {"from": "e7", "to": "e6"}}\n'
HOLE = '{"by": "black", "do": "move", "with": {"from": "e7", "to": "?"}}\n'


def claiming(*claims: str) -> str:
    return json.dumps({"assert": dict.fromkeys(claims, True)}) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.jsonl").write_text(HEADER + MOVE + claiming(ENDLESS))
    (tmp_path / "hole.jsonl").write_text(HEADER + HOLE + claiming(ENDLESS))
    (tmp_path / "many.jsonl").write_text(HEADER + MOVE + claiming(*(COSTLY + " or yes" * n for n in range(8))))
    return tmp_path


@pytest.mark.parametrize("words", [
    ("judge", "game.jsonl"),
    ("judge", "--timeout", "1", "game.jsonl"),
    ("judge", "--engine", "reference", "game.jsonl"),
    ("judge", "--engine", "solver", "game.jsonl"),
    ("judge", "--readings", "all", "game.jsonl"),
    ("judge", "--facts", "hole.jsonl"),
    ("judge", "--jobs", "2", "game.jsonl", "hole.jsonl"),
    ("judge", "many.jsonl"),
    ("redact", "game.jsonl", "--for", "black"),
    ("explain", "game.jsonl:3"),
    ("infer", "breakthrough", "game.jsonl"),
], ids=" ".join)
def test_a_claim_that_nobody_can_work_out_is_not_read(folder: Path, words: tuple[str, ...]) -> None:
    log = next(word.partition(":")[0] for word in words if ".jsonl" in word)
    complains(run(folder, *words), UNREADABLE, "LG35", f"{log}:3")


def test_records_of_one_game(folder: Path) -> None:
    ending = run(folder, "judge", "--together", "game.jsonl", "game.jsonl")
    complains(ending, UNREADABLE, "LG35", "game.jsonl:3")


def test_lines_before_such_a_claim_are_judged(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text(HEADER + MOVE + MOVE + claiming(ENDLESS))
    complains(run(tmp_path, "judge", "game.jsonl"), 1, "LG35", "game.jsonl:3")


GAME = """\
game "Toy" for 2 players x and o

kind Mark of player

board square: columns a..h, rows 1..8

components
  32 Mark of each player in supply of owner

zones
  supply of player: bag of Mark, open
  grid: slots of Mark on square, open

play
  turns from x, to the left
    turn player must mark

action mark(cell: square) [R1]
  needs "the cell is free": grid at cell is empty
  move Mark of me from supply of me to grid at cell

end as soon as grid is full: nobody wins

scenario "a first mark"
  x mark a1
  expect EXPECTED
"""


EIGHT = "\n  expect ".join([COSTLY] * 8)


@pytest.mark.parametrize(("words", "expected"), [
    (("check",), ENDLESS), (("check",), EIGHT), (("test",), ENDLESS), (("coverage", "--live"), ENDLESS),
    (("review", "--games", "1", "--positions", "1"), ENDLESS),
], ids=["check", "eight of them", "test", "coverage", "review"])
def test_an_expectation_that_nobody_can_work_out_is_refused(
        tmp_path: Path, words: tuple[str, ...], expected: str) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "toy.rules").write_text(GAME.replace("EXPECTED", expected))
    statements = '[statement.R1]\nstatus = "encoded"\ntext = "Who is asked marks a cell."\n'
    (tmp_path / "toy" / "statements.toml").write_text(statements)
    complains(run(tmp_path, *words, "toy"), RULES, "BD10", "toy.rules")
