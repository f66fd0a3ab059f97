"""Whether a node is of a form that an other answer is made of, and the same form with other values in it."""

from __future__ import annotations

from typing import TypeVar

from referee.core.expr import Expr, Local
from referee.core.traverse import itself, rewrite_each

A = TypeVar("A")


def as_a(node: object, kind: type[A]) -> A | None:
    """A node that is of a kind; None if it is of another, whatever it holds."""
    return next(itself(node, kind), None)


def with_value(node: A, name: str, value: Expr) -> A:
    """A node with a value in the place of a local, which nothing in it binds."""
    return rewrite_each(node, Local, lambda one: value if one.name == name else None, lambda _: False)
