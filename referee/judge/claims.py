"""Claims about the state (`assert`): read as expressions of the rules, compared with what the states say."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.expr import Expr
from referee.core.types import Value
from referee.diagnostics.diagnostic import Problems
from referee.frontend.checks.cost_bound import LESS, MOST_WORK, Work, too_much
from referee.game.log.log_lines import AssertLine, Line, LineFault
from referee.game.log.strict_json import Json, brief
from referee.game.setting import Setting
from referee.game.state import Ended, State
from referee.game.value_codec import BadValue, decode_value
from referee.interpreter.interruptions import Fault
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.partial.possible_states import Explorer
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.reasons.values.definition_reasons import of_definitions
from referee.judge.reasons.values.value_story import NOTHING_TOLD, Story, ValueStory
from referee.judge.verdict import Fact, FailedLine, Reason, WrongKind
from referee.judge.visibility import HIDDEN, PlayerSight

MOST_REMEMBERED = 200
"""Texts of claims that are remembered as they were read, then all are forgotten."""


class AssertedClaims:
    """Tests the asserts of one game."""

    def __init__(self, walker: Walker, setting: Setting, explorer: Explorer, names: Names, viewer: int | None,
                 reasons: LineReasons | None = None) -> None:
        self._reasons = reasons
        self._walker = walker
        self._setting = setting
        self._explorer = explorer
        self._names = names
        self._sight = PlayerSight(walker.flow, viewer)
        self._read: dict[str, Expr] = {}
        self._amounts: dict[str, int] = {}
        self._work = Work(walker.core)

    def check(self, alive: Sequence[PossibleState], line: AssertLine) -> tuple[list[PossibleState], FailedLine | None]:
        """The candidates for which all claims hold; without any, the wrong line that the assert is.

        Raises `LineFault` (LG35) for a line that asks for too much, and `OutOfTime`.
        """
        self.bound(line)
        found = list(alive)
        for text, claimed in line.claims.items():
            self._explorer.deadline.check()
            expr, value = self.read(text, claimed)
            before = found
            found, was = self._holding(found, expr, value, line.number)
            if not found:
                state = _stood(before)
                defined = self._defined(state, text, expr)
                return [], self._untrue(line, text, claimed, expr, was, defined, self._made(state, expr, value))
        return found, None

    def bound(self, line: AssertLine) -> None:
        """Raises `LineFault` (LG35) if the claims of a line may ask for more work than a condition of the rules; and
        `OutOfTime`."""
        whole = 0
        for text in line.claims:
            self._explorer.deadline.check()
            self.expression(text)
            whole += self._amounts[text]
            if whole > MOST_WORK:
                raise LineFault("LG35", too_much(whole, "the claims of this line"), text, hint=LESS)

    def _defined(self, state: State | None, text: str, expr: Expr) -> tuple[Reason, ...]:
        """The definitions that a claim uses."""
        return () if self._reasons is None or state is None else tuple(of_definitions(state, text, expr, self._reasons))

    def _made(self, state: State | None, expr: Expr, claimed: Value) -> Story:
        """What made the value that a claim is about."""
        if self._reasons is None or state is None:
            return NOTHING_TOLD
        return ValueStory(self._reasons).of_values(state, [expr], lambda other: self._value(other, expr) == claimed)

    def _untrue(self, line: AssertLine, text: str, claimed: Json, expr: Expr, was: str,
                defined: tuple[Reason, ...], made: Story) -> FailedLine:
        told = was if self._sight.open(expr, -1) else HIDDEN
        cites = dict.fromkeys((*(cite for one in defined for cite in one.cites), *made.cites))
        return FailedLine(
            line.number, WrongKind.BROKEN_CLAIM, "assert", f"{text} is {told}, not {brief(claimed)}",
            cites=tuple(cites), failed=(Fact(text, (("value", told),)),), because=(*defined, *made.because))

    def _holding(
        self, found: list[PossibleState], expr: Expr, value: Value, line: int
    ) -> tuple[list[PossibleState], str]:
        """The candidates where an expression has a value (as they stand, else settled), and what it was elsewhere."""
        here = [known for candidate in found for known in self._explorer.arrived(candidate, line)]
        holding, was = self._equal(here, expr, value, line)
        if not holding:
            holding, _ = self._equal(self._explorer.settling(here, line), expr, value, line)
        return holding, was

    def _equal(
        self, found: list[PossibleState], expr: Expr, value: Value, line: int
    ) -> tuple[list[PossibleState], str]:
        holding, was = [], ""
        for candidate in found:
            self._explorer.deadline.check()
            for known, actual in self._explorer.at_end(candidate, line, lambda state: self._value(state, expr)):
                if actual == value and type(actual) is type(value):
                    holding.append(known)
                else:
                    was = was or self._said(actual, expr)
        return holding, was

    def _value(self, state: State, expr: Expr) -> Value | Fault:
        try:
            return self._walker.evaluate(state, expr)
        except Fault as fault:
            return fault

    def _said(self, actual: Value | Fault, expr: Expr) -> str:
        return f"without a value ({actual})" if isinstance(actual, Fault) else self._names.value(actual, expr.type)

    def readable(self, line: Line) -> None:
        """Raises `LineFault` (LG33, LG34) for a line with a claim that is none in these rules."""
        if isinstance(line, AssertLine):
            for text, claimed in line.claims.items():
                self.read(text, claimed)

    def read(self, text: str, claimed: Json) -> tuple[Expr, Value]:
        """What a claim compares with what. Raises `LineFault` (LG33, LG34)."""
        expr = self.expression(text)
        try:
            return expr, decode_value(self._walker.core, self._setting.players, expr.type, claimed)
        except BadValue as bad:
            raise LineFault("LG34", f"{text}: {bad.message}", text, bad.expected, bad.hint) from None

    def expression(self, text: str) -> Expr:
        """What a claim reads. Only so many are remembered. Raises `LineFault` (LG33)."""
        if text not in self._read:
            if len(self._read) >= MOST_REMEMBERED:
                self._read.clear()
                self._amounts.clear()
            self._read[text] = found = self._parsed(text)
            self._amounts[text] = self._work.of(found)
        return self._read[text]

    def _parsed(self, text: str) -> Expr:
        from referee.frontend.loading.outside_expressions import expression
        from referee.frontend.loading.ruleset_files import RulesChanged

        try:
            return expression(self._walker.core, text, self._setting.players)
        except RulesChanged:
            raise
        except Problems as problems:
            found = problems.diagnostics[0]
            raise LineFault("LG33", f"{brief(text)} is no expression: {found.message}", text, found.expected,
                            found.hint, found.span.column) from None


def _stood(before: Sequence[PossibleState]) -> State | None:
    """A position at which the game may stand, None if none is known."""
    step = before[0].step if before else None
    state = step.state if isinstance(step, Ended) else step
    return state if isinstance(state, State) else None
