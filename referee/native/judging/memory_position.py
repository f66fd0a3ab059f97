"""Positions as machine code left them: their entries are read out of memory once somebody asks for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from referee.game.state import State
from referee.native.memory_layout import MemoryLayout


@dataclass(frozen=True, slots=True)
class FixedEntries:
    """What never changes in a game: as entries of a position, and as its block of memory."""

    entries: tuple[Any, ...]
    block: bytes


class MemoryPosition(State):
    """`image`: what a game changes, as its block of memory; `fixed`: what it never changes."""

    __slots__ = ("fixed", "image", "memory")

    def __init__(self, at: int, memory: MemoryLayout, image: bytes, fixed: FixedEntries) -> None:
        self.at = at  # type: ignore[misc]
        self._slots = None
        self.memory = memory
        self.image = image
        self.fixed = fixed

    if not TYPE_CHECKING:  # only `short` is ever missing

        def __getattr__(self, name: str) -> Any:
            if name != "short":
                raise AttributeError(f"a position has no {name}")
            self.short = tuple(self.memory.read(self.image, self.fixed.entries))
            return self.short
