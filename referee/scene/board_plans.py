"""The boards and maps of rules, as they are laid out: found in what the core has of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.core.ruleset import Core, LookOfItsOwn
from referee.core.types import DomainKind, Value
from referee.scene.scene import BoardCell, BoardPlan, BoardShape

_CELL = re.compile(r"([a-z])([0-9]+)|([^-]+)-([^-]+)")
_WAYS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


def board_plans(core: Core) -> tuple[BoardPlan, ...]:
    """All boards and maps of some rules."""
    return tuple(_plan(core, name, tuple(map(str, domain.labels)))
                 for name, domain in core.domains.items() if domain.kind is DomainKind.CELL)  # fmt: skip


def _plan(core: Core, name: str, labels: Sequence[str]) -> BoardPlan:
    """A cell is called by its column and row: `b2`, or `2-2`."""
    called = [_parts(label) for label in labels]
    columns, rows = (sorted({one[which] for one in called}, key=_place) for which in (0, 1))
    at = [(columns.index(column), rows.index(row)) for column, row in called]
    rooms = core.tables.get(f"room of {name}")
    if rooms is not None:
        cells = _rooms(core, name, labels, at, rooms.values)
        return BoardPlan(name, BoardShape.MAP, tuple(columns), tuple(rows), cells)
    shape = BoardShape.HEXAGONS if core.drawn.get(name) is LookOfItsOwn.HEXAGONS else BoardShape.SQUARES
    cells = tuple(BoardCell(label, *place) for label, place in zip(labels, at, strict=True))
    return BoardPlan(name, shape, tuple(columns), tuple(rows), cells)


def _parts(label: str) -> tuple[str, str]:
    found = _CELL.fullmatch(label)
    assert found is not None
    letter, number, column, row = found.groups()
    return (letter, number) if letter is not None else (column, row)


def _place(label: str) -> tuple[int, str]:
    return (int(label), "") if label.isdigit() else (0, label)


def _rooms(
    core: Core, name: str, labels: Sequence[str], at: Sequence[tuple[int, int]], rooms: Sequence[Value]
) -> tuple[BoardCell, ...]:
    """Two cells side by side have a wall between them if no step leads from one to the other, and a door if one leads
    into another room."""
    known, names = core.domains[f"room of {name}"].labels, {place: number for number, place in enumerate(at)}
    beside = core.tables[f"next to on {name}"].values
    found = []
    for number, (column, row) in enumerate(at):
        walls, doors = list[str](), list[str]()
        for way, (east, north) in _WAYS.items():
            other = names.get((column + east, row + north))
            steps = beside[number]
            assert isinstance(steps, frozenset)
            if other is not None and other not in steps:
                walls.append(way)
            elif other is not None and rooms[other] != rooms[number]:
                doors.append(way)
        room = rooms[number]
        assert isinstance(room, int)
        found.append(BoardCell(labels[number], column, row, str(known[room]), tuple(walls), tuple(doors)))
    return tuple(found)
