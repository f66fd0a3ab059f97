"""Verdicts for programs: the fields of the JSON report, immutable, with the text that the command line writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.api.results.frozen_results import made, thawed
from referee.api.results.html_texts import html_block
from referee.game.log.strict_json import Json
from referee.judge import verdict as judged
from referee.report.data.verdict_data import as_data
from referee.report.text.verdict_text import text_of


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of the rules, with the values it read: text in the rules -> value as a log writes it. `assumed`: the
    names of the assumptions that it rests on. `forbids`: the text names what must not be."""

    text: str
    values: Mapping[str, str]
    statements: tuple[str, ...]
    place: str | None
    assumed: tuple[str, ...]
    forbids: bool


@dataclass(frozen=True, slots=True)
class RulesAssumption:
    """What rules take for granted (`assume`): its name, in words, and the statements of the rulebook it is about."""

    name: str
    text: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LegalLine:
    """A line that would have been legal, and what it changes."""

    event: Mapping[str, Json]
    text: str
    changed: str


@dataclass(frozen=True, slots=True)
class LineReason:
    """What led to where the game stood, or made a value: a condition that was tested or an entry that was written, with
    the values that decided it. `line`: of the log, at which it happened; `assumed`: names of assumptions."""

    text: str
    values: Mapping[str, str]
    statements: tuple[str, ...]
    place: str | None
    line: int | None
    assumed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WrongLine:
    """A line that cannot stand. `line` counts from 1, the header is the first; `kind` as `spec/verdicts.md` lists them;
    `rule` and `place` (`path:line`) what forbids it; `statements` of the rulebook; `failed` and `held` conditions;
    `nearest` lines that would have been legal; `assumed` what the rules take for granted and it is judged by;
    `because`: what led there, the nearest first."""

    line: int
    kind: str
    what: str
    message: str
    rule: str | None
    place: str | None
    statements: tuple[str, ...]
    failed: tuple[Condition, ...]
    held: tuple[Condition, ...]
    nearest: tuple[LegalLine, ...]
    assumed: tuple[RulesAssumption, ...]
    because: tuple[LineReason, ...]


@dataclass(frozen=True, slots=True)
class Assumed:
    """One way to settle what rules and header leave open. `kind`: ruling, reading, parameter or given."""

    kind: str
    name: str
    value: str
    line: int


@dataclass(frozen=True, slots=True)
class Default:
    """A setting that the log does not name, with its default or a value that was tried in its place. `kind`: reading,
    parameter, given or option."""

    kind: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class SetByLog:
    """A setting that the log names, with its value. `kind`: reading, parameter, given, option or ruling."""

    kind: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class OtherDefaults:
    """Settings in the place of defaults that change a verdict together. `line`: the first wrong line then, None if the
    log stands; of a legal log with the first of the values that are told."""

    settings: tuple[Default, ...]
    line: int | None


@dataclass(frozen=True, slots=True)
class Trials:
    """What became of a log with something else in the place of its defaults: `alone_done` of `alone` were tried,
    `pairs_done` of `pairs` of them, in at most `seconds`. `unread`: others that the rules never looked at (None: not
    found out); `found`: what changes the verdict."""

    found: tuple[OtherDefaults, ...]
    alone: int
    alone_done: int
    pairs: int
    pairs_done: int
    unread: int | None
    seconds: float


@dataclass(frozen=True, slots=True)
class HoleValue:
    """What must be so of a hole: one of `values`, or with `among` these among its members. `settled`: nothing more is
    open."""

    line: int
    argument: str
    values: tuple[str, ...]
    among: bool
    settled: bool


@dataclass(frozen=True, slots=True)
class Remark:
    """What is to be said of a place: code, severity (`error`, `warning`, `note`), lines and columns from 1."""

    code: str
    severity: str
    message: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    expected: tuple[str, ...]
    hint: str | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of one log, with the fields of `referee judge --format json` (`spec/verdicts.md`).

    `outcome`: `legal`, `possible`, `illegal`, `depends`, `unknown`, `stopped`, `unreadable` or `no rules`; `line`: of
    the first wrong line, or of what stopped the judging; `for_`: `all`, or the player from whom the rest is hidden;
    `member` of an archive, and `index`, which of the logs there it is (`spec/archives.md`).
    `bool(verdict)` is whether nothing is wrong: `legal` or `possible`. `str(verdict)` is what the command line writes.

    >>> import referee
    >>> lines = [{"schema": "referee/log/1", "ruleset": "sticks", "players": ["Ana", "Ben"]},
    ...          {"by": "Ben", "do": "take", "with": {"sticks": 1}}]
    >>> verdict = referee.load("sticks.rules").judge(lines)
    >>> verdict.outcome, verdict.line, verdict.wrong.kind
    ('illegal', 2, 'wrong player')
    """

    path: str
    member: str | None
    index: int
    outcome: str
    exit: int
    line: int | None
    reason: str | None
    for_: str
    ruleset: str | None
    version: str | None
    players: tuple[str, ...]
    lines: int
    events: int
    finished: bool
    winners: tuple[str, ...] | None
    wrong: WrongLine | None
    after: tuple[WrongLine, ...]
    not_judged_from: int | None
    overruled: tuple[int, ...]
    under: tuple[tuple[Assumed, ...], ...]
    more_worlds: bool
    ways: int | None
    narrowing: tuple[int, ...]
    holes: int
    open_holes: int | None
    facts: tuple[HoleValue, ...]
    conflict: tuple[int, ...]
    mends: tuple[int, ...]
    defaults: tuple[Default, ...]
    more_defaults: int
    set_by_log: tuple[SetByLog, ...]
    more_set_by_log: int
    trials: Trials | None
    notes: tuple[str, ...]
    diagnostics: tuple[Remark, ...]
    _judged: judged.LogVerdict = field(repr=False, compare=False, metadata={"beside": True})

    def __bool__(self) -> bool:
        return self.outcome in ("legal", "possible")

    def __str__(self) -> str:
        return text_of(self._judged)

    def inside(self) -> judged.LogVerdict:
        """The verdict as the judge gave it, for those who draw reports of it: no part of the published library."""
        return self._judged

    def data(self) -> dict[str, Any]:
        """The verdict as plain data for JSON, as `--format json` writes it."""
        found: dict[str, Any] = thawed(self)
        return found

    def html(self) -> str:
        """The page of the verdict (`spec/pages.md`), as `judge --html` writes it: one HTML file, as a text. With the
        table, step by step: `referee.log_html`."""
        from referee.page.html_file import html_of  # slow to import, and mostly not needed
        from referee.page.report_pages import VerdictsPage

        page = VerdictsPage()
        page.note(self._judged)
        return html_of(page.document())

    def _repr_html_(self) -> str:
        return html_block(str(self))


def verdict_for_programs(found: judged.LogVerdict) -> Verdict:
    """A verdict of the judge with the fields that are published."""
    return made(Verdict, as_data(found), found)
