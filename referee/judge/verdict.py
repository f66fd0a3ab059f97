"""Verdicts on logs: what is wrong where, by which rule, and under which assumptions the rest is legal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from referee.archives.log_places import LogPlace
from referee.core.ruleset import DeclaredAssumption
from referee.diagnostics.diagnostic import Diagnostic
from referee.diagnostics.exit_codes import Exit
from referee.diagnostics.source import Span
from referee.game.log.strict_json import Json
from referee.system.lazy_dataclasses import dataclass


class LogOutcome(Enum):
    """What is said of a log as a whole."""

    LEGAL = "legal"
    POSSIBLE = "possible"      # some ways to fill its holes are legal, some are not
    ILLEGAL = "illegal"
    DEPENDS = "depends"        # the answer differs with what is open, and there was too much of it to follow
    UNKNOWN = "unknown"        # it cannot be said; `reason` says why
    STOPPED = "stopped"        # legal up to a point for which the rules have no answer
    UNREADABLE = "unreadable"  # no log, or none that can be read up to its first wrong line
    NO_RULES = "no rules"      # the rules cannot be loaded

    __hash__ = object.__hash__  # there is one of each; that of an enumeration is slow, and asked for with every log


EXITS = {
    LogOutcome.LEGAL: Exit.GOOD, LogOutcome.POSSIBLE: Exit.GOOD, LogOutcome.ILLEGAL: Exit.NEGATIVE,
    LogOutcome.DEPENDS: Exit.OPEN, LogOutcome.UNKNOWN: Exit.OPEN,
    LogOutcome.STOPPED: Exit.OPEN, LogOutcome.UNREADABLE: Exit.LOG, LogOutcome.NO_RULES: Exit.RULES,
}


class WrongKind(Enum):
    """In which way a line is wrong. `spec/verdicts.md` explains each."""

    ILLEGAL_MOVE = "illegal move"
    WRONG_PLAYER = "wrong player"
    UNKNOWN_PLAYER = "unknown player"
    UNKNOWN_ACTION = "unknown action"
    BAD_ARGUMENT = "bad argument"
    MISSING_EVENT = "missing event"
    EARLY_END = "early end"
    EVENT_AFTER_END = "event after the end"
    WRONG_RESULT = "wrong result"
    BROKEN_CLAIM = "broken claim"
    BROKEN_INVARIANT = "broken invariant"
    NOT_ALLOWED = "not allowed"

    @property
    def is_claim(self) -> bool:
        """Whether it is what the log claims, or the state that it leads to, that is wrong, not what was done."""
        return self in (WrongKind.BROKEN_CLAIM, WrongKind.WRONG_RESULT, WrongKind.EARLY_END, WrongKind.BROKEN_INVARIANT)


@dataclass(frozen=True, slots=True)
class Fact:
    """A condition of the rules, with the values it read: (text in the rules, value as a log writes it).

    `cites` the statements of the rulebook, `assumed` what else it rests on. `forbids`: the text names what must not be;
    the condition holds where it is not so.
    """

    text: str
    shows: tuple[tuple[str, str], ...] = ()
    cites: tuple[str, ...] = ()
    span: Span | None = None
    assumed: tuple[DeclaredAssumption, ...] = ()
    forbids: bool = False


@dataclass(frozen=True, slots=True)
class Nearest:
    """A line that would have been legal, and what it changes."""

    line: Mapping[str, Json]
    text: str
    changed: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the game stood where it stood, or a value was what it was: in words, with the values that decided it, the
    statements of the rulebook behind it and what is assumed, its place in the rules, and the line of the log at which
    it happened."""

    text: str
    shows: tuple[tuple[str, str], ...] = ()
    cites: tuple[str, ...] = ()
    span: Span | None = None
    line: int | None = None
    assumed: tuple[DeclaredAssumption, ...] = ()


@dataclass(frozen=True, slots=True)
class FailedLine:
    """A line that cannot stand.

    `what` is the label of the event, or `end`, `assert`, `undo`; `rule` and `span` the construct of the rules that
    forbids it; `cites` the statements of the rulebook, where there is one; `assumed` what the ruleset takes for granted
    and the line is judged by. Until a verdict is made (`cited_assumptions.told_apart`) both stand in `cites`.
    `because`: what led there, nearest first.
    """

    line: int
    kind: WrongKind
    what: str
    message: str
    rule: str | None = None
    span: Span | None = None
    cites: tuple[str, ...] = ()
    failed: tuple[Fact, ...] = ()
    held: tuple[Fact, ...] = ()
    nearest: tuple[Nearest, ...] = ()
    assumed: tuple[DeclaredAssumption, ...] = ()
    because: tuple[Reason, ...] = ()


class OpenKind(Enum):
    """What kind of thing was left open by rules and header."""

    RULING = "ruling"
    READING = "reading"
    PARAMETER = "parameter"
    GIVEN = "given"


