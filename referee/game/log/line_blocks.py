"""The lines of a stream in blocks: as many as there are at hand, so that those that are known can be told together."""

from __future__ import annotations

from collections.abc import Callable
from typing import IO

MAX_LINE = 1 << 20
"""Bytes (or characters) in a line, at most."""
BLOCK = 1 << 16
"""So many bytes are asked for at once; a line that is longer than `MAX_LINE` is longer than this."""
AT_ONCE = 64
"""So many lines are taken together of a stream that gives one line after the other."""


class TooLongLine(Exception):
    """A line has more than `MAX_LINE` bytes."""


class LineBlocks:
    """The lines of a stream, as bytes without the line feed at their end.

    `fault`: why no line can be read behind those that were given; `cut`: the line given last had no line feed;
    `lenient`: the stream is text, and what is no character in it is in the bytes as well.
    """

    def __init__(self, stream: IO[bytes] | IO[str]) -> None:
        self.fault: Exception | None = None
        self.cut = False
        self.lenient = False
        self._readline: Callable[[int], bytes | str] = stream.readline
        self._read: Callable[[int], bytes] | None = getattr(stream, "read1", None)
        self._begun: list[bytes] = []
        self._length = 0
        self._over = False

    def first(self) -> list[bytes]:
        """One line: who reads the header of a log takes no more of it. Nothing at the end."""
        return self._by_line(1)

    def more(self) -> list[bytes]:
        """The lines that come next; nothing at the end, and where a fault is."""
        return self._by_line(AT_ONCE) if self._read is None else self._by_block(self._read)

    def _by_line(self, most: int) -> list[bytes]:
        found: list[bytes] = []
        while len(found) < most and not self._over:
            try:
                raw = self._readline(MAX_LINE + 1)
                if len(raw) > MAX_LINE:
                    raise TooLongLine
            except (UnicodeDecodeError, OSError, TooLongLine) as fault:
                self._end(fault)
                break
            if not raw:
                self._end(None)
                break
            if isinstance(raw, str):
                self.lenient = True
                raw = raw.encode("utf-8", "surrogatepass")
            self.cut = not raw.endswith(b"\n")
            found.append(raw if self.cut else raw[:-1])
            if self.cut:
                break
        return found

    def _by_block(self, read: Callable[[int], bytes]) -> list[bytes]:
        while not self._over:
            try:
                data = read(BLOCK)
            except OSError as fault:
                return self._end(fault)
            if not data:
                return self._end(None)
            self._begun.append(data)
            self._length += len(data)
            if b"\n" in data:
                lines = b"".join(self._begun).split(b"\n")
                self._begun = [lines.pop()]
                self._length, self.cut = len(self._begun[0]), False
                if len(lines[0]) < MAX_LINE:
                    return lines
                return self._end(TooLongLine())
            if self._length > MAX_LINE:
                return self._end(TooLongLine())
        return []

    def _end(self, fault: Exception | None) -> list[bytes]:
        """The last line, if it is whole but for its end."""
        last, self._begun, self._over, self.fault = b"".join(self._begun), [], True, fault
        self.cut = bool(last)
        return [last] if last and fault is None else []
