"""What is counted of many verdicts: outcomes by ruleset, and which rules, conditions and statements are broken most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import field
from typing import TypeVar

from referee.diagnostics.exit_codes import Exit, first
from referee.judge.verdict import EXITS, LogOutcome, LogVerdict
from referee.system.lazy_dataclasses import dataclass

_Name = TypeVar("_Name")
GENERATED = "by generated code"
MOST_NAMES = 2_000
"""Names of one sort that are counted one by one, at most: logs may bring any number of them."""


@dataclass(frozen=True, slots=True)
class TallyEntry:
    """What is counted of one verdict. `assumed`: it holds under assumptions, or in some of the ways to fill holes;
    `broken`: the rule of the first wrong line and its place, else the kind of the line; `code`: of what cannot be
    read or loaded; `engine`: what judged it, in words, if it was judged."""

    ruleset: str
    outcome: LogOutcome
    events: int
    assumed: bool
    broken: tuple[str, str] | None = None
    conditions: tuple[tuple[str, str], ...] = ()
    statements: tuple[str, ...] = ()
    code: str = ""
    engine: str = ""


def entry_of(verdict: LogVerdict) -> TallyEntry:
    """What is counted of a verdict."""
    assumed = bool(verdict.under or verdict.narrowing)
    wrong = verdict.wrong
    unread = verdict.outcome in (LogOutcome.UNREADABLE, LogOutcome.NO_RULES)
    engine = verdict.engine or ("" if unread else GENERATED)
    if wrong is None:
        code = next((one.code for one in verdict.diagnostics if one.severity.value == "error"), "") if unread else ""
        return TallyEntry(verdict.ruleset, verdict.outcome, verdict.events, assumed, code=code, engine=engine)
    named = wrong.rule or wrong.kind.value
    conditions = {(named, fact.text): None for fact in wrong.failed}
    statements = dict.fromkeys((*wrong.cites, *(one for fact in wrong.failed for one in fact.cites)))
    return TallyEntry(verdict.ruleset, verdict.outcome, verdict.events, assumed,
                      (named, "" if wrong.span is None else str(wrong.span)), tuple(conditions), tuple(statements),
                      engine=engine)


@dataclass(slots=True)
class RulesetTally:
    """What is counted of the logs of one ruleset. `others`: how many were of names beyond the most that are counted."""

    outcomes: Counter[LogOutcome] = field(default_factory=Counter)
    events: int = 0
    broken: Counter[tuple[str, str]] = field(default_factory=Counter)
    conditions: Counter[tuple[str, str]] = field(default_factory=Counter)
    statements: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    others: int = 0

    def add(self, one: TallyEntry) -> None:
        """Counts a verdict."""
        self.outcomes[one.outcome] += 1
        self.events += one.events
        if one.broken is not None:
            self._count(self.broken, one.broken)
            for condition in one.conditions:
                self._count(self.conditions, condition)
            for statement in one.statements:
                self._count(self.statements, statement)
        if one.code:
            self._count(self.codes, one.code)

    def include(self, other: RulesetTally) -> None:
        """Counts what another has counted."""
        self.outcomes.update(other.outcomes)
        self.events += other.events
        self.others += other.others
        for mine, theirs in ((self.broken, other.broken), (self.conditions, other.conditions)):
            for key, number in theirs.items():
                self._count(mine, key, number)
        for mine_, theirs_ in ((self.statements, other.statements), (self.codes, other.codes)):
            for name, number in theirs_.items():
                self._count(mine_, name, number)

    def _count(self, names: Counter[_Name], name: _Name, number: int = 1) -> None:
        if name in names or len(names) < MOST_NAMES:
            names[name] += number
        else:
            self.others += number


@dataclass(slots=True)
class VerdictTally:
    """What is counted of all. `rulesets`: by the name that logs have for them; logs beyond the most names are counted
    in `others`; `assumed`: how many verdicts hold under assumptions; `engines`: what judged how many."""

    rulesets: dict[str, RulesetTally] = field(default_factory=dict)
    others: RulesetTally = field(default_factory=RulesetTally)
    assumed: int = 0
    engines: Counter[str] = field(default_factory=Counter)

    def add(self, one: TallyEntry) -> None:
        """Counts a verdict."""
        self.assumed += one.assumed
        if one.engine:
            self.engines[one.engine] += 1
        self._of(one.ruleset).add(one)

    def include(self, other: VerdictTally) -> None:
        """Counts what another has counted: of other logs, or they count twice."""
        self.assumed += other.assumed
        self.engines.update(other.engines)
        for name, one in other.rulesets.items():
            self._of(name).include(one)
        self.others.include(other.others)

    def _of(self, ruleset: str) -> RulesetTally:
        here = self.rulesets.get(ruleset)
        if here is None:
            here = self.others
            if len(self.rulesets) < MOST_NAMES:
                here = self.rulesets[ruleset] = RulesetTally()
        return here

    def count(self, verdicts: Iterable[LogVerdict]) -> Iterable[LogVerdict]:
        """The same verdicts, counted as they go by."""
        for verdict in verdicts:
            if verdict.outcome is LogOutcome.LEGAL and not verdict.under and not verdict.narrowing:
                self.engines[verdict.engine or GENERATED] += 1
                of = self._of(verdict.ruleset)
                of.outcomes[LogOutcome.LEGAL] += 1
                of.events += verdict.events
            else:
                self.add(entry_of(verdict))
            yield verdict

    @property
    def every(self) -> tuple[RulesetTally, ...]:
        """Those of all rulesets, and what is beyond them."""
        return (*self.rulesets.values(), self.others)

    @property
    def outcomes(self) -> Counter[LogOutcome]:
        """How many logs came out how."""
        return sum((one.outcomes for one in self.every), Counter())

    @property
    def logs(self) -> int:
        """How many verdicts there are."""
        return self.outcomes.total()

    @property
    def events(self) -> int:
        """How many events were judged."""
        return sum(one.events for one in self.every)

    def exit(self, strict: bool) -> Exit:
        """The exit code over all of them. `strict`: what holds under assumptions is open."""
        found = {EXITS[outcome] for outcome in self.outcomes}
        return first({*found, Exit.OPEN} if strict and self.assumed else found)
