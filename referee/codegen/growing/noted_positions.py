"""Lists that only grow at their end, in which what is alike is counted without looking at each entry.

What is noted carries where it stands among all that was noted before it (`HistoryCourse`). Such an entry is made where
it is noted and nowhere else, and what stands before it is not changed afterwards: if the course still has this very
entry at its place, all before it are those of the course, in whatever copy of a position the list lies. Where it is
not so (another course was gone meanwhile, or a position was read from a text) the entries are gone through. Counted
are values that are equal, never their digests.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

FEW_GONE_THROUGH = 32
"""So many entries are gone through in less time than it takes to look where they stand."""


class NotedNumber(int):
    """A number that is noted: it is what it is anywhere else, and knows its course."""

    course: HistoryCourse

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        """Sent elsewhere it is a number alone."""
        return int, (int(self),)


class HistoryCourse:
    """All that was noted up to some place, and at which places each value was."""

    def __init__(self, entries: list[int]) -> None:
        self.entries = entries
        self.places: dict[int, list[int]] = {}
        for place, one in enumerate(entries):
            self.places.setdefault(one, []).append(place)

    def cut(self, length: int) -> None:
        """Forgets what was noted from a place on: it was looked at, or taken back."""
        while len(self.entries) > length:
            gone = self.places[one := self.entries.pop()]
            gone.pop()
            if not gone:
                del self.places[one]

    def add(self, one: NotedNumber) -> None:
        """Notes what comes next."""
        one.course = self
        self.places.setdefault(one, []).append(len(self.entries))
        self.entries.append(one)


def note(slots: list[Any], base: int, at: int, value: int) -> None:
    """Notes a value as the entry `at` of a list whose first entry is `base`, behind all that was noted before it."""
    if at - base < FEW_GONE_THROUGH:
        slots[at] = value
        return
    one, before = NotedNumber(value), slots[at - 1]
    course = before.course if before.__class__ is NotedNumber else None
    if course is None or not _goes_on(course, at - base, before):
        course = HistoryCourse(slots[base:at])
    course.cut(at - base)
    course.add(one)
    slots[at] = one


def times(slots: list[Any], begin: int, end: int, value: int) -> int:
    """How many of the entries from `begin` up to `end`, where nothing is noted yet, are a value."""
    last = slots[end - 1] if end > begin else None
    if last.__class__ is NotedNumber and _goes_on(last.course, end - begin, last):
        return bisect_left(last.course.places.get(value, ()), end - begin)
    return slots[begin:end].count(value)


def _goes_on(course: HistoryCourse, length: int, last: int) -> bool:
    """Whether a list of so many entries that ends with this one is the course up to there."""
    return len(course.entries) >= length and course.entries[length - 1] is last
