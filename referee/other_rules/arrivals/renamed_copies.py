"""A second copy of statements: with other names for all that they bind, so that it can stand within the first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar

from referee.core.expr import Connected, Fold, Let, Local, Split, Where
from referee.core.read_write_sets import locals_bound_in
from referee.core.stmt import Bind, Block, Call, Decide, Each, Unspecified
from referee.core.traverse import rewrite, walk

A = TypeVar("A")
_NAMED = frozenset({Local, Fold, Where, Let, Connected, Split, Bind, Call, Decide, Each, Unspecified})
"""What has a name for a value, or gives one."""
_NAMES = frozenset({"name", "var", "here", "rest", "taken", "results"})
"""The fields of these that hold such names."""


def names_given_in(block: Block) -> frozenset[str]:
    """Every name that something in a block gives to a value."""
    found = {one.taken for one in walk(block, Decide) if one.taken is not None}
    found |= {one.name for one in walk(block, Unspecified) if one.name is not None}
    return frozenset(found).union(locals_bound_in(block), *(one.results for one in walk(block, Call)))


def renamed(part: A, names: Mapping[str, str]) -> A:
    """A part of rules with other names in the place of some."""

    def change(node: object) -> object | None:
        return _with_names(node, names) if type(node) in _NAMED else None

    return rewrite(part, change)


def _with_names(node: Any, names: Mapping[str, str]) -> object:
    changed: dict[str, Any] = {}
    for one in fields(node):
        value = getattr(node, one.name)
        if one.name not in _NAMES:
            changed[one.name] = value if one.name in ("type", "origin", "span", "point") else renamed(value, names)
        elif isinstance(value, tuple):
            changed[one.name] = tuple(names.get(name, name) for name in value)
        else:
            changed[one.name] = names.get(value, value)
    kind: Any = type(node)
    return kind(**changed)
