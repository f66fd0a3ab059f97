"""Boards: the domains of cells, columns and rows, and the constant tables of their geometry."""

from __future__ import annotations

from referee.core.types import DomainKind, Elem, Int, SetOf
from referee.frontend.names.bindings import Board
from referee.frontend.names.grids import CORNERS, HEXAGONS, SQUARES, Grid
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import between, head, nodes, word, words
from referee.syntax.syntax_tree import Node

MOST_CELLS = 1_024
"""Cells of one board; a map may have a quarter of it. More are refused."""
MOST_ON_ALL = 8 * MOST_CELLS
"""Cells of all boards of a ruleset: more are refused."""
LONGEST_ROW = 40
"""Cells in a row that rules may ask for: longer rows are refused."""
FEWEST_ROUND = 3
"""Columns or rows that may go round: with fewer a cell would have the same neighbour on both sides."""
_ONE_WAY = ("east", "north", "north_east", "north_west")
"""Of each two opposite directions one."""

Cell = tuple[int, int]


def declare_board(symbols: Symbols, decl: Node) -> None:
    """Reads `board NAME: columns a..c, rows 1..3`. One `when OPTION is VALUE` counts for that value only."""
    if not is_laid_out(symbols, decl):
        return
    name = symbols.claim(word(decl.parts[0]))
    columns, rows = (read_lane(symbols, lane) for lane in nodes(decl, "lane"))
    cells_here = len(columns) * len(rows)
    if cells_here > MOST_CELLS:
        size = between(*nodes(decl, "lane"))
        raise symbols.wrong("BD02", f"a board has at most {MOST_CELLS} cells, this has {cells_here}", size)
    if sum(b.columns * b.rows for b in symbols.boards.values()) + cells_here > MOST_ON_ALL:
        raise symbols.wrong("BD02", f"with this one the boards have more than {MOST_ON_ALL} cells", head(decl))
    joint = "" if isinstance(columns[0], str) and isinstance(rows[0], int) else "-"
    labels = {(x, y): f"{c}{joint}{r}" for y, r in enumerate(rows) for x, c in enumerate(columns)}
    missing = _missing(symbols, decl, {label: cell for cell, label in labels.items()})
    cells = tuple(cell for cell in labels if cell not in missing)
    board = Board(name, len(columns), len(rows), cells)
    symbols.boards[name] = board
    symbols.domain(name, DomainKind.CELL, tuple(labels[cell] for cell in cells))
    symbols.domain(board.column_domain, DomainKind.ENUM, columns, ordered=True)
    symbols.domain(board.row_domain, DomainKind.ENUM, rows, ordered=True)
    symbols.grids[name] = _grid(symbols, decl, board)
    _lanes(symbols, board)


def is_laid_out(symbols: Symbols, decl: Node) -> bool:
    """Whether a board or map is the one that is played on: always, or `when OPTION is VALUE`. Raises Wrong."""
    if decl.parts[1] is None:
        return True
    option, value = word(decl.parts[1]), word(decl.parts[2])
    if option.text not in symbols.options:
        raise symbols.unknown(option, "an option", set(symbols.options))
    values = symbols.domains[f"option {option.text}"].labels
    if value.text not in values:
        raise symbols.unknown(value, f"a value of {option.text}", {str(v) for v in values})
    return symbols.options[option.text] == value.text


def _missing(symbols: Symbols, decl: Node, cells: dict[str, Cell]) -> set[Cell]:
    """The cells that a board is `without`. Raises Wrong."""
    missing: set[Cell] = set()
    for label in nodes(decl, "missing"):
        said = word(label.parts[0])
        if said.text not in cells:
            raise symbols.unknown(said, "a cell", set(cells))
        if cells[said.text] in missing:
            raise symbols.wrong("BD08", f"{said.text} is missing twice", said.span)
        missing.add(cells[said.text])
    if len(missing) == len(cells):
        raise symbols.wrong("BD08", "every cell is missing", head(decl))
    return missing


