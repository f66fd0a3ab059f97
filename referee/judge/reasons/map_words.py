"""What a map or board says of a value: the way that is so long, the door that is missing, the edge that is reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Or,
    Split,
    Where,
)
from referee.core.ruleset import Core
from referee.core.types import Value
from referee.frontend.names.grids import DIRECTION
from referee.interpreter.trace import KnownValue

_SEES, _STEP, _DISTANCE = "sees", "step", "distance"


class MapWords:
    """The words of one ruleset for the maps and boards in it."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def why(self, known: KnownValue) -> str:
        """Why an entry of the geometry of a map, or a step on a board, is what it is; empty for any other value."""
        kind, _, name = _table(known.expr).partition(" on ")
        if len(known.keys) != 2 or kind not in (_SEES, _STEP, _DISTANCE):
            return ""
        one, other = known.keys
        if not isinstance(one, int) or not isinstance(other, int):
            return ""
        if kind == _SEES:
            return self._sight(name, one, other, known.value is True)
        if kind == _STEP:
            return self._no_step(name, one, other) if known.value is None else ""
        return "; ".join(self._distance(name, one, other, known.value)) if isinstance(known.value, int) else ""

    def _sight(self, name: str, one: int, other: int, seen: bool) -> str:
        """Sight goes over a room, and through doors of the very cell into other rooms."""
        cell, room = self._cell(name, one), self._room(name, other)
        if self._room_of(name, one) == self._room_of(name, other):
            return f"both are in the room {room}"
        return f"{'a' if seen else 'no'} door of {cell} leads into the room {room}"

    def _no_step(self, name: str, cell: int, way: int) -> str:
        """What keeps a step from leading anywhere."""
        if f"beyond on {name}" in self._core.tables:
            return self._barrier(name, cell, self._beyond(name, cell)[way])
        return f"no cell is {self._core.domains[DIRECTION].labels[way]} of {self._cell(name, cell)}"

    def _barrier(self, name: str, one: int, other: Value) -> str:
        """What is between two cells side by side of which one is not a move away from the other."""
        if not isinstance(other, int):
            return f"the map ends at {self._cell(name, one)}"
        kind = "wall" if self._room_of(name, one) == self._room_of(name, other) else "door"
        between = f"between {self._cell(name, one)} and {self._cell(name, other)}"
        return f"a wall is {between}" if kind == "wall" else f"no door is {between}"

    def _distance(self, name: str, one: int, other: int, moves: int) -> Iterator[str]:
        """The shortest way, if it goes through other cells; and what is in the way, if the cells are side by side."""
        if moves > 1 and other in self._beyond(name, one):
            yield self._barrier(name, one, other)
        if moves >= self._core.domains[name].size:
            yield "no way leads there"
        elif moves > 1:
            yield f"by {' '.join(self._cell(name, cell) for cell in self._way(name, one, other, moves))}"

    def _way(self, name: str, one: int, other: int, moves: int) -> Iterator[int]:
        size, far = self._core.domains[name].size, self._values(f"{_DISTANCE} on {name}")
        cell = one
        for left in range(moves - 1, -1, -1):
            yield cell
            cell = next(next_to for next_to in range(size)
                        if far[cell * size + next_to] == 1 and far[next_to * size + other] == left)
        yield other

    def _beyond(self, name: str, cell: int) -> Sequence[Value]:
        """The cells that lie right in the four directions, walls or not."""
        table = self._core.tables[f"beyond on {name}"]
        ways = len(table.values) // self._core.domains[name].size
        return table.values[cell * ways:(cell + 1) * ways]

    def _values(self, table: str) -> Sequence[Value]:
        return self._core.tables[table].values

    def _room_of(self, name: str, cell: int) -> Value:
        return self._values(f"room of {name}")[cell]

    def _room(self, name: str, cell: int) -> str:
        room = self._room_of(name, cell)
        return str(self._core.domains[f"room of {name}"].labels[room]) if isinstance(room, int) else ""

    def _cell(self, name: str, cell: int) -> str:
        return str(self._core.domains[name].labels[cell])


def _table(expr: Expr) -> str:
    """The table of which a value is an entry; empty if of none."""
    match expr:
        case Look(table):
            return table
        case Only(of):
            return _table(of)
        case (Const() | Local() | Get() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Let() | After()):
            return ""
        case _:
            assert_never(expr)
