"""What the tests of all large rulesets ask of the logs that are kept beside them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from referee.game.log.log_reader import Log
from referee.judge.judgement_summary import Loader
from referee.judge.log_run import judge_log
from referee.judge.verdict import FailedLine, LogOutcome, LogVerdict


def judged(path: Path, load: Loader) -> LogVerdict:
    """The verdict on a log that is kept."""
    with path.open("rb") as stream:
        return judge_log(Log(stream, str(path)), load)


def refused_as_written(verdict: LogVerdict, expected: dict[str, Any]) -> FailedLine:
    """The wrong line of an illegal log: where, of which kind and by which statements, of the line or of its reasons, as
    was written beforehand."""
    wrong = verdict.wrong
    assert verdict.outcome is LogOutcome.ILLEGAL
    assert wrong is not None
    assert (wrong.line, wrong.kind.value) == (expected["line"], expected["kind"]), wrong.message
    cites = set(wrong.cites).union(*(one.cites for one in wrong.because))
    assert set(expected["statements"]) <= cites, (expected["statements"], cites)
    return wrong


def assert_each_line_is_explained(paths: Iterable[Path]) -> None:
    """Of logs written by hand each line says by a note why it stands there."""
    for path in paths:
        lines = path.read_text("utf-8").splitlines()
        assert all("note" in json.loads(line) for line in lines), path
