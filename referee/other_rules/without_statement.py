"""Rules from which lines can be taken out, behind the selector of other answers.

The lines are those of one statement of the rulebook, or of one thing that is taken for granted.

What can be taken out are effects, whole branches and loops, and conditions of actions. A statement of which other lines
speak too, as one that gives an action its head, is left as it is: something would not be rules without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from referee.core.expr import Expr, Or
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
from referee.diagnostics.diagnostic import Problems
from referee.flow.progress_checks import check
from referee.frontend.names.other_answers import SELECTOR, OtherAnswer, OtherAnswers, gone_by_test

SENTENCE, GRANTED = "sentence", "granted"
Line = tuple[str, int]
"""A line of the rules: its file and its number."""


Named = Callable[[Origin], Iterable[str]]
"""What stands behind the selector by which a part of the rules goes away."""


def without_statements(core: Core, cited: Sequence[tuple[str, Line]]) -> tuple[Core, tuple[OtherAnswer, ...]]:
    """The rules with each statement of which all lines can be taken out behind the selector, and those statements, as
    answers whose `name` is the statement. `cited`: every line of the rules that cites one."""
    lines = _lines(core, lambda origin: core.statements_in(origin.cites))
    every: dict[str, set[Line]] = {}
    for name, line in cited:
        every.setdefault(name, set()).add(line)
    whole = {name: some for name, some in lines.items() if every.get(name, set()) <= {_line(one) for one in some}}
    return _made(core, SENTENCE, whole, lambda origin: core.statements_in(origin.cites))


def without_lines(core: Core, groups: Mapping[str, Iterable[Line]]) -> tuple[Core, tuple[OtherAnswer, ...]]:
    """The rules with what can be taken out of some groups of lines behind the selector, and the groups of which
    anything can, as answers whose `name` is that of the group."""
    of: dict[Line, list[str]] = {}
    for name, some in groups.items():
        for line in some:
            of.setdefault(line, []).append(name)

    def named(origin: Origin) -> Iterable[str]:
        return of.get(_line(origin), ())

    return _made(core, GRANTED, _lines(core, named), named)


def _lines(core: Core, named: Named) -> dict[str, list[Origin]]:
    """By name what can be taken out."""
    found: dict[str, list[Origin]] = {}
    for origin in _can_go(core):
        for name in named(origin):
            found.setdefault(name, []).append(origin)
    return found


def _made(
    core: Core, dimension: str, lines: Mapping[str, Sequence[Origin]], named: Named
) -> tuple[Core, tuple[OtherAnswer, ...]]:
    names = _that_run(core, sorted(lines), (), named)
    answers = tuple(OtherAnswer(number, dimension, name, tuple(dict.fromkeys(lines[name])))
                    for number, name in enumerate(names, 1))  # fmt: skip
    return _with_selector(core, names, named), answers


def _with_selector(core: Core, names: Sequence[str], named: Named) -> Core:
    """The rules with what some names stand for behind the selector, each by its number."""
    made = _Without(core, {name: number for number, name in enumerate(names, 1)}, named).made()
    return replace(made, vars={**made.vars, SELECTOR: OtherAnswers.variable(Origin(core.origin))})


def _that_run(core: Core, names: Sequence[str], kept: tuple[str, ...], named: Named) -> tuple[str, ...]:
    """The names kept and those further ones without whose lines the rules still come to an end of each loop: where the
    only thing that a loop asks is taken out, it would go round for ever."""
    every = (*kept, *names)
    try:
        check(_with_selector(core, every, named))
    except Problems:
        if len(names) == 1:
            return kept
        half = len(names) // 2
        return _that_run(core, names[half:], _that_run(core, names[:half], kept, named), named)
    return every


def _line(one: Origin) -> Line:
    return one.span.path, one.span.line


def _can_go(core: Core) -> Iterator[Origin]:
    """Where that stands which can be taken out."""
    for body in bodies(core):
        yield from (origin_of(one) for one in statements(body) if _may_go(one))
    for action in core.actions.values():
        yield from (guard.origin for guard in action.guards)


def _may_go(stmt: Stmt) -> bool:
    """Whether rules are rules without a statement, whatever comes after it."""
    match stmt:
        case Put() | Swap():
            return is_whole(stmt)
        case Move() | Merge() | Branch() | Each() | Repeat() | Finish():
            return True
        case Call(results=results):
            return not results  # what comes after it speaks of them
        case Bind() | Decide() | Commit() | Chance() | Unspecified():
            return False
        case _:
            assert_never(stmt)


class _Without:
    """The rules with what can be taken out behind tests."""

    def __init__(self, core: Core, numbers: dict[str, int], named: Named) -> None:
        self._core, self._numbers, self._named = core, numbers, named

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
            whole = _may_go(stmt) and not self._goes_by_itself(stmt)
            test = self._test(origin) if alone and whole else None
            made.append(inner if test is None else Branch(test, (), (inner,), origin))
            alone = is_whole(stmt)
        return tuple(made)

    def _goes_by_itself(self, stmt: Stmt) -> bool:
        """Whether nothing of it is left once what stands in it is taken out."""
        inner = [one for block in inner_blocks(stmt) for one in block]
        names = set(self._named(origin_of(stmt)))
        return bool(inner) and all(_may_go(one) and names <= set(self._named(origin_of(one))) for one in inner)

    def _guard(self, guard: Guard) -> Guard:
        test = self._test(guard.origin)
        return guard if test is None else replace(guard, cond=Or((test, guard.cond)))

    def _test(self, origin: Origin) -> Expr | None:
        """Whether the rules go by an answer that takes this out; None if there is none."""
        tests = tuple(gone_by_test(self._numbers[name]) for name in self._named(origin) if name in self._numbers)
        return Or(tests) if len(tests) > 1 else tests[0] if tests else None
