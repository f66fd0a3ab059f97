"""Who is the best of several, where the rules choose the one with the most: the candidates, and what each has.

For `the X in S where C with the highest V, ties: ...` the rules keep the candidates, the most that one has and
those who have it in registers; what V is stands in the statement that works the last of these out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from referee.core.expr import (
    After,
    All,
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
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Split,
    Where,
    Within,
)
from referee.core.flow import Flow, body_of
from referee.core.member_types import member_type
from referee.core.ruleset import Role
from referee.core.stmt import Param, Put
from referee.core.traverse import statements
from referee.core.types import Value
from referee.diagnostics.source import Span
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.deciding_parts import DecidingParts
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.recording_slots import RecordingSlots
from referee.judge.reasons.chance.member_conditions import filtered
from referee.judge.reasons.rule_words import RuleWords

MOST_CANDIDATES = 200
"""So many members are looked at for those that are better."""
_TIES = re.compile(r", ties: .*$")


@dataclass(frozen=True, slots=True)
class Best:
    """How the best are found. `having`: the candidates that have the most; `by`: what they have, for `var`; `among`:
    where the candidates come from, with their condition."""

    having: Where
    var: str
    by: Expr
    among: Where | None


@dataclass(frozen=True, slots=True)
class Level:
    """What candidates are compared by: who of them has the most, and the others, who have almost as much first."""

    best: Best
    having: tuple[Value, ...]
    others: tuple[Value, ...]


class BestMembers:
    """What the candidates have, at one position of one flow."""

    def __init__(self, flow: Flow, code: ExpressionClosures, words: RuleWords, slots: Sequence[Any]) -> None:
        self._flow = flow
        self._code = code
        self._words = words
        self._slots = RecordingSlots(slots)

    def of(self, register: str) -> Best | None:
        """How the best are found that a register holds; None if it holds something else."""
        having = self._made(register)
        return None if having is None else self.compared(having)

    def compared(self, having: Where) -> Best | None:
        """How members are found as those who have the most; None if they are those with any other condition."""
        by = _compared(having, self._flow)
        candidates = _register(having.source)
        return None if by is None else Best(
            having, having.var, by, None if candidates is None else self._made(candidates))

    def offered(self, param: Param) -> Best | None:
        """How the best are found of whom one is asked for; None if something else is asked for."""
        register = _register(param.source)
        return None if register is None else self.of(register)

    def _made(self, register: str) -> Where | None:
        """The members with a condition that a register is set to."""
        for node in self._flow.nodes:
            for put in statements(body_of(node), Put):
                found = filtered(put.value) if put.var == register and not put.keys else None
                if found is not None and self._flow.vars[register].role is Role.REGISTER:
                    return found
        return None

    def candidates(self, best: Best) -> tuple[Value, ...]:
        """Who might have been the best; nobody if it is not known."""
        try:
            return tuple(dict.fromkeys(self._code.source(best.having.source)(self._slots, {})))
        except (Fault, Unsettled):
            return ()

    def having(self, best: Best) -> tuple[Value, ...]:
        """Who has the most."""
        try:
            found = self._code.expr(best.having)(self._slots, {})
        except (Fault, Unsettled):
            return ()
        return tuple(member for member in self.candidates(best) if member in found)

    def shows(self, best: Best, members: Sequence[Value]) -> Iterator[tuple[str, str]]:
        """What each of some candidates has, in words."""
        kind = member_type(self._flow.core, best.having.source)
        for member in members:
            try:
                value = self._code.expr(best.by)(self._slots, {best.var: member})
            except (Fault, Unsettled):
                continue
            names = DecidingParts(self._code, self._slots).names(best.by, {best.var: member})
            text, name = self._words.text(best.by.span, names), self._words.names.value(member, kind)
            text = text[1:-1] if text.startswith("(") and text.find(")") == len(text) - 1 else text
            if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
                text = f"{text}({name})" if text.endswith("_of") else f"{text} of {name}"
            yield text, self._words.names.value(value, best.by.type)

    def levels(self, best: Best) -> list[Level]:
        """What the candidates were compared by, up to what decided: first by what has to be level for the rest."""
        chain: list[Best] = []
        found: Best | None = best
        while found is not None:
            chain.append(found)
            found = None if found.among is None else self.compared(found.among)
        told: list[Level] = []
        while chain and (not told or len(told[-1].having) > 1):
            one = chain.pop()
            having = self.having(one)
            told.append(Level(one, having, self._others(one, having)))
        return told

    def _others(self, best: Best, members: Sequence[Value]) -> tuple[Value, ...]:
        """The candidates who are not among some members, those first who have almost as much as these."""
        found: list[tuple[int, Value]] = []
        for member in self.candidates(best)[:MOST_CANDIDATES]:
            if member in members:
                continue
            try:
                value = self._code.expr(best.by)(self._slots, {best.var: member})
                most = self._code.expr(best.by)(self._slots, {best.var: members[0]})
            except (Fault, Unsettled, IndexError):
                return ()
            found.append((abs(most - value), member))
        return tuple(member for _, member in sorted(found, key=lambda one: one[0]))

    def taken(self) -> frozenset[int]:
        """Which entries were read for what has been asked."""
        return self._slots.taken()

    def words(self, best: Best, place: Span, *, ties: bool = False) -> str:
        """The words for the choice, up to what is said of ties, or with that."""
        among = best.among or best.having
        names = DecidingParts(self._code, self._slots.apart()).names(among, {})
        said = self._words.text(place, names)
        return said if ties else _TIES.sub("", said)

    def value(self, members: Sequence[Value], best: Best) -> str:
        """Members in words."""
        kind = member_type(self._flow.core, best.having.source)
        return " and ".join(self._words.names.value(member, kind) for member in members)


def _register(source: Members | Within | All | Numbers) -> str | None:
    """The register that members are those of, if they are."""
    match source:
        case Members(of=Get(var, ())):
            return var
        case Members() | Within() | All() | Numbers():
            return None
        case _:
            assert_never(source)


def _compared(having: Where, flow: Flow) -> Expr | None:
    """What has to be as much as the most, which the rules keep, in the condition of those who have the most."""
    match having.where:
        case Op(Operator.EQ, (by, Get(most, ()))):
            return by if flow.vars[most].role is Role.REGISTER else None
        case None | (Op() | Const() | Local() | Get() | Look() | And() | Or() | If() | At() | Fold() | Where()
              | Connected() | Split() | Let() | Only()) | After():
            return None
        case _:
            assert_never(having.where)
