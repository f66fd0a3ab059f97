"""The locals that a piece of core reads, with their types."""

from __future__ import annotations

from referee.core.expr import Local
from referee.core.traverse import walk
from referee.core.types import Type


def local_types(node: object) -> dict[str, Type]:
    """Every local read anywhere in a node, with its type."""
    return {one.name: one.type for one in walk(node, Local)}
