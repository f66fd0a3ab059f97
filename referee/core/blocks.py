"""Goes through the statements of a block, with those in the blocks inside it."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.stmt import Block, Branch, Decide, Each, Repeat, Stmt


def inner_blocks(stmt: Stmt) -> tuple[Block, ...]:
    """The blocks that stand inside a statement."""
    match stmt:
        case Branch():
            return (stmt.yes, stmt.no)
        case Each() | Repeat():
            return (stmt.body,)
        case Decide():
            return () if stmt.otherwise is None else (stmt.otherwise,)
        case _:
            return ()


def statements(block: Block) -> Iterator[Stmt]:
    """Every statement of a block, outer ones first."""
    for stmt in block:
        yield stmt
        for inner in inner_blocks(stmt):
            yield from statements(inner)
