"""Whatever a log or a scenario makes the program compute is bounded: every command ends in seconds, with a code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.cli.main import run as command
from referee.diagnostics.exit_codes import Exit
from referee.system.deadline import Stopwatch
from tests.attack.bounded import complains, here, started
from tests.changed_text import changed

RULES, UNREADABLE, OPEN = 3, 4, 5
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
def test_a_claim_that_nobody_can_work_out_is_not_read(
        folder: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    log = next(word.partition(":")[0] for word in words if ".jsonl" in word)
    ending = started(folder, *words) if "--jobs" in words or words[-1] == "many.jsonl" else here(capsys, folder, *words)
    complains(ending, UNREADABLE, "LG35", f"{log}:3")


def test_records_of_one_game(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ending = here(capsys, folder, "judge", "--together", "game.jsonl", "game.jsonl")
    complains(ending, UNREADABLE, "LG35", "game.jsonl:3")


def test_lines_before_such_a_claim_are_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.jsonl").write_text(HEADER + MOVE + MOVE + claiming(ENDLESS))
    complains(here(capsys, tmp_path, "judge", "game.jsonl"), 1, "LG35", "game.jsonl:3")


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
        tmp_path: Path, words: tuple[str, ...], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "toy.rules").write_text(GAME.replace("EXPECTED", expected))
    statements = '[statement.R1]\nstatus = "encoded"\ntext = "Who is asked marks a cell."\n'
    (tmp_path / "toy" / "statements.toml").write_text(statements)
    complains(here(capsys, tmp_path, *words, "toy"), RULES, "BD10", "toy.rules")


# ---------------------------------------------------------------------- time limits
ENDLESS_GAME = """\
game "Endless" for 2 players x and o

kind Mark

components
  1 Mark in table_top

zones
  table_top: bag of Mark, open

counters
  steps: 0..9 starts 0

play
  turns from x, to the left
    turn player must go

action go(far: 0..9)
  set steps to far

