"""What stands in a node of core or flow: everything in it, the locals and variables it reads."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.expr import Get, Local


def locals_of(node: object) -> frozenset[str]:
    """Every local that is read anywhere in a node of the core, whoever binds it."""
    return frozenset(one.name for one in nodes_of(node) if isinstance(one, Local))


def variables_of(node: object) -> frozenset[str]:
    """Every variable that is read anywhere in a node of the core."""
    return frozenset(one.var for one in nodes_of(node) if isinstance(one, Get))


def nodes_of(node: object) -> Iterator[object]:
    """A node of core or flow (or a tuple of them) and everything in it, outer ones first, but for types and places in
    the rules."""
    if isinstance(node, tuple):
        for part in node:
            yield from nodes_of(part)
    elif hasattr(node, "__dataclass_fields__"):
        yield node
        for name in node.__dataclass_fields__:
            if name not in ("origin", "span", "type"):
                yield from nodes_of(getattr(node, name))
