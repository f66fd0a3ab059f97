"""Conditions in the words of the rules: of one that failed the values that decided it, and what they had to be.

`referee.interpreter.deciding_parts` finds the parts, `part_words` says them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Split,
    Where,
)
from referee.diagnostics.source import Span
from referee.game.state import State
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.deciding_parts import DecidingParts
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.trace import DecidingPart
from referee.interpreter.walker import Walker
from referee.judge.reasons.part_words import PartWords, Shows
from referee.judge.reasons.rule_words import RuleWords


class ConditionWords:
    """What decides conditions at one position, in words."""

    def __init__(self, walker: Walker, words: RuleWords, state: State) -> None:
        self._words = words
        self._core = walker.core
        self._slots = RecordingSlots(state.slots)
        self._code = walker.course.code
        self._deciding = DecidingParts(self._code, self._slots)
        self._parts = PartWords(walker.flow, self._code, words)

    def deciding(self, cond: Expr, env: Env) -> tuple[DecidingPart, ...]:
        """The parts that decide a condition; none if it has no value."""
        return self._deciding.of(cond, env)

    def shows(self, parts: Sequence[DecidingPart], *, needed: bool) -> Shows:
        """The values that decide, each with the words for it; with `needed` what they would have to be instead."""
        return self._parts.shows(parts, needed=needed)

    def matters(self, parts: Sequence[DecidingPart]) -> bool:
        """Whether parts that hold say anything that neither the event nor the settings say."""
        return self._parts.matters(parts)

    def cites(self, parts: Sequence[DecidingPart]) -> tuple[str, ...]:
        """The statements of the lines of the parts that do not hold, of the definitions on the way to them, and of
        those that give a value compared there."""
        deciding = [part for part in parts if not part.chose]
        cites = [*self._words.cites(*(span for part in deciding for span in _spans(part)))]
        for span in (span for part in deciding for span in _defining(part)):
            cites += (*self._words.cites(span), *self._words.head_cites(span))
        return tuple(one for one in dict.fromkeys(cites) if one in self._core.statements)

    def applies(self, cond: Expr, env: Env) -> bool:
        """Whether a condition that holds was put to the test: not one whose premise is false, that goes through
        nothing, or that compares with what is not there."""
        try:
            return self._applies(cond, dict(env))
        except (Fault, Unsettled):
            return True

    def _applies(self, cond: Expr, env: Env) -> bool:
        match cond:
            case And(parts):
                return any(self._applies(part, env) for part in parts)
            case Or(parts):
                holding = next((part for part in parts if self._value(part, env)), None)
                return holding is None or not _denies(holding)
            case Op(Operator.NE, (left, right)):
                there = self._value(left, env) is not None and self._value(right, env) is not None
                return there or _is_constant(left) or _is_constant(right)
            case Op(Operator.NOT, (Fold() as inner,)) | (Fold() as inner) if inner.kind in (FoldKind.ANY, FoldKind.ALL):
                return any(True for _ in self._code.source(inner.source)(self._slots, env))
            case Let(var, value, body):
                return self._applies(body, {**env, var: self._value(value, env)})
            case (Op() | Fold() | Const() | Local() | Get() | Look() | If() | At() | Where() | Connected() | Split()
                  | Only() | After()):
                return True
            case _:
                assert_never(cond)

    def _value(self, expr: Expr, env: Env) -> object:
        value: object = self._code.expr(expr)(self._slots, env)
        return value


def _denies(part: Expr) -> bool:
    """Whether a part says that something is not so: as a premise that is false, of `C when PREMISE`."""
    match part:
        case Op(op):
            return op in (Operator.NOT, Operator.NE)
        case (Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            return False
        case _:
            assert_never(part)


def _is_constant(expr: Expr) -> bool:
    match expr:
        case Const():
            return True
        case (Op() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            return False
        case _:
            assert_never(expr)


def _spans(part: DecidingPart) -> Iterator[Span | None]:
    for inner in (*part.below, *(below for one in part.closest for below in one.below)):
        if not inner.chose:
            yield from _spans(inner)
    if not part.held:
        yield from (one.expr.span for one in part.through)
        yield part.expr.span


def _defining(part: DecidingPart) -> Iterator[Span]:
    """Where what is compared is defined."""
    for inner in (*part.below, *(below for one in part.closest for below in one.below)):
        if not inner.chose:
            yield from _defining(inner)
    if not part.held:
        for known in part.values:
            span = known.expr.span
            body = _body(known.expr).span
            if span is not None and span.use is not None and body is not None:
                yield body


def _body(expr: Expr) -> Expr:
    """What stands in a definition, behind what it was given."""
    match expr:
        case Let(_, _, body):
            return _body(body)
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where()
              | Connected() | Split() | Only() | After()):
            return expr
        case _:
            assert_never(expr)
