"""The entries of a game before its first statement: start values, what the header states, components at home."""

from __future__ import annotations

from typing import Any

from referee.engine.zones import place_all
from referee.game.setting import Setting, Stated
from referee.game.state import Layout, starts


def start(layout: Layout, setting: Setting) -> list[Any]:
    """The entries that a game begins with. Raises `Fault` (RT03) if a home cannot hold its components."""
    slots: list[Any] = [None] * layout.size
    for name, var in layout.defs.items():
        entries = layout.vars[name]
        slots[entries.base:entries.base + entries.count] = starts(var, entries.count)
    for name, index in setting.readings.items():
        slots[layout.vars[name].base] = index
    _state(setting.givens, slots, layout)
    _state(setting.parameters, slots, layout)
    place_all(layout, slots)
    for name, value in setting.rulings.items():
        if name in layout.rulings:
            slots[layout.rulings[name]] = value
    return slots


def _state(stated: Stated, slots: list[Any], layout: Layout) -> None:
    for name, values in stated.items():
        for key, value in values.items():
            slots[layout.vars[name].find(key)] = value
