"""Whether what an action has just moved is counted where it came to: other answers to "with or without it?"."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from referee.core.expr import Expr, Fold, Local, Op, Operator, Or, Within
from referee.core.ruleset import Core
from referee.core.stmt import Bind, Block, Move, Origin, Stmt
from referee.core.traverse import rewrite_each, with_blocks
from referee.core.types import Bool, Elem
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers

WHICH_SET, WITHOUT_MOVED = "which_set", "without_what_was_moved"


def without_the_moved(core: Core, others: OtherAnswers) -> Core:
    """The rules with both answers wherever an action moves a component and counts what lies there."""

    def block(stmts: Block, moved: tuple[Move, ...]) -> Block:
        found: list[Stmt] = []
        for stmt in stmts:
            inner = with_blocks(stmt, partial(block, moved=moved))
            found.append(_counted(inner, moved, others) if moved else inner)
            if isinstance(stmt, Move) and _alone(core, stmt):
                moved = (*moved, stmt)
        return tuple(found)

    return replace(core, actions={n: replace(one, body=block(one.body, ())) for n, one in core.actions.items()})


def _counted(stmt: Stmt, moved: tuple[Move, ...], others: OtherAnswers) -> Stmt:
    def change(fold: Fold) -> Expr | None:
        if not isinstance(fold.source, Within) or fold.span is None:
            return None
        for move in moved:
            if (move.to.zone, move.to.keys) != (fold.source.place.zone, fold.source.place.keys):
                continue
            test = others.test(WHICH_SET, WITHOUT_MOVED, Origin(fold.span), alone=True)
            if test is None:
                return None
            assert isinstance(move.what, Local)
            another = Op(Operator.NE, (Local(fold.var, move.what.type), move.what), Bool())
            cond: Expr = Or((typed_operators.negate(test), another))
            return replace(fold, where=cond if fold.where is None else typed_operators.both((cond, fold.where)))
        return None

    return rewrite_each(stmt, Fold, change, lambda part: isinstance(part, Bind) and part is not stmt)


def _alone(core: Core, move: Move) -> bool:
    """Whether a move is of one component that has a name, and no other is like it."""
    kind = move.what.type
    return (isinstance(move.what, Local) and isinstance(kind, Elem) and move.number is None
            and all(one.number == 1 for one in core.components[kind.lo : kind.hi + 1]))  # fmt: skip
