"""What cells are to each other, compared with what columns and rows say; bounds of tables and boards."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.frontend.names.grids import CORNERS, HEXAGONS, SQUARES, Grid

Cell = tuple[int, int]


def grid(cells: list[Cell], hexagons: bool = False) -> Grid:
    index = {cell: i for i, cell in enumerate(cells)}
    steps = {way: tuple(index.get((x + dx, y + dy)) for x, y in cells)
             for way, (dx, dy) in (HEXAGONS if hexagons else SQUARES).items()}
    return Grid("g", len(cells), steps, frozenset() if hexagons else CORNERS)


def whole(columns: int, rows: int) -> list[Cell]:
    return [(x, y) for y in range(rows) for x in range(columns)]


def pairs(cells: list[Cell]) -> Iterator[tuple[int, int, int, int]]:
    """Two cells by number, with how far they are apart to the east and north."""
    for (i, (a, b)), (j, (c, d)) in product(enumerate(cells), repeat=2):
        yield i, j, c - a, d - b


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (1, 5), (4, 3), (8, 8)])
def test_lines_and_distances_of_squares_are_what_columns_and_rows_say(columns: int, rows: int) -> None:
    cells = whole(columns, rows)
    board = grid(cells)
    sides, both = board.far("sides"), board.far("all")
    for i, j, dx, dy in pairs(cells):
        ways = [way for way in board.steps if j in board.ray(i, way)]
        straight = (dx, dy) != (0, 0) and (dx == 0 or dy == 0 or abs(dx) == abs(dy))
        assert len(ways) == straight
        assert sides[i * board.size + j] == abs(dx) + abs(dy)
        assert both[i * board.size + j] == max(abs(dx), abs(dy))
        if straight:
            ray = board.ray(i, ways[0])
            assert ray.index(j) + 1 == max(abs(dx), abs(dy))
            assert SQUARES[ways[0]] == ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))


@pytest.mark.parametrize(("columns", "rows"), [(1, 4), (3, 3), (5, 6)])
def test_distances_of_hexagons_are_the_larger_of_three_differences(columns: int, rows: int) -> None:
    cells = whole(columns, rows)
    far = grid(cells, hexagons=True).far("sides")
    assert all(far[i * len(cells) + j] == max(abs(dx), abs(dy), abs(dx + dy)) for i, j, dx, dy in pairs(cells))


@settings(max_examples=40, deadline=None)
@given(st.sets(st.sampled_from(whole(5, 4)), max_size=15), st.booleans())
def test_with_missing_cells_steps_lead_back_and_rays_stop_at_the_first_gap(missing: set[Cell], hexagons: bool) -> None:
    cells = [cell for cell in whole(5, 4) if cell not in missing]
    board, ways = grid(cells, hexagons), list(HEXAGONS if hexagons else SQUARES)
    for cell, (number, way) in product(range(board.size), enumerate(ways)):
        other = board.steps[way][cell]
        assert other is None or board.steps[ways[(number + len(ways) // 2) % len(ways)]][other] == cell
        assert board.ray(cell, way) == (() if other is None else (other, *board.ray(other, way)))
    for by, unreached in (("sides", len(cells)), ("all", len(cells))):
        far = board.far(by)
        for i, j in product(range(board.size), repeat=2):
            near = [far[k * board.size + j] for k in board.beside(i, by)]
            assert far[i * board.size + j] == (0 if i == j else min(unreached, 1 + min(near, default=unreached)))


def test_a_ray_that_goes_round_ends_before_it_comes_back() -> None:
    ring = Grid("ring", 4, {"east": (1, 2, 3, 0), "west": (3, 0, 1, 2)}, round=True)
    assert ring.ray(1, "east") == (2, 3, 0)
    assert ring.ray(0, "west") == (3, 2, 1)
    assert ring.beside(0, "sides") == {1, 3}


def test_a_table_of_the_largest_size_is_made_at_once() -> None:
    begun = time.process_time()
    board = grid(whole(23, 23))
    board.far("all")
    assert sum(len(ray) for _, _, ray in board.lines("all")) > 0
    assert time.process_time() - begun < 3
