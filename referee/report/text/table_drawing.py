"""What lies on the table, drawn for one player: boards as grids, what he cannot see as a number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from referee.core.ruleset import Core, Form, Key, Role, Var, Zone
from referee.core.types import COMPONENT, Elem, Scalar, Type
from referee.game.player_views import ZoneView, table
from referee.game.state import Layout, Open, Slot, State
from referee.judge.display_names import Names
from referee.report.text.printable import printable

_CELL = re.compile(r"([a-z]+)([0-9]{1,6})|([0-9]+)-([0-9]{1,6})")
_UNTOLD = (Role.READING, Role.RESULT)
_LONG = 20  # a table of a parameter with more entries does not change and would push the game off the screen


class Picture:
    """Draws positions of one game."""

    def __init__(self, core: Core, layout: Layout, names: Names) -> None:
        self._core = core
        self._layout = layout
        self._names = names
        self._component = self._core.domains[COMPONENT].whole

    def lines(self, state: State, viewer: int | None) -> Iterator[str]:
        """The zones, then the variables, as the player with this seat (None: somebody at none) may know them."""
        seen = table(self._core, self._layout, state, viewer)
        for view in seen.zones:
            yield from map(printable, self._zone(self._core.zones[view.zone], view))
        for name, entries in groupby(seen.variables, lambda entry: entry[0]):
            var = self._core.vars[name]
            if var.role not in _UNTOLD:
                yield from map(printable, self._variable(var, [(key, value) for _, key, value in entries]))

    def _variable(self, var: Var, entries: Sequence[tuple[Key, Slot]]) -> Iterator[str]:
        """A line for each entry that says something; one for a long table of a parameter."""
        if var.role is Role.PARAMETER and len(entries) > _LONG:
            counted = Counter(self._value(value, var.type) for _, value in entries)
            yield f"{var.name}: {', '.join(f'{number} x {value}' for value, number in counted.most_common())}"
            return
        for key, value in entries:
            if value is not None:
                yield f"{self._name(var.name, key, var.keys)}: {self._value(value, var.type)}"

    def _zone(self, zone: Zone, view: ZoneView) -> Iterator[str]:
        name = self._name(zone.name, view.key, zone.keys)
        drawn = view.content is not None or view.taken is not None
        if zone.form is Form.SLOTS and isinstance(zone.spots, Elem) and drawn:
            yield f"{name}:"
            labels = self._core.domains[zone.spots.domain].labels[zone.spots.lo:zone.spots.hi + 1]
            yield from grid(dict(zip(map(str, labels), self._entries(view), strict=True)))
        elif view.content is None:
            yield f"{name}: {view.number} hidden"
        else:
            yield f"{name}: {self._list(entry for part in view.content for entry in _flat(part))}"

    def _entries(self, view: ZoneView) -> list[str]:
        if view.content is None:
            return ["?" if taken else "." for taken in view.taken or ()]
        return [self._mark(entry) for entry in view.content]

    def _list(self, classes: Iterable[object]) -> str:
        counted = Counter(self._names.value(entry, self._component) for entry in classes if isinstance(entry, int))
        return ", ".join((f"{number} " if number > 1 else "") + name for name, number in counted.items()) or "empty"

    def _mark(self, entry: object) -> str:
        """What stands on a spot: a component, by its owner if that says it all."""
        if not isinstance(entry, int):
            return "."
        component = self._core.components[entry]
        if component.owner is None:
            return str(component.name)
        owner = self._names.players[component.owner]
        alone = sum(one.owner == component.owner for one in self._core.components) == 1
        return owner if alone else f"{component.name} of {owner}"

    def _value(self, value: object, kind: Type) -> str:
        if isinstance(value, Open):
            return f"open ({value.lo}..{value.hi})"
        return self._names.value(value, kind)  # type: ignore[arg-type]  # a variable holds no zone content

    def _name(self, name: str, key: Key, kinds: Sequence[Scalar]) -> str:
        return self._names.place(name, kinds, key)


def _flat(part: object) -> tuple[object, ...]:
    """The entries of a block of a pile; any other entry alone."""
    return part if isinstance(part, tuple) else (part,)


def grid(cells: dict[str, str]) -> Iterator[str]:
    """Cells that are all called by column and row (`b2` or `2-2`) as rows, the highest on top; else as a list."""
    places = {label: found for label in cells if (found := _place(label)) is not None}
    if len(places) < len(cells):
        yield from (f"  {label}: {cell}" for label, cell in cells.items() if cell != ".")
        return
    columns = sorted({column for column, _ in places.values()}, key=lambda name: (len(name), name))
    rows = sorted({row for _, row in places.values()}, reverse=True)
    at = {places[label]: cell for label, cell in cells.items()}
    width = max(map(len, (*cells.values(), *columns)))
    margin = len(str(rows[0]))
    for row in rows:
        line = " ".join(f"{at.get((column, row), ''):<{width}}" for column in columns)
        yield f"  {row:>{margin}}  {line}".rstrip()
    yield f"  {'':>{margin}}  {' '.join(f'{column:<{width}}' for column in columns)}".rstrip()


def _place(label: str) -> tuple[str, int] | None:
    """Column and row of a cell, if it is called by them."""
    found = _CELL.fullmatch(label)
    if found is None:
        return None
    letter, number, column, row = found.groups()
    return (letter, int(number)) if letter is not None else (column, int(row))
