"""Three more games, of stones and tiles, in plain Python, beside those of `checkers`.

They are after the rules as players know them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from tests.logs.checkers import Checker, Games, Move, Result, decided

Place = tuple[int, int]
WinnerBy = Callable[[Mapping[Place, int], Place], int | None]
HEXAGONS = ((1, 0), (0, 1), (1, -1))
"""Half of the six ways from a hexagon; in columns and rows as the boards count them."""


def _named(at: Place) -> str:
    return f"{'abcdefghi'[at[0]]}{at[1] + 1}"


def _at(name: str) -> Place:
    return "abcdefghi".index(name[0]), int(name[1:]) - 1


class Stones:
    """Stones of two players are laid in turn on free cells and stay there; `winner_by` says who has won by the last."""

    def __init__(self, players: Sequence[str], do: str, cells: Sequence[Place], winner_by: WinnerBy) -> None:
        self.players = players
        self.do = do
        self.cells = cells
        self.winner_by = winner_by
        self.stones: dict[Place, int] = {}
        self.winner: int | None = None

    def moves(self) -> list[Move]:
        if self.result() is not None:
            return []
        turn = self.players[len(self.stones) % 2]
        return [(turn, self.do, (("at", _named(cell)),)) for cell in self.cells if cell not in self.stones]

    def play(self, move: Move) -> None:
        at, me = _at(str(move[2][0][1])), len(self.stones) % 2
        self.stones[at] = me
        self.winner = self.winner_by(self.stones, at)

    def result(self) -> Result | None:
        if self.winner is None and len(self.stones) < len(self.cells):
            return None
        return decided(self.players, self.winner)


def joined(stones: Mapping[Place, int], at: Place) -> int | None:
    """The first joins the lowest row to the highest of five, the second the left column to the right."""
    me = stones[at]
    along = 1 - me
    new = {cell for cell, owner in stones.items() if owner == me and cell[along] == 0}
    reached = set(new)
    while new:
        around = {(x + way * dx, y + way * dy) for x, y in new for dx, dy in HEXAGONS for way in (1, -1)}
        new = {cell for cell in around - reached if stones.get(cell) == me}
        reached |= new
    return me if any(cell[along] == 4 for cell in reached) else None


def four_or_three(stones: Mapping[Place, int], at: Place) -> int | None:
    """Four in a row win, three that are no four lose."""
    longest = max(1 + _run(stones, at, way) + _run(stones, at, (-way[0], -way[1])) for way in HEXAGONS)
    me = stones[at]
    return me if longest > 3 else 1 - me if longest == 3 else None


def _run(stones: Mapping[Place, int], at: Place, way: Place) -> int:
    """How many stones of the same player follow one in a direction."""
    length, x, y = 0, at[0] + way[0], at[1] + way[1]
    while stones.get((x, y)) == stones[at]:
        length, x, y = length + 1, x + way[0], y + way[1]
    return length


def side_to_side(players: Sequence[str]) -> Checker:
    return Stones(players, "place", [(x, y) for x in range(5) for y in range(5)], joined)


def four_not_three(players: Sequence[str]) -> Checker:
    cells = [(x, y) for x in range(9) for y in range(9) if 4 <= x + y <= 12]
    return Stones(players, "lay", cells, four_or_three)


class Isolation:
    """A step to one of eight tiles around, then a tile is taken out; who cannot step when his turn begins loses."""

    def __init__(self, players: Sequence[str]) -> None:
        self.players = players
        self.places = [(3, 0), (3, 6)]
        self.floor = {(x, y) for x in range(7) for y in range(7)}
        self.turn = 0
        self.stepped = False

    def _free(self) -> set[Place]:
        return self.floor - set(self.places)

    def _steps(self) -> list[Place]:
        x, y = self.places[self.turn]
        return sorted(cell for cell in self._free() if max(abs(cell[0] - x), abs(cell[1] - y)) == 1)

    def moves(self) -> list[Move]:
        name = self.players[self.turn]
        if self.stepped:
            return [(name, "take", (("tile", _named(cell)),)) for cell in sorted(self._free())]
        return [(name, "step", (("to", _named(cell)),)) for cell in self._steps()]

    def play(self, move: Move) -> None:
        at = _at(str(move[2][0][1]))
        if self.stepped:
            self.floor.remove(at)
            self.turn = 1 - self.turn
        else:
            self.places[self.turn] = at
        self.stepped = not self.stepped

    def result(self) -> Result | None:
        return None if self.stepped or self._steps() else decided(self.players, 1 - self.turn)


BOARDS: Games = {
    "side_to_side": (side_to_side, ("x", "o")),
    "four_not_three": (four_not_three, ("white", "black")),
    "isolation": (Isolation, ("first", "second")),
}
