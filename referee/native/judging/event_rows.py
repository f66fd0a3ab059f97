"""What events say, as machine code reads it: a row of words for each, and the words of its arguments."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from referee.game.event import Spoken
from referee.game.event_table import EventTable
from referee.native.ways.event_kinds import Said

UNKNOWN = -1
"""Stands for the kind of an event that machine code does not know."""


class EventRows:
    """Rows of events, numbered as they came. `kinds`: number and widths of the arguments, by what an event says;
    `number`: how many rows there are; `places`: where rows and words lie, which move when something is added."""

    def __init__(self, kinds: Mapping[Said, tuple[int, list[int]]]) -> None:
        self._kinds = kinds
        self._rows = array("q")
        self._words = array("q", (0,))
        self.number = 0
        self.places = (0, 0)

    def add(self, said: Spoken | None) -> int:
        """A further row: its number. One that no machine code takes is unknown there."""
        number = self.number
        kind, by, begin = UNKNOWN, 0, 0
        if said is not None:
            _, key, by, values = said
            found = self._kinds.get((key, tuple([value.__class__ is tuple for value in values])))
            words = None if found is None else _words_of(values, found[1])
            if found is not None and words is not None:
                kind, begin = found[0], len(self._words)
                self._words.extend(words)
        self._rows.extend((kind, by, begin))
        self.number += 1
        self.places = self._rows.buffer_info()[0], self._words.buffer_info()[0]
        return number

    def cover(self, table: EventTable) -> None:
        """Has a row for each event of a table, of which it has the first."""
        for said in table.events[self.number:]:
            self.add(said)


def _words_of(values: tuple[object, ...], widths: list[int]) -> list[int] | None:
    """Arguments as words; None if no alternative has room for them."""
    words = list[int]()
    for value, width in zip(values, widths, strict=True):
        if isinstance(value, tuple):
            if len(value) >= width:
                return None
            words.extend((len(value), *value, *[0] * (width - 1 - len(value))))
        elif value.__class__ is int and isinstance(value, int):
            words.append(value)
        else:
            return None
    return words
