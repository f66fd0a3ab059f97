"""A frame: the entries of one position while something is evaluated or performed, and the names bound to values."""

from __future__ import annotations

from typing import Any

from referee.game.state import Layout, Spread

ABSENT: Any = object()
"""Stands for the value of a name that has none."""


class Frame:
    """`slots` is the frame's own list of entries; `env` the locals in scope. Both change in place."""

    __slots__ = ("env", "layout", "slots", "tables", "vars", "zones")

    def __init__(self, layout: Layout, slots: list[Any], env: dict[str, Any] | None = None) -> None:
        self.layout = layout
        self.vars: dict[str, Spread] = layout.vars
        self.zones: dict[str, Spread] = layout.zones
        self.tables = layout.tables
        self.slots = slots
        self.env: dict[str, Any] = {} if env is None else env

    def copy(self) -> Frame:
        """The same entries and names, to be changed without changing these."""
        return Frame(self.layout, list(self.slots), dict(self.env))

    def restore(self, name: str, before: Any) -> None:
        """Gives a name the value that it had before, `ABSENT` for none."""
        if before is ABSENT:
            self.env.pop(name, None)
        else:
            self.env[name] = before
