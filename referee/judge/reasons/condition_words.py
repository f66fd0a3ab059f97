"""Conditions in the words of the rules: of one that failed the values that decided it, and what they had to be.

`referee.interpreter.deciding_parts` finds the parts. A value that is compared with a number, or with what stands in the
rules, is told with what it had to be: `1, more than 1 is needed`; where there are other ways to be right, with what it
is not: `1, not more than 1`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from typing import assert_never

from referee.core.expr import (
    And,
    At,
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
    Where,
)
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf
from referee.diagnostics.source import Span
from referee.game.state import State
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.deciding_parts import GIVEN, DecidingParts
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.offers import ME
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.trace import DecidingPart, KnownValue
from referee.interpreter.walker import Walker
from referee.judge.reasons.rule_words import RuleWords

MOST_SHOWN = 6


class _Relation(Enum):
    """How two values are compared, in words for the second one."""

    IS = ""
    IS_NOT = "other than "
    LESS = "less than "
    AT_MOST = "at most "
    MORE = "more than "
    AT_LEAST = "at least "


_OTHERWISE = {
    _Relation.IS: _Relation.IS_NOT, _Relation.IS_NOT: _Relation.IS, _Relation.LESS: _Relation.AT_LEAST,
    _Relation.AT_LEAST: _Relation.LESS, _Relation.MORE: _Relation.AT_MOST, _Relation.AT_MOST: _Relation.MORE,
}
_MIRRORED = {
    _Relation.IS: _Relation.IS, _Relation.IS_NOT: _Relation.IS_NOT, _Relation.LESS: _Relation.MORE,
    _Relation.MORE: _Relation.LESS, _Relation.AT_LEAST: _Relation.AT_MOST, _Relation.AT_MOST: _Relation.AT_LEAST,
}
_HAS = re.compile(r"^(.+) has (?:no|(?:at least |at most |exactly |fewer than |more than )?\d+) (\S+)$")

Shows = tuple[tuple[str, str], ...]


class ConditionWords:
    """What decides conditions at one position, in words."""

    def __init__(self, walker: Walker, words: RuleWords, state: State) -> None:
        self._words = words
        self._core = walker.core
        self._slots = RecordingSlots(state.slots)
        self._code = walker.course.code
        self._deciding = DecidingParts(self._code, self._slots)

    def deciding(self, cond: Expr, env: Env) -> tuple[DecidingPart, ...]:
        """The parts that decide a condition; none if it has no value."""
        return self._deciding.of(cond, env)

    def shows(self, parts: Sequence[DecidingPart], *, needed: bool) -> Shows:
        """The values that decide, each with the words for it; with `needed` what they would have to be instead."""
        return tuple(_first(self._shows(parts, needed)))[:MOST_SHOWN]

    def cites(self, parts: Sequence[DecidingPart]) -> tuple[str, ...]:
        """The statements of the lines of the parts that do not hold, and of the definitions on the way to them."""
        cites = self._words.cites(*(span for part in parts if not part.chose for span in _spans(part)))
        return tuple(one for one in cites if one in self._core.statements)

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
            case Op() | Fold() | Const() | Local() | Get() | Look() | If() | At() | Where() | Only():
                return True
            case _:
                assert_never(cond)

    def _value(self, expr: Expr, env: Env) -> object:
        value: object = self._code.expr(expr)(self._slots, env)
        return value

    # ---------------------------------------------------------------------- parts
    def _shows(self, parts: Sequence[DecidingPart], needed: bool) -> Iterator[tuple[str, str]]:
        deciding = [part for part in parts if not part.chose]
        for part in deciding:
            yield from self._part(part, needed, alone=len(deciding) == 1)
        for part in parts:
            if part.chose and needed:
                yield from self._part(part, False, alone=False)

    def _part(self, part: DecidingPart, needed: bool, *, alone: bool) -> Iterator[tuple[str, str]]:
        if part.below:
            yield from self._given(part)
            yield from self._shown(part.values[0])
            yield from self._shows(part.below, needed)
            return
        bounds = dict(self._bounds(part, alone)) if needed else {}
        values = [(text, f"{value}, {bounds[id(known)]}" if id(known) in bounds else value)
                  for known in part.values for text, value in self._shown(known, part)]
        compared = {text for text, _ in values}
        yield from (one for one in self._given(part) if one[0] not in compared)
        yield from values

    def _given(self, part: DecidingPart) -> Iterator[tuple[str, str]]:
        for given in part.given:
            yield from self._shown(given)

    def _shown(self, known: KnownValue, part: DecidingPart | None = None) -> Iterator[tuple[str, str]]:
        """A value with the words for it; of a name that stands for it the name, or what a definition was given.
        `part`: of which it is a value."""
        value = self._words.names.value(known.value, known.expr.type)
        text = known.label or self._words.text(known.expr.span, known.names)
        whole = "" if part is None else self._words.text(part.expr.span, part.names)
        if text == whole and _is_number(known.expr):
            text = self._counted(known, whole)
        if part is not None and _is_given(known.expr):
            text = next((said for one in part.given if one.value == known.value for said, _ in self._shown(one)), text)
        if text == value:
            text = self._words.text(known.expr.span)
        if text not in ("", value, ME):
            yield text, value

    def _counted(self, known: KnownValue, whole: str) -> str:
        """The words for a number that the rules ask for in other words: of `hand has no NOUN` how many there are."""
        has = _HAS.match(whole)
        if has is not None:
            return f"number of {has[2]} in {has[1]}"
        said = self._words.value(known, whole)
        return "" if said is None else said[0]

    def _bounds(self, part: DecidingPart, alone: bool) -> Iterator[tuple[int, str]]:
        """What the values of a comparison would have had to be, by the id of the value. Not `alone`: there are other
        ways to be right, so that it is only told what they are not."""
        compared = _compared(part.expr, part.held)
        if compared is None:
            return
        relation, left, right, holds = compared
        if relation is None:
            yield from self._choices(part, left, right, holds) if alone else ()
            return
        if not alone and (holds or relation is _Relation.IS_NOT):
            return
        wanted = _OTHERWISE[relation] if holds else relation
        known = {id(one.expr): one for one in part.values}
        if id(left) in known:
            bound = self._bound(wanted, right, known.get(id(right)), alone)
            if bound:
                yield id(known[id(left)]), bound
        elif id(right) in known:
            bound = self._bound(_MIRRORED[wanted], left, None, alone)
            if bound:
                yield id(known[id(right)]), bound

    def _choices(self, part: DecidingPart, left: Expr, right: Expr, held: bool) -> Iterator[tuple[int, str]]:
        """Of what is to be in a set that the rules list: its members."""
        if len(part.values) != 1 or part.values[0].expr is not left:
            return
        among = self._deciding.known(right, {})
        if among is not None:
            members = self._words.names.value(among.value, among.expr.type)
            yield id(part.values[0]), f"{'none' if held else 'one'} of {members} is needed"

    def _bound(self, wanted: _Relation, other: Expr, known: KnownValue | None, alone: bool) -> str:
        """What a value had to be, compared with another one: a number, or what the rules name; else nothing is said."""
        if known is not None and not _is_number(known.expr):
            return ""
        value = self._deciding.known(other, {}) if known is None else known
        if value is None:
            return ""
        if value.value is None:
            if not alone:
                return ""
            return "something is needed" if wanted is _Relation.IS_NOT else "and it must be nothing"
        bound = f"{wanted.value}{self._words.names.value(value.value, value.expr.type)}"
        return f"{bound} is needed" if alone else f"not {bound}"


def _is_number(expr: Expr) -> bool:
    match expr.type:
        case Int():
            return True
        case Bool() | Elem() | Maybe() | SetOf() | Many():
            return False
        case _:
            assert_never(expr.type)


def _compared(expr: Expr, held: bool) -> tuple[_Relation | None, Expr, Expr, bool] | None:
    """What a condition compares, how, and whether that holds; no relation: whether the one is in the other."""
    match expr:
        case Op(Operator.NOT, (inner,)):
            return _compared(inner, not held)
        case Op(Operator.IN, (left, right)):
            return None, left, right, held
        case Op(op, (left, right)):
            relation = _relation(op)
            return None if relation is None else (relation, left, right, held)
        case (Op() | Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where() | Let()
              | Only()):
            return None
        case _:
            assert_never(expr)


def _relation(op: Operator) -> _Relation | None:
    match op:
        case Operator.EQ:
            return _Relation.IS
        case Operator.NE:
            return _Relation.IS_NOT
        case Operator.LT:
            return _Relation.LESS
        case Operator.LE:
            return _Relation.AT_MOST
        case Operator.GT:
            return _Relation.MORE
        case Operator.GE:
            return _Relation.AT_LEAST
        case (Operator.NOT | Operator.IN | Operator.SET | Operator.UNION | Operator.MINUS | Operator.SIZE | Operator.ADD
              | Operator.SUB | Operator.MUL | Operator.NEG | Operator.LOWER | Operator.HIGHER | Operator.BETWEEN):
            return None
        case _:
            assert_never(op)


def _denies(part: Expr) -> bool:
    """Whether a part says that something is not so: as a premise that is false, of `C when PREMISE`."""
    match part:
        case Op(op):
            return op in (Operator.NOT, Operator.NE)
        case (Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where() | Let() | Only()):
            return False
        case _:
            assert_never(part)


def _is_constant(expr: Expr) -> bool:
    match expr:
        case Const():
            return True
        case (Op() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where() | Let() | Only()):
            return False
        case _:
            assert_never(expr)


def _is_given(expr: Expr) -> bool:
    """Whether a value is a name in a definition for what it was given."""
    match expr:
        case Local(name):
            return GIVEN in name
        case (Op() | Const() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where() | Let() | Only()):
            return False
        case _:
            assert_never(expr)


def _spans(part: DecidingPart) -> Iterator[Span | None]:
    if part.below:
        for inner in part.below:
            yield from _spans(inner)
    if not part.held:
        yield from (one.expr.span for one in part.through)
        yield part.expr.span


def _first(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Each text once, with what is told first."""
    seen: set[str] = set()
    for text, value in pairs:
        if text not in seen:
            seen.add(text)
            yield text, value
