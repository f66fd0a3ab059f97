"""Lines by their bytes in memory that machine code reads: each with a number; when it is full it begins anew."""

from __future__ import annotations

import ctypes
from array import array
from typing import Any

from referee.game.event_table import LONGEST, MOST_LINES
from referee.native.judging.line_lookup_ir import SLOT, USED
from referee.native.point_ir import UNUSUAL

_SLOTS = 2 * MOST_LINES
"""Slots of the table: half of them stay free."""
_TEXTS = 128 * MOST_LINES
"""Bytes of texts; a line takes up to eight more than it has."""


class LineTable:
    """`book`: where the table lies, as machine code is told; it stays there. Memory is taken up as lines come."""

    def __init__(self, learn: Any) -> None:
        """`learn`: the function of machine code that puts a line in."""
        self._learn = learn
        self.book = array("q", (0,) * 4)
        self._lines, self._ends = 0, UNUSUAL
        self._begin()

    def _begin(self) -> None:
        self._blocks = bytearray(_SLOTS * SLOT * 8), bytearray(_TEXTS)
        places = (ctypes.addressof((ctypes.c_char * len(block)).from_buffer(block)) for block in self._blocks)
        self.book[:] = array("q", (_SLOTS - 1, *places, 0))
        self._lines = 0

    def learn_last(self, line: bytes) -> None:
        """Puts in the last line of a log. No other ever has its number, which is none of an event."""
        self._ends -= 1
        self.learn(line, self._ends)

    def learn(self, line: bytes, number: int) -> None:
        """Puts a line in, without its end, if it is one that may come again as it is."""
        if len(line) > LONGEST or b"\n" in line:
            return
        if self._lines >= MOST_LINES or self.book[USED] + len(line) + 8 > _TEXTS:
            self._begin()
        before = self.book[USED]
        self._learn(None, None, self.book.buffer_info()[0], line + b"\n", len(line) + 1, number)
        self._lines += self.book[USED] != before
