"""The conditions that loops over members and sources of arguments put on members."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Or,
    Split,
    Where,
    Within,
)
from referee.core.ruleset import Core
from referee.core.stmt import Each
from referee.core.traverse import statements
from referee.core.types import Bool, Elem

_IT = re.compile(r"\bit\b")


def each_loops(core: Core) -> Iterator[Each]:
    """Every loop over members in a core."""
    yield from statements(core.main, Each)
    for procedure in core.procedures.values():
        yield from statements(procedure.body, Each)
    for action in core.actions.values():
        yield from statements(action.body, Each)


def condition_of(each: Each, member: int, kind: Elem) -> Expr | None:
    """The condition of a loop for one member; None if it has none."""
    match each.source:
        case Members(of):
            found = filtered(of)
        case All() | Numbers() | Within():
            return None
        case _:
            assert_never(each.source)
    if found is None or found.where is None:
        return None
    return Let(found.var, Const(member, kind), found.where, Bool(), found.where.span)


def said_of(text: str, member: str) -> str:
    """A text of the rules with a member in the place of `it`."""
    return _IT.sub(lambda _: member, text)


def filtered(expr: Expr) -> Where | None:
    """The source with a condition, if members are those of one."""
    match expr:
        case Where():
            return expr
        case (Op() | Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Connected()
              | Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr)
