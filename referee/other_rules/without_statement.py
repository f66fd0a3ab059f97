"""Rules from which the lines of one statement of the rulebook can be taken out, behind the selector of other answers.

What can be taken out are effects, whole branches and loops, and conditions of actions. A statement of which other lines
speak too, as one that gives an action its head, is left as it is: something would not be rules without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from referee.core.expr import Const, Expr, Get, Op, Operator, Or
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
    Guard,
    Merge,
    Move,
    Origin,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
    is_whole,
    origin_of,
)
from referee.core.traverse import bodies, inner_blocks, statements, with_blocks
from referee.core.types import Bool, Int
from referee.frontend.names.other_answers import MOST_ANSWERS, SELECTOR, THE_RULES, OtherAnswer, OtherAnswers

SENTENCE = "sentence"
_TYPE = Int(THE_RULES, MOST_ANSWERS)
Line = tuple[str, int]
"""A line of the rules: its file and its number."""


def without_statements(core: Core, cited: Sequence[tuple[str, Line]]) -> tuple[Core, tuple[OtherAnswer, ...]]:
    """The rules with each statement of which all lines can be taken out behind the selector, and those statements, as
    answers whose `name` is the statement. `cited`: every line of the rules that cites one."""
    lines: dict[str, list[Origin]] = {}
    for origin in _can_go(core):
        for name in core.statements_in(origin.cites):
            lines.setdefault(name, []).append(origin)
    every: dict[str, set[Line]] = {}
    for name, line in cited:
        every.setdefault(name, set()).add(line)
    whole = [name for name, some in sorted(lines.items()) if every.get(name, set()) <= {_line(one) for one in some}]
    answers = tuple(OtherAnswer(number, SENTENCE, name, tuple(dict.fromkeys(lines[name])))
                    for number, name in enumerate(whole, 1))  # fmt: skip
    made = _Without(core, {one.name: one.index for one in answers}).made()
    return replace(made, vars={**made.vars, SELECTOR: OtherAnswers.variable(Origin(core.origin))}), answers


def _line(one: Origin) -> Line:
    return one.span.path, one.span.line


def _can_go(core: Core) -> Iterator[Origin]:
    """Where that stands which can be taken out."""
    for body in bodies(core):
        yield from (origin_of(one) for one in statements(body) if _may_go(one) and origin_of(one).cites)
    for action in core.actions.values():
        yield from (guard.origin for guard in action.guards if guard.origin.cites)


def _may_go(stmt: Stmt) -> bool:
    """Whether rules are rules without a statement, whatever comes after it."""
    match stmt:
        case Put() | Swap():
            return is_whole(stmt)
        case Move() | Merge() | Branch() | Each() | Repeat() | Finish() | Call():
            return True
        case Bind() | Decide() | Commit() | Chance() | Unspecified():
            return False
        case _:
            assert_never(stmt)


def _goes_by_itself(stmt: Stmt) -> bool:
    """Whether nothing of it is left once what stands in it is taken out."""
    inner = [one for block in inner_blocks(stmt) for one in block]
    cites = set(origin_of(stmt).cites)
    return bool(inner) and all(_may_go(one) and cites <= set(origin_of(one).cites) for one in inner)


class _Without:
    """The rules with what can be taken out behind tests."""

    def __init__(self, core: Core, numbers: dict[str, int]) -> None:
        self._core, self._numbers = core, numbers

    def made(self) -> Core:
        """The core; the selector is not declared in it."""
        core = self._core
        setup = self._block(core.main[: core.setup])
        return replace(
            core, main=(*setup, *self._block(core.main[core.setup :])), setup=len(setup),
            actions={name: replace(one, body=self._block(one.body), guards=tuple(map(self._guard, one.guards)))
                     for name, one in core.actions.items()},
            procedures={name: replace(one, body=self._block(one.body)) for name, one in core.procedures.items()},
        )  # fmt: skip

    def _block(self, block: Block) -> Block:
        made: list[Stmt] = []
        alone = True
        for stmt in block:
            inner = with_blocks(stmt, self._block)
            origin = origin_of(stmt)
            whole = _may_go(stmt) and not _goes_by_itself(stmt)
            test = self._test(origin.cites) if alone and whole else None
            made.append(inner if test is None else Branch(test, (), (inner,), origin))
            alone = is_whole(stmt)
        return tuple(made)

    def _guard(self, guard: Guard) -> Guard:
        test = self._test(guard.origin.cites)
        return guard if test is None else replace(guard, cond=Or((test, guard.cond)))

    def _test(self, cites: Collection[str]) -> Expr | None:
        """Whether a statement is taken out that is cited; None if none of them can be."""
        held = Get(SELECTOR, (), _TYPE)
        tests = tuple(Op(Operator.EQ, (held, Const(self._numbers[name], _TYPE)), Bool())
                      for name in self._core.statements_in(cites) if name in self._numbers)  # fmt: skip
        return Or(tests) if len(tests) > 1 else tests[0] if tests else None
