"""The end of a game without asking the table: where only one thing can be ruled it is so, else nothing happens."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import Const, Fold, FoldKind, Local, Op, Operator
from referee.core.member_types import member_type
from referee.core.ruleset import Core
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
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.traverse import with_blocks
from referee.core.types import Bool, Int

MOST_CANDIDATES = 1_000_000
"""The largest number that the type of a count of candidates has."""


def unasked(core: Core, block: Block) -> Block:
    """A block in which what the table would rule is the only thing that it can; where there are several, the rest of
    the block is left out."""
    done: list[Stmt] = []
    for number, stmt in enumerate(block):
        match stmt:
            case Unspecified():
                candidates, name = stmt.candidates, stmt.name
                if candidates is None or name is None:
                    done.append(with_blocks(stmt, lambda inner: unasked(core, inner)))
                    continue
                kind = stmt.type or member_type(core, candidates)
                item = Local("the only one", kind)
                size = Fold(FoldKind.COUNT, item.name, candidates, None, None, Int(0, MOST_CANDIDATES))
                one = Op(Operator.EQ, (size, Const(1, Int(1, 1))), Bool())
                ruled = Bind(name, Fold(FoldKind.MIN, item.name, candidates, None, item, kind), stmt.point.origin)
                rest = (ruled, *unasked(core, block[number + 1:]))
                return (*done, Branch(one, rest, (), stmt.point.origin))
            case (Put() | Move() | Merge() | Swap() | Bind() | Branch() | Each() | Repeat() | Decide() | Commit()
                  | Chance() | Finish() | Call()):
                done.append(with_blocks(stmt, lambda inner: unasked(core, inner)))
            case _:
                assert_never(stmt)
    return tuple(done)
