"""Goes through the core: every node in a node."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from referee.core.ruleset import Core


def nodes_of(node: object) -> Iterator[object]:
    """A node of the core and everything in it, types too, but for places in the rules; in no order to rely on."""
    stack = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, tuple):
            stack.extend(one)
        elif is_dataclass(one) and not isinstance(one, type):
            yield one
            stack.extend(getattr(one, f.name) for f in fields(one) if f.name not in ("origin", "span"))


def rules_of(core: Core) -> tuple[object, ...]:
    """Everything that a ruleset says, but for what it declares."""
    parts = (core.main, tuple(core.actions.values()), tuple(core.procedures.values()), core.invariants, core.score)
    limits = tuple(zone.limit for zone in core.zones.values())
    return (*parts, limits, tuple(core.watched.values()), core.relations)
