"""What is counted of many verdicts as plain data, and back; `spec/summary.schema.json` is its schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from referee.judge.verdict import LogOutcome
from referee.report.schema_parts import MAYBE_TEXT, TEXT, exactly
from referee.report.verdict_tally import RulesetTally, VerdictTally

SCHEMA = "referee/summary/1"
_NUMBER = {"type": "integer", "minimum": 0}


def _rows(**columns: Any) -> dict[str, Any]:
    return {"type": "array", "items": exactly(**columns, logs=_NUMBER)}


_OUTCOMES = {"type": "object", "propertyNames": {"enum": [one.value for one in LogOutcome]},
             "additionalProperties": _NUMBER}
SUMMARY_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"what is counted of many verdicts ({SCHEMA})",
    **exactly(
        schema={"const": SCHEMA}, logs=_NUMBER, events=_NUMBER,
        assumed={"description": "logs of which the verdict holds under assumptions, or for some ways to fill holes",
                 **_NUMBER},
        outcomes=_OUTCOMES,
        engines={"description": "what judged the logs, in words, most first", **_rows(engine=TEXT)},
        rulesets={"description": "by the name that logs have for them, most logs first", "type": "array",
                  "items": {"$ref": "#/$defs/ruleset"}},
        others={"description": "logs of names beyond those that are counted one by one", "$ref": "#/$defs/ruleset"},
    ),
    "$defs": {"ruleset": exactly(
        ruleset={"description": "null: the log names none, or cannot be read so far", **MAYBE_TEXT},
        logs=_NUMBER, events=_NUMBER, outcomes=_OUTCOMES,
        rules={"description": "that the first wrong lines break, or their kind where no rule forbids them; the rule "
                              "broken in most logs first", **_rows(rule=TEXT, place=MAYBE_TEXT)},
        conditions={"description": "that failed there", **_rows(rule=TEXT, condition=TEXT)},
        statements={"description": "of the rulebook that are cited there", **_rows(statement=TEXT)},
        codes={"description": "of logs that cannot be read, and rules that cannot be loaded", **_rows(code=TEXT)},
        others={"description": "counted of none of these names, as there are too many", **_NUMBER},
    )},
}


def as_data(tally: VerdictTally) -> dict[str, Any]:
    """What was counted; the keys are always the same."""
    rulesets = sorted(tally.rulesets.items(), key=lambda one: (-one[1].outcomes.total(), one[0]))
    return {
        "schema": SCHEMA, "logs": tally.logs, "events": tally.events, "assumed": tally.assumed,
        "outcomes": _outcomes(tally.outcomes),
        "engines": [{"engine": engine, "logs": logs} for engine, logs in ranked(tally.engines)],
        "rulesets": [_ruleset(name, one) for name, one in rulesets],
        "others": _ruleset("", tally.others),
    }


def tally_of(data: Mapping[str, Any]) -> VerdictTally:
    """What was counted, of its data. Raises `KeyError`, `TypeError` or `ValueError` for what is no such data."""
    rulesets = {one["ruleset"] or "": _tally(one) for one in data["rulesets"]}
    return VerdictTally(rulesets, _tally(data["others"]), int(data["assumed"]),
                        _counter(data["engines"], lambda row: row["engine"]))


def ranked(names: Counter[Any]) -> list[tuple[Any, int]]:
    """What is counted, most first, and what is as often in order of name."""
    return sorted(names.items(), key=lambda one: (-one[1], one[0]))


def _ruleset(name: str, one: RulesetTally) -> dict[str, Any]:
    return {
        "ruleset": name or None, "logs": one.outcomes.total(), "events": one.events,
        "outcomes": _outcomes(one.outcomes),
        "rules": [{"rule": rule, "place": place or None, "logs": logs} for (rule, place), logs in ranked(one.broken)],
        "conditions": [{"rule": rule, "condition": text, "logs": logs}
                       for (rule, text), logs in ranked(one.conditions)],
        "statements": [{"statement": id_, "logs": logs} for id_, logs in ranked(one.statements)],
        "codes": [{"code": code, "logs": logs} for code, logs in ranked(one.codes)],
        "others": one.others,
    }


def _tally(data: Mapping[str, Any]) -> RulesetTally:
    return RulesetTally(
        Counter({LogOutcome(name): int(logs) for name, logs in data["outcomes"].items()}), int(data["events"]),
        _counter(data["rules"], lambda row: (row["rule"], row["place"] or "")),
        _counter(data["conditions"], lambda row: (row["rule"], row["condition"])),
        _counter(data["statements"], lambda row: row["statement"]), _counter(data["codes"], lambda row: row["code"]),
        int(data["others"]))


def _counter(rows: Sequence[Mapping[str, Any]], name: Any) -> Counter[Any]:
    return Counter({name(row): int(row["logs"]) for row in rows})


def _outcomes(numbers: Counter[LogOutcome]) -> dict[str, int]:
    return {outcome.value: numbers[outcome] for outcome in LogOutcome if numbers[outcome]}
