"""What a piece of core reads and writes: names of variables and zones."""

from __future__ import annotations

from referee.core.expr import Get, Local, Place
from referee.core.reads import nodes_of
from referee.core.stmt import Merge, Move, Put, Stmt
from referee.core.types import Type


def reads(node: object) -> frozenset[str]:
    """The variables and zones that an expression, guard, statement or block looks at."""
    found = (one for one in nodes_of(node) if isinstance(one, Get | Place))
    return frozenset(one.var if isinstance(one, Get) else one.zone for one in found)


def writes(stmt: Stmt) -> frozenset[str]:
    """The variables and zones that a single statement changes; of a compound one, none of its own."""
    match stmt:
        case Put(var):
            return frozenset((var,))
        case Move(_, _, source, to):
            return frozenset((source.zone, to.zone))
        case Merge(to, sources):
            return frozenset((to.zone, *(s.zone for s in sources)))
        case _:
            return frozenset()


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
