"""Judges many logs in several processes: verdicts in the order of the logs, and never many of them at once."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from referee.judge.run import Options, judge_all
from referee.judge.summary import Loader
from referee.judge.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from concurrent.futures import Future

CHUNK = 16
"""Logs that a process is given at once."""
AHEAD = 4
"""Chunks for each process that are given away before their verdicts are wanted."""
FEW = 64
"""So many logs are judged sooner by one process than several have started."""
ENDED = "the process that judged it was ended"
_LOADED: list[tuple[Loader, Options]] = []
"""In a process that was started for it: where it finds rules, and how it judges."""


def processes(logs: int, wanted: int | None) -> int:
    """How many processes judge so many logs: what is wanted, else one for each core if there are more than a few."""
    if wanted is not None:
        return min(wanted, max(1, logs))
    return 1 if logs <= FEW else available()


def available() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def judge_many(paths: Iterable[str], loader: Callable[[], Loader], options: Options, number: int) -> Iterator[Verdict]:
    """The verdict on each log, in order. `loader` makes what finds the rules in each of `number` processes; it and the
    options are sent to them. Of a log at which a process is ended from outside there is no answer."""
    rest = iter(paths)
    while broken := (yield from _together(rest, loader, options, number)):
        for path in broken:
            if (yield from _together(iter((path,)), loader, options, 1)):
                yield Verdict(path, Outcome.UNKNOWN, at=1, reason=ENDED)


def _together(rest: Iterator[str], loader: Callable[[], Loader], options: Options, number: int) -> Generator[
        Verdict, None, list[str]]:
    """Verdicts by one pool of processes; in the end the logs that were given away when it broke, of which none came."""
    from concurrent.futures import ProcessPoolExecutor  # slow to import, and mostly not needed
    from concurrent.futures.process import BrokenProcessPool

    chunks: deque[list[str]] = deque()
    answers: deque[Future[list[Verdict]]] = deque()
    with ProcessPoolExecutor(number, initializer=_start, initargs=(loader, options)) as pool:
        try:
            while True:
                while len(chunks) < number * AHEAD and (chunk := list(islice(rest, CHUNK))):
                    chunks.append(chunk)
                    answers.append(pool.submit(_judge, chunk))
                if not chunks:
                    return []
                yield from answers.popleft().result()
                chunks.popleft()
        except BrokenProcessPool:
            return [path for chunk in chunks for path in chunk]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _start(loader: Callable[[], Loader], options: Options) -> None:
    """Ctrl-C is for the process that waits for the verdicts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _LOADED.append((loader(), options))


def _judge(paths: list[str]) -> list[Verdict]:
    (load, options), = _LOADED
    return list(judge_all(paths, load, options))
