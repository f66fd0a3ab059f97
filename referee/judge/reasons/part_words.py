"""The parts that decide a condition, in words: their values, what they had to be, and what they were worked out from.

A value that is compared with a number, or with what stands in the rules, is told with what it had to be: `1, more than
1 is needed`; where there are other ways to be right, with what it is not: `1, not more than 1`. What it was worked out
from through definitions comes after it, and which case of a definition it is; of a map why it is so far, or not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
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
    Within,
)
from referee.core.flow import Flow
from referee.core.ruleset import Role
from referee.core.types import Int
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.deciding_parts import GIVEN, DecidingParts, is_number
from referee.interpreter.offers import ME
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.trace import DecidingPart, KnownValue
from referee.judge.reasons.map_words import MapWords
from referee.judge.reasons.rule_words import RuleWords

MOST_SHOWN = 8
"""So many values are shown beside a part that decides."""
MOST_WORKED_OUT = 12
"""So many values more are told that others were worked out from."""

Shows = tuple[tuple[str, str], ...]


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
_ORDERS = (_Relation.LESS, _Relation.AT_MOST, _Relation.MORE, _Relation.AT_LEAST)
_ONE = Const(1, Int(1, 1))
_HAS = re.compile(r"^(.+) has (?:(?:no|(?:at least |at most |exactly |fewer than |more than )?\d+) )?((?!\d)\S+)$")
_NUMBER = re.compile(
    r"^(?:not )?(.+) (?:is (?:not )?empty|has (?:at least |at most |exactly |fewer than |more than )?\d+)$")


class PartWords:
    """The words of one ruleset for what decides conditions."""

    def __init__(self, flow: Flow, code: ExpressionClosures, words: RuleWords) -> None:
        self._flow = flow
        self._words = words
        self._maps = MapWords(flow.core)
        self._constants = DecidingParts(code, RecordingSlots(()))

    def shows(self, parts: Sequence[DecidingPart], *, needed: bool) -> Shows:
        """The values that decide, each with the words for it; with `needed` what they would have to be instead, and
        what they were worked out from."""
        said = tuple(_first(self._shows(parts, needed)))
        shown = tuple(one for one in said if not _is_repeated(one, said))[:MOST_SHOWN]
        if shown and any(part.later for part in parts):
            shown = ((f"afterwards {shown[0][0]}", shown[0][1]), *shown[1:])
        if not needed:
            return shown
        known = {text for text, _ in said}
        more = (one for one in _first(self._worked_out(parts)) if one[0] not in known)
        return shown + tuple(more)[:MOST_WORKED_OUT]

    def made(self, known: KnownValue) -> Shows:
        """What a value was worked out from, each with the words for it."""
        return tuple(_first(one for made in known.made for one in self._shown(made, None, why=True)))[:MOST_WORKED_OUT]

    def matters(self, parts: Sequence[DecidingPart]) -> bool:
        """Whether parts that hold say anything: not what the event itself says, and not how settings are chosen."""
        return not parts or any(self._is_told(part) for part in parts)

    def is_unsaid(self, part: DecidingPart) -> bool:
        """Whether a number was compared with one that stands behind a name of the rules, and is not told as a value."""
        compared = _compared(part.expr, part.held)
        if compared is None or compared[0] is None or not is_number(compared[1]):
            return False
        other = compared[2]
        return (id(other) not in {id(one.expr) for one in part.values} and other.span is not None
                and other.span.use is not None)

    def _is_told(self, part: DecidingPart) -> bool:
        if part.below:
            return any(map(self._is_told, part.below))
        values = [one for one in part.values if not self._is_setting(one)]
        return not part.values or any(one.reads or one.keys for one in values)

    def _is_said(self, part: DecidingPart) -> bool:
        """Whether a part that chose a case is told: because it holds, or because a number is not what it had to be. Of
        the cases that do not apply nothing else is."""
        compared = _compared(part.expr, part.held)
        return part.held or (compared is not None and compared[0] in _ORDERS)

    def _is_name(self, expr: Expr) -> bool:
        """Whether a value is what a name in the rules stands for, as far as it does not stand for a definition's."""
        match expr:
            case Local(name):
                return GIVEN not in name
            case Get(var, ()):
                return self._flow.vars[var].role is Role.REGISTER
            case Only(of):
                return self._is_name(of)
            case (Get() | Const() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected()
                  | Split() | Let() | After()):
                return False
            case _:
                assert_never(expr)

    def _is_setting(self, known: KnownValue) -> bool:
        match known.expr:
            case Get(var, ()):
                return self._flow.vars[var].role in (Role.READING, Role.PARAMETER, Role.GIVEN)
            case (Get() | Const() | Local() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where()
                  | Connected() | Split() | Let() | Only() | After()):
                return False
            case _:
                assert_never(known.expr)

    # ---------------------------------------------------------------------- values
    def _shows(self, parts: Sequence[DecidingPart], needed: bool) -> Iterator[tuple[str, str]]:
        deciding = [part for part in parts if not part.chose]
        for part in deciding:
            if needed and len(deciding) > 1:
                yield from ((self._words.text(one.expr.span, one.names), "yes" if one.value else "no")
                            for one in part.through[:1])
            yield from self._part(part, needed, alone=len(deciding) == 1)
        for part in parts:
            if part.chose and needed and self._is_said(part):
                yield from self._part(part, True, alone=False)

    def _worked_out(self, parts: Iterable[DecidingPart]) -> Iterator[tuple[str, str]]:
        """What the values that decide were worked out from."""
        for part in parts:
            for one in part.closest:
                yield from self._worked_out(one.below)
            yield from self._worked_out(part.below)
            for known in (*part.given, *part.values):
                for made in known.made:
                    yield from self._shown(made, None, why=True)

    def _part(self, part: DecidingPart, needed: bool, *, alone: bool) -> Iterator[tuple[str, str]]:
        if part.closest and needed:
            part = part.closest[0]
        if part.below:
            yield from self._given(part)
            yield from self._shown(part.values[0])
            yield from self._shows(part.below, needed)
            return
        if needed and not part.values and _is_quantified(part.expr):
            yield self._words.text(part.expr.span, part.names), "yes" if part.held else "no"
        bounds = dict(self._bounds(part, alone)) if needed else {}
        values = [(text, f"{value}, {bounds[id(known)]}" if id(known) in bounds else value)
                  for known in part.values for text, value in self._shown(known, part, why=needed)]
        compared = {text for text, _ in values}
        yield from (one for one in self._given(part) if one[0] not in compared)
        yield from values

    def _given(self, part: DecidingPart) -> Iterator[tuple[str, str]]:
        for given in part.given:
            if not self._is_name(given.expr):  # who or what it is stands where the definition is used
                yield from self._shown(given)

    def _shown(self, known: KnownValue, part: DecidingPart | None = None, *,
               why: bool = False) -> Iterator[tuple[str, str]]:
        """A value with the words for it; of a name that stands for it the name, or what a definition was given.
        `part`: of which it is a value; `why`: with what a map says of it."""
        if _is_choice(known.expr):
            return
        value = self._words.names.value(known.value, known.expr.type)
        text = known.label or self._words.text(known.expr.span, known.names)
        whole = "" if part is None else self._words.text(part.expr.span, part.names)
        if is_number(known.expr) and (text == whole or _NUMBER.match(text) or _HAS.match(text)):
            text = self._counted(known, text)
        elif _is_place(known.expr):
            text = f"number of {text}"
        if part is not None and _is_given(known.expr):
            text = next((said for one in part.given if one.value == known.value for said, _ in self._shown(one)), text)
        if text == value:
            text = self._words.text(known.expr.span)
        if text not in ("", value, ME):
            reason = (self._maps.why(known) if why else "") or self._sentence(known)
            yield text, f"{value} ({reason})" if reason else value

    def _sentence(self, known: KnownValue) -> str:
        """What the rulebook is taken to mean, of a reading; nothing if that only answers its question."""
        match known.expr:
            case Get(var, ()) if var in self._flow.core.readings and isinstance(known.value, int):
                text = self._flow.core.readings[var].choices[known.value].text
                return f'"{text}"' if " " in text else ""
            case (Get() | Const() | Local() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where()
                  | Connected() | Split() | Let() | Only() | After()):
                return ""
            case _:
                assert_never(known.expr)

    def _counted(self, known: KnownValue, whole: str) -> str:
        """The words for a number that the rules ask for in other words: of `hand has no NOUN` how many there are."""
        has = _HAS.match(whole)
        if has is not None:
            return f"number of {has[2]} in {has[1]}"
        is_empty = _NUMBER.match(whole)
        if is_empty is not None:
            return f"number of {is_empty[1]}"
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
        wanted = _OTHERWISE[relation] if holds else relation
        if wanted is _Relation.IS_NOT and _is_zero(right) and is_number(left):
            wanted, right = _Relation.AT_LEAST, _ONE
        elif not alone and (holds or relation is _Relation.IS_NOT):
            return
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
        among = self._constants.known(right, {})
        if among is not None:
            members = self._words.names.value(among.value, among.expr.type)
            yield id(part.values[0]), f"{'none' if held else 'one'} of {members} is needed"

    def _bound(self, wanted: _Relation, other: Expr, known: KnownValue | None, alone: bool) -> str:
        """What a value had to be, compared with another one: a number, or what the rules name; else nothing is said."""
        if known is not None and not is_number(known.expr):
            return ""
        value = self._constants.known(other, {}) if known is None else known
        if value is None:
            return ""
        if value.value is None:
            if not alone:
                return ""
            return "something is needed" if wanted is _Relation.IS_NOT else "and it must be nothing"
        bound = f"{wanted.value}{self._words.names.value(value.value, value.expr.type)}"
        return f"{bound} is needed" if alone else f"not {bound}"


