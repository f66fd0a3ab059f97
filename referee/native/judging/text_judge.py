"""Logs of one header that are judged by their text in one call of machine code, if all their lines are known."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from referee.game.event_table import EventTable
from referee.game.text_following import Result
from referee.native.judging.event_rows import EventRows
from referee.native.judging.line_table import LineTable
from referee.native.judging.memory_position import FixedEntries, MemoryPosition
from referee.native.judging.whole_text_ir import MOST_LINES, ROWS, SCORES, WINNERS, WORDS


@dataclass(frozen=True, slots=True)
class Taught:
    """Lines that machine code knows, and the events that they say: as a table has them, and as machine code does."""

    lines: LineTable
    table: EventTable
    rows: EventRows


def room_for_numbers() -> Any:
    """Where the numbers of lines are written; memory is taken up only as far as it is used."""
    return (ctypes.c_int32 * MOST_LINES).from_buffer(bytearray(4 * MOST_LINES))


class TextJudge:
    """As `TextFollower` says, from a position on. `judge`: the function of machine code that judges a text; `take_up`
    gives the memory that it works on."""

    def __init__(self, judge: Any, take_up: Callable[[FixedEntries], tuple[int, int]], begun: MemoryPosition,
                 taught: Taught, room: Any, *, scores: int, tested: bool, note: str) -> None:
        self.events = 0
        self.note = note
        self._judge = judge
        self._take_up = take_up
        self._fixed = begun.fixed
        self._taught = taught
        self._room = room
        self._told = array("q", bytes(8 * (SCORES + scores)))
        self._image = ctypes.create_string_buffer(begun.image, len(begun.image))
        self._given = array("q", (begun.at, ctypes.addressof(self._image), len(begun.image),
                                  taught.lines.book.buffer_info()[0], ctypes.addressof(room), 0, 0, int(tested),
                                  self._told.buffer_info()[0]))
        self._place = self._given.buffer_info()[0]

    def followed(self, text: bytes, begin: int) -> bytes | None:
        """What a log comes to; None if that has to be found out in another way."""
        state, fixed = self._take_up(self._fixed)
        self.events = self._judge(state, fixed, self._place, text, begin, len(text))
        return self._told.tobytes() if self.events > 0 else None

    def result(self) -> Result:
        """Who has won, and the scores, of the log that was judged last."""
        won, scores = self._told[WINNERS] & (1 << 64) - 1, tuple(self._told[SCORES:])
        return frozenset([seat for seat in range(won.bit_length()) if won >> seat & 1]), scores or None

    def teach(self, lines: Sequence[bytes], numbers: Sequence[int], last: bytes) -> None:
        """Makes lines known."""
        rows, known = self._taught.rows, self._taught.lines
        rows.cover(self._taught.table)
        self._given[ROWS], self._given[WORDS] = rows.places
        for line, number in zip(lines, numbers, strict=True):
            known.learn(line, number)
        known.learn_last(last)
