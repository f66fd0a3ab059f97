"""The entries of a game before its first statement: start values, what the header states, components at home."""

from __future__ import annotations

from operator import eq
from typing import Any

from referee.game.setting import Everywhere, Setting, Stated
from referee.game.state import Layout, empty, starts
from referee.interpreter.closures.zone_moves import added, amount, components
from referee.interpreter.interruptions import NO_ROOM, Fault


def start(layout: Layout, setting: Setting) -> list[Any]:
    """The entries that a game begins with. Raises `Fault` (RT03) if a home cannot hold its components."""
    return stated(layout, setting, home(layout))


def home(layout: Layout) -> list[Any]:
    """The entries before anything is stated. Raises `Fault` (RT03) if a home cannot hold its components."""
    slots: list[Any] = [None] * layout.size
    for name, var in layout.defs.items():
        entries = layout.vars[name]
        slots[entries.base:entries.base + entries.count] = starts(var, entries.count)
    _place(layout, slots)
    return slots


def stated(layout: Layout, setting: Setting, slots: list[Any]) -> list[Any]:
    """The entries, with what a setting states put in."""
    for name, index in setting.readings.items():
        slots[layout.vars[name].base] = index
    _state(setting.givens, slots, layout)
    _state(setting.parameters, slots, layout)
    for name, value in setting.rulings.items():
        if name in layout.rulings:
            slots[layout.rulings[name]] = value
    return slots


def _state(values_of: Stated, slots: list[Any], layout: Layout) -> None:
    for name, values in values_of.items():
        entries = layout.vars[name]
        if isinstance(values, Everywhere) or (len(values) == entries.count and all(map(eq, values, entries.keys()))):
            slots[entries.base:entries.base + entries.count] = values.values()
            continue
        for key, value in values.items():
            slots[entries.find(key)] = value


def _place(layout: Layout, slots: list[Any]) -> None:
    """Lays every component into its home; what begins in a pile is one block."""
    core = layout.core
    for zone in core.zones.values():
        entries = layout.zones[zone.name]
        slots[entries.base:entries.base + entries.count] = [empty(zone)] * entries.count
    for index, component in enumerate(core.components):
        for home in component.homes:
            zone = core.zones[home.zone]
            at = layout.zones[zone.name].find(home.key)
            spot = None if home.spot is None or zone.spots is None else home.spot - zone.spots.lo
            made = added(zone, slots[at], (index,) * home.number, None, spot)
            if made is None or amount(zone, made) > zone.capacity:
                raise Fault(NO_ROOM, f"{zone.name} cannot hold the {component.name} that begin there", zone.origin.span)
            slots[at] = made
    for zone in core.zones.values():
        if zone.form.in_blocks:
            entries = layout.zones[zone.name]
            for at in entries.entries:
                slots[at] = (tuple(sorted(components(zone, slots[at]))),) if slots[at] else ()