def _grid(symbols: Symbols, decl: Node, board: Board) -> Grid:
    """Where a step leads: over the edge to the other side where columns or rows go round. Raises Wrong."""
    said = next(words(decl, "GOING_ROUND"), None)
    over_columns, over_rows = (said is not None and lanes in said.text for lanes in ("columns", "rows"))
    for lanes, number, goes in (("columns", board.columns, over_columns), ("rows", board.rows, over_rows)):
        if said is not None and goes and number < FEWEST_ROUND:
            few = f"{lanes} go round from {FEWEST_ROUND} on, here are {number}"
            raise symbols.wrong("BD08", few, said.span)
    hexagons = any(True for _ in words(decl, "HEXAGONS"))
    index = {cell: i for i, cell in enumerate(board.cells)}

    def beyond(cell: Cell, by: tuple[int, int]) -> int | None:
        x, y = cell[0] + by[0], cell[1] + by[1]
        return index.get((x % board.columns if over_columns else x, y % board.rows if over_rows else y))

    if hexagons:
        symbols.hexagons.add(board.name)
    ways = HEXAGONS if hexagons else SQUARES
    steps = {way: tuple(beyond(cell, by) for cell in board.cells) for way, by in ways.items()}
    return Grid(board.name, len(board.cells), steps, frozenset() if hexagons else CORNERS, over_columns or over_rows)


def cell_type(board: Board) -> Elem:
    """The type of a board's cells."""
    return Elem(board.name, 0, len(board.cells) - 1)


def read_lane(symbols: Symbols, decl: Node) -> tuple[str | int, ...]:
    """The labels of columns or rows, as `a..h` or `1..8` lists them. Raises Wrong."""
    lo, hi = word(decl.parts[0]), word(decl.parts[1])
    if lo.type == "INT" and hi.type == "INT" and len(lo.text) < 5 and len(hi.text) < 5 and int(lo.text) <= int(hi.text):
        return tuple(range(int(lo.text), int(hi.text) + 1))
    if len(lo.text) == len(hi.text) == 1 and lo.text.isalpha() and lo.text <= hi.text:
        return tuple(chr(c) for c in range(ord(lo.text), ord(hi.text) + 1))
    raise symbols.wrong(
        "BD01",
        f"{lo.text}..{hi.text} is no sequence of columns or rows",
        decl.span,
        hint="write two numbers, the lower first, or two letters: `1..8`, `a..h`",
    )


def _lanes(symbols: Symbols, board: Board) -> None:
    """Tables: the column and row of a cell, the cells of a column and row, the neighbours of a cell."""
    cell, lanes = cell_type(board), (board.column_domain, board.row_domain)
    for which, domain in enumerate(lanes):
        lane = symbols.domains[domain].whole
        symbols.table(domain, (cell,), lane, tuple(c[which] for c in board.cells))
        here: list[set[int]] = [set() for _ in range(lane.hi + 1)]
        for index, c in enumerate(board.cells):
            here[c[which]].add(index)
        symbols.table(f"cells in {domain}", (lane,), SetOf(cell), tuple(frozenset(cells) for cells in here))
    grid = symbols.grids[board.name]
    symbols.table(
        f"next to on {board.name}", (cell,), SetOf(cell), tuple(grid.beside(i, "all") for i in range(grid.size))
    )


def lane_number(symbols: Symbols, domain: str) -> Int | None:
    """The numbers that a lane's labels are, if they are numbers."""
    labels = symbols.domains[domain].labels
    if labels and isinstance(labels[0], int) and isinstance(labels[-1], int):
        return Int(labels[0], labels[-1])
    return None


def rows_of(symbols: Symbols, board: Board, length: int) -> Elem:
    """The domain of straight rows of so many cells (in each direction and back), with its tables."""
    name = f"rows of {length} on {board.name}"
    if name not in symbols.domains:
        found = _straight(symbols.grids[board.name], length)
        symbols.domain(name, DomainKind.LINE, tuple(range(1, len(found) + 1)))
        cell, line = cell_type(board), Elem(name, 0, len(found) - 1)
        symbols.table(f"cells of {name}", (line,), SetOf(cell), tuple(found))
        through: list[set[int]] = [set() for _ in range(cell.hi + 1)]
        for index, row in enumerate(found):
            for x in row:
                through[x].add(index)
        symbols.table(f"through a cell {name}", (cell,), SetOf(line), tuple(frozenset(t) for t in through))
    return Elem(name, 0, symbols.domains[name].size - 1)


def _straight(grid: Grid, length: int) -> list[frozenset[int]]:
    """Each row of so many cells once, whichever end it is read from, and wherever one begins that goes round."""
    rows = ((cell, *grid.ray(cell, way)[: length - 1]) for way in _ONE_WAY if way in grid.steps
            for cell in range(grid.size))
    return list(dict.fromkeys(frozenset(row) for row in rows if len(row) == length))
