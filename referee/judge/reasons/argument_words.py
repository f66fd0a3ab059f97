"""Why a value is not among those of an argument: the condition that its source asks for, or where it lies instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from referee.core.expr import (
    All,
    And,
    At,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Or,
    Where,
    Within,
)
from referee.core.stmt import Param
from referee.core.types import COMPONENT, Elem, Int, Many, Scalar, Value
from referee.game.state import State
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.closures.zone_moves import components
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.reasons.condition_words import ConditionWords
from referee.judge.reasons.rule_words import RuleWords
from referee.judge.reasons.trace_sight import TraceSight
from referee.judge.verdict import Reason

MOST_PLACES = 3
_IT = re.compile(r"\bit\b")


class ArgumentWords:
    """Reasons for refused arguments at one position. `sight`: of the player who is told where a component lies, None
    for somebody who sees everything."""

    def __init__(self, walker: Walker, words: RuleWords, state: State, sight: TraceSight | None) -> None:
        self._sight = sight
        self._walker = walker
        self._words = words
        self._state = state
        self._conditions = ConditionWords(walker, words, state)

    def refused(self, param: Param, value: Value, env: Env) -> Iterator[Reason]:
        """The condition that a member of the source does not fulfil, or where a component lies that is not there."""
        match param.source:
            case Within():
                yield from self._elsewhere(param, value)
            case Members(of):
                filtered = _filtered(of)
                if filtered is not None and isinstance(value, int):
                    yield from self._filtered(param, filtered, value, env)
            case All() | Numbers():
                return
            case _:
                assert_never(param.source)

    def _filtered(self, param: Param, source: Where, value: int, env: Env) -> Iterator[Reason]:
        frame = self._walker.course.frame(self._state)
        frame.env = dict(env)
        try:
            there = value in frame.members(source.source)
        except (Fault, Unsettled):
            return
        if not there:
            yield from self._elsewhere(param, value)
            return
        if source.where is None:
            return
        parts = self._conditions.deciding(source.where, {**env, source.var: value})
        if not parts:
            return
        outer = parts[0].through[0] if parts[0].through else parts[0]
        text = self._words.text(outer.expr.span, outer.names)
        cites = (*self._conditions.cites(parts), *self._words.all_cites(param.origin, source.where.span))
        said = self._words.names.value(value, _one(param.type))
        shows = tuple((_IT.sub(lambda _: said, one), told) for one, told in self._conditions.shows(parts, needed=True))
        text = _IT.sub(lambda _: said, text)
        if text not in ("", said):
            shows = tuple(one for one in shows if one[0] != text)
            yield Reason(f"{text}: no", shows, tuple(dict.fromkeys(cites)), param.origin.span)

    def _elsewhere(self, param: Param, value: Value) -> Iterator[Reason]:
        """Where a component lies; nothing of what is none."""
        components_asked = _is_component(_one(param.type))
        found = list(self._places(value)) if isinstance(value, int) and components_asked else []
        if found:
            more = " and elsewhere" if len(found) > MOST_PLACES else ""
            said = self._words.names.value(value, _one(param.type))
            yield Reason(f"{said} is in {', '.join(found[:MOST_PLACES])}{more}", (),
                         self._words.all_cites(param.origin), param.origin.span)

    def _places(self, member: int) -> Iterator[str]:
        layout = self._walker.layout
        for name, entries in layout.zones.items():
            for key in entries.keys():
                index = entries.find(key)
                content = self._state.slots[index]
                if self._sight is not None and not self._sight.sees(frozenset((index,))):
                    continue
                if isinstance(content, tuple) and member in components(layout.core.zones[name], content):
                    yield self._words.entry(name, key)


def _is_component(kind: Scalar) -> bool:
    match kind:
        case Elem(domain):
            return domain == COMPONENT
        case Int():
            return False
        case _:
            assert_never(kind)


def _one(kind: Scalar | Many) -> Scalar:
    """The type of a member, of one or of several."""
    match kind:
        case Many(of):
            return of
        case Elem() | Int():
            return kind
        case _:
            assert_never(kind)


def _filtered(expr: Expr) -> Where | None:
    """The source with a condition, if members are those of one."""
    match expr:
        case Where():
            return expr
        case (Op() | Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Let() | Only()):
            return None
        case _:
            assert_never(expr)
