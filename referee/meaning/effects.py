"""The locals that a piece of core reads, with their types."""

from __future__ import annotations

from referee.core.expr import Local
from referee.core.types import Type


def local_types(node: object) -> dict[str, Type]:
    """Every local read anywhere in a node, with its type."""
    found: dict[str, Type] = {}
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, Local):
            found[part.name] = part.type
        elif isinstance(part, tuple):
            stack.extend(part)
        elif hasattr(part, "__dataclass_fields__"):
            stack.extend(getattr(part, n) for n in part.__dataclass_fields__ if n not in ("origin", "span", "type"))
    return found
