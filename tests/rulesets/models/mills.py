"""A game of mills on three squares, of which the points are numbered and the lines listed."""

from __future__ import annotations

from collections import Counter

from tests.rulesets.models.move import ModelMove

RINGS = [[f"{column}{ring}" for column in "abcdefgh"] for ring in (1, 2, 3)]
LINES = [*((ring[at], ring[at + 1], ring[(at + 2) % 8]) for ring in RINGS for at in (0, 2, 4, 6)),
         *((RINGS[0][at], RINGS[1][at], RINGS[2][at]) for at in (1, 3, 5, 7))]
POINTS = [point for ring in RINGS for point in ring]
BESIDE = {(a, b) for first, middle, last in LINES for a, b in ((first, middle), (middle, last))}


class Mills:
    """Men by their points, how many are still to be laid, and what ends the game without a winner."""

    def __init__(self, flying: bool) -> None:
        self.flying = flying
        self.men: dict[str, int] = {}
        self.hand = [9, 9]
        self.turn = self.quiet = 0
        self.takes = False
        self.seen: Counter[object] = Counter()
        self.came()

    def came(self) -> None:
        """A position comes about."""
        self.seen[self.position()] += 1

    def position(self) -> object:
        return frozenset(self.men.items()), tuple(self.hand), self.turn

    def in_mill(self, point: str) -> bool:
        return any(point in line and len({self.men.get(one) for one in line}) == 1 for line in LINES)

    def moves(self) -> list[ModelMove]:
        """Every legal move."""
        if self.takes:
            others = [point for point in POINTS if self.men.get(point) == 1 - self.turn]
            free = [point for point in others if not self.in_mill(point)]
            return [ModelMove(self.turn, "take", (("at", point),)) for point in free or others]
        empty = [point for point in POINTS if point not in self.men]
        if self.hand[self.turn]:
            return [ModelMove(self.turn, "lay", (("at", point),)) for point in empty]
        mine = [point for point in POINTS if self.men.get(point) == self.turn]
        flies = self.flying and len(mine) == 3
        return [ModelMove(self.turn, "move", (("from", one), ("to", other))) for one in mine for other in empty
                if flies or (one, other) in BESIDE or (other, one) in BESIDE]

    def play(self, move: ModelMove) -> None:
        """Carries a legal move out."""
        points = [str(value) for _, value in move.args]
        if move.label == "take":
            del self.men[points[0]]
            self.quiet, self.takes = 0, False
        else:
            if move.label == "lay":
                self.hand[self.turn] -= 1
            else:
                del self.men[points[0]]
                self.quiet += 1
            self.men[points[-1]] = self.turn
            self.takes = self.in_mill(points[-1])
        if not self.takes:
            self.turn = 1 - self.turn
            self.came()

    def winners(self) -> list[int] | None:
        """Who has won, once the game is over."""
        if self.takes:
            return None
        if self.hand[self.turn] + list(self.men.values()).count(self.turn) < 3:
            return [1 - self.turn]
        if self.quiet == 100 or self.seen[self.position()] == 3:
            return []
        return None if self.moves() else [1 - self.turn]
