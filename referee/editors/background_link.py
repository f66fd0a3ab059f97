"""The process in the background, as the server sees it: it is started again where it is gone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from multiprocessing.connection import Connection

from referee.editors.background_tasks import Answer, Task, WentWrong
from referee.system.worker_processes import Worker

MOST_STARTS = 5
"""So often it is started again after it was ended from outside."""


class BackgroundLink:
    """Sends tasks and hears answers. `heard` is called for each answer, in a thread of this."""

    def __init__(self, heard: Callable[[Answer], None]) -> None:
        self._heard = heard
        self._lock = threading.Lock()
        self._worker: Worker | None = None
        self._starts = 0
        self._closed = False

    def ask(self, task: Task) -> None:
        """Sends a task; starts the process if there is none. An answer comes, also if that cannot be done."""
        with self._lock:
            if self._closed:
                return
            try:
                if self._worker is None:
                    self._start()
                if self._worker is not None:
                    self._worker.said.send(task)
                    return
            except OSError:
                pass
        self._heard(WentWrong(task.number, "the process in the background cannot be started"))

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._closed = True
            if self._worker is not None:
                self._worker.end()
                self._worker = None

    def _start(self) -> None:
        if self._starts > MOST_STARTS:
            return
        self._starts += 1
        self._worker = Worker(_work, fresh=True)
        threading.Thread(target=self._listen, args=(self._worker,), daemon=True).start()

    def _listen(self, worker: Worker) -> None:
        try:
            while True:
                self._heard(worker.said.recv())
        except (EOFError, OSError):
            pass
        with self._lock:
            if self._closed or self._worker is not worker:
                return
            self._worker = None
            worker.end()
        self._heard(WentWrong(0, "the process in the background has ended; it is started again"))


def _work(asked: Connection) -> None:
    """In the process: what it needs is slow to import, and of no use here."""
    from referee.editors.background import work

    work(asked)
