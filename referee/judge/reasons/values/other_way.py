"""What the other way at a condition inside a run might have written, as far as the keys say it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product
from typing import assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Or,
    Split,
    Where,
)
from referee.core.flow import Ask, Draw, Fork, Gather, Rule, Run, offered
from referee.core.ruleset import Role
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
from referee.core.traverse import statements, walk
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.offers import ME
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.step_replay import StepReplay
from referee.interpreter.trace import Reads, TracedFork
from referee.judge.reasons.past_events import DoneEvent

MOST_NESTED = 4
"""So far it is looked from one register to what it is set to."""


class OtherWay:
    """Answers for one flow."""

    def __init__(self, replay: StepReplay) -> None:
        self._replay = replay

    def may_write(self, fork: TracedFork, wanted: Reads, step: DoneEvent) -> bool:
        """Whether the way not taken at a condition inside a run may write one of some entries in a step.

        It may not if every statement there that writes such a variable or zone writes another entry of it.
        """
        branch = self._branches.get(id(fork.cond))
        if branch is None:
            return True
        names = {self._replay.name_of(index)[0] for index in wanted}
        return any(self._may_be(name, keys, wanted, step) for one in statements(branch.no if fork.held else branch.yes)
                   for name, keys in _written(one) if name in names)

    def _may_be(self, name: str, keys: tuple[Expr, ...], wanted: Reads, step: DoneEvent) -> bool:
        """Whether an entry of some keys may be one of those asked about."""
        found = [self._values(key, step, MOST_NESTED) for key in keys]
        if any(one is None for one in found):
            return True
        written = set(product(*(one for one in found if one is not None)))
        return any(self._replay.name_of(index) in {(name, key) for key in written} for index in wanted)

    def _values(self, expr: Expr, step: DoneEvent, depth: int) -> frozenset[object] | None:
        """What an expression may be in a step; None if that is not known. A register is one of what it is set to, and
        of who acts the one who did."""
        register = self._register(expr)
        if register is not None:
            chosen = self._chosen.get(register, set())
            if chosen - {ME} or not depth:
                return None
            puts = [put for put in self._puts.get(register, []) if not (chosen and _is_constant(put))]
            each = [self._values(put, step, depth - 1) for put in puts]
            if any(one is None for one in each) or not (each or chosen):
                return None
            found = frozenset(value for one in each if one is not None for value in one)
            return found | {step.event.by} if chosen else found
        if any(True for _ in walk(expr, Local)) or any(self._register(one) for one in walk(expr, Get)):
            return None
        try:
            return frozenset((self._replay.course.code.expr(expr)(RecordingSlots(step.state.slots), {}),))
        except (Fault, Unsettled):
            return None

    def _register(self, expr: Expr) -> str | None:
        """The register that an expression is, if it is one."""
        match expr:
            case Get(var, ()):
                return var if self._replay.flow.vars[var].role is Role.REGISTER else None
            case (Get() | Const() | Local() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where()
                  | Connected() | Split() | Let() | Only() | After()):
                return None
            case _:
                assert_never(expr)

    @cached_property
    def _branches(self) -> dict[int, Branch]:
        """The conditions inside runs, by the identity of what they test."""
        return {id(one.cond): one for body in self._bodies() for one in statements(body, Branch)}

    @cached_property
    def _puts(self) -> dict[str, list[Expr]]:
        """What variables without keys are set to."""
        found: dict[str, list[Expr]] = {}
        for body in self._bodies():
            for put in statements(body, Put):
                if not put.keys:
                    found.setdefault(put.var, []).append(put.value)
        return found

    @cached_property
    def _chosen(self) -> dict[str, set[str]]:
        """By registers the locals that an event, or a ruling, stores in them; `me` is who acts."""
        found: dict[str, set[str]] = {}
        for node in self._replay.flow.nodes:
            match node:
                case Ask() | Gather() | Draw():
                    for one in offered(node):
                        for register, local in one.stores:
                            found.setdefault(register, set()).add(local)
                case Rule(into=into):
                    found.setdefault(into or "", set()).add("")
                case Run() | Fork():
                    continue
                case _:
                    assert_never(node)
        return found

    def _bodies(self) -> Iterator[Block]:
        for node in self._replay.flow.nodes:
            match node:
                case Run(body):
                    yield body
                case Fork() | Ask() | Gather() | Draw() | Rule():
                    continue
                case _:
                    assert_never(node)


def _is_constant(expr: Expr) -> bool:
    """Whether a register is only cleared by being set to this."""
    match expr:
        case Const():
            return True
        case (Get() | Local() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            return False
        case _:
            assert_never(expr)


def _written(stmt: Stmt) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """What a statement writes by itself: variables and zones with their keys."""
    match stmt:
        case Put(var, keys):
            yield var, keys
        case Move(_, _, source, to):
            yield from ((place.zone, place.keys) for place in (source, to))
        case Merge(to, sources):
            yield from ((place.zone, place.keys) for place in (to, *sources))
        case Swap(one, other):
            yield from ((place.zone, place.keys) for place in (one, other))
        case (Finish() | Bind() | Branch() | Each() | Repeat() | Decide() | Commit() | Chance() | Unspecified()
              | Call()):
            return
        case _:
            assert_never(stmt)
