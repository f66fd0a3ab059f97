"""Whether something may be done in vain, where there is nothing to choose for what it does: another answer to that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import assert_never

from referee.core.expr import Expr, Or
from referee.core.read_write_sets import block_writes, locals_of, places_of, reads, variables_of
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
    Swap,
    Unspecified,
)
from referee.core.traverse import statements
from referee.flow.register_names import substitute
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers

TARGETS, NOT_IN_VAIN = "targets", "not_in_vain"
DEEP = 2
"""Procedures are gone into so far: those that an action carries out, and those that these do."""
Names = Mapping[str, Expr]


@dataclass(frozen=True, slots=True)
class _Target:
    """Where something is chosen only if it is there. `cond`: that it is, or that the action does not come here."""

    cond: Expr
    origin: Origin


def with_targets_needed(core: Core, others: OtherAnswers) -> Core:
    """The rules with each action in which something is chosen only if it is there; for another answer the action may
    not be done where it is not there. Not where the action itself has changed by then what is looked at, nor
    where a reading asks it already."""

    def guards(name: str, body: Block) -> Iterator[Guard]:
        asked = {place for guard in core.actions[name].guards if variables_of(guard.cond) & core.readings.keys()
                 for place in places_of(guard.cond)}  # fmt: skip
        for one in _Targets(core).found(body, {}, ()):
            if places_of(one.cond) & asked:
                continue
            test = others.test(TARGETS, NOT_IN_VAIN, one.origin, act=core.actions[name].label)
            if test is not None:
                free = typed_operators.negate(test)
                yield Guard("there is something for it to happen to", Or((free, one.cond)), one.origin)

    return replace(core, actions={
        name: replace(one, guards=(*one.guards, *guards(name, one.body))) for name, one in core.actions.items()
    })  # fmt: skip


class _Targets:
    """Goes through what an action does, up to where it can no longer be said before it is done."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._changed: frozenset[str] = frozenset()
        self._bound: set[str] = set()
        self._asked = False
        self._depth = 0

    def found(self, block: Block, names: Names, path: tuple[Expr, ...]) -> Iterator[_Target]:
        """What is chosen in a block to which the action comes if all of `path` holds. `names`: what locals stand for.
        """
        for stmt in block:
            if self._asked:
                return
            match stmt:
                case Branch():
                    yield from self._branch(stmt, names, path)
                case Call():
                    yield from self._called(stmt, names, path)
                case Bind(name, value):
                    if self._known(value, names):
                        names = {**names, name: substitute(value, names)}
                    else:
                        self._bound.add(name)
                case Put() | Move() | Merge() | Swap():
                    self._changed |= block_writes((stmt,))
                case Each() | Repeat() | Decide() | Commit() | Chance() | Unspecified() | Finish():
                    self._asked = True
                case _:
                    assert_never(stmt)

    def _branch(self, stmt: Branch, names: Names, path: tuple[Expr, ...]) -> Iterator[_Target]:
        known = self._known(stmt.cond, names)
        cond = substitute(stmt.cond, names) if known else stmt.cond
        if known and not stmt.no and places_of(stmt.cond) and _chooses(stmt.yes):
            needed = (*(typed_operators.negate(one) for one in path), cond)
            yield _Target(Or(needed) if len(needed) > 1 else cond, stmt.origin)
        if not known:
            self._asked = True
            return
        before = self._changed, set(self._bound)
        ended = False
        for inner, test in ((stmt.yes, cond), (stmt.no, typed_operators.negate(cond))):
            self._changed, self._bound = before[0], set(before[1])
            yield from self.found(inner, names, (*path, test))
            ended, self._asked = ended or self._asked, False
        self._changed |= block_writes((stmt,))
        self._asked = ended or any(True for _ in statements((stmt,), Call))

    def _known(self, expr: Expr, names: Names) -> bool:
        """Whether it can be said before the action is done, in the locals of the action."""
        read = locals_of(expr)
        given = {name: names[name] for name in read & names.keys()}
        caught = any(locals_of(one) & read - {name} for name, one in given.items())
        return not (reads(expr) & self._changed or read & self._bound or caught)

    def _called(self, stmt: Call, names: Names, path: tuple[Expr, ...]) -> Iterator[_Target]:
        if self._depth == DEEP or not all(self._known(arg, names) for arg in stmt.args):
            self._asked = True
            return
        procedure = self._core.procedures[stmt.procedure]
        given = {name: substitute(arg, names) for (name, _), arg in zip(procedure.params, stmt.args, strict=True)}
        outside, self._bound = self._bound, set()
        self._depth += 1
        yield from self.found(procedure.body, given, path)
        self._depth -= 1
        self._bound = outside | set(stmt.results)


def _chooses(block: Block) -> bool:
    """Whether the first thing that a block does is to have something chosen."""
    first = next((one for one in block if not any(bind is one for bind in statements((one,), Bind))), None)
    return first is not None and any(one is first for one in statements((first,), Decide))
