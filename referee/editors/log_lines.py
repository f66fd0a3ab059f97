"""What an editor is told of a log: the verdict at its line, and each line explained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from referee.api.errors import ArgumentError
from referee.api.log_inputs import opened
from referee.api.named_engines import GENERATED
from referee.api.rule_sources import RulesSource
from referee.api.runs.judging import judged
from referee.api.runs.log_engines import Rules
from referee.api.runs.log_lookup import moment_of
from referee.diagnostics.diagnostic import Diagnostic, Problems, Severity
from referee.diagnostics.source import Span
from referee.editors.rulesets_around import rules_of_log, ruleset_named
from referee.game.log.log_reader import LogProblem
from referee.judge.log_run import Options
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.report.text.line_text import moment_text
from referee.report.text.verdict_text import text_of

SECONDS = 10.0
"""How long one log may take."""
VERDICT = "verdict"
"""The code of what a verdict says: what is wrong with the file itself has codes of its own."""
_SEVERITY = {
    LogOutcome.LEGAL: Severity.NOTE, LogOutcome.POSSIBLE: Severity.NOTE, LogOutcome.ILLEGAL: Severity.ERROR,
    LogOutcome.DEPENDS: Severity.WARNING, LogOutcome.UNKNOWN: Severity.WARNING, LogOutcome.STOPPED: Severity.WARNING,
    LogOutcome.UNREADABLE: Severity.ERROR, LogOutcome.NO_RULES: Severity.WARNING,
}


def judged_log(path: Path, text: str) -> tuple[Diagnostic, ...]:
    """What there is to say about a log with this text, by its saved rules: what is wrong with it as a file, and the
    verdict, at its line; a legal one has none."""
    rules = _rules(path, text)
    if isinstance(rules, str):
        return (Diagnostic(VERDICT, rules, _line(path, text, 1), Severity.WARNING),)
    try:
        verdict = judged(_lines(text), rules, Options(timeout=SECONDS))
    except LogProblem as problem:
        return (_placed(problem.diagnostic, path),)
    except Problems as problems:
        return tuple(_placed(one, path) for one in problems.diagnostics)
    found = [_placed(one, path) for one in verdict.diagnostics]
    told = _told(verdict)
    if told is not None:
        found.append(Diagnostic(VERDICT, told, _line(path, text, verdict.at or 1), _SEVERITY[verdict.outcome]))
    return tuple(found)


def line_text(path: Path, text: str, line: int) -> str:
    """A line in its place: who was asked, what was possible, by which rule it stands or falls; empty for a line of
    which there is nothing to say."""
    rules = _rules(path, text)
    if isinstance(rules, str):
        return ""
    try:
        with opened(_lines(text)) as log:
            moment = moment_of(log, line, rules, None, SECONDS)
            return moment_text(replace(moment, verdict=replace(moment.verdict, path=path.name)))
    except (ArgumentError, Problems):
        return ""


def _rules(path: Path, text: str) -> Rules | str:
    """The rules of a log, or why there are none."""
    where = rules_of_log(path, text)
    if where is None:
        named = ruleset_named(text)
        return f"there are no rules {named} here" if named else "this log names no ruleset"
    try:
        return Rules(RulesSource(where), GENERATED)
    except Problems as problems:
        return problems.diagnostics[0].message


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True) if text.isascii() else [f"{line}\n" for line in text.split("\n")]


def _told(verdict: LogVerdict) -> str | None:
    """The verdict in words, without the name of the log before it; None for one that is legal, or that is told by
    diagnostics."""
    if verdict.outcome in (LogOutcome.LEGAL, LogOutcome.UNREADABLE, LogOutcome.NO_RULES):
        return None
    return text_of(verdict).removeprefix(f"{verdict.path}:").removeprefix(f"{verdict.at}:").strip()


def _line(path: Path, text: str, number: int) -> Span:
    lines = text.split("\n")
    length = len(lines[number - 1].rstrip("\r")) if 0 < number <= len(lines) else 0
    return Span(str(path), number, 1, number, length + 1)


def _placed(found: Diagnostic, path: Path) -> Diagnostic:
    """A diagnostic of the log that is open; one of its rules stays where it is."""
    span = found.span
    if span.path not in ("<lines>", "-"):
        return found
    placed = Span(str(path), span.line, span.column, span.end_line, span.end_column)
    return Diagnostic(found.code, found.message, placed, found.severity, found.expected, found.hint, found.notes)
