"""A frame: the entries of one position while something is evaluated or performed, and the names bound to values."""

from __future__ import annotations

from typing import Any

from referee.core.ruleset import Invariant
from referee.game.state import Layout, Spread

ABSENT: Any = object()
"""What `bind` returns for a name that had no value."""


class Frame:
    """`slots` is the frame's own list of entries; `env` the locals in scope. Both change in place.

    `watched` are the invariants to be tested after every statement.
    """

    __slots__ = ("env", "layout", "slots", "tables", "vars", "watched", "zones")

    def __init__(self, layout: Layout, slots: list[Any], env: dict[str, Any] | None = None) -> None:
        self.layout = layout
        self.vars: dict[str, Spread] = layout.vars
        self.zones: dict[str, Spread] = layout.zones
        self.tables = layout.tables
        self.slots = slots
        self.watched: tuple[Invariant, ...] = ()
        self.env: dict[str, Any] = {} if env is None else env

    def restore(self, name: str, before: Any) -> None:
        """Gives a name the value that it had before, `ABSENT` for none."""
        if before is ABSENT:
            self.env.pop(name, None)
        else:
            self.env[name] = before
