"""Blocks that stand in a block without a condition: what they hold stands there by itself."""

from __future__ import annotations

from referee.core.ruleset import Core
from referee.core.stmt import Block, Branch, Stmt, origin_of
from referee.core.traverse import in_play, itself, with_blocks
from referee.frontend.expressions import typed_operators


def in_a_row(*stmts: Stmt) -> Branch:
    """Statements where one may stand, until `joined` puts them into its block."""
    (first, *_) = stmts
    return Branch(typed_operators.TRUE, stmts, (), origin_of(first))


def joined(core: Core) -> Core:
    """The rules with all such statements in the blocks in which they stand."""
    return in_play(core, _block)


def _is_always(branch: Branch) -> bool:
    return branch.cond == typed_operators.TRUE and not branch.no


def _block(block: Block) -> Block:
    found: list[Stmt] = []
    for stmt in block:
        inner = with_blocks(stmt, _block)
        always = [one for one in itself(inner, Branch) if _is_always(one)]
        found += always[0].yes if always else (inner,)
    return tuple(found)
