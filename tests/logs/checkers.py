"""Five small games in plain Python: a second, independent opinion on the rulesets of the same names.

A checker knows which events may come next and what the result is. Nothing here imports the package under test.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

Move = tuple[str, str, tuple[tuple[str, str | int], ...]]
Result = tuple[str | None, dict[str, int]]


class Checker(Protocol):
    """One game in progress."""

    def moves(self) -> list[Move]:
        """The events that may come next, none once the game is over."""

    def play(self, move: Move) -> None:
        """Carries out one of `moves()`."""

    def result(self) -> Result | None:
        """Winner (None: nobody) and scores, or None while the game goes on."""


def decided(players: Sequence[str], winner: int | None) -> Result:
    """One point for the winner, one less for the other; nothing if nobody wins."""
    if winner is None:
        return None, dict.fromkeys(players, 0)
    return players[winner], {p: 1 if i == winner else -1 for i, p in enumerate(players)}


class _Lines:
    """A board on which discs stay where they are put, and so many in a line win."""

    columns: str
    rows: int
    wanted: int

    def __init__(self, players: Sequence[str]) -> None:
        self.players = players
        self.board: dict[tuple[int, int], int] = {}
        self.winner: int | None = None

    @property
    def turn(self) -> int:
        return len(self.board) % 2

    def put(self, column: int, row: int) -> None:
        me = self.turn
        self.board[column, row] = me
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            length = 1
            for sign in (1, -1):
                x, y = column + sign * dx, row + sign * dy
                while self.board.get((x, y)) == me:
                    length, x, y = length + 1, x + sign * dx, y + sign * dy
            if length >= self.wanted:
                self.winner = me

    @property
    def over(self) -> bool:
        return self.winner is not None or len(self.board) == len(self.columns) * self.rows

    def result(self) -> Result | None:
        return decided(self.players, self.winner) if self.over else None


class TicTacToe(_Lines):
    columns, rows, wanted = "abc", 3, 3

    def moves(self) -> list[Move]:
        if self.over:
            return []
        free = [(c, r) for c in range(3) for r in range(3) if (c, r) not in self.board]
        return [(self.players[self.turn], "mark", (("cell", f"{self.columns[c]}{r + 1}"),)) for c, r in free]

    def play(self, move: Move) -> None:
        cell = str(move[2][0][1])
        self.put(self.columns.index(cell[0]), int(cell[1]) - 1)


class ConnectFour(_Lines):
    columns, rows, wanted = "1234567", 6, 4

    def height(self, column: int) -> int:
        return sum((column, row) in self.board for row in range(6))

    def moves(self) -> list[Move]:
        if self.over:
            return []
        return [(self.players[self.turn], "drop", (("column", c),)) for c in range(1, 8) if self.height(c) < 6]

    def play(self, move: Move) -> None:
        column = int(move[2][0][1])
        self.put(column, self.height(column))


class Breakthrough:
    def __init__(self, players: Sequence[str]) -> None:
        self.players = players
        self.board = {(x, y): 0 if y > 5 else 1 for x in range(8) for y in (0, 1, 6, 7)}
        self.turn = 0
        self.winner: int | None = None

    def _steps(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        ahead = -1 if self.turn == 0 else 1
        found = []
        for x, y in sorted(at for at, owner in self.board.items() if owner == self.turn):
            for side in (-1, 0, 1):
                to = (x + side, y + ahead)
                there = self.board.get(to)
                free = there is None if side == 0 else there != self.turn
                if 0 <= to[0] < 8 and 0 <= to[1] < 8 and free:
                    found.append(((x, y), to))
        return found

    def moves(self) -> list[Move]:
        if self.winner is not None:
            return []
        name = self.players[self.turn]
        return [(name, "move", (("from", _square(a)), ("to", _square(b)))) for a, b in self._steps()]

    def play(self, move: Move) -> None:
        old, new = (_place(str(value)) for _, value in move[2])
        self.board[new] = self.board.pop(old)
        other = 1 - self.turn
        if new[1] == (0 if self.turn == 0 else 7) or other not in self.board.values():
            self.winner = self.turn
        self.turn = other

    def result(self) -> Result | None:
        return decided(self.players, self.winner) if self.winner is not None else None


def _square(at: tuple[int, int]) -> str:
    return f"{'abcdefgh'[at[0]]}{at[1] + 1}"


def _place(square: str) -> tuple[int, int]:
    return "abcdefgh".index(square[0]), int(square[1]) - 1


class KuhnPoker:
    ranks = "JQK"

    def __init__(self, players: Sequence[str]) -> None:
        self.players = players
        self.cards: list[str] = []
        self.bets: list[str] = []

    def moves(self) -> list[Move]:
        if len(self.cards) < 2:
            to = self.players[len(self.cards)]
            return [("fate", "deal", (("card", c), ("to", to))) for c in self.ranks if c not in self.cards]
        if self.result() is not None:
            return []
        return [(self.players[len(self.bets) % 2], do, ()) for do in ("pass", "bet")]

    def play(self, move: Move) -> None:
        if move[1] == "deal":
            self.cards.append(str(move[2][0][1]))
        else:
            self.bets.append(move[1])

    def result(self) -> Result | None:
        higher = 0 if len(self.cards) == 2 and self.ranks.index(self.cards[0]) > self.ranks.index(self.cards[1]) else 1
        winner, stake = {
            ("pass", "pass"): (higher, 1), ("bet", "bet"): (higher, 2), ("pass", "bet", "bet"): (higher, 2),
            ("bet", "pass"): (0, 1), ("pass", "bet", "pass"): (1, 1),
        }.get(tuple(self.bets), (None, 0))
        if winner is None:
            return None
        return self.players[winner], {p: stake if i == winner else -stake for i, p in enumerate(self.players)}


class Goofspiel:
    def __init__(self, players: Sequence[str]) -> None:
        self.players = players
        self.hands = [set(range(1, 6)), set(range(1, 6))]
        self.points = [0, 0]
        self.prize = 5
        self.bid: dict[int, int] = {}

    def moves(self) -> list[Move]:
        if self.prize == 0:
            return []
        return [(self.players[i], "bid", (("card", c),)) for i in (0, 1) if i not in self.bid
                for c in sorted(self.hands[i])]

    def play(self, move: Move) -> None:
        seat = self.players.index(move[0])
        self.bid[seat] = int(move[2][0][1])
        if len(self.bid) == 2:
            self._award()
            if self.prize == 1:
                self.bid = {i: next(iter(hand)) for i, hand in enumerate(self.hands)}
                self._award()

    def _award(self) -> None:
        if self.bid[0] != self.bid[1]:
            self.points[0 if self.bid[0] > self.bid[1] else 1] += self.prize
        for seat, card in self.bid.items():
            self.hands[seat].remove(card)
        self.bid = {}
        self.prize -= 1

    def result(self) -> Result | None:
        if self.prize:
            return None
        a, b = self.points
        winner = None if a == b else self.players[0 if a > b else 1]
        return winner, dict(zip(self.players, self.points, strict=True))


Games = dict[str, tuple[Callable[[Sequence[str]], Checker], tuple[str, str]]]

GAMES: Games = {
    "tic_tac_toe": (TicTacToe, ("x", "o")),
    "connect_four": (ConnectFour, ("x", "o")),
    "breakthrough": (Breakthrough, ("black", "white")),
    "kuhn_poker": (KuhnPoker, ("ana", "ben")),
    "goofspiel": (Goofspiel, ("ana", "ben")),
}
