"""Which locals an expression, statement or block reads."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.expr import Local


def locals_of(node: object) -> frozenset[str]:
    """Every local that is read anywhere in a node of the core, whoever binds it."""
    return frozenset(_locals(node))


def _locals(node: object) -> Iterator[str]:
    if isinstance(node, Local):
        yield node.name
    elif isinstance(node, tuple):
        for part in node:
            yield from _locals(part)
    elif hasattr(node, "__dataclass_fields__"):
        for name in node.__dataclass_fields__:
            if name not in ("origin", "span", "type"):
                yield from _locals(getattr(node, name))
