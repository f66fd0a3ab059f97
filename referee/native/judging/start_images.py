"""What lies in memory before set-up: the same for all games of a flow, but for what a setting states."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.game.setting import Setting
from referee.native.judging.memory_position import FixedEntries
from referee.native.memory_layout import MemoryLayout
from referee.native.value_forms import NotNative


class StartImages:
    """`home`: the entries if nothing is stated. What is not stated and has no default is open: such a game is none for
    machine code."""

    def __init__(self, memory: MemoryLayout, home: list[Any]) -> None:
        self._memory = memory
        self._changing = memory.blank()
        self._lying = bytearray(max(memory.fixed_size, 1))
        self._open = set[str]()
        for name in memory.layout.core.zones:
            memory.write_zone(name, home, self._changing)
        for name in memory.layout.rulings:
            memory.write_ruling(name, home, self._changing)
        for name, cells in memory.vars.items():
            try:
                memory.write_var(name, home, self._lying if cells.fixed else self._changing)
            except NotNative:
                self._open.add(name)
        self._changing = bytearray(memory.trimmed(self._changing))
        self._stated: dict[str, Any] | None = None
        self._fixed = FixedEntries((), b"")

    def of(self, setting: Setting, slots: list[Any]) -> tuple[bytearray, FixedEntries]:
        """Both blocks, of the entries of a setting. `NotNative` if something is open."""
        memory, changing = self._memory, self._changing.copy()
        values: dict[str, Any] = {**setting.readings, **setting.givens, **setting.parameters}
        if not values.keys() >= self._open:
            raise NotNative("a value that is not known")
        for name in values:
            if not memory.vars[name].fixed:
                memory.write_var(name, slots, changing)
        for name in setting.rulings:
            if name in memory.rulings:
                memory.write_ruling(name, slots, changing)
        return changing, self._fixed_of({name: one for name, one in values.items() if memory.vars[name].fixed}, slots)

    def _fixed_of(self, stated: Mapping[str, Any], slots: list[Any]) -> FixedEntries:
        """What never changes. Most games of a kind state the same of it."""
        if self._stated != stated:
            block = self._lying.copy()
            for name in stated:
                self._memory.write_var(name, slots, block)
            self._fixed = FixedEntries(tuple(slots[self._memory.layout.fixed:]), bytes(block))
            self._stated = dict(stated)
        return self._fixed
