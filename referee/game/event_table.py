"""The events of a ruleset by small numbers, and lines of logs by what they say: a line that is known is a number."""

from __future__ import annotations

from referee.game.event import Event, Spoken

MOST_EVENTS = 65_536
"""A table with so many is not added to for long: whoever asks for one next gets a new one."""
MOST_LINES = 16_384
"""Different lines of which the event is remembered, then all are forgotten; machine code has a table of as many."""
LONGEST = 300
"""No longer line is remembered."""


class EventTable:
    """Events in the order in which they were first said: `events[number]`. It only grows; a number stays what it is."""

    def __init__(self) -> None:
        self.events: list[Spoken] = []
        self._numbers: dict[Event, int] = {}

    def number(self, said: Spoken) -> int:
        """The number of an event."""
        known = self._numbers.get(said[0])
        if known is None:
            known = self._numbers[said[0]] = len(self.events)
            self.events.append(said)
        return known

    @property
    def full(self) -> bool:
        """Whether it is large enough."""
        return len(self.events) >= MOST_EVENTS


class LineMemo:
    """The numbers of lines that certain players' logs have, by their bytes without the end of the line."""

    def __init__(self, table: EventTable) -> None:
        self.table = table
        self.numbers: dict[bytes, int] = {}

    def learn(self, raw: bytes, number: int) -> None:
        """Remembers a line, if it is one that may come again as it is."""
        if len(raw) <= LONGEST:
            if len(self.numbers) >= MOST_LINES:
                self.numbers.clear()
            self.numbers[raw] = number
