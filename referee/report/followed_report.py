"""What is told of a log while somebody writes it, a line of JSON each; `spec/followed.schema.json` says how."""

from __future__ import annotations

from enum import Enum
from typing import Any

from referee.judge.verdict import LogVerdict
from referee.report.data.verdict_data import as_data as verdict_data
from referee.report.data.verdict_schema import REPORT_SCHEMA

SCHEMA = "referee/followed/1"


class FollowEnd(Enum):
    """Why no more is read of a log: its game has ended, the next log begins, nothing came for too long, somebody wants
    no more, a pipe was closed, what follows is not judged any more."""

    OVER = "over"
    NEXT = "next"
    IDLE = "idle"
    INTERRUPTED = "interrupted"
    CLOSED = "closed"
    HALTED = "halted"


FOLLOWED_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"a line that is told of a log that is followed ({SCHEMA})",
    "type": "object", "required": ["schema", "end", "half", "verdict"], "additionalProperties": False,
    "properties": {
        "schema": {"const": SCHEMA},
        "end": {"description": "why no more is read of the log; null: it goes on, this is its first wrong line",
                "enum": [None, *(one.value for one in FollowEnd)]},
        "half": {"description": "a last line was begun, and is left out", "type": "boolean"},
        "verdict": {"description": "on what was read", "$ref": "#/$defs/verdict"},
    },
    "$defs": REPORT_SCHEMA["$defs"],
}
_WHY = {
    FollowEnd.OVER: "the game has ended",
    FollowEnd.NEXT: "the next log begins",
    FollowEnd.IDLE: "nothing came any more",
    FollowEnd.INTERRUPTED: "interrupted",
    FollowEnd.CLOSED: "nobody writes any more",
    FollowEnd.HALTED: "it is not judged any further",
}


def as_data(verdict: LogVerdict, end: FollowEnd | None, half: bool) -> dict[str, Any]:
    """What is told as plain data for JSON."""
    return {"schema": SCHEMA, "end": None if end is None else end.value, "half": half, "verdict": verdict_data(verdict)}


def why(end: FollowEnd, half: bool) -> str:
    """Why no more is read, as a sentence."""
    return _WHY[end] + ("; a line was begun at the end, and is not judged" if half else "")
