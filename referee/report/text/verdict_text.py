"""Verdicts as text. The line of a negative verdict begins `PATH:LINE: illegal`; no other line does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields

from referee.core.ruleset import DeclaredAssumption
from referee.judge.verdict import (
    DefaultTrials,
    Fact,
    FailedLine,
    HoleFact,
    LogOutcome,
    LogVerdict,
    NamedSetting,
    Reason,
    World,
)
from referee.report.text.diagnostic_text import excerpts_of, render
from referee.report.text.printable import count, path_of, printable, width

MOST_WORLDS = 6
"""So many worlds under which a line is wrong are told; of more, "or more"."""
MOST_HELD = 8
"""So many conditions that held are told beside those that failed."""
MOST_LINES = 20
"""So many lines that narrowed what is open are told."""
MOST_DEFAULTS = 8
"""So many settings that took their default are told; of more it is said how many."""
_MORE = tuple({field.name for field in fields(LogVerdict)} - {
    "path", "outcome", "ruleset", "version", "players", "lines", "events", "finished", "winners", "viewer", "place",
    "engine"})
"""What there is more to be said of than the first line of a verdict has."""


def text_of(verdict: LogVerdict) -> str:
    """A verdict as text, several lines, without the last line end."""
    if verdict.outcome is LogOutcome.LEGAL and not any(map(verdict.__getattribute__, _MORE)):
        return f"{printable(verdict.path)}: {_legal(verdict)}"
    return "\n".join(_lines(verdict))


def summary_of(numbers: Counter[LogOutcome]) -> str:
    """`40 logs: 38 legal, 2 illegal`."""
    parts = [f"{numbers[outcome]:,} {outcome.value}" for outcome in LogOutcome if numbers[outcome]]
    return f"{count(sum(numbers.values()), 'log')}: {', '.join(parts)}" if parts else "no logs"


def _lines(verdict: LogVerdict) -> Iterator[str]:
    yield from _headline(verdict)
    for world in _worlds(verdict.under, verdict.more_worlds):
        yield f"  {world}"
    yield from _holes(verdict)
    yield from _defaults(verdict)
    if verdict.overruled:
        numbers = ", ".join(str(number) for number in verdict.overruled)
        yield f"  overruled by the table: line {numbers}"
    if verdict.after and verdict.wrong is not None and not verdict.wrong.kind.is_claim:
        # one that only failed conditions may have been carried out, any other is skipped
        how = "" if verdict.wrong.failed else f": it was judged as if line {_first(verdict)} had not been there"
        yield f"  what follows may come of line {_first(verdict)} alone{how}"
    for later in verdict.after:
        yield f"  after line {_first(verdict)}: line {later.line}, {later.kind.value}: {printable(later.message)}"
    if verdict.not_judged_from is not None:
        yield f"  not judged from line {verdict.not_judged_from} on"
    yield from note_lines(verdict)
    if verdict.outcome not in (LogOutcome.UNREADABLE, LogOutcome.NO_RULES):
        for found in verdict.diagnostics:
            yield f"  {found.severity.value} {found.code}  line {found.span.line}: {printable(found.message)}"


def note_lines(verdict: LogVerdict) -> Iterator[str]:
    """What is to be noted of a verdict, indented."""
    for note in verdict.notes:
        yield f"  note      {printable(note)}"


def _headline(verdict: LogVerdict) -> Iterator[str]:
    path = printable(verdict.path)
    at = path if verdict.at is None else f"{path}:{verdict.at}"
    match verdict.outcome:
        case LogOutcome.ILLEGAL:
            if verdict.wrong is None:
                raise ValueError("an illegal log has a wrong line")
            yield from _wrong(path, verdict.wrong)
        case LogOutcome.LEGAL:
            yield f"{path}: {_legal(verdict)}"
        case LogOutcome.POSSIBLE:
            yield f"{path}: possible, nothing in it contradicts the rules ({count(verdict.events, 'event')})"
        case LogOutcome.STOPPED:
            yield f"{at}: legal up to {printable(verdict.reason)}"
        case LogOutcome.DEPENDS | LogOutcome.UNKNOWN:
            yield f"{at}: {verdict.outcome.value}: {printable(verdict.reason)}"
        case LogOutcome.UNREADABLE | LogOutcome.NO_RULES:
            yield f"{at}: {verdict.outcome.value}"
            for found in verdict.diagnostics:
                drawn = render(found, excerpts_of(verdict.excerpts or {}))
                yield from (f"  {line}" for line in drawn.split("\n"))


def _legal(verdict: LogVerdict) -> str:
    events = count(verdict.events, "event")
    if not verdict.finished:
        return f"legal so far, not finished ({events})"
    match verdict.winners:
        case None:
            return f"legal ({events})"
        case ():
            return f"legal, nobody won ({events})"
        case names:
            return f"legal, won by {printable(' and '.join(names))} ({events})"


def _wrong(path: str, wrong: FailedLine) -> Iterator[str]:
    cites = f"  [{' '.join(wrong.cites)}]" if wrong.cites else ""
    yield f"{path}:{wrong.line}: illegal  {printable(wrong.what, 60)}{cites}"
    yield from reasons(wrong)


def reasons(wrong: FailedLine) -> Iterator[str]:
    """Why a line cannot stand, indented: a sentence, the conditions, the rule, the nearest legal lines."""
    yield f"  {wrong.kind.value}: {printable(wrong.message)}"
    yield from _facts(wrong)
    for one in wrong.because:
        yield f"  because   {reason_text(one)}"
    if wrong.rule is not None or wrong.span is not None:
        place = f"{path_of(wrong.span.path)}:{wrong.span.line}" if wrong.span is not None else ""
        yield f"  rule      {'  '.join(part for part in (printable(wrong.rule or ''), place) if part)}"
    yield from assumed_lines(wrong.assumed)
    if wrong.nearest:
        near = ", ".join(f"{printable(n.text)} ({printable(n.changed)})" if n.changed else printable(n.text)
                         for n in wrong.nearest)
        yield f"  nearest   {near}"


def assumed_lines(assumed: Iterable[DeclaredAssumption]) -> Iterator[str]:
    """What is assumed, each with the statements that it is about, indented."""
    for one in assumed:
        about = f"  [{' '.join(one.statements)}]" if one.statements else ""
        yield f"  assumed: {printable(one.text)}{about}"


def _facts(wrong: FailedLine) -> Iterator[str]:
    failed = [("forbidden" if fact.forbids else "failed", fact) for fact in wrong.failed]
    shown = [*failed, *(("not so" if fact.forbids else "held", fact) for fact in wrong.held[:MOST_HELD])]
    widest = max((len(word) for word, _ in shown), default=0)
    column = max((width(printable(fact.text, 70)) for _, fact in shown), default=0)
    for word, fact in shown:
        text = printable(fact.text, 70)
        values = values_of(fact)
        pad = " " * (column - width(text) + 2) if values else ""
        yield f"    {word:<{max(widest, 6)}}  {text}{pad}{values}"


def reason_text(reason: Reason) -> str:
    """A reason as one line: where in the log, what, with which values, by which statements."""
    parts = [f"line {reason.line}:" if reason.line is not None else "", printable(reason.text, 200),
             f"({', '.join(f'{printable(text, 120)} = {printable(value, 160)}' for text, value in reason.shows)})"
             if reason.shows else "", f"[{' '.join(reason.cites)}]" if reason.cites else ""]
    return " ".join(part for part in parts if part)


def values_of(fact: Fact) -> str:
    """The values that a condition read, as one text."""
    return ", ".join(f"{printable(text, 120)} = {printable(value, 160)}" for text, value in fact.shows)


def _worlds(under: tuple[World, ...], more: bool) -> Iterator[str]:
    for index, world in enumerate(under[:MOST_WORLDS]):
        yield ("if        " if index == 0 else "or if     ") + " and ".join(printable(str(a)) for a in world)
    if more or len(under) > MOST_WORLDS:
        yield "or more"


def _holes(verdict: LogVerdict) -> Iterator[str]:
    if verdict.holes and verdict.outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE):
        ways = "many ways" if verdict.ways is None else count(verdict.ways, "way")
        left = "" if verdict.open_holes is None else f", {count(verdict.open_holes, 'value')} left open"
        yield f"  holes     {ways} to fill them{left}"
    for fact in verdict.facts:
        yield f"  fact      line {fact.line}, {printable(fact.name)}: {printable(fact_text(fact))}"
    if len(verdict.conflict) > 1:
        first = ", ".join(map(str, verdict.conflict[:-1]))
        yield f"  conflict  lines {first} and {verdict.conflict[-1]} cannot all be true"
    if verdict.mends:
        yield f"  mended    if line {' or '.join(map(str, verdict.mends))} stated something else"
    if verdict.narrowing:
        more = ", ..." if len(verdict.narrowing) > MOST_LINES else ""
        yield f"  narrowed  by line {', '.join(map(str, verdict.narrowing[:MOST_LINES]))}{more}"


def _defaults(verdict: LogVerdict) -> Iterator[str]:
    if verdict.set_by_log:
        yield f"  set by this log: {_settings(verdict.set_by_log, verdict.more_set_by_log)}"
    if verdict.defaults:
        yield f"  under     {_settings(verdict.defaults, verdict.more_defaults)} (by default)"
    if verdict.trials is not None:
        yield from _trials(verdict, verdict.trials)


def _settings(settings: Sequence[NamedSetting], besides: int) -> str:
    named = [f"{one.kind.value} {printable(str(one))}" for one in settings[:MOST_DEFAULTS]]
    more = len(settings) - len(named) + besides
    return ", ".join(named) + (f" and {more} more" if more else "")


def _trials(verdict: LogVerdict, trials: DefaultTrials) -> Iterator[str]:
    """Which other settings change the verdict, and how far that was looked for."""
    for one in trials.found:
        settings = " and ".join(printable(str(part)) for part in one.settings)
        if verdict.outcome is not LogOutcome.ILLEGAL:
            what = "it is illegal" if one.line is None else f"line {one.line} is illegal"
        elif one.line is None:
            what = "it is legal"
        else:
            what = f"line {_first(verdict)} is legal, and line {one.line} illegal"
        yield f"  tried     with {settings} {what}"
    if not trials.alone and not trials.unread:
        yield "  tried     nothing: the rules have no defaults"
        return
    done = f"{trials.alone_done} of {count(trials.alone, 'default')}"
    pairs = f" and {trials.pairs_done} of {count(trials.pairs, 'pair')} of them" if trials.pairs else ""
    unread = f", {count(trials.unread, 'other')} never looked at" if trials.unread else ""
    nothing = "" if trials.found else ": none changes the verdict"
    yield f"  tried     {done}{pairs} within {trials.seconds:g} s{unread}{nothing}"


def fact_text(fact: HoleFact) -> str:
    """What must be so of a hole, as text."""
    named = ", ".join(fact.values)
    if fact.among:
        return named if fact.settled else f"{named} among them"
    return named if fact.settled else f"one of {named}"


def _first(verdict: LogVerdict) -> int:
    return verdict.wrong.line if verdict.wrong is not None else 0
