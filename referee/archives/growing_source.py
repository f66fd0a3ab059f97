"""A file that somebody still writes, or a pipe: its whole lines as they come, as long as anybody waits for more."""

from __future__ import annotations

import os
import select
import stat
import sys
from collections.abc import Callable
from threading import Event

from referee.archives.log_splitting import TAKEN
from referee.game.log.line_blocks import MAX_LINE
from referee.game.log.log_reader import STDIN, StreamFault, opened_file
from referee.game.log.strict_json import JsonFault, parse
from referee.system.deadline import Stopwatch

SHORTEST, LONGEST = 0.02, 0.25
"""Seconds between two looks at a file: longer and longer, as long as nothing comes."""
REMEMBERED = 256
"""So many bytes that were read are compared with what is there when more comes."""
_TEXT = b"{ \t\r\n\xef"
"""A log begins with one of these."""
_CHANGED = "LG59"


class GrowingSource:
    """Use `read` as that of a file: it waits where there is nothing, and gives whole lines only.

    `half`: there is a line begun that was never ended, and is left out; `over`: what was read has come to its end, as a
    pipe does. Raises `StreamFault` (LG59) once what was read is not what lies there any more.
    """

    def __init__(self, path: str, waits: Callable[[float], bool]) -> None:
        """`waits`: asked again and again, with the seconds since something came, whether more is waited for. Raises
        `StreamFault` for what cannot be opened."""
        self._path = None if path == STDIN else path
        self._waits = waits
        self._own = -1
        self._handle = self._opened(path)
        self._regular = stat.S_ISREG(os.fstat(self._handle).st_mode)
        self._position = os.lseek(self._handle, 0, os.SEEK_CUR) if self._regular else 0
        self._last = b""
        self._rest = b""
        self._lines = b""
        self._begun = False
        self.half = self.over = False

    def close(self) -> None:
        """Closes what was opened."""
        if self._own >= 0:
            os.close(self._own)

    def _opened(self, path: str) -> int:
        if path == STDIN:
            try:
                return sys.stdin.fileno()
            except (OSError, ValueError, AttributeError):  # it is closed, or something in its place
                raise StreamFault("LG01", "cannot be opened: there is no standard input") from None
        try:
            if stat.S_ISFIFO(os.stat(path).st_mode):  # who opens it otherwise waits for a writer, and hears nothing
                self._own = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
                return self._own
        except (OSError, ValueError):
            pass  # it is told in the words of others
        with opened_file(path) as file:
            self._own = os.dup(file.fileno())
        return self._own

    def read(self, size: int, /) -> bytes:
        """The next whole lines, at most so many bytes; none once nobody waits any more."""
        if not self._lines:
            self._lines = self._next()
        data, self._lines = self._lines[:size], self._lines[size:]
        return data

    def _next(self) -> bytes:
        if self.over or not self._waits(0.0):
            return self._ended()
        watch, pause = Stopwatch(), SHORTEST
        while True:
            data = self._new(pause)
            if data:
                watch, pause = Stopwatch(), SHORTEST
                self._begun = self._begun or self._as_text(data)
                lines, line_end, rest = data.rpartition(b"\n")
                if line_end:
                    found, self._rest = self._rest + lines + line_end, rest
                    return found
                self._rest += rest
                if len(self._rest) > MAX_LINE:
                    return self._rest_taken()  # longer than a line may be: that is told now
            elif data is None or not self._waits(watch.seconds):
                return self._ended()
            else:
                pause = min(2 * pause, LONGEST)

    def _as_text(self, data: bytes) -> bool:
        """Raises `StreamFault` for what is packed: of that nothing can be told before it is whole."""
        if data[:1] not in [bytes([one]) for one in _TEXT]:
            raise StreamFault(_CHANGED, "cannot be followed: a log that somebody writes is text, and begins with {",
                              "judge it without --follow")
        return True

    def _rest_taken(self) -> bytes:
        rest, self._rest = self._rest, b""
        return rest

    def _ended(self) -> bytes:
        """What is left when nobody waits any more: a line without an end, if it is whole but for that."""
        rest = self._rest_taken()
        if self.over and not rest:
            return b""
        self.over = True
        try:
            whole = isinstance(parse(rest.decode("utf-8")), dict)
        except (UnicodeDecodeError, JsonFault):
            whole = False
        self.half = bool(rest.strip()) and not whole
        return rest if whole else b""

    # ------------------------------------------------------------------ what is there
    def _new(self, pause: float) -> bytes | None:
        """What came since; nothing if nothing did for the length of a pause, None if nothing ever will."""
        return self._of_file(pause) if self._regular else self._of_pipe(pause)

    def _of_pipe(self, pause: float) -> bytes | None:
        try:
            if not select.select([self._handle], [], [], pause)[0]:
                return b""
        except (OSError, ValueError):
            pass  # it cannot be asked, so it is read: then only who writes can end this
        try:
            data = os.read(self._handle, TAKEN)
        except BlockingIOError:
            data = b""
        except OSError as fault:
            raise StreamFault("LG01", f"cannot be read: {fault.strerror or fault}") from None
        if not data and (self._path is None or self._begun):
            return None
        if not data:
            Event().wait(pause)  # nobody has opened it for writing yet
        return data

    def _of_file(self, pause: float) -> bytes:
        data = self._more()
        if data:
            return data
        self._sure()
        Event().wait(pause)
        return b""

    def _more(self) -> bytes:
        """What follows in the file behind what was read, which has to be there still."""
        known = len(self._last)
        try:
            if os.fstat(self._handle).st_size <= self._position:
                return b""
            os.lseek(self._handle, self._position - known, os.SEEK_SET)
            data = os.read(self._handle, known + TAKEN)
        except OSError as fault:
            raise StreamFault("LG01", f"cannot be read: {fault.strerror or fault}") from None
        if data[:known] != self._last:
            raise _changed("what was read from it has been written anew")
        self._last, found = data[-REMEMBERED:], data[known:]
        self._position += len(found)
        return found

    def _sure(self) -> None:
        """Raises `StreamFault` if the file is not the one any more that was read."""
        try:
            here = os.fstat(self._handle)
            there = here if self._path is None else os.stat(self._path)
        except FileNotFoundError:
            raise _changed("the file is not there any more") from None
        except OSError as fault:
            raise StreamFault("LG01", f"cannot be read: {fault.strerror or fault}") from None
        if here.st_size < self._position:
            raise _changed(f"it had {self._position:,} bytes and has {here.st_size:,}")
        if (here.st_ino, here.st_dev) != (there.st_ino, there.st_dev):
            raise _changed("another file has taken its place")


def _changed(what: str) -> StreamFault:
    return StreamFault(_CHANGED, f"cannot be followed any more: {what}", "judge what lies there now from its beginning")
