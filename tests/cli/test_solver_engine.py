"""`judge --engine solver`: it says who judged, keeps its time, and says what is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit

LOGS = Path("rulesets/go_goal/logs")
LEGAL, ILLEGAL = (str(sorted((LOGS / kind).glob("*.jsonl"))[0]) for kind in ("legal", "illegal"))
BY_SOLVER = ["--engine", "solver"]


def test_text_and_json_say_who_judged(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", LEGAL, *BY_SOLVER]) == Exit.GOOD
    assert "  note      judged by the solver (z3 " in capsys.readouterr().out
    run(["judge", LEGAL, *BY_SOLVER, "--format", "json"])
    assert json.loads(capsys.readouterr().out)["verdicts"][0]["notes"][0].startswith("judged by the solver")
    run(["judge", LEGAL])
    assert "judged by" not in capsys.readouterr().out


def test_an_illegal_log_among_legal_ones_ends_with_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", LEGAL, ILLEGAL, *BY_SOLVER]) == Exit.NEGATIVE
    assert f"{ILLEGAL}:" in capsys.readouterr().out


def test_what_takes_longer_than_it_may_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", LEGAL, *BY_SOLVER, "--timeout", "0.1"]) == Exit.OPEN
    assert ": unknown: the solver has no answer: out of time" in capsys.readouterr().out


ROWS = """game "Rows" for 2 players ana and ben
kind Stone is PEBBLE
components
  1200 PEBBLE in heap
zones
  heap: bag of Stone, open
  row: line of Stone, open, at most 1200
play
  turns from ana, to the left, until heap is empty
    turn player must take one of lay
  nobody wins
action lay(stone: Stone in heap)
  move stone to row
"""


def test_rules_that_cannot_be_encoded_are_unknown_with_the_reason(tmp_path: Path,
                                                                  capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows.rules").write_text(ROWS)
    header = {"schema": "referee/log/1", "ruleset": "rows", "players": ["ana", "ben"]}
    lay = {"by": "ana", "do": "lay", "with": {"stone": "PEBBLE"}}
    (tmp_path / "game.jsonl").write_text(f"{json.dumps(header)}\n{json.dumps(lay)}\n")
    words = ["judge", str(tmp_path / "game.jsonl"), "--ruleset", str(tmp_path / "rows.rules")]
    assert run(words) == Exit.GOOD
    capsys.readouterr()
    assert run([*words, *BY_SOLVER]) == Exit.OPEN
    said = "game.jsonl:2: unknown: the solver has no answer: this cannot be encoded: row may be longer than 1000\n"
    assert said in capsys.readouterr().out


def test_without_a_solver_it_says_what_to_install() -> None:
    words = ["judge", LEGAL, *BY_SOLVER]
    program = f"import sys; sys.modules['z3'] = None\nfrom referee.cli.main import main\nmain({words})"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert found.stderr == "Error: Z3 is not installed: pip install 'referee[solver]'\n"
    assert found.returncode == Exit.USAGE