def _is_place(expr: Expr) -> bool:
    """Whether a number is of all that lies in a place, said by the words for the place."""
    match expr:
        case Fold(FoldKind.COUNT, _, Within(place), None, span=span):
            return span is not None and span == place.span
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where()
              | Connected() | Split() | Let() | Only() | After()):
            return False
        case _:
            assert_never(expr)


def _is_quantified(expr: Expr) -> bool:
    """Whether a condition asks whether some member, or every one, is like something."""
    match expr:
        case Op(Operator.NOT, (inner,)):
            return _is_quantified(inner)
        case Fold(FoldKind.ANY | FoldKind.ALL):
            return True
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where()
              | Connected() | Split() | Let() | Only() | After()):
            return False
        case _:
            assert_never(expr)


def _is_choice(expr: Expr) -> bool:
    """Whether a value is one of two right where it stands: it is told which condition chose it."""
    match expr:
        case If(span=span):
            return span is None or span.use is None
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            return False
        case _:
            assert_never(expr)


def _is_zero(expr: Expr) -> bool:
    match expr:
        case Const(value, Int()):
            return value == 0
        case (Const() | Local() | Get() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where()
              | Connected() | Split() | Let() | Only() | After()):
            return False
        case _:
            assert_never(expr)


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
        case (Op() | Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where()
              | Connected() | Split() | Let() | Only() | After()):
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


def _is_given(expr: Expr) -> bool:
    """Whether a value is a name in a definition for what it was given."""
    match expr:
        case Local(name):
            return GIVEN in name
        case (Op() | Const() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            return False
        case _:
            assert_never(expr)


def _is_repeated(one: tuple[str, str], shown: Shows) -> bool:
    """Whether a name only tells who or what it is that others are told of by name."""
    text, value = one
    told = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)")
    return text.isidentifier() and any(text != other and told.search(other) for other, _ in shown)


def _first(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Each text once, with what is told first."""
    seen: set[str] = set()
    for text, value in pairs:
        if text not in seen:
            seen.add(text)
            yield text, value
