"""The solver as judge: on every bundled log the same first wrong line, the same claims and the same exit code.

A sample by default. `REFEREE_SOLVER_LOGS=all pytest tests/judge/test_solved.py` judges every log.
"""

from __future__ import annotations

import json
import os
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from referee.cli.rules import SOLVER, Rules
from referee.judge.run import judge_path
from referee.judge.verdict import Verdict

ONE_OF = 1 if os.environ.get("REFEREE_SOLVER_LOGS") == "all" else 40
LOGS = sorted(path for place in ("rulesets", "tests/logs", "tests/foreign") for path in Path(place).rglob("*.jsonl"))
SAMPLE = [path for _, group in groupby(LOGS, lambda path: path.parent) for path in list(group)[::ONE_OF]]
SECONDS = 600.0


@pytest.fixture(scope="module")
def engine() -> Rules:
    return Rules()


@pytest.fixture(scope="module")
def solver() -> Rules:
    return Rules(None, SOLVER, SECONDS)


def told(verdict: Verdict) -> dict[str, Any]:
    """What both have to say alike."""
    wrong = verdict.wrong
    return {
        "outcome": verdict.outcome, "at": verdict.at, "exit": verdict.exit, "under": verdict.under,
        "wrong": None if wrong is None else (wrong.line, wrong.kind, wrong.what, wrong.rule),
        "finished": verdict.finished, "winners": verdict.winners,
    }


@pytest.mark.parametrize("path", SAMPLE, ids=str)
def test_the_solver_judges_as_the_engine_does(path: Path, engine: Rules, solver: Rules) -> None:
    assert told(judge_path(str(path), solver)) == told(judge_path(str(path), engine))


def log(folder: Path, *lines: dict[str, Any], ruleset: str = "tic_tac_toe") -> str:
    """A log of two players."""
    path = folder / "game.jsonl"
    header = {"schema": "referee/log/1", "ruleset": ruleset, "players": ["ana", "ben"]}
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *lines)))
    return str(path)


def mark(by: str, cell: str) -> dict[str, Any]:
    return {"by": by, "do": "mark", "with": {"cell": cell}}
