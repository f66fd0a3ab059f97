"""In how many ways a game can go on, and how many positions there are, as data (with its schemas) and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from referee.core.ruleset import Core
from referee.simulation.every_position import Explored
from referee.simulation.game_counting import CountedSteps, Distinct, Unit

SCHEMA = "referee/count/1"
_TEXT = {"type": "string"}
_MAYBE_TEXT = {"type": ["string", "null"]}
COUNT_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"in how many ways a game can go on ({SCHEMA})",
    "type": "object",
    "required": ["schema", "ruleset", "version", "players", "options", "from", "unit", "distinct", "without", "depth",
                 "numbers", "engine", "why"],
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
        "engine": {"description": "what carried the rules out", **_TEXT},
        "why": {"description": "why numbers are missing; null if none is", **_MAYBE_TEXT},
    },
    "additionalProperties": False,
}

COUNTED_POSITIONS = "referee/positions/1"
_NUMBER = {"type": "integer", "minimum": 0}
POSITIONS_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"how many positions games can come to ({COUNTED_POSITIONS})",
    "type": "object",
    "required": ["schema", "ruleset", "version", "players", "options", "from", "whole", "positions", "levels", "ends",
                 "stops", "ways", "seconds", "bytes", "engine", "why"],
    "properties": {
        "schema": {"const": COUNTED_POSITIONS}, "ruleset": _TEXT, "version": _MAYBE_TEXT,
        "players": {"type": "integer", "minimum": 1},
        "options": {"type": "object", "additionalProperties": _TEXT},
        "from": {"description": "the log at whose end it begins; null: at the beginning of a game", **_MAYBE_TEXT},
        "whole": {"description": "whether these are all that there are", "type": "boolean"},
        "positions": _NUMBER,
        "levels": {"description": "positions that 0, 1, 2, ... events lead to, and fewer do not", "type": "array",
                   "items": _NUMBER},
        "ends": {"description": "positions in which the game is over", **_NUMBER},
        "stops": {"description": "positions from which the rules do not say how it goes on", **_NUMBER},
        "ways": {"description": "events, each from each position", **_NUMBER},
        "seconds": {"description": "of computing", "type": "number", "minimum": 0},
        "bytes": {"description": "memory that positions took", **_NUMBER},
        "engine": {"description": "what carried the rules out", **_TEXT},
        "why": {"description": "why not all were found; null if they were", **_MAYBE_TEXT},
    },
    "additionalProperties": False,
}


def as_data(core: Core, log: str | None, what: CountedSteps, depth: int, numbers: Sequence[int], engine: str,
            why: str | None) -> dict[str, Any]:
    """The numbers; the keys are always the same."""
    return {
        "schema": SCHEMA, "ruleset": core.name, "version": core.version, "players": core.seats.number,
        "options": dict(core.options), "from": log, "unit": what.unit.value, "distinct": what.distinct.value,
        "without": sorted(what.without), "depth": depth, "numbers": list(numbers), "engine": engine,
        "why": why,
    }


def lines_of(what: CountedSteps, numbers: Sequence[int], engine: str, why: str | None) -> Iterator[str]:
    """The numbers as a table, what counted, and why some are missing."""
    yield f"{what.unit.value}s  {what.distinct.value}"
    width = len(str(len(numbers)))
    most = max((len(f"{number:,}") for number in numbers), default=0)
    for depth, number in enumerate(numbers, 1):
        yield f"{depth:>{width}}  {number:>{most},}"
    yield engine
    if why is not None:
        yield f"no more: {why}"


def positions_data(core: Core, log: str | None, found: Explored) -> dict[str, Any]:
    """The numbers; the keys are always the same."""
    return {
        "schema": COUNTED_POSITIONS, "ruleset": core.name, "version": core.version, "players": core.seats.number,
        "options": dict(core.options), "from": log, "whole": found.why is None, "positions": found.positions,
        "levels": list(found.levels), "ends": found.ends, "stops": found.stops, "ways": found.ways,
        "seconds": round(found.seconds, 3), "bytes": found.bytes_used, "engine": found.engine, "why": found.why,
    }


def positions_lines(found: Explored) -> Iterator[str]:
    """The numbers as a table, and whether these are all positions."""
    yield "events  positions"
    width = len(str(len(found.levels) - 1))
    most = max(len(f"{number:,}") for number in found.levels)
    for events, number in enumerate(found.levels):
        yield f"{events:>{width}}  {number:>{most},}"
    whole = "all there are" if found.why is None else f"not all: {found.why}"
    yield f"{found.positions:,} positions, {whole}; {found.ways:,} events from one to another"
    yield f"the game is over in {found.ends:,}" + (
        f"; in {found.stops:,} the rules do not say how it goes on" if found.stops else "")
    rate = f"{found.positions / found.seconds:,.0f} positions a second" if found.seconds > 0 else "in no time"
    yield f"{rate}, {found.engine}; {found.bytes_used / 1e6:,.1f} MB"
