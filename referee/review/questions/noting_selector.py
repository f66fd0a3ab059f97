"""A selector by which the rules go, and which notes what other answers have a place in what was evaluated."""

from __future__ import annotations

from referee.frontend.names.other_answers import THE_RULES


class NotingSelector(int):
    """The value of a selector by which the rules go, which remembers what it was compared with: the other answers that
    have their place in what was just evaluated."""

    def __new__(cls) -> NotingSelector:
        made = super().__new__(cls, THE_RULES)
        made._met = set()
        return made

    _met: set[int]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            self._met.add(int(other))
        return int(self) == other

    __hash__ = int.__hash__

    def taken(self) -> frozenset[int]:
        """What it was compared with since this was asked last."""
        found = frozenset(self._met)
        self._met.clear()
        return found