@dataclass(frozen=True, slots=True, order=True)
class Assumption:
    """One way to settle something open. `line`: where it was needed (1: at the header); `of`: how many ways there are.

    `open` is the value of an `OpenKind`; `among` are all the ways.
    """

    line: int
    name: str
    value: str
    of: int
    open: str
    among: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} = {self.value}" + (f" (line {self.line})" if self.open == OpenKind.RULING.value else "")


class SettingKind(Enum):
    """What kind of thing a header settles, or leaves at its default; a ruling has none."""

    READING = "reading"
    PARAMETER = "parameter"
    GIVEN = "given"
    OPTION = "option"
    RULING = "ruling"


@dataclass(frozen=True, slots=True)
class NamedSetting:
    """A setting with a value: the one that it has, or one that was tried in its place."""

    kind: SettingKind
    name: str
    value: str

    def __str__(self) -> str:
        return f"{self.name} = {self.value}"


@dataclass(frozen=True, slots=True)
class OtherSetting:
    """Settings in the place of defaults under which the verdict is another one.

    `line`: the first wrong line then, None if there is none. Of a legal log that is the line with the first of the
    values that are told.
    """

    settings: tuple[NamedSetting, ...]
    line: int | None


@dataclass(frozen=True, slots=True)
class DefaultTrials:
    """What became of a log with something else in the place of its defaults (`judge --under`).

    `alone`: how many defaults there were to try, `alone_done` how many were tried to the end; the same for `pairs` of
    them. `unread`: further defaults that the rules never looked at in this log, so that they decide nothing (None: it
    was not found out which were). `found`: what changes the verdict.
    """

    found: tuple[OtherSetting, ...]
    alone: int
    alone_done: int
    pairs: int
    pairs_done: int
    unread: int | None
    seconds: float


World = tuple[Assumption, ...]
"""Assumptions made together, in order."""


@dataclass(frozen=True, slots=True)
class HoleFact:
    """What must be so of a hole: its value is one of `values`; with `among`, these are among its members. `settled`:
    nothing more is open."""

    line: int
    name: str
    values: tuple[str, ...]
    settled: bool
    among: bool = False


@dataclass(frozen=True, slots=True)
class LogVerdict:
    """What the judge says of one log.

    `wrong` is the first wrong line; `after` are remarks on later ones, given up at `not_judged_from`.
    `under` are the combinations of assumptions under which it is legal (empty: none was needed); `more_worlds` says
    that there are more. `ways` says in how many ways the holes can be filled so that every line with an event is legal
    (None: there are none), `narrowing` which lines hold in some of the ways left by the lines before, not in all.
    `holes`: how many arguments were not all stated; `open_holes` how many values in them are not settled (None:
    unknown); `facts` are told on request. Of an illegal log with holes, `conflict` are a few lines that cannot all be
    true, and `mends` those that would mend it if what they state were something else.
    `finished`: the game is over, as far as that is known; `winners` then are their names, None if the rules do not say,
    or not all ways to fill the holes were followed.
    Of an illegal log `defaults` are the settings at their default that were looked at on the way to the wrong line and
    have a bearing on it, and `more_defaults` how many there are besides; `set_by_log` and `more_set_by_log` are those
    that its header names; `trials` says on request which of the defaults decide.
    `large`: more settings were open than were followed. `place`: where the log is, if it was found there; `path` is
    then how that is written. `engine`: what judged it, in words, where that says so; it is one of the notes too.
    `viewer` is the player for whom values were hidden, or None. `excerpts`: the lines that diagnostics point at.
    """

    path: str
    outcome: LogOutcome
    ruleset: str = ""
    version: str = ""
    players: tuple[str, ...] = ()
    lines: int = 0
    events: int = 0
    wrong: FailedLine | None = None
    after: tuple[FailedLine, ...] = ()
    not_judged_from: int | None = None
    at: int | None = None
    reason: str = ""
    finished: bool = False
    winners: tuple[str, ...] | None = None
    under: tuple[World, ...] = ()
    more_worlds: bool = False
    ways: int | None = None
    narrowing: tuple[int, ...] = ()
    holes: int = 0
    open_holes: int | None = None
    facts: tuple[HoleFact, ...] = ()
    conflict: tuple[int, ...] = ()
    mends: tuple[int, ...] = ()
    overruled: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    excerpts: Mapping[tuple[str, int], str] | None = None
    viewer: str | None = None
    large: bool = False
    defaults: tuple[NamedSetting, ...] = ()
    more_defaults: int = 0
    set_by_log: tuple[NamedSetting, ...] = ()
    more_set_by_log: int = 0
    trials: DefaultTrials | None = None
    place: LogPlace | None = None
    engine: str = field(default="", compare=False)

    @property
    def exit(self) -> Exit:
        """The exit code that this log alone asks for."""
        return EXITS[self.outcome]
