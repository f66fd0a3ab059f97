"""Verdicts as plain data, as the JSON report and its schema have them."""

from __future__ import annotations

from typing import Any

from referee.core.ruleset import DeclaredAssumption
from referee.judge.verdict import (
    Assumption,
    DefaultTrials,
    Fact,
    FailedLine,
    LogVerdict,
    NamedSetting,
    Nearest,
    Reason,
)
from referee.report.text import diagnostic_text

SCHEMA = "referee/report/1"


def as_data(verdict: LogVerdict) -> dict[str, Any]:
    """A verdict as plain data for JSON; the keys are always the same."""
    return {
        "path": verdict.path if verdict.place is None else verdict.place.file,
        "member": None if verdict.place is None else verdict.place.member or None,
        "index": 1 if verdict.place is None else verdict.place.index,
        "outcome": verdict.outcome.value,
        "exit": int(verdict.exit),
        "line": verdict.wrong.line if verdict.wrong is not None else verdict.at,
        "reason": verdict.reason or None,
        "for": verdict.viewer or "all",
        "ruleset": verdict.ruleset or None,
        "version": verdict.version or None,
        "players": list(verdict.players),
        "lines": max(0, verdict.lines - (0 if verdict.place is None else verdict.place.line - 1)),
        "events": verdict.events,
        "finished": verdict.finished,
        "winners": None if verdict.winners is None else list(verdict.winners),
        "wrong": None if verdict.wrong is None else _wrong(verdict.wrong),
        "after": [_wrong(later) for later in verdict.after],
        "not_judged_from": verdict.not_judged_from,
        "overruled": list(verdict.overruled),
        "under": [[_assumption(made) for made in world] for world in verdict.under],
        "more_worlds": verdict.more_worlds,
        "ways": verdict.ways,
        "narrowing": list(verdict.narrowing),
        "holes": verdict.holes,
        "open_holes": verdict.open_holes,
        "facts": [{"line": fact.line, "argument": fact.name, "values": list(fact.values), "among": fact.among,
                   "settled": fact.settled} for fact in verdict.facts],
        "conflict": list(verdict.conflict),
        "mends": list(verdict.mends),
        "defaults": [_setting(one) for one in verdict.defaults],
        "more_defaults": verdict.more_defaults,
        "set_by_log": [_setting(one) for one in verdict.set_by_log],
        "more_set_by_log": verdict.more_set_by_log,
        "trials": None if verdict.trials is None else _trials(verdict.trials),
        "notes": list(verdict.notes),
        "diagnostics": [diagnostic_text.as_data(found) for found in verdict.diagnostics],
    }


def _wrong(wrong: FailedLine) -> dict[str, Any]:
    return {
        "line": wrong.line, "kind": wrong.kind.value, "what": wrong.what, "message": wrong.message,
        "rule": wrong.rule, "place": None if wrong.span is None else str(wrong.span), "statements": list(wrong.cites),
        "failed": [fact_data(fact) for fact in wrong.failed], "held": [fact_data(fact) for fact in wrong.held],
        "nearest": [_nearest(near) for near in wrong.nearest],
        "assumed": [assumed_data(one) for one in wrong.assumed],
        "because": [reason_data(one) for one in wrong.because],
    }


def fact_data(fact: Fact) -> dict[str, Any]:
    """A condition as plain data."""
    return {
        "text": fact.text, "values": dict(fact.shows), "statements": list(fact.cites),
        "place": None if fact.span is None else str(fact.span), "assumed": [one.name for one in fact.assumed],
        "forbids": fact.forbids,
    }


def assumed_data(one: DeclaredAssumption) -> dict[str, Any]:
    """An assumption of the rules as plain data."""
    return {"name": one.name, "text": one.text, "statements": list(one.statements)}


def reason_data(reason: Reason) -> dict[str, Any]:
    """A reason as plain data."""
    return {
        "text": reason.text, "values": dict(reason.shows), "statements": list(reason.cites),
        "place": None if reason.span is None else str(reason.span), "line": reason.line,
        "assumed": [one.name for one in reason.assumed],
    }


def _nearest(near: Nearest) -> dict[str, Any]:
    return {"event": dict(near.line), "text": near.text, "changed": near.changed}


def _setting(one: NamedSetting) -> dict[str, Any]:
    return {"kind": one.kind.value, "name": one.name, "value": one.value}


def _trials(trials: DefaultTrials) -> dict[str, Any]:
    return {
        "found": [{"settings": [_setting(part) for part in one.settings], "line": one.line} for one in trials.found],
        "alone": trials.alone, "alone_done": trials.alone_done, "pairs": trials.pairs, "pairs_done": trials.pairs_done,
        "unread": trials.unread, "seconds": trials.seconds,
    }


def _assumption(made: Assumption) -> dict[str, Any]:
    return {"kind": made.open, "name": made.name, "value": made.value, "line": made.line}
