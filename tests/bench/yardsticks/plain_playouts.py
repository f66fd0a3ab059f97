"""Random play-outs of connect four and breakthrough as one writes them by hand in plain Python.

A position says what is legal, one of it is drawn and carried out.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Protocol, TypeVar

from tests.bench.reference_connect_four import COLUMNS, ROWS, STRIDE, _four

_Move = TypeVar("_Move")
DISCS = ROWS * COLUMNS
SIDE = 8
EMPTY = 2


class Position(Protocol[_Move]):
    """A position of a game for two."""

    made: int
    """How many moves led there."""
    over: bool
    winner: int | None

    def legal(self) -> list[_Move]: ...

    def play(self, move: _Move) -> None: ...


class ConnectFour:
    """A position of connect four: bit boards, and the lowest free cell of each column."""

    def __init__(self) -> None:
        self.tops = [column * STRIDE for column in range(COLUMNS)]
        self.boards = [0, 0]
        self.made = 0
        self.over = False
        self.winner: int | None = None

    def legal(self) -> list[int]:
        """The columns that have a free cell."""
        return [column for column, top in enumerate(self.tops) if top < column * STRIDE + ROWS]

    def play(self, column: int) -> None:
        me = self.made & 1
        board = self.boards[me] = self.boards[me] | 1 << self.tops[column]
        self.tops[column] += 1
        self.made += 1
        if _four(board):
            self.winner = me
            self.over = True
        elif self.made == DISCS:
            self.over = True


class Breakthrough:
    """A position of breakthrough: what stands on each of the 64 squares, and where the pieces of each player stand."""

    def __init__(self) -> None:
        self.board = [0] * 16 + [EMPTY] * 32 + [1] * 16
        self.pieces = [set(range(16)), set(range(48, 64))]
        self.made = 0
        self.over = False
        self.winner: int | None = None

    def legal(self) -> list[tuple[int, int]]:
        """From where, and to where."""
        me, board, found = self.made & 1, self.board, []
        ahead = -SIDE if me else SIDE
        for origin in self.pieces[me]:
            target = origin + ahead
            if board[target] == EMPTY:
                found.append((origin, target))
            if origin % SIDE > 0 and board[target - 1] != me:
                found.append((origin, target - 1))
            if origin % SIDE < SIDE - 1 and board[target + 1] != me:
                found.append((origin, target + 1))
        return found

    def play(self, move: tuple[int, int]) -> None:
        me, (origin, target) = self.made & 1, move
        self.pieces[1 - me].discard(target)
        self.pieces[me].remove(origin)
        self.pieces[me].add(target)
        self.board[origin] = EMPTY
        self.board[target] = me
        self.made += 1
        if target // SIDE == (0 if me else SIDE - 1) or not self.pieces[1 - me]:
            self.winner = me
            self.over = True


def connect_four(games: int, random: Random) -> tuple[int, list[int]]:
    """How many moves so many games took, and how many of them the first and the second player won."""
    return _played(ConnectFour, games, random)


def breakthrough(games: int, random: Random) -> tuple[int, list[int]]:
    """The same for breakthrough."""
    return _played(Breakthrough, games, random)


def _played(begin: Callable[[], Position[_Move]], games: int, random: Random) -> tuple[int, list[int]]:
    choice = random.choice
    moves, won = 0, [0, 0]
    for _ in range(games):
        game = begin()
        while not game.over:
            game.play(choice(game.legal()))
        moves += game.made
        if game.winner is not None:
            won[game.winner] += 1
    return moves, won
