"""Judges many logs in several processes: verdicts in the order of the logs, and never many of them at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from functools import partial

from referee.judge.judgement_summary import Loader
from referee.judge.log_run import Options, judge_path
from referee.judge.verdict import LogOutcome, LogVerdict

FEW = 64
"""So many logs are judged sooner by one process than several have started."""
ENDED = "the process that judged it was ended"


def processes(logs: int, wanted: int | None) -> int:
    """How many processes judge so many logs: what is wanted, else one for each core if there are more than a few."""
    if wanted is not None:
        return min(wanted, max(1, logs))
    return 1 if logs <= FEW else available()


def available() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def judge_many(paths: Iterable[str], loader: Callable[[], Loader], options: Options,
               number: int) -> Generator[LogVerdict, None, None]:
    """The verdict on each log, in order. `loader` makes what finds the rules in each of `number` processes; it and the
    options are sent to them. Of a log at which processes are ended from outside again and again there is no answer."""
    from referee.system.worker_processes import answers  # slow to import, and mostly not needed

    return answers(paths, partial(_judging, loader, options), number, _ended)


def _judging(loader: Callable[[], Loader], options: Options) -> Callable[[str], LogVerdict]:
    """In a process that was started for it."""
    return partial(judge_path, load=loader(), options=options)


def _ended(path: str) -> LogVerdict:
    return LogVerdict(path, LogOutcome.UNKNOWN, at=1, reason=ENDED)
