"""How a model tells a move: who, what, and each argument by name and value, as a log does."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class ModelMove(NamedTuple):
    """A seat, a label, and pairs of the name of an argument and what a log says for it (several as a sorted tuple)."""

    by: int
    label: str
    args: tuple[tuple[str, object], ...] = ()


class GameModel(Protocol):
    """A game that can be played."""

    def moves(self) -> list[ModelMove]:
        """Every legal move where a player is to act."""
        ...

    def play(self, move: ModelMove) -> None:
        """Carries out a legal move, or what fate has done."""
        ...

    def winners(self) -> list[int] | None:
        """Who has won, once the game is over."""
        ...
