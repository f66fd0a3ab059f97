"""Processes that work for this one: they end with it, whatever ends it, and one that is ended costs little.

A worker holds one end of a pipe of which this process holds the other and writes nothing to it: when this process is
gone, the pipe is closed, and a thread of the worker that waits for that ends the worker. The keyboard interrupts this
process only, which ends its workers.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.resource_tracker import ensure_running
from types import ModuleType, TracebackType
from typing import Generic, TypeVar

from referee.system.late_writes import write_all

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")

CHUNK = 16
"""Tasks that a worker is given at once."""
AHEAD = 4
"""Chunks for each worker that are given away before their answers are wanted."""
TRIES = 2
"""So many workers may be ended at one task before there is no answer to it."""
_STARTING = threading.Lock()
_HELD: list[Connection] = []
"""Ends of pipes that this process alone is to hold: a worker that is a copy of it closes its own copies."""


class Worker:
    """A process, and where it is heard; what it is told comes to the other end. Use it in `with`: it is gone after."""

    def __init__(self, work: Callable[..., None], *arguments: object, fresh: bool = False) -> None:
        """Starts `work(connection, *arguments)` in a process; all of it is picklable. `fresh`: in one that shares
        nothing with this one, as what cannot be copied needs (it starts slowly). Raises `OSError` as starting does."""
        context = get_context("spawn") if fresh else get_context()
        if context.get_start_method() != "fork" and os.name == "posix":
            ensure_running()  # starting that process ends our being deaf, so it is there before we are
        with _STARTING, _deaf(), _without_main():
            self.said, there = context.Pipe()
            lifeline, self._held = context.Pipe(duplex=False)
            _HELD.extend((self.said, self._held))
            self._process: BaseProcess = context.Process(
                target=_begin, args=(lifeline, work, there, arguments), daemon=True)
            try:
                self._process.start()
            except BaseException:
                self._close()
                raise
            finally:
                there.close()
                lifeline.close()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.end()

    @property
    def exit_code(self) -> int | None:
        """How the process ended: a signal if below nothing; None as long as it has not."""
        return self._process.exitcode

    @property
    def id(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    def join(self) -> None:
        """Waits until the process has ended."""
        self._process.join()

    def end(self) -> None:
        """Ends the process, if it has not ended yet."""
        self._process.kill()
        self._process.join()
        self._close()

    def _close(self) -> None:
        for one in (self.said, self._held):
            one.close()
            if one in _HELD:
                _HELD.remove(one)


@contextmanager
def _deaf() -> Iterator[None]:
    """What is started meanwhile hears no interruption from the keyboard; this process hears it a little later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _without_main() -> Iterator[None]:
    """What is started meanwhile does not run the program of this process again, as it would before its work where it is
    no copy: whoever uses this as a library need not write his script for that. No work is in that program."""
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = program


