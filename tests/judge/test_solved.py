"""The solver as judge: on every bundled log the same first wrong line, the same claims and the same exit code.

A sample by default. `REFEREE_SOLVER_LOGS=all pytest tests/judge/test_solved.py` judges every log.
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from inspect import signature
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from referee.api.runs.log_engines import Rules
from referee.core.flow import Flow
from referee.diagnostics.exit_codes import Exit
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_path
from referee.judge.solver_engine import Solved
from referee.judge.verdict import LogOutcome, LogVerdict, WrongKind
from tests.judge import playing, test_judge, test_open, test_results, test_undo
from tests.sample_sizes import by_lot

ALL = os.environ.get("REFEREE_SOLVER_LOGS") == "all"
ONE_OF = 1 if ALL else 160
SHORT = 10**9 if ALL else 60
"""Longer logs are not in the sample."""
SLOW = () if ALL else ("tests/foreign/chess", "tests/foreign/go/", "tests/foreign/holdem")
"""What takes the solver ten seconds a log, each move being tried for what it leaves."""
LOGS = [path for place in ("rulesets", "tests/logs", "tests/foreign") for path in sorted(Path(place).rglob("*.jsonl"))
        if path.read_bytes().count(b"\n") <= SHORT and not path.as_posix().startswith(SLOW)]
SOME = [path for _, group in groupby(LOGS, lambda path: path.parent) for path in list(group)[::ONE_OF]]
LOT = {path.as_posix() for path in SOME} if ALL else set(by_lot((path.as_posix() for path in SOME), "solver", 4))
SAMPLE = [path for path in SOME if path.as_posix() in LOT]
IN_WORDS = {"test_a_legal_event_that_the_rules_cannot_carry_out_leaves_the_rest_unknown"}
"""What an error of the rules is called in detail only the engines say."""
OTHERS = [test for module in (test_judge, test_open, test_results, test_undo) for name, test in vars(module).items()
          if name.startswith("test_") and name not in IN_WORDS and callable(test) and not signature(test).parameters]

AS_THE_WALKER = {
    "entries",  # what nobody has computed yet: homes and what is stated
    "over",  # whether a game begins in a position in which it is over: nothing is unknown there
    "begin_at",  # a position as it is told, before anything is decided there
    "asked",  # the name of the point, and `who`
    "events", "pick", "sampled",  # for play and hints: no verdict is made of them
    "in_ranges", "ranges_wide",  # for lists of choices and play by lot, as above
    "follow", "follow_numbers", "text_follower",  # carry nothing on by themselves
    "result",  # of events that are known by number: follows them by `follow_numbers`, `check` and `advance`
    "play_on",  # plays nothing by itself
    "score_of",  # for players who look how many points a step brings: no verdict is made of it
    "sighting",  # who learns what of an event that the solver has called legal
    "settle",  # puts a stated value in its place
}
"""What the engine by the solver leaves to the reference engine, each with why no answer of the solver is missing."""


def test_what_the_solver_does_not_answer_is_listed() -> None:
    """A new question to the walker would else be answered without the solver, and nobody would see it."""
    asked = {name for name, one in vars(Walker).items() if callable(one) and not name.startswith("_")}
    assert asked - vars(Solved).keys() == AS_THE_WALKER


def told(verdict: LogVerdict) -> dict[str, Any]:
    """What both have to say alike. Which line named the winners is told by a trace, which the solver has not."""
    wrongs = [one if one is None or one.kind is not WrongKind.WRONG_RESULT else replace(one, rule=None)
              for one in (verdict.wrong, *verdict.after)]  # fmt: skip
    return {
        "outcome": verdict.outcome, "at": verdict.at, "exit": verdict.exit, "under": verdict.under,
        "wrong": [wrong and (wrong.line, wrong.kind, wrong.what, wrong.rule, wrong.message) for wrong in wrongs],
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


class Timed(Solved):
    """The solver with a minute for everything."""

    note = ""

    def __init__(self, flow: Flow) -> None:
        super().__init__(flow, 60)
        self.begin_log()


@pytest.mark.parametrize("test", OTHERS, ids=lambda test: test.__name__)
def test_what_is_asked_of_the_judge_holds_for_the_solver(test: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (playing, test_judge, test_open, test_results, test_undo):
        if hasattr(module, "Walker"):
            monkeypatch.setattr(module, "Walker", Timed)
    test()


def test_a_log_without_events_is_legal_so_far(tmp_path: Path, solver: Rules) -> None:
    verdict = judge_path(log(tmp_path), solver)
    assert (verdict.outcome, verdict.finished, verdict.events) == (LogOutcome.LEGAL, False, 0)


def test_a_line_cut_in_the_middle_is_told(tmp_path: Path, solver: Rules) -> None:
    path = Path(log(tmp_path, mark("ana", "a1"), mark("ben", "b2")))
    path.write_text(path.read_text()[:-12])
    verdict = judge_path(str(path), solver)
    assert (verdict.exit, verdict.at, verdict.diagnostics[0].code) == (Exit.LOG, 3, "LG11")


def test_an_empty_file_is_no_log(tmp_path: Path, solver: Rules) -> None:
    (tmp_path / "empty.jsonl").write_text("")
    assert judge_path(str(tmp_path / "empty.jsonl"), solver).exit is Exit.LOG


HOSTILE = ["0.0", "True", "z3.Int", "(assert false)", "|", "\"; (exit)", "\u202e", "a" * 50]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_mean_nothing_to_the_solver(name: str, tmp_path: Path, solver: Rules) -> None:
    lines = [mark(name, "a1"), mark("ben", "b2"), mark(name, "a1")]
    path = tmp_path / "game.jsonl"
    header = {"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": [name, "ben"]}
    path.write_text("".join(json.dumps(line) + "\n" for line in (header, *lines)))
    verdict = judge_path(str(path), solver)
    assert (verdict.outcome, verdict.at) in {(LogOutcome.ILLEGAL, 4), (LogOutcome.UNREADABLE, 1)}
    assert told(verdict) == told(judge_path(str(path), Rules()))
