"""A game of chains and liberties on a square board: stones as a dictionary, chains by walking about."""

from __future__ import annotations

from tests.rulesets.models.move import ModelMove

Spot = tuple[int, int]


class Territory:
    """Who has which point, whose turn it is, and every board that has been there."""

    def __init__(self, size: int, may_take_own: bool, komi: int) -> None:
        self.size, self.may_take_own, self.komi = size, may_take_own, komi
        self.stones: dict[Spot, int] = {}
        self.seen = {frozenset(self.stones.items())}
        self.turn = self.passes = 0

    def moves(self) -> list[ModelMove]:
        """Every legal move."""
        spots = [(x, y) for x in range(self.size) for y in range(self.size)]
        laid = [ModelMove(self.turn, "lay", (("at", _name(spot)),)) for spot in spots if self.after(spot) is not None]
        return [*laid, ModelMove(self.turn, "pass")]

    def play(self, move: ModelMove) -> None:
        """Carries a legal move out."""
        self.passes = self.passes + 1 if move.label == "pass" else 0
        if move.label == "lay":
            label = str(move.args[0][1])
            board = self.after(("abcdefghijklmnopqrs".index(label[0]), int(label[1:]) - 1))
            assert board is not None
            self.stones = board
            self.seen.add(frozenset(board.items()))
        self.turn = 1 - self.turn

    def after(self, spot: Spot) -> dict[Spot, int] | None:
        """The board after a stone is laid, or None if it may not be."""
        if spot in self.stones:
            return None
        board = {**self.stones, spot: self.turn}
        for other in self.beside(spot):
            if board.get(other) == 1 - self.turn:
                self.take_off(board, other)
        if not self.may_take_own and not self.liberties(board, spot):
            return None
        self.take_off(board, spot)
        return None if frozenset(board.items()) in self.seen else board

    def beside(self, spot: Spot) -> list[Spot]:
        x, y = spot
        around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        return [(a, b) for a, b in around if 0 <= a < self.size and 0 <= b < self.size]

    def chain(self, board: dict[Spot, int], spot: Spot) -> set[Spot]:
        found, left = {spot}, [spot]
        while left:
            for other in self.beside(left.pop()):
                if other not in found and board.get(other) == board.get(spot):
                    found.add(other)
                    left.append(other)
        return found

    def liberties(self, board: dict[Spot, int], spot: Spot) -> int:
        return len({other for one in self.chain(board, spot) for other in self.beside(one) if other not in board})

    def take_off(self, board: dict[Spot, int], spot: Spot) -> None:
        if not self.liberties(board, spot):
            for one in self.chain(board, spot):
                del board[one]

    def winners(self) -> list[int] | None:
        """Who has won, once the game is over."""
        if self.passes < 2:
            return None
        half = [0, self.komi]
        for spot in ((x, y) for x in range(self.size) for y in range(self.size)):
            around = {self.stones.get(spot)} - {None} or {
                self.stones[other] for one in self.chain(self.stones, spot) for other in self.beside(one)
                if other in self.stones}
            if len(around) == 1:
                half[around.pop() or 0] += 2
        return [seat for seat in (0, 1) if half[seat] > half[1 - seat]]


def _name(spot: Spot) -> str:
    return f"{'abcdefghijklmnopqrs'[spot[0]]}{spot[1] + 1}"
