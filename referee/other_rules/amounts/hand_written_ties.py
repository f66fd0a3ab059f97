"""Ties written by hand, as `if a > b ... else if b > a ...`: another answer is that both happen where they are level.
"""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Expr, Op, Operator
from referee.core.ruleset import Core
from referee.core.stmt import Bind, Block, Branch, Finish
from referee.core.traverse import in_play, itself, rewrite_each, walk
from referee.frontend.expressions.member_sources import PICK
from referee.frontend.names.other_answers import OtherAnswers

BOTH_IF_LEVEL = "both_if_level"
_MORE_OR_LESS = frozenset((Operator.GT, Operator.LT))


def with_both_if_level(core: Core, others: OtherAnswers) -> Core:
    """The rules with each two cases of which one is that a number is more and the other that it is less; for another
    answer both happen where it is neither."""

    def changed(branch: Branch) -> Branch:
        inner = replace(branch, yes=inside(branch.yes), no=inside(branch.no))
        rest = [one for one in walk(inner.no, Branch) if len(inner.no) == 1 and one is inner.no[0]]
        if not rest or rest[0].no or not _are_turned(branch.cond, rest[0].cond):
            return inner
        if any(True for _ in walk((inner.yes, rest[0].yes), Finish, Bind)):
            return inner
        test = others.test(PICK, BOTH_IF_LEVEL, branch.origin, alone=True)
        if test is None:
            return inner
        both = Branch(test, (*inner.yes, *rest[0].yes), (), branch.origin)
        return replace(inner, no=(replace(rest[0], no=(both,)),))

    def inside(block: Block) -> Block:
        return rewrite_each(block, Branch, changed, lambda _: False)

    return in_play(core, inside)


def _are_turned(one: Expr, other: Expr) -> bool:
    """Whether one says that a number is more than another, and the other that it is less."""
    first, second = (next(itself(cond, Op), None) for cond in (one, other))
    if first is None or second is None or not {first.op, second.op} <= _MORE_OR_LESS:
        return False
    return first.args == (second.args[::-1] if second.op is first.op else second.args)
