"""Judging logs that programs hold, and many logs at once."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import IO, cast

from referee.api.log_inputs import LogSource, Stream, is_path, path_of
from referee.api.named_engines import SOLVER, TIMEOUT
from referee.api.runs.log_engines import Rules
from referee.game.log.log_reader import STDIN, Log, LogProblem
from referee.judge.batch import FEW as FEW
from referee.judge.batch import judge_many, processes
from referee.judge.judgement_summary import Loader, unreadable
from referee.judge.log_run import Options, judge_all, judge_log, judge_path
from referee.judge.open_settings.wide_search import widely
from referee.judge.partial.hole_judging import MOST_SECONDS as MOST_SECONDS
from referee.judge.records.joint_judgement import judge_together
from referee.judge.verdict import LogOutcome, LogVerdict

Judged = LogVerdict
"""A verdict as the judge gives it."""


@dataclass(frozen=True, slots=True)
class How:
    """How logs named by paths are judged. `ruleset`: whatever they name; `timeout` in seconds; `jobs`: processes, None
    for as many as are worth it; `together`: they are records of one game; the rest as in `Options`."""

    ruleset: str | None
    engine: str
    viewer: str | None
    all_readings: bool
    timeout: float | None
    facts: bool
    jobs: int | None
    together: bool
    under: bool = False


def judged_paths(paths: Sequence[str], how: How) -> Iterator[LogVerdict]:
    """The verdicts on logs, each as soon as it is known; `-` is the standard input, which this process reads.

    Raises `NoSolver`, and `Problems` for a ruleset that there is not, before any process is started.
    """
    loader = partial(Rules, how.ruleset, how.engine, how.timeout or TIMEOUT, alone=True)
    timeout = None if how.engine == SOLVER else how.timeout
    options = Options(how.viewer, how.all_readings, timeout, how.facts, how.under)
    rules = loader()
    if how.together:
        yield judge_together(paths, rules, options)
        return
    number = 1 if STDIN in paths else processes(len(paths), how.jobs)
    yield from judge_all(paths, rules, options) if number == 1 else judge_many(paths, loader, options, number)


def judged(source: LogSource, load: Loader, options: Options) -> LogVerdict:
    """The verdict on a log. Raises `ArgumentError` for what is no log."""
    if is_path(source):
        return judge_path(path_of(source), load, options)
    stream = Stream(source)
    try:
        verdict = judge_log(Log(cast("IO[str]", stream), stream.name), load, options)
    except LogProblem as problem:
        return unreadable(LogVerdict(stream.name, LogOutcome.UNREADABLE), problem)
    text = stream.again()
    return _judged_widely(verdict, text, load, options) if verdict.large and text is not None else verdict


def _judged_widely(verdict: LogVerdict, text: bytes, load: Loader, options: Options) -> LogVerdict:
    """Another look at a log that is read more than once for it."""
    handle, path = tempfile.mkstemp(suffix=".jsonl")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        found = widely(verdict, path, load, all_readings=options.all_readings, seconds=options.timeout)
    finally:
        os.unlink(path)
    return replace(found, path=verdict.path)
