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
    return (stmt for stmt, _ in nested(block))


def nested(block: Block) -> Iterator[tuple[Stmt, int]]:
    """Every statement of a block, outer ones first, with the number of blocks around it."""
    open_ = [(iter(block), 0)]
    while open_:
        rest, around = open_[-1]
        stmt = next(rest, None)
        if stmt is None:
            open_.pop()
            continue
        yield stmt, around
        open_.extend((iter(inner), around + 1) for inner in reversed(inner_blocks(stmt)) if inner)
