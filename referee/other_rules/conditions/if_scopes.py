"""How far an `if` goes: another answer is that what follows it in the same sentence stands under it too."""

from __future__ import annotations

from itertools import pairwise

from referee.core.read_write_sets import block_writes, reads, variables_of
from referee.core.ruleset import Core
from referee.core.stmt import Block, Branch, Merge, Move, Origin, Put, Stmt, Swap, is_whole, origin_of
from referee.core.traverse import in_play, itself, walk, with_blocks
from referee.frontend.names.other_answers import SELECTOR, OtherAnswers

IF_SCOPE, ALSO_WHAT_FOLLOWS = "if_scope", "also_what_follows"


def _of_the_rules(stmt: Stmt) -> Branch | None:
    """The `if` that a statement is, maybe one that stands where another answer puts it elsewhere."""
    branch = next(itself(stmt, Branch), None)
    while branch is not None and variables_of(branch.cond) == {SELECTOR}:
        inner = branch.yes
        branch = next((one for one in walk(inner, Branch) if len(inner) == 1 and one is inner[0]), None)
    return branch


class IfScopes:
    """The effects of one core behind an `if` of the same statement."""

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others

    def made(self) -> Core:
        """The rules with each such effect under the condition, for another answer; set-up is left as it is."""
        core = self._core
        return in_play(core, self._block)

    def _block(self, block: Block) -> Block:
        found = [with_blocks(stmt, self._block) for stmt in block]
        for at, (one, other) in enumerate(pairwise(block)):
            branch = _of_the_rules(one)
            if branch is not None and (at == 0 or is_whole(block[at - 1])):
                found[at + 1] = self._under(branch, other, found[at + 1])
        return tuple(found)

    def _under(self, branch: Branch, effect: Stmt, made: Stmt) -> Stmt:
        same = set(self._core.statements_in(branch.origin.cites)) & set(
            self._core.statements_in(origin_of(effect).cites))  # fmt: skip
        plain = any(it is effect for it in (*walk((effect,), Put, Move), *walk((effect,), Merge, Swap)))
        if branch.no or not same or not plain or not is_whole(effect) or reads(branch.cond) & block_writes(branch.yes):
            return made
        if not self._is_written_apart(branch, effect):
            return made
        where = Origin(origin_of(effect).span, tuple(sorted(same)))
        test = self._others.test(IF_SCOPE, ALSO_WHAT_FOLLOWS, where, alone=True, also=branch.origin)
        if test is None:
            return made
        here = Branch(branch.cond, (made,), (), where)
        return Branch(test, (here,), (made,), where)

    @staticmethod
    def _is_written_apart(branch: Branch, effect: Stmt) -> bool:
        """Whether both stand in lines of their own: what the front end makes of one line is one thing."""
        one, other = branch.origin.span, origin_of(effect).span
        return (one.path, one.line) != (other.path, other.line)
