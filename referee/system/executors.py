"""Tasks given to executors as `concurrent.futures` has them, whoever carries them out: the answers in order.

What a task raises is raised here. What an executor raises is its own: a worker that is gone, a machine that was lost.
Then the tasks are tried again, once together, then one by one. If one alone cannot be answered, while something that is
surely harmless can, it is the task: there is no answer to it. If not even that is answered, the executor is gone.
"""

from __future__ import annotations

import os
import pickle
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from referee.system.deadline import Stopwatch
from referee.system.lazy_dataclasses import dataclass

if TYPE_CHECKING:  # slow to import, and mostly not needed
    from concurrent.futures import Executor, Future

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")
CHUNK = 16
"""Tasks that are given at once, at first."""
MOST_CHUNK = 4096
"""Tasks that are given at once, at most, however quick they are."""
WANTED = 0.5
"""Seconds that a worker is to take for what it is given at once."""
AHEAD = 2
"""Chunks for each worker that are given away before their answers are wanted."""
MOST_MADE = 4
"""What answers tasks is kept in a worker for so many runs."""
_MADE: OrderedDict[bytes, Callable[[Any], Any]] = OrderedDict()
_ONE_AT_A_TIME = threading.Lock()
"""A worker may have several threads; rules are carried out by one."""


class ExecutorLost(Exception):
    """The executor does not answer any more, whatever it is asked."""


@dataclass(frozen=True, slots=True)
class _Raised:
    """What a task has raised."""

    error: Exception


@dataclass(frozen=True, slots=True)
class _Answers:
    """The answers to some tasks, and how long they took."""

    answers: list[Any]
    seconds: float


def answers_through(executor: Executor, tasks: Iterable[_Task], make: Callable[[], Callable[[_Task], _Answer]],
                    number: int, gone: Callable[[_Task], _Answer],
                    chunk: int = CHUNK) -> Generator[_Answer, None, None]:
    """The answer to each task, in order; only a few are given away before their answers are wanted.

    As `worker_processes.answers`: `make` is called once in each worker and makes what answers, `number` is how many
    workers there are, `gone` is the answer to a task at which workers were lost. Tasks are given in chunks, the first
    of `chunk` tasks, that take a worker about half a second. Raises `ExecutorLost`.
    """
    made = pickle.dumps(make)
    left = iter(tasks)
    given: deque[tuple[list[_Task], Future[Any]]] = deque()
    try:
        while True:
            while len(given) < AHEAD * number and (some := list(islice(left, chunk))):
                given.append((some, _submit(executor, made, some)))
            if not given:
                return
            some, future = given.popleft()
            found = _result(future) or _result(_submit(executor, made, some))
            if found is None:
                yield from _one_by_one(executor, made, some, gone)
                continue
            chunk = max(1, min(MOST_CHUNK, int(len(some) * min(2.0, WANTED / max(found.seconds, 0.001)))))
            yield from found.answers
    finally:
        for _, future in given:
            future.cancel()


def as_here(make: Callable[[], Callable[[_Task], _Answer]], identity: Callable[[], str]) -> Callable[
        [], Callable[[_Task], _Answer]]:
    """The same for workers elsewhere, which have to be as this process is: `identity` says the same there, or they
    might answer otherwise, and they see the folder from which files are named. Else `ExecutorLost` is raised."""
    return partial(_as_there, make, identity, identity(), os.getcwd())


def _as_there(make: Callable[[], Callable[[_Task], _Answer]], identity: Callable[[], str], wanted: str,
              folder: str) -> Callable[[_Task], _Answer]:
    if identity() != wanted:
        raise ExecutorLost("its workers run another version of this program, or of Python")
    _go_to(folder)
    made = make()

    def answer(task: _Task) -> _Answer:
        _go_to(folder)  # somebody else may have given tasks meanwhile
        return made(task)

    return answer


def _go_to(folder: str) -> None:
    try:
        if os.getcwd() != folder:
            os.chdir(folder)
    except OSError:
        raise ExecutorLost(f"its workers do not see the folder {folder}") from None


def _one_by_one(executor: Executor, made: bytes, some: list[_Task], gone: Callable[[_Task], _Answer]) -> Iterator[
        _Answer]:
    for task in some:
        found = _result(_submit(executor, made, [task])) or _result(_submit(executor, made, [task]))
        if found is not None:
            yield from found.answers
        elif _result(_submit(executor, pickle.dumps(_harmless), [None])) is None:
            raise ExecutorLost("it does not answer any more")
        else:
            yield gone(task)


def _submit(executor: Executor, made: bytes, tasks: list[Any]) -> Future[Any]:
    try:
        return executor.submit(_answered, made, tasks)
    except Exception as error:
        raise ExecutorLost(f"{type(error).__name__}: {str(error)[:200]}") from error


def _result(future: Future[Any]) -> _Answers | None:
    """The answers, None if nobody gave any. Raises what a task raised."""
    try:
        found = future.result()
    except Exception:  # of the executor, whatever kind it has for a worker that is gone
        return None
    except BaseException as error:
        if type(error).__name__ == "CancelledError":  # of asyncio it is no Exception
            return None
        raise
    if isinstance(found, _Raised):
        raise found.error
    assert isinstance(found, _Answers)
    return found


# ---------------------------------------------------------------------- in the worker
def _answered(made: bytes, tasks: list[Any]) -> _Answers | _Raised:
    with _ONE_AT_A_TIME:
        try:
            answer = _MADE.get(made)
            if answer is None:
                answer = pickle.loads(made)()  # noqa: S301  # of whoever gives the tasks, as they are
                _MADE[made] = answer
                if len(_MADE) > MOST_MADE:
                    _MADE.popitem(last=False)
            watch = Stopwatch()
            return _Answers([answer(task) for task in tasks], watch.seconds)
        except Exception as error:  # for the other side to raise
            return _Raised(_sendable(error))


def _sendable(error: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  # just written
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def _harmless() -> Callable[[object], bool]:
    return bool
