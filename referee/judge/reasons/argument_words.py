"""Why a value is not among those of an argument: the condition that its source asks for, or where it lies instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.stmt import Param
from referee.core.traverse import walk
from referee.core.types import COMPONENT, Elem, Int, Scalar, one_of
from referee.game.state import State
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.refusals import ArgumentProblem
from referee.interpreter.trace import KnownName
from referee.interpreter.walker import Walker
from referee.judge.reasons.chance.member_conditions import filtered
from referee.judge.reasons.component_places import ComponentPlaces
from referee.judge.reasons.condition_words import ConditionWords
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.reasons.rule_words import RuleWords
from referee.judge.reasons.values.best_members import BestMembers
from referee.judge.verdict import Reason

_IT = re.compile(r"\bit\b")
_POOL = re.compile(r"^\w+(?: of \w+|\(\w+\))?$")
_SAME = re.compile(r"^(.+) is (not )?\1$")


class ArgumentWords:
    """Reasons for refused arguments at one position: a player is told of those places only that he sees."""

    def __init__(self, walker: Walker, words: RuleWords, state: State, reasons: LineReasons) -> None:
        self._walker = walker
        self._words = words
        self._state = state
        self._conditions = ConditionWords(walker, words, state)
        self._sees_all = reasons.sight is None
        self._places = ComponentPlaces(walker, words, state, reasons)

    def refused(self, problem: ArgumentProblem, env: Env, around: tuple[str, ...]) -> Iterator[Reason]:
        """Why a value that is not allowed is none: there are not so many, it is of another kind, it does not fulfil the
        condition of the source, or it lies somewhere else. `around`: what the point or action cites."""
        param = problem.param
        value = problem.beyond[0] if problem.beyond else problem.value
        if problem.why != "not allowed" or param is None or not isinstance(value, int):
            return
        given = problem.value.count(value) if isinstance(problem.value, tuple) else 1
        classes = _components(one_of(param.type))
        if classes is not None:
            known = self._places.of_what_there_is(param, classes, value, given, around)
            if known is not None:
                yield known
                return
        if problem.lacking is not None:
            yield from self._lacking(problem.lacking, param, value, env)
            return
        match param.source:
            case Within(place):
                yield from self._elsewhere(param, value, given, place, env)
            case Members(of):
                found = filtered(of)
                if found is not None:
                    yield from self._filtered(param, found, value, given, env)
                else:
                    yield from self._no_best(param, value, env)
            case All() | Numbers():
                return
            case _:
                assert_never(param.source)

    def number(self, problem: ArgumentProblem, env: Env) -> Iterator[Reason]:
        """Of several that are too few or too many where the rules work out how many: the number, with what the names
        in it stand for."""
        param, given = problem.param, problem.value
        if param is None or param.count is None or problem.number is None or not isinstance(given, tuple):
            return
        least, most = problem.number
        if least > most or least <= len(given) <= most:
            return
        bound = param.count[0 if len(given) < least else 1]
        names = {one.name: one for one in walk(bound, Local) if one.name in env}
        if names:
            shows = tuple((name, self._words.names.value(env[name], one.type)) for name, one in names.items())
            text = self._words.text(bound.span) or param.name
            yield Reason(f"{text}: {least if len(given) < least else most}", shows,
                         self._words.all_cites(param.origin), param.origin.span)

    def _no_best(self, param: Param, value: int, env: Env) -> Iterator[Reason]:
        """Of who is not among the best what he has, and what they have; or why he could not be. Nothing is told to a
        player, who may not see what all have."""
        members = BestMembers(self._walker.flow, self._walker.course.code, self._words, self._state.slots)
        best = members.offered(param) if self._sees_all else None
        if best is None:
            return
        if value in members.candidates(best):
            having = members.having(best)
            text = f"{members.words(best, param.origin.span)}: {members.value(having, best)}"
            shows = tuple(members.shows(best, (value, *having)))
            yield Reason(text, shows, self._words.all_cites(param.origin), param.origin.span)
        elif best.among is not None:
            yield from self._filtered(param, best.among, value, 1, env)

    def _filtered(self, param: Param, source: Where, value: int, given: int, env: Env) -> Iterator[Reason]:
        frame = self._walker.course.frame(self._state)
        frame.env = dict(env)
        try:
            there = value in frame.members(source.source)
        except (Fault, Unsettled):
            return
        if not there:
            match source.source:
                case Within(place):
                    yield from self._elsewhere(param, value, given, place, env)
                case Members() | All() | Numbers():
                    pass
                case _:
                    assert_never(source.source)
            return
        if source.where is None:
            return
        parts = self._conditions.deciding(source.where, {**env, source.var: value})
        if not parts:
            return
        outer = parts[0].through[0] if parts[0].through else parts[0]
        held = bool(parts[0].through[0].value) if parts[0].through else parts[0].held
        text = self._words.text(outer.expr.span, outer.names)
        cites = (*self._conditions.cites(parts), *self._words.all_cites(param.origin, source.where.span))
        said = self._words.names.value(value, one_of(param.type))
        shows = tuple((_IT.sub(lambda _: said, one), told) for one, told in self._conditions.shows(parts, needed=True))
        asked = self._words.text(outer.expr.span)
        text = _IT.sub(lambda _: said, text)
        if _POOL.match(asked) and not shows:  # where numbers are taken of which there are some
            yield Reason(f"there is no {said} in {text}", (), tuple(dict.fromkeys(cites)), param.origin.span)
            return
        if (same := _SAME.match(text)) is not None:
            # The member would be compared with itself.
            text = f"{param.arg or param.name} is {same[2] or ''}{said}"
        if text not in ("", said):
            shows = tuple(one for one in shows if one[0] != text)
            yield Reason(f"{text}: {'yes' if held else 'no'}", shows, tuple(dict.fromkeys(cites)), param.origin.span)

    def _lacking(self, lacking: Param, param: Param, value: int, env: Env) -> Iterator[Reason]:
        """Why nothing is left for a parameter that no line states: where the component lies that has to lie in one of
        several places, else what the rules ask for."""
        place = _place_of(lacking, param.name)
        found = None if place is None else self._places.in_none(lacking, value, place.zone)
        known = [] if found is not None else [
            KnownName(one.name, one.span, env[one.name], one.type) for one in walk(lacking.source, Local)
            if one.name in env]
        text = self._words.text(lacking.origin.span, known)
        yield found or Reason(f"there is no {text}", (), self._words.all_cites(lacking.origin), lacking.origin.span)

    def _elsewhere(self, param: Param, value: int, given: int, place: Place, env: Env) -> Iterator[Reason]:
        """Where a component lies that is not in a place; nothing of what is none."""
        if _components(one_of(param.type)) is not None:
            yield from self._places.elsewhere(param, value, given, place, env)


def _place_of(lacking: Param, name: str) -> Place | None:
    """The place in which what is called so has to lie, by the condition of a source."""
    match lacking.source:
        case Members(of):
            found = filtered(of)
        case All() | Numbers() | Within():
            return None
        case _:
            assert_never(lacking.source)
    parts = [] if found is None or found.where is None else [found.where]
    for part in parts:
        match part:
            case And(several):
                parts.extend(several)
            case Fold(FoldKind.ANY, _, Within(place), None, Op(Operator.EQ, (_, Local(one)))) if one == name:
                return place
            case (Const() | Local() | Get() | Look() | Or() | Op() | If() | At() | Fold() | Where() | Connected()
                  | Split() | Let() | Only() | After()):
                continue
            case _:
                assert_never(part)
    return None


def _components(kind: Scalar) -> Elem | None:
    """The classes that a value is among, if it is a component."""
    match kind:
        case Elem(domain):
            return kind if domain == COMPONENT else None
        case Int():
            return None
        case _:
            assert_never(kind)
