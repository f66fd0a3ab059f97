"""Maps: boards of rooms with doors and walls; who sees what, how far it is, what lies straight ahead.

Two cells side by side are one move apart if they are in one room and no wall is between them, or if a door is. From a
cell one sees its room, and every room behind a door of that very cell.
"""

from __future__ import annotations

from referee.core.types import Bool, DomainKind, Elem, Int, Maybe, SetOf
from referee.frontend.names.board_geometry import MOST_CELLS, Cell, is_laid_out, read_lane
from referee.frontend.names.grid_tables import GridTables
from referee.frontend.names.grids import CORNERS, DIRECTION, SQUARES, Grid
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import node, nodes, word, words
from referee.syntax.syntax_tree import Node, Word

_STEPS = {way: by for way, by in SQUARES.items() if way not in CORNERS}


class _Map:
    """A map being read: its cells by column and row, the room of each, doors and walls."""

    def __init__(self, symbols: Symbols, decl: Node) -> None:
        self._symbols = symbols
        columns, rows = read_lane(symbols, node(decl.parts[3])), read_lane(symbols, node(decl.parts[4]))
        joint = "" if isinstance(columns[0], str) and isinstance(rows[0], int) else "-"
        self._places = {f"{c}{joint}{r}": (x, y) for y, r in enumerate(rows) for x, c in enumerate(columns)}
        self.rooms: list[str] = []
        self.room: dict[Cell, int] = {}
        self.names: dict[Cell, str] = {}
        for room in nodes(decl, "room"):
            self._room(room)
        self.doors, self.walls = self._passages(decl, "DOOR"), self._passages(decl, "WALL")
        self.cells = sorted(self.room, key=lambda c: (c[1], c[0]))

    def _room(self, decl: Node) -> None:
        name, *cells = (word(p) for p in decl.parts if not (isinstance(p, Node) and p.kind == "cite"))
        self.rooms.append(name.text)
        for cell in cells:
            place = self._place(cell)
            if place in self.room:
                raise self._symbols.wrong("MP01", f"{cell.text} is in two rooms", cell.span)
            self.room[place] = len(self.rooms) - 1
            self.names[place] = cell.text

    def _place(self, cell: Word) -> Cell:
        if cell.text not in self._places:
            raise self._symbols.unknown(cell, "a cell", set(self._places))
        return self._places[cell.text]

    def _passages(self, decl: Node, kind: str) -> set[frozenset[Cell]]:
        found = set()
        for passage in nodes(decl, "passage"):
            if next(words(passage)).type != kind:
                continue
            one, other = (self._place(word(p)) for p in passage.parts[1:3])
            if abs(one[0] - other[0]) + abs(one[1] - other[1]) != 1 or not {one, other} <= set(self.room):
                raise self._symbols.wrong("MP02", "these are not two cells side by side", passage.span)
            found.add(frozenset((one, other)))
        return found

    def step(self, cell: Cell, direction: str) -> Cell | None:
        """The cell one move away in a direction, if there is one."""
        other = self.beyond(cell, direction)
        if other is None:
            return None
        side = frozenset((cell, other))
        open_ = self.room[cell] == self.room[other] and side not in self.walls
        return other if open_ or side in self.doors else None

    def beyond(self, cell: Cell, direction: str) -> Cell | None:
        """The cell that lies right in a direction, wall or not, if there is one."""
        dx, dy = SQUARES[direction]
        other = (cell[0] + dx, cell[1] + dy)
        return other if other in self.room else None

    def straight(self, cell: Cell, direction: str) -> list[Cell]:
        """The cells in a direction, walls or not."""
        dx, dy = SQUARES[direction]
        far = range(1, len(self._places) + 1)
        return [c for c in ((cell[0] + dx * k, cell[1] + dy * k) for k in far) if c in self.room]

    def seen(self, cell: Cell) -> set[Cell]:
        """The cells that one sees from a cell."""
        rooms = {self.room[cell]}
        rooms |= {self.room[o] for d in _STEPS if (o := self.step(cell, d)) and frozenset((cell, o)) in self.doors}
        return {c for c in self.cells if self.room[c] in rooms}


def declare_map(symbols: Symbols, decl: Node) -> None:
    """Reads a map: the domains of its cells and rooms, and its geometry as constant tables.

    One `when OPTION is VALUE` counts for that value only.
    """
    if not is_laid_out(symbols, decl):
        return
    name = symbols.claim(word(decl.parts[0]))
    plan = _Map(symbols, decl)
    cells = plan.cells
    if len(cells) > MOST_CELLS // 4:
        raise symbols.wrong("BD02", f"a map has at most {MOST_CELLS // 4} cells, this has {len(cells)}", decl.span)
    index = {c: i for i, c in enumerate(cells)}
    symbols.maps.add(name)
    symbols.domain(name, DomainKind.CELL, tuple(plan.names[c] for c in cells))
    symbols.domain(f"room of {name}", DomainKind.ENUM, tuple(plan.rooms))
    steps = {way: tuple(index.get(to) if (to := plan.step(c, way)) else None for c in cells) for way in _STEPS}
    symbols.grids[name] = Grid(name, len(cells), steps, walked=True)
    cell, room = symbols.domains[name].whole, symbols.domains[f"room of {name}"].whole
    symbols.table(f"room of {name}", (cell,), room, tuple(plan.room[c] for c in cells))
    rooms = tuple(frozenset(index[c] for c in cells if plan.room[c] == r) for r in range(len(plan.rooms)))
    symbols.table(f"cells in room of {name}", (room,), SetOf(cell), rooms)
    beside = tuple(symbols.grids[name].beside(i, "all") for i in range(len(cells)))
    symbols.table(f"next to on {name}", (cell,), SetOf(cell), beside)
    _relations(symbols, plan, cell, index)


def _relations(symbols: Symbols, plan: _Map, cell: Elem, index: dict[Cell, int]) -> None:
    """Sight, distance and directions. Cells that cannot reach each other are as far apart as there are cells."""
    name, cells = cell.domain, plan.cells
    seen = tuple(other in plan.seen(c) for c in cells for other in cells)
    symbols.table(f"sees on {name}", (cell, cell), Bool(), seen)
    far = tuple(symbols.grids[name].far("all"))
    symbols.table(f"distance on {name}", (cell, cell), Int(0, len(cells)), far)
    tables = GridTables(symbols, symbols.grids[name])
    tables.step()
    ways = [str(way) for way in symbols.domains[DIRECTION].labels]
    beyond = tuple(index.get(to) if (to := plan.beyond(c, d)) else None for c in cells for d in ways)
    symbols.table(f"beyond on {name}", (cell, tables.way), Maybe(cell), beyond)
    ahead = tuple(frozenset(index[o] for o in plan.straight(c, d)) for c in cells for d in ways)
    symbols.table(f"straight on {name}", (cell, tables.way), SetOf(cell), ahead)
