"""What a whole game comes to, and what an engine offers that judges short logs by their text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

Result = tuple[frozenset[int], tuple[int, ...] | None]
"""Who has won, and the score of each player, if the rules have one."""


class TextFollower(Protocol):
    """Judges logs of one header by the bytes of their lines, of which it has to be taught what they say. `events`,
    `note`: of the log that was judged last, how many events it has, and what a verdict says of the engine."""

    events: int
    note: str

    def followed(self, text: bytes, begin: int) -> bytes | None:
        """What a log comes to whose lines are known from a place on: the last line and the result, in bytes that are
        the same for the same; None where any line is not known, or the game is not plainly legal and over behind all
        but the last."""

    def result(self) -> Result:
        """Who has won, and the scores, of the log that was judged last."""

    def teach(self, lines: Sequence[bytes], numbers: Sequence[int], last: bytes) -> None:
        """Makes lines known, by the numbers of their events, and one that is the last of a log."""
