"""What lies on the table, drawn for one player: boards as grids, what he cannot see as a number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from referee.core.flow import Flow
from referee.core.ruleset import Form, Key, Role, Sight, Zone
from referee.core.types import Elem, Scalar, Type
from referee.game.state import Layout, Open, State
from referee.judge.names import Names
from referee.report.printable import printable

_CELL = re.compile(r"([a-z])([0-9]+)")
_SHOWN = (Role.STATE, Role.PARAMETER, Role.GIVEN)


class Table:
    """Draws positions of one game."""

    def __init__(self, flow: Flow, layout: Layout, names: Names) -> None:
        self._core = flow.core
        self._layout = layout
        self._names = names

    def lines(self, state: State, viewer: int) -> Iterator[str]:
        """The zones, then the variables, as the player with this seat may know them."""
        for zone in self._core.zones.values():
            for key in self._layout.zones[zone.name].keys():
                yield from map(printable, self._zone(state, zone, key, viewer))
        yield from map(printable, self._variables(state, viewer))

    def _zone(self, state: State, zone: Zone, key: Key, viewer: int) -> Iterator[str]:
        content = self._layout.read_zone(state, zone.name, key)
        name = self._name(zone.name, key, zone.keys)
        if not isinstance(content, tuple):
            return
        if zone.form is Form.SLOTS and isinstance(zone.spots, Elem):
            seen = sees(zone.sight, key, viewer)
            yield from self._spots(name, zone.spots, [self._component(entry, seen) for entry in content])
        else:
            classes = [entry for part in content for entry in (part if isinstance(part, tuple) else (part,))]
            yield f"{name}: {self._list(classes) if sees(zone.sight, key, viewer) else f'{len(classes)} hidden'}"

    def _list(self, classes: Iterable[object]) -> str:
        counted = Counter(self._component(entry, True) for entry in classes)
        return ", ".join(name + (f" x{number}" if number > 1 else "") for name, number in counted.items()) or "empty"

    def _component(self, entry: object, seen: bool) -> str:
        if not isinstance(entry, int):
            return "."
        component = self._core.components[entry]
        if not seen:
            return "?"
        if component.owner is None:
            return str(component.name)
        owner = self._names.players[component.owner]
        alone = sum(one.owner == component.owner for one in self._core.components) == 1
        return owner if alone else f"{component.name} of {owner}"

    def _spots(self, name: str, spots: Elem, entries: Sequence[str]) -> Iterator[str]:
        labels = [str(label) for label in self._core.domains[spots.domain].labels[spots.lo:spots.hi + 1]]
        cells = dict(zip(labels, entries, strict=True))
        yield f"{name}:"
        if all(_CELL.fullmatch(label) for label in labels):
            yield from grid(cells)
        else:
            yield from (f"  {label}: {cell}" for label, cell in cells.items() if cell != ".")

    def _variables(self, state: State, viewer: int) -> Iterator[str]:
        for var in self._core.vars.values():
            if var.role not in _SHOWN:
                continue
            for key in self._layout.vars[var.name].keys():
                if var.seen_by is None or key[var.seen_by] == viewer:
                    value = self._value(self._layout.read_var(state, var.name, key), var.type)
                    yield f"{self._name(var.name, key, var.keys)}: {value}"

    def _value(self, value: object, kind: Type) -> str:
        if isinstance(value, Open):
            return f"open ({value.lo}..{value.hi})"
        return self._names.value(value, kind)  # type: ignore[arg-type]  # a variable holds no zone content

    def _name(self, name: str, key: Key, kinds: Sequence[Scalar]) -> str:
        parts = [self._names.value(value, kind) for value, kind in zip(key, kinds, strict=True)]
        return name + (f" of {', '.join(parts)}" if parts else "")


def sees(sight: Sight, key: Key, viewer: int) -> bool:
    """Whether the components of a zone instance lie visible to a player."""
    return sight.everybody or any(key[position] == viewer for position in sight.owners)


def grid(cells: dict[str, str]) -> Iterator[str]:
    """Cells named by letter and number as rows, the highest number on top."""
    columns = sorted({label[0] for label in cells})
    rows = sorted({int(label[1:]) for label in cells}, reverse=True)
    width = max(map(len, cells.values()), default=1)
    margin = len(str(rows[0]))
    for row in rows:
        line = " ".join(f"{cells.get(f'{column}{row}', ''):<{width}}" for column in columns)
        yield f"  {row:>{margin}}  {line}".rstrip()
    yield f"  {'':>{margin}}  {' '.join(f'{column:<{width}}' for column in columns)}".rstrip()
