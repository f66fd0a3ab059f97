"""`judge --engine solver`: it says who judged, keeps its time, and says what is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.base.exitcodes import Exit
from referee.cli.main import run

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


def test_without_a_solver_it_says_what_to_install() -> None:
    words = ["judge", LEGAL, *BY_SOLVER]
    program = f"import sys; sys.modules['z3'] = None\nfrom referee.cli.main import main\nmain({words})"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert found.stderr == "Error: z3 is not installed: pip install 'referee[solver]'\n"
    assert found.returncode == Exit.USAGE
