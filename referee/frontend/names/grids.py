"""Grids: the cells of a board or map, and where a step from a cell leads in each direction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

DIRECTION = "Direction"
"""The name of the built-in type; its members are the directions that the boards and maps of the rules have."""
SQUARES = {
    "north": (0, 1),
    "north_east": (1, 1),
    "east": (1, 0),
    "south_east": (1, -1),
    "south": (0, -1),
    "south_west": (-1, -1),
    "west": (-1, 0),
    "north_west": (-1, 1),
}
"""Every direction, clockwise, as columns to the east and rows to the north on a board of squares."""
CORNERS = frozenset({"north_east", "south_east", "south_west", "north_west"})
"""The directions in which squares meet at a corner only."""
HEXAGONS = {
    "north_east": (0, 1),
    "east": (1, 0),
    "south_east": (1, -1),
    "south_west": (0, -1),
    "west": (-1, 0),
    "north_west": (-1, 1),
}
"""The same on a board of hexagons, where each row lies half a cell further to the east than the one below it."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells 0..size - 1 and, for each direction that there is, the cell one step away from each, or None.

    `corners` are those of the directions that lead over a corner; `round`: a line may come back to where it began;
    `walked`: on a map, where walls and doors say what a step is.
    """

    name: str
    size: int
    steps: Mapping[str, tuple[int | None, ...]]
    corners: frozenset[str] = frozenset()
    round: bool = False
    walked: bool = False
    _rays: dict[tuple[int, str], tuple[int, ...]] = field(default_factory=dict, compare=False)

    def ways(self, by: str) -> tuple[str, ...]:
        """The directions `by` sides, corners, or all of them, clockwise."""
        return tuple(way for way in self.steps if by == "all" or (way in self.corners) == (by == "corners"))

    def ray(self, cell: int, way: str) -> tuple[int, ...]:
        """The cells from a cell on in a direction, the nearest first, as long as there is a step; never the cell."""
        known = self._rays.get((cell, way))
        if known is None:
            steps, found, here = self.steps[way], [], self.steps[way][cell]
            while here is not None and here != cell:
                found.append(here)
                here = steps[here]
            known = self._rays[cell, way] = tuple(found)
        return known

    def beside(self, cell: int, by: str) -> frozenset[int]:
        """The cells one step away in the directions of `ways(by)`."""
        steps = (self.steps[way][cell] for way in self.ways(by))
        return frozenset(other for other in steps if other is not None and other != cell)

    def lines(self, by: str) -> Iterable[tuple[int, str, tuple[int, ...]]]:
        """Each ray of each cell, with the cell and its direction."""
        return ((cell, way, self.ray(cell, way)) for way in self.ways(by) for cell in range(self.size))

    def far(self, by: str) -> list[int]:
        """The number of steps from each cell to each, row by row; `size` where no way leads."""
        beside = [self.beside(cell, by) for cell in range(self.size)]
        found: list[int] = []
        for start in range(self.size):
            row, edge, seen, steps = [self.size] * self.size, {start}, {start}, 0
            while edge:
                for cell in edge:
                    row[cell] = steps
                edge = set().union(*(beside[cell] for cell in edge)) - seen
                seen |= edge
                steps += 1
            found += row
        return found
