"""Boards: the domains of cells, columns and rows, and the constant tables of their geometry."""

from __future__ import annotations

from referee.core.types import DomainKind, Elem, Int, SetOf
from referee.frontend.names.bindings import Board
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import between, head, node, word
from referee.syntax.syntax_tree import Node

MOST_CELLS = 1_024
MOST_ON_ALL = 8 * MOST_CELLS
LONGEST_ROW = 40


def declare_board(symbols: Symbols, decl: Node) -> None:
    """Reads `board NAME: columns a..c, rows 1..3`."""
    name = symbols.claim(word(decl.parts[0]))
    columns = read_lane(symbols, node(decl.parts[1]))
    rows = read_lane(symbols, node(decl.parts[2]))
    cells_here = len(columns) * len(rows)
    if cells_here > MOST_CELLS:
        size = between(decl.parts[1], decl.parts[2])
        raise symbols.wrong("BD02", f"a board has at most {MOST_CELLS} cells, this has {cells_here}", size)
    if sum(b.columns * b.rows for b in symbols.boards.values()) + cells_here > MOST_ON_ALL:
        raise symbols.wrong("BD02", f"with this one the boards have more than {MOST_ON_ALL} cells", head(decl))
    board = Board(name, len(columns), len(rows))
    symbols.boards[name] = board
    joint = "" if isinstance(columns[0], str) and isinstance(rows[0], int) else "-"
    cells = tuple(f"{c}{joint}{r}" for r in rows for c in columns)
    symbols.domain(name, DomainKind.CELL, cells)
    symbols.domain(board.column_domain, DomainKind.ENUM, columns, ordered=True)
    symbols.domain(board.row_domain, DomainKind.ENUM, rows, ordered=True)
    _lanes(symbols, board)


def cell_type(board: Board) -> Elem:
    """The type of a board's cells."""
    return Elem(board.name, 0, board.columns * board.rows - 1)


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
    cell, c, r = cell_type(board), board.columns, board.rows
    column = symbols.domains[board.column_domain].whole
    row = symbols.domains[board.row_domain].whole
    symbols.table(board.column_domain, (cell,), column, tuple(i % c for i in range(c * r)))
    symbols.table(board.row_domain, (cell,), row, tuple(i // c for i in range(c * r)))
    symbols.table(
        f"cells in {board.column_domain}",
        (column,),
        SetOf(cell),
        tuple(frozenset(range(x, c * r, c)) for x in range(c)),
    )
    symbols.table(
        f"cells in {board.row_domain}", (row,), SetOf(cell), tuple(frozenset(range(y * c, y * c + c)) for y in range(r))
    )
    symbols.table(
        f"next to on {board.name}", (cell,), SetOf(cell), tuple(frozenset(_around(board, i)) for i in range(c * r))
    )


def _around(board: Board, cell: int) -> list[int]:
    x, y = cell % board.columns, cell // board.columns
    return [
        b * board.columns + a
        for a in range(max(0, x - 1), min(board.columns, x + 2))
        for b in range(max(0, y - 1), min(board.rows, y + 2))
        if (a, b) != (x, y)
    ]


def lane_number(symbols: Symbols, domain: str) -> Int | None:
    """The numbers that a lane's labels are, if they are numbers."""
    labels = symbols.domains[domain].labels
    if labels and isinstance(labels[0], int) and isinstance(labels[-1], int):
        return Int(labels[0], labels[-1])
    return None


def rows_of(symbols: Symbols, board: Board, length: int) -> Elem:
    """The domain of straight rows of so many cells (across, up, both diagonals), with its tables."""
    name = f"rows of {length} on {board.name}"
    if name not in symbols.domains:
        found = [r for step in ((1, 0), (0, 1), (1, 1), (-1, 1)) for r in _straight(board, length, step)]
        symbols.domain(name, DomainKind.LINE, tuple(range(1, len(found) + 1)))
        cell, line = cell_type(board), Elem(name, 0, len(found) - 1)
        symbols.table(f"cells of {name}", (line,), SetOf(cell), tuple(frozenset(r) for r in found))
        through: list[set[int]] = [set() for _ in range(cell.hi + 1)]
        for index, row in enumerate(found):
            for x in row:
                through[x].add(index)
        symbols.table(f"through a cell {name}", (cell,), SetOf(line), tuple(frozenset(t) for t in through))
    return Elem(name, 0, symbols.domains[name].size - 1)


def _straight(board: Board, length: int, step: tuple[int, int]) -> list[tuple[int, ...]]:
    found = []
    for y in range(board.rows):
        for x in range(board.columns):
            far_x, far_y = x + step[0] * (length - 1), y + step[1] * (length - 1)
            if 0 <= far_x < board.columns and 0 <= far_y < board.rows:
                found.append(tuple((y + step[1] * k) * board.columns + x + step[0] * k for k in range(length)))
    return found
