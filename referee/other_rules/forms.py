"""Whether a node is of a form that an other answer is made of."""

from __future__ import annotations

from typing import TypeVar

from referee.core.traverse import walk

A = TypeVar("A")


def as_a(node: object, kind: type[A]) -> A | None:
    """A node that is of a kind; None if it is of another, whatever it holds."""
    return next((one for one in walk(node, kind) if one is node), None)
