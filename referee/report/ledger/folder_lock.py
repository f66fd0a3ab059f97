"""One process at a time writes into a folder; when it is gone, however it went, the next one may."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from types import TracebackType

from referee.report.ledger.ledger_fault import LedgerFault, reason

NAME = "lock"
_HELD: set[str] = set()
"""The folders that this process holds: locks of the system are between processes."""


class FolderLock:
    """Held in `with`. A process that was forked off does not hold it, so that one that outlives us a little bars
    nobody."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._handle = folder, -1

    def __enter__(self) -> FolderLock:
        """Raises `LedgerFault` if another process has it, `OSError` as opening does."""
        held = str(self._folder.resolve())
        if held in _HELD:
            raise self._taken()
        self._handle = os.open(self._folder / NAME, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        try:
            _lock(self._handle)
        except OSError as error:
            os.close(self._handle)
            if error.errno in (errno.EACCES, errno.EAGAIN, getattr(errno, "EDEADLK", -1)):
                raise self._taken() from None
            raise LedgerFault("LD01", f"{self._folder} cannot be locked: {reason(error)}",
                              "name a folder on a file system that knows locks") from None
        _HELD.add(held)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        _HELD.discard(str(self._folder.resolve()))
        os.close(self._handle)

    def _taken(self) -> LedgerFault:
        return LedgerFault("LD03", f"another process writes into {self._folder}",
                           "wait until it is done, or name another folder")


def _lock(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
