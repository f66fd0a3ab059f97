"""Constant tables of a grid: steps, rays, lines, distances. Each is made when the rules first ask for it."""

from __future__ import annotations

from math import prod

from referee.core.types import Bool, DomainKind, Elem, Int, Maybe, Scalar, SetOf, Type, Value, size
from referee.diagnostics.source import Span
from referee.frontend.names.grids import DIRECTION, SQUARES, Grid
from referee.frontend.names.symbol_table import Symbols

MOST_ENTRIES_OF_A_TABLE = 300_000
"""Entries of a table that is made of a board: rules that would take a larger one are refused."""


class GridTables:
    """The tables of one grid: each method gives the name of a table that is there then."""

    def __init__(self, symbols: Symbols, grid: Grid) -> None:
        self._symbols = symbols
        self.grid = grid
        self.cell = symbols.domains[grid.name].whole
        self.way = direction(symbols)
        self._ways = [str(label) for label in symbols.domains[DIRECTION].labels]

    def _made(self, name: str, keys: tuple[Scalar, ...], kind: Type, values: list[Value]) -> str:
        return self._symbols.table(name, keys, kind, tuple(values))

    def _bounded(self, what: str, keys: tuple[Scalar, ...], span: Span) -> None:
        entries = prod(size(key) for key in keys)
        if entries > MOST_ENTRIES_OF_A_TABLE:
            said = f"{what} on {self.grid.name} would take a table of {entries:,} entries, {MOST_ENTRIES_OF_A_TABLE:,}"
            hint = "go from cell to cell by `step from CELL toward DIRECTION`, or along a `ray`"
            raise self._symbols.wrong("BD07", f"{said} are allowed", span, hint=hint)

    def step(self) -> str:
        """Cell and direction -> the next cell, or none."""
        name = f"step on {self.grid.name}"
        if name not in self._symbols.tables:
            steps = [self.grid.steps.get(way, (None,) * self.grid.size) for way in self._ways]
            values: list[Value] = [to[cell] for cell in range(self.grid.size) for to in steps]
            self._made(name, (self.cell, self.way), Maybe(self.cell), values)
        return name

    def ray(self) -> str:
        """Cell and direction -> the cells there."""
        name = f"ray on {self.grid.name}"
        if name not in self._symbols.tables:
            self._made(name, (self.cell, self.way), SetOf(self.cell), [frozenset(ray) for ray in self._rays()])
        return name

    def length(self) -> str:
        """Cell and direction -> how many cells are there."""
        name = f"cells in a ray on {self.grid.name}"
        if name not in self._symbols.tables:
            self._made(name, (self.cell, self.way), self.nth(), [len(ray) for ray in self._rays()])
        return name

    def nth(self) -> Int:
        """The type of the places in a ray, counted from 1; 0 for none."""
        return Int(0, max(len(ray) for ray in self._rays()))

    def along(self, span: Span) -> str:
        """Cell, direction and place -> the cell at this place of the ray, none if it is shorter. Raises Wrong."""
        name, nth = f"cells along a ray on {self.grid.name}", self.nth()
        if name not in self._symbols.tables:
            keys = (self.cell, self.way, nth)
            self._bounded("the order of rays", keys, span)
            values: list[Value] = []
            for ray in self._rays():
                values += [None, *ray, *[None] * (nth.hi - len(ray))]
            self._made(name, keys, Maybe(self.cell), values)
        return name

    def _rays(self) -> list[tuple[int, ...]]:
        grid = self.grid
        return [grid.ray(cell, way) if way in grid.steps else () for cell in range(grid.size) for way in self._ways]

    def heading(self, span: Span) -> str:
        """Two cells -> the direction in which the one sees the other, or none. Raises Wrong."""
        name, keys = f"direction on {self.grid.name}", (self.cell, self.cell)
        if name not in self._symbols.tables:
            self._bounded("the direction from cell to cell", keys, span)
            values: list[Value] = [None] * self.grid.size**2
            for cell, way, ray in self.grid.lines("all"):
                for other in ray:
                    values[cell * self.grid.size + other] = self._ways.index(way)
            self._made(name, keys, Maybe(self.way), values)
        return name

    def between(self, span: Span) -> str:
        """Two cells -> the cells between them if they are in line, else no cells. Raises Wrong."""
        name, keys = f"between on {self.grid.name}", (self.cell, self.cell)
        if name not in self._symbols.tables:
            self._bounded("what lies between two cells", keys, span)
            none: frozenset[int] = frozenset()
            values: list[Value] = [none] * self.grid.size**2
            for cell, _, ray in self.grid.lines("all"):
                for far in range(1, len(ray)):
                    other = ray[far]
                    back = values[other * self.grid.size + cell]  # the same set serves both ways
                    values[cell * self.grid.size + other] = back or frozenset(ray[:far])
            self._made(name, keys, SetOf(self.cell), values)
        return name

    def in_line(self, by: str, span: Span) -> str:
        """Two cells -> whether they are in line by sides, corners or all. Raises Wrong."""
        name, keys = f"in line by {by} on {self.grid.name}", (self.cell, self.cell)
        if name not in self._symbols.tables:
            self._bounded("which cells are in line", keys, span)
            values: list[Value] = [False] * self.grid.size**2
            for cell, _, ray in self.grid.lines(by):
                for other in ray:
                    values[cell * self.grid.size + other] = True
            self._made(name, keys, Bool(), values)
        return name

    def beside(self, by: str) -> str:
        """Cell -> the cells next to it by sides, corners or all."""
        name = f"next to by {by} on {self.grid.name}"
        if name not in self._symbols.tables:
            values: list[Value] = [self.grid.beside(cell, by) for cell in range(self.grid.size)]
            self._made(name, (self.cell,), SetOf(self.cell), values)
        return name

    def far(self, by: str, span: Span) -> str:
        """Two cells -> the number of steps from one to the other, by sides or all; `size` if no way leads there.
        Raises Wrong."""
        name, keys = f"distance by {by} on {self.grid.name}", (self.cell, self.cell)
        if name not in self._symbols.tables:
            self._bounded("the distance from cell to cell", keys, span)
            values: list[Value] = list(self.grid.far(by))
            self._made(name, keys, Int(0, self.grid.size), values)
        return name


def direction(symbols: Symbols) -> Elem:
    """The built-in type of the directions that the boards and maps have, clockwise from the north; there is a grid."""
    if DIRECTION not in symbols.domains:
        ways = {way for grid in symbols.grids.values() for way in grid.steps}
        symbols.domain(DIRECTION, DomainKind.ENUM, tuple(way for way in SQUARES if way in ways))
    return symbols.domains[DIRECTION].whole
