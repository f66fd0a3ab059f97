"""Judges many logs in several processes: verdicts in the order of the logs, and never many of them at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from referee.archives.found_files import files_in
from referee.archives.log_places import LogPlace
from referee.archives.log_walk import FEW_LOGS as FEW_LOGS
from referee.archives.log_walk import has_many
from referee.judge.log_run import Options, judge_place
from referee.judge.verdict import LogOutcome, LogVerdict

if TYPE_CHECKING:
    from referee.judge.judgement_summary import Loader

_Told = TypeVar("_Told")
ENDED = "the process that judged it was ended"


def processes(paths: Iterable[str], wanted: int | None) -> int:
    """How many processes judge the logs there: what is wanted, else one for each core if there are more than a few.

    Of each file no more is looked at than its beginning: where several logs begin in it there are many.
    """
    if wanted is not None:
        return wanted
    for files, path in enumerate(files_in(paths), 1):
        if files > FEW_LOGS or has_many(path):
            return available()
    return 1


def available() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def judge_many(places: Iterable[LogPlace], loader: Callable[[], Loader], options: Options,
               number: int) -> Generator[LogVerdict, None, None]:
    """The verdict on each log, in order. `loader` makes what finds the rules in each of `number` processes; it and the
    options are sent to them. Of a log at which processes are ended from outside again and again there is no answer."""
    return tell_many(places, loader, options, number, _itself)


def tell_many(places: Iterable[LogPlace], loader: Callable[[], Loader], options: Options, number: int,
              told: Callable[[LogVerdict], _Told]) -> Generator[_Told, None, None]:
    """The same, but what `told` makes of each verdict where it was found, which is sent there."""
    from referee.system.worker_processes import answers  # slow to import, and mostly not needed

    return answers(places, partial(judging, loader, options, told), number, partial(ended, told))


def _itself(verdict: LogVerdict) -> LogVerdict:
    return verdict


def judging(loader: Callable[[], Loader], options: Options, told: Callable[[LogVerdict], _Told]) -> Callable[
        [LogPlace], _Told]:
    """What `told` makes of the verdict on a log, in the process that has to find many."""
    load = loader()
    return lambda place: told(judge_place(place, load, options))


def ended(told: Callable[[LogVerdict], _Told], place: LogPlace) -> _Told:
    """The same of a log at which processes were ended."""
    return told(LogVerdict(str(place), LogOutcome.UNKNOWN, at=place.line, reason=ENDED, place=place.name))
