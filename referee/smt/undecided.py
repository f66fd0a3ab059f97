"""What interrupts a question to the solver; importing this costs nothing."""

from __future__ import annotations

Pieces = tuple[tuple[int, int], ...]


class Undecided(Exception):
    """The solver has no answer; the message says why."""


class Unstated(Exception):
    """A value that nobody stated decides. `entry` is the entry that holds it, `pieces` are where its range is split."""

    def __init__(self, entry: int, pieces: Pieces) -> None:
        super().__init__(entry)
        self.entry = entry
        self.pieces = pieces
