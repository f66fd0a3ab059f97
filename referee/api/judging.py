"""Judging logs that programs hold, and many logs at once."""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from typing import IO, cast

from referee.api.logs import LogSource, Stream, is_path, path_of
from referee.game.log import Log, LogProblem
from referee.judge.run import Options, judge_log, judge_path
from referee.judge.summary import Loader, unreadable
from referee.judge.verdict import Outcome, Verdict
from referee.judge.widely import widely


def judged(source: LogSource, load: Loader, options: Options) -> Verdict:
    """The verdict on a log. Raises `ArgumentError` for what is no log."""
    if is_path(source):
        return judge_path(path_of(source), load, options)
    stream = Stream(source)
    try:
        verdict = judge_log(Log(cast("IO[str]", stream), stream.name), load, options)
    except LogProblem as problem:
        return unreadable(Verdict(stream.name, Outcome.UNREADABLE), problem)
    text = stream.again()
    return _judged_widely(verdict, text, load, options) if verdict.large and text is not None else verdict


def _judged_widely(verdict: Verdict, text: bytes, load: Loader, options: Options) -> Verdict:
    """Another look at a log that is read more than once for it."""
    handle, path = tempfile.mkstemp(suffix=".jsonl")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        found = widely(verdict, path, load, all_readings=options.all_readings, seconds=options.timeout)
    finally:
        os.unlink(path)
    return replace(found, path=verdict.path)
