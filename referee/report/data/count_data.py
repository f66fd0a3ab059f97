"""In how many ways a game can go on, as plain data and as text; `spec/count.schema.json` is the schema of the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.core.ruleset import Core
from referee.simulation.game_counting import CountedSteps, Distinct, Unit

SCHEMA = "referee/count/1"
_TEXT = {"type": "string"}
_MAYBE_TEXT = {"type": ["string", "null"]}
COUNT_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"in how many ways a game can go on ({SCHEMA})",
    "type": "object",
    "required": ["schema", "ruleset", "version", "players", "options", "from", "unit", "distinct", "without", "depth",
                 "numbers", "why"],
    "properties": {
        "schema": {"const": SCHEMA}, "ruleset": _TEXT, "version": _MAYBE_TEXT,
        "players": {"type": "integer", "minimum": 1},
        "options": {"type": "object", "additionalProperties": _TEXT},
        "from": {"description": "the log at whose end it begins; null: at the beginning of a game", **_MAYBE_TEXT},
        "unit": {"enum": [one.value for one in Unit]},
        "distinct": {"enum": [one.value for one in Distinct]},
        "without": {"description": "labels of events that are left out", "type": "array", "items": _TEXT},
        "depth": {"description": "up to which it was asked", "type": "integer", "minimum": 1},
        "numbers": {"description": "for depth 1, 2, ...", "type": "array", "items": {"type": "integer", "minimum": 0}},
        "why": {"description": "why numbers are missing; null if none is", **_MAYBE_TEXT},
    },
    "additionalProperties": False,
}


def as_data(core: Core, log: str | None, what: CountedSteps, depth: int, numbers: Sequence[int],
            why: str | None) -> dict[str, Any]:
    """The numbers; the keys are always the same."""
    return {
        "schema": SCHEMA, "ruleset": core.name, "version": core.version, "players": core.seats.number,
        "options": dict(core.options), "from": log, "unit": what.unit.value, "distinct": what.distinct.value,
        "without": sorted(what.without), "depth": depth, "numbers": list(numbers), "why": why,
    }


def lines_of(what: CountedSteps, numbers: Sequence[int], why: str | None) -> Iterator[str]:
    """The numbers as a table, and why some are missing."""
    yield f"{what.unit.value}s  {what.distinct.value}"
    width = len(str(len(numbers)))
    most = max((len(f"{number:,}") for number in numbers), default=0)
    for depth, number in enumerate(numbers, 1):
        yield f"{depth:>{width}}  {number:>{most},}"
    if why is not None:
        yield f"no more: {why}"
