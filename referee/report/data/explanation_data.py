"""One line of a log, explained, as plain data, and its schema; `spec/explanation.schema.json` is that, written out."""

from __future__ import annotations

from typing import Any

from referee.judge.line_explanation import Moment
from referee.judge.reasons.told_traces import ToldTrace, TraceKind, TraceLine
from referee.report.data.verdict_data import as_data as verdict_data
from referee.report.data.verdict_data import assumed_data, fact_data
from referee.report.data.verdict_schema import REPORT_SCHEMA
from referee.report.schema_parts import MAYBE_TEXT, NUMBER, TEXT, TEXTS, TRUTH, exactly, list_of

SCHEMA = "referee/explanation/1"


def as_data(found: Moment) -> dict[str, Any]:
    """What there is to say about a line; the keys are always the same."""
    return {
        "schema": SCHEMA, "line": found.line, "what": found.what, "asked": found.asked, "legal": list(found.legal),
        "more": found.more, "verdict": verdict_data(found.verdict), "rule": found.rule,
        "place": None if found.place is None else str(found.place), "statements": dict(found.statements),
        "held": [fact_data(fact) for fact in found.held], "assumed": [assumed_data(one) for one in found.assumed],
        "trace": None if found.trace is None else trace_data(found.trace),
    }


def trace_data(trace: ToldTrace) -> dict[str, Any]:
    """What a step did, as plain data."""
    return {"lines": [_line(one) for one in trace.lines], "left_out": trace.left_out, "cut": trace.cut,
            "courses": trace.courses}


def _line(line: TraceLine) -> dict[str, Any]:
    return {
        "kind": line.kind.value, "text": line.text, "values": dict(line.shows), "statements": list(line.cites),
        "assumed": [one.name for one in line.assumed], "place": None if line.span is None else str(line.span),
        "inside": [_line(one) for one in line.inside],
    }




EXPLANATION_SCHEMA: dict[str, Any] = {
    "$schema": REPORT_SCHEMA["$schema"],
    "title": f"a line of a log, explained ({SCHEMA})",
    **exactly(
        schema={"const": SCHEMA}, line=NUMBER, what=MAYBE_TEXT, asked=TEXT, legal=TEXTS, more=TRUTH,
        verdict={"$ref": "#/$defs/verdict"}, rule=MAYBE_TEXT, place=MAYBE_TEXT,
        statements={"type": "object", "additionalProperties": TEXT}, held=list_of("fact"), assumed=list_of("declared"),
        trace={"oneOf": [{"$ref": "#/$defs/trace"}, {"type": "null"}]},
    ),
    "$defs": {
        **REPORT_SCHEMA["$defs"],
        "trace": {"description": "what a legal event did, up to where somebody was asked next", **exactly(
            lines=list_of("trace_line"), left_out={"description": "so many things more it did", **NUMBER},
            cut={"description": "the rest hangs on what the player does not see", **TRUTH},
            courses={"description": "in so many ways the game may have stood, or its holes be filled; this is "
                     "of one; 0: in more than were counted", **NUMBER},
        )},
        "trace_line": exactly(
            kind={"enum": [kind.value for kind in TraceKind]}, text=TEXT,
            values={"type": "object", "additionalProperties": TEXT}, statements=TEXTS, assumed=TEXTS,
            place=MAYBE_TEXT, inside=list_of("trace_line"),
        ),
    },
}