end as soon as table_top is empty: nobody wins
"""
ENDLESS_HEADER = '{"schema": "referee/log/1", "ruleset": "endless", "players": ["x", "o"]}\n'
ROUND = "".join(f'{{"by": "{name}", "do": "go", "with": {{"far": 1}}}}\n' for name in "xo")
OPEN_CLAIM = " ".join(f"every {name} in square:" for name in LEVELS[:3]) + " field at fa is empty or yes"
LIMITED = {
    "a long log": ((), ENDLESS_HEADER + ROUND * 400_000),
    "a long log, reference engine": (("--engine", "reference"), ENDLESS_HEADER + ROUND * 100_000),
    "blank lines": ((), ENDLESS_HEADER + "\n" * 3_000_000),
    "claims and the solver": (
        ("--engine", "solver"), HEADER + claiming(*(COSTLY + " or yes" * n for n in range(7)))),
    "claims and a hole": ((), HEADER + HOLE + claiming(OPEN_CLAIM) * 100),
    "claims, a hole and facts": (("--facts",), HEADER + HOLE + claiming(OPEN_CLAIM) * 100),
    "claims": (("--engine", "reference"), HEADER + claiming(COSTLY) * 100),
}
ENOUGH = 6.0
"""Seconds of computing in which rules are read, and something is done with them for as long as it may."""
STARTED = 25.0
"""Seconds in which a process has started and read the rules, with others at work."""


@pytest.mark.parametrize("name", LIMITED)
def test_a_time_limit_holds_wherever_the_time_goes(tmp_path: Path, name: str) -> None:
    words, log = LIMITED[name]
    (tmp_path / "endless.rules").write_text(ENDLESS_GAME)
    (tmp_path / "game.jsonl").write_text(log)
    ruleset = ("--ruleset", "endless.rules") if log.startswith(ENDLESS_HEADER) else ()
    watch = Stopwatch()
    ending = started(tmp_path, "judge", "game.jsonl", "--timeout", "0.2", *ruleset, *words)
    assert watch.seconds < STARTED
    assert ending.code == OPEN, ending.text
    assert re.search(r"not judged within 0.2 s|out of time", ending.text), ending.text


def test_records_of_one_game_are_joined_within_the_time(tmp_path: Path) -> None:
    (tmp_path / "endless.rules").write_text(ENDLESS_GAME)
    (tmp_path / "game.jsonl").write_text(ENDLESS_HEADER + ROUND * 9_000)
    records = ["game.jsonl"] * 12
    ending = started(tmp_path, "judge", "--together", *records, "--timeout", "0.1", "--ruleset", "endless.rules")
    assert ending.code == OPEN, ending.text
    assert "not judged within 0.1 s" in ending.text


LATE = r"not judged within 0\.2 s"
LONG_SCENARIO = "\n  expect ".join([COSTLY] * 7)
LONG_TEST = GAME.replace("EXPECTED", LONG_SCENARIO) + "".join(
    f'\nscenario "number {number}"\n  x mark a1\n  expect {LONG_SCENARIO}\n' for number in range(3))
CLAIMED = ROUND + claiming("steps = 1")
HOURS = {
    "redact": (("redact", "game.jsonl", "--for", "x", "--ruleset", "endless"), ROUND * 20_000, LATE),
    "explain": (("explain", "game.jsonl:40001", "--ruleset", "endless"), ROUND * 20_000, LATE),
    "redact, claims": (("redact", "claims.jsonl", "--for", "black"), "", LATE),
    "explain, claims": (("explain", "claims.jsonl:102"), "", LATE),
    "test": (("test", "toy"), "", r"scenarios?: .*\nout of time: [1-4] more not carried out within 0\.2 s"),
    "coverage": (("coverage", "--live", "toy"), "", r"out of time: 0 cited lines tried within 0\.2 s"),
    "coverage, logs": (("coverage", "--live", "endless"), CLAIMED * 20_000, "out of time: 0 cited lines tried"),
    "play": (("play", "endless", "--random", "5", "--max-events", "1000000"), "",
             r"0 games.*\nout of time: 5 of 5 games not played to the end within 0\.2 s"),
}


@pytest.mark.parametrize("name", HOURS)
def test_every_command_that_takes_long_takes_a_time_limit(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str) -> None:
    words, lines, told = HOURS[name]
    for ruleset, text in (("endless", changed(ENDLESS_GAME, {"0..9)": "0..9) [R1]"})), ("toy", LONG_TEST)):
        (tmp_path / ruleset / "logs" / "some").mkdir(parents=True)
        (tmp_path / ruleset / f"{ruleset}.rules").write_text(text)
        (tmp_path / ruleset / "statements.toml").write_text('[statement.R1]\nstatus = "encoded"\ntext = "Go."\n')
    for folder in (tmp_path, tmp_path / "endless" / "logs" / "some"):
        (folder / "game.jsonl").write_text(ENDLESS_HEADER + lines)
    (tmp_path / "claims.jsonl").write_text(HEADER + claiming(COSTLY) * 101)
    monkeypatch.chdir(tmp_path)
    watch = Stopwatch.computing()
    assert command([*words, "--timeout", "0.2"]) == Exit.OPEN
    assert watch.seconds < ENOUGH
    printed = capsys.readouterr()
    assert re.search(told, printed.out + printed.err), printed


def test_what_was_done_in_time_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["play", "tic_tac_toe", "--random", "1000000", "--timeout", "0.3", "--out", str(tmp_path)]
    assert command(words) == Exit.OPEN
    played = len(list(tmp_path.glob("*.jsonl")))
    assert 0 < played < 1_000_000
    assert f"{1_000_000 - played} of 1,000,000 games not played to the end within 0.3 s" in capsys.readouterr().out


def test_a_game_at_the_table_has_no_time_limit() -> None:
    assert command(["play", "tic_tac_toe", "--timeout", "1"]) == Exit.USAGE


# ---------------------------------------------------------------------- options
HUGE = "9" * 40
REFUSED = [
    *(("judge", "game.jsonl", "--jobs", value) for value in (HUGE, "0", "-1", "1e3", "257")),
    *(("judge", "game.jsonl", "--timeout", value) for value in (HUGE, "0", "-1", "nan", "inf", "1e400")),
    *(("play", "tic_tac_toe", "--random", value) for value in (HUGE, "0", "1000001")),
    ("play", "tic_tac_toe", "--random", "1", "--max-events", HUGE),
    ("play", "tic_tac_toe", "--random", "1", "--seed", HUGE),
    ("play", "tic_tac_toe", "--random", "1", "--players", HUGE),
    ("review", "tic_tac_toe", "--games", HUGE),
    ("review", "tic_tac_toe", "--events", HUGE),
    ("review", "tic_tac_toe", "--positions", HUGE),
    ("review", "tic_tac_toe", "--players", HUGE),
    ("review", "tic_tac_toe", "--timeout", "nan"),
    ("prove", "tic_tac_toe", "--jobs", HUGE),
    ("prove", "tic_tac_toe", "--timeout", HUGE),
    ("prove", "tic_tac_toe", "--players", HUGE),
    ("infer", "tic_tac_toe", "game.jsonl", "--apart", HUGE),
    ("infer", "tic_tac_toe", "game.jsonl", "--seed", HUGE),
    ("infer", "tic_tac_toe", "game.jsonl", "--timeout", HUGE),
    ("show", "tic_tac_toe", "--players", HUGE),
    ("explain", "game.jsonl:" + HUGE),
    ("schema", HUGE),
]


@pytest.mark.parametrize("words", REFUSED, ids=lambda words: " ".join(words).replace(HUGE, "9..."))
def test_a_number_beyond_all_use_is_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    watch = Stopwatch.computing()
    assert command(list(words)) == Exit.USAGE
    assert watch.seconds < 2
    assert len(capsys.readouterr().err) < 1_000
