"""Judging logs that programs hold, and many logs at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import IO, TYPE_CHECKING, TypeVar, cast

from referee.api.execution_lock import LOCK
from referee.api.log_inputs import LogSource, Stream, is_path, only_once, path_of
from referee.api.named_engines import AUTO, SOLVER, TIMEOUT
from referee.api.runs.log_engines import Rules, bytes_of
from referee.api.shared_tasks import PROCESSES, shared
from referee.archives.log_places import LogPlace
from referee.archives.log_walk import logs_in
from referee.game.log.log_reader import Log, LogProblem
from referee.judge.batch import FEW_LOGS as FEW_LOGS
from referee.judge.batch import ended, judging, processes, tell_many
from referee.judge.judging_notes import MOST_SECONDS as MOST_SECONDS
from referee.judge.log_run import Options, judge_all, judge_log, judge_path, judge_place
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.report.verdict_tally import VerdictTally as VerdictTally
from referee.system.lazy_dataclasses import dataclass

if TYPE_CHECKING:
    from referee.judge.judgement_summary import Loader

_Told = TypeVar("_Told")
Judged = LogVerdict
"""A verdict as the judge gives it."""


@dataclass(frozen=True, slots=True)
class How:
    """How logs named by paths are judged. `ruleset`: whatever they name; `timeout` in seconds; `jobs`: processes, None
    for as many as are worth it; `together`: they are records of one game; `executor`: what judges, as `KINDS` has them;
    the rest as in `Options`."""

    ruleset: str | None
    engine: str
    viewer: str | None
    all_readings: bool
    timeout: float | None
    facts: bool
    jobs: int | None
    together: bool
    under: bool = False
    executor: str = PROCESSES


def judged_paths(paths: Sequence[str], how: How) -> Iterator[LogVerdict]:
    """The verdicts on the logs in files, folders and archives, each as soon as it is known; `-` is the standard input,
    which this process reads, as it does what can be read once.

    Raises `NoSolver`, and `Problems` for a ruleset that there is not, before any process is started.
    """
    if how.together:
        from referee.judge.records.joint_judgement import judge_together  # slow to import

        loader, options = _sent(how, paths)
        yield judge_together(paths, loader(), options)
        return
    yield from told_verdicts(paths, how, _itself)


def told_verdicts(paths: Sequence[str], how: How, told: Callable[[LogVerdict], _Told],
                  places: Iterator[LogPlace] | None = None) -> Generator[_Told, None, None]:
    """What `told` makes of the verdict on each log, in the process that found it. `places`: of those that are judged,
    if not all are that lie at the paths. Raises as `judged_paths` does."""
    loader, options = _sent(how, paths)
    rules = loader()
    if how.executor != PROCESSES:
        found = logs_in(paths) if places is None else places
        return shared(found, partial(judging, loader, options, told), 0, partial(ended, told), how.executor)
    number = 1 if any(map(only_once, paths)) else processes(paths, how.jobs)
    if number > 1:
        return tell_many(logs_in(paths) if places is None else places, loader, options, number, told)
    if places is None:
        return (told(verdict) for verdict in judge_all(paths, rules, options))
    return (told(judge_place(place, rules, options)) for place in places)


def _sent(how: How, paths: Sequence[str]) -> tuple[Callable[[], Rules], Options]:
    """What finds the rules, and how is judged: as other processes are told."""
    timeout = None if how.engine == SOLVER else how.timeout
    return (partial(Rules, how.ruleset, how.engine, how.timeout or TIMEOUT, alone=True,
                    work=bytes_of(paths) if how.engine == AUTO else 0),
            Options(how.viewer, how.all_readings, timeout, how.facts, how.under))


def _itself(verdict: LogVerdict) -> LogVerdict:
    return verdict


def shared_out(logs: Iterable[LogSource], jobs: int | None) -> tuple[list[str], int, Iterable[LogSource]]:
    """Paths of logs, and how many processes judge them; one for logs that are not all in files that can be read again,
    and these logs."""
    rest = list(logs) if jobs is None or jobs > 1 else logs
    if not isinstance(rest, list) or not all(map(is_path, rest)):
        return [], 1, rest
    paths = [path_of(log) for log in rest]
    return paths, 1 if any(map(only_once, paths)) else processes(paths, jobs), rest


def judged_each(logs: Iterable[LogSource], load: Loader, options: Options) -> Generator[LogVerdict, None, None]:
    """The verdicts on logs, one after the other; a path may hold many. Raises `ArgumentError` for what is no log."""
    for log in logs:
        found = judge_all([path_of(log)], load, options) if is_path(log) else iter([judged(log, load, options)])
        while True:
            with LOCK:
                verdict = next(found, None)
            if verdict is None:
                break
            yield verdict


def judged(source: LogSource, load: Loader, options: Options) -> LogVerdict:
    """The verdict on a log. Raises `ArgumentError` for what is no log."""
    if is_path(source):
        return judge_path(path_of(source), load, options)
    stream = Stream(source)
    try:
        verdict = judge_log(Log(cast("IO[str]", stream), stream.name), load, options)
    except LogProblem as problem:
        from referee.judge.judgement_summary import unreadable  # slow to import, and mostly not needed

        return unreadable(LogVerdict(stream.name, LogOutcome.UNREADABLE), problem)
    text = stream.again()
    return _judged_widely(verdict, text, load, options) if verdict.large and text is not None else verdict


def _judged_widely(verdict: LogVerdict, text: bytes, load: Loader, options: Options) -> LogVerdict:
    """Another look at a log that is read more than once for it."""
    import tempfile  # slow to import, as the other, and mostly not needed

    from referee.judge.open_settings.wide_search import widely

    handle, path = tempfile.mkstemp(suffix=".jsonl")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        found = widely(verdict, path, load, all_readings=options.all_readings, seconds=options.timeout)
    finally:
        os.unlink(path)
    return replace(found, path=verdict.path)
