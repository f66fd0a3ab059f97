"""Tasks that hang on nothing but themselves, shared out among processes of this machine or an executor by its name."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from typing import TypeVar

from referee.api.errors import ArgumentError
from referee.frontend.loading.loader import program_digest
from referee.system.executors import CHUNK, ExecutorLost, answers_through, as_here
from referee.system.named_executors import KINDS as KINDS
from referee.system.named_executors import PROCESSES as PROCESSES
from referee.system.named_executors import NoExecutor, check_name, opened

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")


def shared(tasks: Iterable[_Task], make: Callable[[], Callable[[_Task], _Answer]], jobs: int,
           gone: Callable[[_Task], _Answer], where: str = PROCESSES, *, large: bool = False) -> (
        Generator[_Answer, None, None]):
    """The answer to each task, in order; arguments as of `worker_processes.answers`, `where`: one of
    `named_executors.KINDS`, of which all that but `processes` have as many workers as they have. `large`: a task is
    worth being given by itself.

    Raises what a task raises, `OSError` if no process can be started, and `ArgumentError` (LD13 to LD15) if there is no
    such executor, or it is lost.
    """
    if where == PROCESSES:
        from referee.system.worker_processes import answers  # slow to import, and mostly not needed

        yield from answers(tasks, make, jobs, gone)
        return
    there = as_here(make, program_digest)
    try:
        with opened(where) as found, closing(
                answers_through(found.executor, tasks, there, found.workers, gone, 1 if large else CHUNK)) as answered:
            yield from answered
    except NoExecutor as none:
        raise ArgumentError(none.code, none.message, hint=none.hint) from None
    except ExecutorLost as lost:
        raise ArgumentError("LD15", f"{where} does not answer: {lost}") from None


def an_executor(where: str) -> str:
    """The name, if there is such an executor. Raises `ArgumentError` (LD13)."""
    try:
        check_name(where)
    except NoExecutor as none:
        raise ArgumentError(none.code, none.message, hint=none.hint) from None
    return where
