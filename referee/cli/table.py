"""What lies on the table, drawn for one player: boards as grids, what he cannot see as a number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from referee.core.ruleset import Form, Key, Role, Zone
from referee.core.types import Elem, Scalar, Type
from referee.engine.walker import Walker
from referee.game.state import Open, State
from referee.game.views import ZoneView, table
from referee.judge.names import Names
from referee.report.printable import printable

_CELL = re.compile(r"([a-z])([0-9]+)")
_UNTOLD = (Role.READING, Role.RESULT)


class Picture:
    """Draws positions of one game."""

    def __init__(self, walker: Walker, names: Names) -> None:
        self._core = walker.core
        self._layout = walker.layout
        self._names = names

    def lines(self, state: State, viewer: int) -> Iterator[str]:
        """The zones, then the variables, as the player with this seat may know them."""
        seen = table(self._core, self._layout, state, viewer)
        for view in seen.zones:
            yield from map(printable, self._zone(self._core.zones[view.zone], view))
        for name, key, value in seen.variables:
            var = self._core.vars[name]
            if var.role not in _UNTOLD:
                yield printable(f"{self._name(name, key, var.keys)}: {self._value(value, var.type)}")

    def _zone(self, zone: Zone, view: ZoneView) -> Iterator[str]:
        name = self._name(zone.name, view.key, zone.keys)
        if zone.form is Form.SLOTS and isinstance(zone.spots, Elem):
            yield f"{name}:"
            yield from self._spots(zone.spots, self._entries(view))
        elif view.content is None:
            yield f"{name}: {view.number} hidden"
        else:
            yield f"{name}: {self._list(entry for part in view.content for entry in _flat(part))}"

    def _entries(self, view: ZoneView) -> list[str]:
        if view.content is None:
            return ["?" if taken else "." for taken in view.taken]
        return [self._component(entry) for entry in view.content]

    def _list(self, classes: Iterable[object]) -> str:
        counted = Counter(self._component(entry) for entry in classes)
        return ", ".join(name + (f" x{number}" if number > 1 else "") for name, number in counted.items()) or "empty"

    def _component(self, entry: object) -> str:
        if not isinstance(entry, int):
            return "."
        component = self._core.components[entry]
        if component.owner is None:
            return str(component.name)
        owner = self._names.players[component.owner]
        alone = sum(one.owner == component.owner for one in self._core.components) == 1
        return owner if alone else f"{component.name} of {owner}"

    def _spots(self, spots: Elem, entries: Sequence[str]) -> Iterator[str]:
        labels = [str(label) for label in self._core.domains[spots.domain].labels[spots.lo:spots.hi + 1]]
        cells = dict(zip(labels, entries, strict=True))
        if all(_CELL.fullmatch(label) for label in labels):
            yield from grid(cells)
        else:
            yield from (f"  {label}: {cell}" for label, cell in cells.items() if cell != ".")

    def _value(self, value: object, kind: Type) -> str:
        if isinstance(value, Open):
            return f"open ({value.lo}..{value.hi})"
        return self._names.value(value, kind)  # type: ignore[arg-type]  # a variable holds no zone content

    def _name(self, name: str, key: Key, kinds: Sequence[Scalar]) -> str:
        parts = [self._names.value(value, kind) for value, kind in zip(key, kinds, strict=True)]
        return name + (f" of {', '.join(parts)}" if parts else "")


def _flat(part: object) -> tuple[object, ...]:
    """The entries of a block of a pile; any other entry alone."""
    return part if isinstance(part, tuple) else (part,)


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