def _begin(lifeline: Connection, work: Callable[..., None], there: Connection, arguments: tuple[object, ...]) -> None:
    """In the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for one in _HELD:
        one.close()
    _HELD.clear()
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()
    with suppress(BrokenPipeError, ConnectionError), there:  # nobody is there any more to be told
        work(there, *arguments)


def _watch(lifeline: Connection) -> None:
    """Ends the worker when nobody holds the other end any more."""
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)


# ---------------------------------------------------------------------- many tasks
@dataclass(frozen=True, slots=True)
class _Failed:
    """What went wrong in a worker."""

    error: Exception


@dataclass(slots=True, eq=False)
class _Chunk(Generic[_Task, _Answer]):
    """Some tasks, those of the answers that nobody has taken yet, how many are answered, and how often a worker was
    ended at the next."""

    tasks: list[_Task]
    answers: deque[_Answer] = field(default_factory=deque)
    answered: int = 0
    ended: int = 0

    @property
    def done(self) -> bool:
        return self.answered == len(self.tasks)

    def add(self, answer: _Answer) -> None:
        self.answers.append(answer)
        self.answered += 1
        self.ended = 0


def answers(tasks: Iterable[_Task], make: Callable[[], Callable[[_Task], _Answer]], number: int,
            gone: Callable[[_Task], _Answer]) -> Generator[_Answer, None, None]:
    """The answer to each task, in order, by at most `number` workers; only a few tasks are taken ahead.

    `make` is called in each worker and makes what answers; it, tasks and answers are sent, so they are picklable. What
    a worker raises is raised here. Where a worker is ended, another takes over; `gone` is the answer to a task at which
    `TRIES` were ended. Raises `OSError` if no process can be started.
    """
    pool = _Pool(iter(tasks), make, number, gone)
    try:
        yield from pool.run()
    finally:
        pool.end()


class _Pool(Generic[_Task, _Answer]):
    def __init__(self, rest: Iterator[_Task], make: Callable[[], Callable[[_Task], _Answer]], number: int,
                 gone: Callable[[_Task], _Answer]) -> None:
        self._rest, self._make, self._number, self._gone = rest, make, number, gone
        self._chunks: deque[_Chunk[_Task, _Answer]] = deque()
        self._again: deque[_Chunk[_Task, _Answer]] = deque()
        self._busy: dict[Connection, tuple[Worker, _Chunk[_Task, _Answer]]] = {}
        self._idle: list[Worker] = []

    def run(self) -> Iterator[_Answer]:
        """The answers, in order."""
        while True:
            while self._given():
                pass
            if not self._chunks:
                return
            first = self._chunks[0]
            while first.answers:
                yield first.answers.popleft()
            if first.done:
                self._chunks.popleft()
            else:
                self._hear()

    def end(self) -> None:
        """Ends the workers."""
        workers = [*self._idle, *(worker for worker, _ in self._busy.values())]
        for worker in workers:
            worker.end()

    def _given(self) -> bool:
        """Gives a worker that has nothing to do a chunk; false if there is no such worker, or no chunk for it."""
        if not self._idle and len(self._busy) >= self._number:
            return False
        chunk = self._next()
        if chunk is None:
            return False
        try:
            worker = self._idle.pop() if self._idle else Worker(_work, self._make)
        except OSError:
            if not self._busy:
                raise
            self._number = len(self._busy)  # more cannot be started here
            self._again.append(chunk)
            return False
        try:
            worker.said.send(chunk.tasks[chunk.answered:])
        except OSError:  # it was ended while it had nothing to do
            worker.end()
            self._again.append(chunk)
            return True
        self._busy[worker.said] = worker, chunk
        return True

    def _next(self) -> _Chunk[_Task, _Answer] | None:
        """The chunk to be worked on next: one that a worker has left, or a new one."""
        if self._again:
            return self._again.popleft()
        if len(self._chunks) >= self._number * AHEAD:
            return None
        tasks = list(islice(self._rest, CHUNK))
        if not tasks:
            return None
        chunk: _Chunk[_Task, _Answer] = _Chunk(tasks)
        self._chunks.append(chunk)
        return chunk

    def _hear(self) -> None:
        """Takes what workers say, or that they are gone."""
        for said in wait(list(self._busy)):
            assert isinstance(said, Connection)
            worker, chunk = self._busy[said]
            try:
                one = said.recv()
            except (EOFError, OSError):
                del self._busy[said]
                worker.end()
                self._left(chunk)
                continue
            if isinstance(one, _Failed):
                raise one.error
            chunk.add(one)
            if chunk.done:
                del self._busy[said]
                self._idle.append(worker)

    def _left(self, chunk: _Chunk[_Task, _Answer]) -> None:
        """The worker at a chunk is gone."""
        chunk.ended += 1
        if chunk.ended >= TRIES:
            chunk.add(self._gone(chunk.tasks[chunk.answered]))
        if not chunk.done:
            self._again.append(chunk)


def _work(asked: Connection, make: Callable[[], Callable[[_Task], _Answer]]) -> None:
    """In a worker: answers tasks as they come."""
    try:
        answer = make()
        for given in count():
            for task in asked.recv():
                asked.send(answer(task))
            if not given:
                write_all()  # it may be ended at any time
    except EOFError:
        return
    except (BrokenPipeError, ConnectionError):
        raise
    except Exception as error:  # for the other side to show
        try:
            asked.send(_Failed(error))
        except (TypeError, ValueError, AttributeError):  # an error that cannot be sent
            asked.send(_Failed(RuntimeError(f"{type(error).__name__}: {error}")))
