"""Which points are rest points: nothing asked inside an action, trigger or hook is one, even if a procedure asks it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import assert_never

from referee.core.stmt import (
    Action,
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
    Procedure,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.traverse import called, with_blocks


def settled(procedures: Mapping[str, Procedure], actions: Mapping[str, Action],
            aside: Iterable[Block]) -> dict[str, Procedure]:
    """The procedures, those that actions and the blocks `aside` call (maybe through others) without rest points.

    One that the course of the game calls too has none there either: half of an action may lie behind it.
    """
    inside = called(procedures, (*(action.body for action in actions.values()), *aside))
    return {n: replace(p, body=restless(p.body)) if n in inside else p for n, p in procedures.items()}


def restless(block: Block) -> Block:
    """A block without rest points."""
    return tuple(_moved(stmt) for stmt in block)


def _moved(stmt: Stmt) -> Stmt:
    stmt = with_blocks(stmt, restless)
    match stmt:
        case Decide() | Commit() | Chance() | Unspecified():
            return replace(stmt, point=replace(stmt.point, rest=False))
        case Put() | Move() | Merge() | Swap() | Bind() | Branch() | Each() | Repeat() | Finish() | Call():
            return stmt
        case _:
            assert_never(stmt)
