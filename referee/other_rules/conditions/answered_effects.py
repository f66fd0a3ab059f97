"""Whether it has happened when others answer it: where another answer is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.read_write_sets import block_writes, locals_of, reads
from referee.core.ruleset import TURN, Core
from referee.core.stmt import Block, Branch, Decide, Merge, Move, Put, Stmt, Swap, is_whole, origin_of
from referee.core.traverse import itself, statements, with_blocks
from referee.frontend.names.other_answers import OtherAnswers

ANSWERED, EFFECT_FIRST = "answered", "effect_first"


def with_effects_before_answers(core: Core, others: OtherAnswers) -> Core:
    """The rules with each effect of an action that stands behind a window in which others may answer; for another
    answer it happens first, and they answer what has happened.

    Only where it can tell: where those who answer look at what it changes, or change it; not where it hangs on what
    they have answered.
    """
    moved = _EffectsFirst(core, others)
    return replace(
        core,
        actions={name: replace(one, body=moved.block(one.body)) for name, one in core.actions.items()},
        procedures={name: replace(one, body=moved.block(one.body)) for name, one in core.procedures.items()},
    )


class _EffectsFirst:
    """Puts effects before the windows that stand above them."""

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others

    def block(self, block: Block) -> Block:
        """The same with each such effect, where it stands and before the window."""
        made = list[Stmt]()
        for stmt in block:
            inner = with_blocks(stmt, self.block)
            test = None
            if made and _is_effect(inner):
                window = made[-1]
                asked = next(self._asked(window), None)
                if asked is not None and self._matters(window, inner):
                    test = self._others.test(ANSWERED, EFFECT_FIRST, origin_of(inner), alone=True,
                                             also=asked.point.origin)  # fmt: skip
            if test is None:
                made.append(inner)
            else:
                where = origin_of(inner)
                first, later = Branch(test, (inner,), (), where), Branch(test, (), (inner,), where)
                made[-1:] = [first, made[-1], later]
        return tuple(made)

    def _asked(self, stmt: Stmt) -> Iterator[Decide]:
        """Where somebody else than who acts may answer, in what may be a window."""
        for one in statements((stmt,), Decide):
            names = locals_of(one.actor)
            if len(one.options) > 1 and "me" not in names and TURN not in reads(one.actor):
                yield one

    def _matters(self, window: Stmt, effect: Stmt) -> bool:
        """Whether those who answer look at what an effect changes, and it does not hang on what they do."""
        changed = block_writes((effect,))
        seen, done = set[str](), set(block_writes((window,)))
        for asked in statements((window,), Decide):
            for option in asked.options:
                action = self._core.actions[option.action]
                seen |= reads(action)
                done |= block_writes(action.body)
        return bool(changed & (seen | done)) and not (reads(effect) - changed) & done


def _is_effect(stmt: Stmt) -> bool:
    """Whether a statement asks nobody and stands alone."""
    alone = any(True for _ in (*itself(stmt, Put, Move), *itself(stmt, Merge, Swap)))
    return alone and is_whole(stmt)
