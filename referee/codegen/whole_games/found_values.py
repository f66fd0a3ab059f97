"""Of which variables it is known, behind a node of a flow, which expression has their value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from referee.core.expr import Expr
from referee.core.flow import Ask, Draw, Fork, Gather, Node, Rule, Run
from referee.core.read_write_sets import block_writes, changes, reads
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Put,
    Repeat,
    Swap,
    Unspecified,
)

Found = Mapping[str, Expr]


def still_found(before: Found, node: Node) -> Found:
    """What is known behind a node, of what was known before it."""
    match node:
        case Run(body):
            return _behind(before, body)
        case Ask() | Draw() | Gather() | Fork() | Rule():
            return _without(before, changes(node))
        case _:
            assert_never(node)


def _behind(before: Found, body: Block) -> Found:
    found = before
    for stmt in body:
        found = _without(found, block_writes((stmt,)))
        match stmt:
            case Put(var, (), value) if var not in reads(value):
                found = {**found, var: value}
            case (Put() | Move() | Merge() | Swap() | Branch() | Each() | Finish() | Bind() | Repeat() | Decide() |
                  Commit() | Chance() | Unspecified() | Call()):
                continue
            case _:
                assert_never(stmt)
    return found


def _without(found: Found, changed: frozenset[str]) -> Found:
    return {name: value for name, value in found.items() if name not in changed and not changed & reads(value)}
