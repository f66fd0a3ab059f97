"""Splits a stream of bytes where a log begins: at each line that is a header."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import IO, cast

from referee.game.log.line_blocks import MAX_LINE
from referee.game.log.strict_json import JsonFault, parse

TAKEN = 1 << 18
"""Bytes that are taken at once; what a log that is not longer says is known before it is read."""
MOST_BEHIND = 1 << 26
"""Bytes that are looked through, where there may be no end, for the log behind one that cannot be read on."""
HEADER_WORD = b'"schema"'
"""No header is without it."""
_HEADER = re.compile(rb'(?:\xef\xbb\xbf)?[ \t\r]*\{[ \t]*"schema"[ \t]*:')
_SCHEMAS = "referee/log/"
_BLANK = b" \t\r\n\xef\xbb\xbf"


def is_header(line: bytes) -> bool:
    """Whether a log begins with a line: its first key is `schema`, or that says that a log of ours begins."""
    if _HEADER.match(line):
        return True
    try:
        value = parse(line.decode("utf-8"))
    except (UnicodeDecodeError, JsonFault):
        return False
    return isinstance(value, dict) and str(value.get("schema", "")).startswith(_SCHEMAS)


class LogBytes(io.RawIOBase):
    """The bytes of one log. Once the next is asked for there are none any more."""

    def __init__(self, take: Callable[[int], bytes]) -> None:
        super().__init__()
        self._take = take

    def readable(self) -> bool:
        """They can be read."""
        return True

    def readinto(self, into: bytearray | memoryview, /) -> int:  # type: ignore[override]
        """The next bytes, as many as there are at once."""
        data = self._take(len(into))
        into[:len(data)] = data
        return len(data)


class SplitStream:
    """Bytes, log by log.

    `line`, `offset`: where the log begins that was given last; `whole`: its bytes, if they are known; `more`: whether
    another follows, None as long as that is not known. What cannot be read is raised where the log is read to which it
    belongs. `waits`: to know more of a log more is read than there is at once.
    """

    def __init__(self, read: Callable[[int], bytes], *, waits: bool = True, line: int = 1, offset: int = 0) -> None:
        self._read, self._waits = read, waits
        self._buffer = b""
        self._at = self._edge = self._behind = 0
        self._fresh = True          # whether the buffer begins where a line does
        self._blank = True          # whether nothing was read of this log but blanks
        self._header_ahead = self._ended = False
        self._fault: OSError | None = None
        self._current = 0
        self.line, self.offset = line, offset
        self._lines, self._bytes = line - 1, offset
        self.whole: bytes | None = None

    @property
    def ended(self) -> bool:
        """Whether no bytes follow."""
        return self._ended

    @property
    def more(self) -> bool | None:
        """Whether another log follows the one that was given last."""
        return True if self._header_ahead else False if self._ended else None

    def logs(self) -> Iterator[IO[bytes]]:
        """One log after the other, each to be read before the next is asked for; the first begins at the beginning."""
        while True:
            self._current += 1
            self.line, self.offset = self._lines + 1, self._bytes
            behind = self._behind if self._header_ahead else self._at  # its own header was looked at already
            self._blank, self._header_ahead = behind == self._at, False
            self._look(behind)
            while self._waits and not self._header_ahead and not self._ended and \
                    len(self._buffer) - self._at < TAKEN:
                self._fill()
            if (self._header_ahead or self._ended) and self._fault is None:
                self.whole = self._taken(self._edge - self._at)
                yield io.BytesIO(self.whole)
            else:
                self.whole = None
                number = self._current
                stream = LogBytes(lambda size, number=number: self._bytes_of(number, size))  # type: ignore[misc]
                yield cast("IO[bytes]", io.BufferedReader(stream, TAKEN))
            if not self.skip():
                return

    def skip(self, most: int | None = None) -> bool:
        """Reads on to the end of the log that was given last; whether another follows. What lies behind so many bytes
        is left alone."""
        end = None if most is None else self._bytes + most
        while not self._header_ahead:
            if self._edge > self._at:
                self._taken(self._edge - self._at)
            elif self._ended or (end is not None and self._bytes > end):
                return False
            else:
                self._fill()
        if self._edge > self._at:
            self._taken(self._edge - self._at)
        return True

    def _bytes_of(self, number: int, size: int) -> bytes:
        if number != self._current:
            return b""
        while self._at == self._edge and not self._header_ahead and not self._ended:
            self._fill()
        if self._at == self._edge and self._fault is not None and not self._header_ahead:
            raise self._fault
        return self._taken(min(size, self._edge - self._at))

    def _taken(self, size: int) -> bytes:
        """Bytes of this log that lie ready."""
        data = self._buffer[self._at:self._at + size]
        self._at += size
        self._bytes += size
        self._lines += data.count(b"\n")
        self._blank = self._blank and not data.strip(_BLANK)
        return data

    def _fill(self) -> None:
        """Reads more, and looks where this log ends."""
        try:
            data = self._read(TAKEN)
        except OSError as fault:
            data, self._fault = b"", fault
        if self._at:
            self._fresh = self._buffer[self._at - 1:self._at] == b"\n"
        looked = self._edge - self._at
        self._buffer = self._buffer[self._at:] + data
        self._at, self._edge = 0, looked
        self._ended = not data
        self._look(looked)

    def _look(self, start: int) -> None:
        """Finds how much of the buffer belongs to this log, from where it was not looked at yet."""
        buffer = self._buffer
        end = len(buffer) if self._ended else buffer.rfind(b"\n", start) + 1
        if end <= start and len(buffer) - start > MAX_LINE:
            end = len(buffer)  # a line longer than any may be: whatever follows in it begins no log
        at = start
        while (found := buffer.find(HEADER_WORD, at, end)) >= 0:
            begins = buffer.rfind(b"\n", 0, found) + 1
            ends = buffer.find(b"\n", found, end) + 1 or end
            own = self._blank and not buffer[self._at:begins].strip(_BLANK)
            if not own and (begins or self._fresh) and is_header(buffer[begins:ends]):
                self._edge, self._behind, self._header_ahead = begins, ends, True
                return
            at = ends
        self._edge = max(start, end)
