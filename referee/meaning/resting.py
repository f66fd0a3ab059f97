"""Which points are rest points: nothing asked inside an action, trigger or hook is one, even if a procedure asks it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from referee.core.stmt import Action, Block, Branch, Call, Chance, Commit, Decide, Each, Procedure, Repeat, Stmt
from referee.core.traverse import statements


def settled(procedures: Mapping[str, Procedure], actions: Mapping[str, Action],
            aside: Iterable[Block]) -> dict[str, Procedure]:
    """The procedures, those that actions and the blocks `aside` call (maybe through others) without rest points.

    One that the course of the game calls too has none there either: half of an action may lie behind it.
    """
    inside = _called(procedures, (*(action.body for action in actions.values()), *aside))
    return {n: replace(p, body=restless(p.body)) if n in inside else p for n, p in procedures.items()}


def _called(procedures: Mapping[str, Procedure], bodies: Iterable[Block]) -> set[str]:
    found: set[str] = set()
    open_ = list(bodies)
    while open_:
        calls = {stmt.procedure for stmt in statements(open_.pop()) if isinstance(stmt, Call)} - found
        open_.extend(procedures[name].body for name in calls if name in procedures)
        found |= calls
    return found


def restless(block: Block) -> Block:
    """A block without rest points."""
    return tuple(_moved(stmt) for stmt in block)


def _moved(stmt: Stmt) -> Stmt:
    match stmt:
        case Branch():
            return replace(stmt, yes=restless(stmt.yes), no=restless(stmt.no))
        case Each() | Repeat():
            return replace(stmt, body=restless(stmt.body))
        case Decide():
            otherwise = None if stmt.otherwise is None else restless(stmt.otherwise)
            return replace(stmt, point=replace(stmt.point, rest=False), otherwise=otherwise)
        case Commit() | Chance():
            return replace(stmt, point=replace(stmt.point, rest=False))
        case _:
            return stmt
