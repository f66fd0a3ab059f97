"""Where a value comes from: the definitions, the tables and the case of each that made it, with the values they read.

`level of ana` is told as `silver_level`, with the condition of the case that it came from, and what that compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
from referee.core.flow import body_of
from referee.core.ruleset import Role
from referee.core.stmt import Put
from referee.core.traverse import statements
from referee.core.types import Value
from referee.diagnostics.source import Span
from referee.game.state import State
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.deciding_parts import DecidingParts
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.trace import KnownValue
from referee.interpreter.walker import Walker
from referee.judge.reasons.rule_words import RuleWords
from referee.judge.verdict import Reason

MOST_DEPTH = 16
"""Values within values that are looked into: deeper ones are not told."""
MOST_SHOWN = 6
"""So many values are told that made another one."""


class ValueSources:
    """Looks into values at one position."""

    def __init__(self, walker: Walker, words: RuleWords, state: State, named: Mapping[str, Expr]) -> None:
        """`named`: what names that are free in an expression stand for."""
        self._named = named
        self._flow = walker.flow
        self._words = words
        self._code = walker.course.code
        self._slots = RecordingSlots(state.slots)
        self._deciding = DecidingParts(self._code, self._slots)
        self._spans: list[Span | None] = []

    def told(self, expr: Expr) -> Reason | None:
        """A value with what made it and the statements for that; None if it is written in the rules, or is unknown."""
        try:
            env = {name: self._code.expr(value)(self._slots, {}) for name, value in self._named.items()}
        except (Fault, Unsettled):
            return None
        whole = self._deciding.known(expr, env)
        if whole is None:
            return None
        self._spans = []
        parts: dict[str, str] = {}
        for known in self._parts(expr, dict(env), 0):
            said = self._words.value(known)
            if said is not None:
                parts.setdefault(*said)
        text = self._words.text(expr.span, whole.names)
        value = self._words.names.value(whole.value, expr.type)
        shows = tuple(one for one in parts.items() if one[0] != text)[:MOST_SHOWN]
        if text in ("", value) or not shows:
            return None
        lines = [self._words.cites(span) or self._words.head_cites(span) for span in self._spans if span is not None]
        cites = dict.fromkeys(cite for found in lines for cite in found)
        return Reason(f"{text}: {value}", shows, tuple(cites), expr.span)

    def _parts(self, expr: Expr, env: Env, depth: int) -> Iterator[KnownValue]:
        """The values that made a value, the nearest to it first."""
        if depth > MOST_DEPTH:
            return
        if _cases(expr) is None:
            self._spans.append(expr.span)
        if expr.span is not None and expr.span.use is not None:
            self._spans.append(expr.span.use)
            yield from self._known(expr, env)
        match expr:
            case Get(var, keys):
                if not keys and self._flow.vars[var].role is Role.REGISTER:
                    made = self._made(var, env)
                    if made is not None:
                        yield from self._parts(made, env, depth + 1)
                    return
                yield from self._known(expr, env)
                for key in keys:
                    yield from self._parts(key, env, depth + 1)
            case Look(_, keys):
                for key in keys:
                    yield from self._parts(key, env, depth + 1)
            case If():
                yield from self._case(expr, env, depth)
            case Let(var, value, body):
                try:
                    inner = {**env, var: self._code.expr(value)(self._slots, env)}
                except (Fault, Unsettled):
                    return
                yield from self._parts(body, inner, depth + 1)
            case Op(_, args):
                for arg in args:
                    yield from self._parts(arg, env, depth + 1)
            case At() | Fold():
                yield from self._known(expr, env)
            case Local(name):
                if name in self._named:
                    yield from self._parts(self._named[name], env, depth + 1)
            case Const() | And() | Or() | Where() | Connected() | Split() | Only() | After():
                return
            case _:
                assert_never(expr)

    def _case(self, chain: If, env: Env, depth: int) -> Iterator[KnownValue]:
        """Of several cases the condition of the one that applies; of the last one, that of the case before it."""
        made: Expr = chain
        deciding, held = chain.cond, False
        while (case := _cases(made)) is not None and not held:
            deciding = case.cond
            try:
                held = bool(self._code.expr(case.cond)(self._slots, env))
            except (Fault, Unsettled):
                return
            made = case.yes if held else case.no
        for part in self._deciding.of(deciding, env):
            if held:
                self._spans.append(part.expr.span)
            for known in part.values:
                yield known
                yield from self._parts(known.expr, env, depth + 1)
        yield from self._parts(made, env, depth + 1)

    def _known(self, expr: Expr, env: Env) -> Iterator[KnownValue]:
        known = self._deciding.known(expr, env)
        if known is not None:
            yield known

    def _made(self, register: str, env: Env) -> Expr | None:
        """What was put into a register, if it still has the value that it has there."""
        held = self._value(Get(register, (), self._flow.vars[register].type), env)
        for node in self._flow.nodes:
            for put in statements(body_of(node), Put):
                if put.var == register and held is not None and self._value(put.value, env) == held:
                    known = self._deciding.known(put.value, env)
                    if known is not None and (known.reads or known.names):
                        return put.value
        return None

    def _value(self, expr: Expr, env: Env) -> Value:
        try:
            value: Value = self._code.expr(expr)(self._slots, env)
        except (Fault, Unsettled, KeyError):
            return None
        return value


def _cases(expr: Expr) -> If | None:
    """An expression that is one of two values."""
    match expr:
        case If():
            return expr
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            return None
        case _:
            assert_never(expr)
