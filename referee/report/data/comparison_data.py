"""A comparison of two rulesets as plain data, for JSON; `spec/comparison.schema.json` is the schema of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.comparison.comparing import LogChange, RulesComparison, ShapeComparison
from referee.comparison.correspondence import SharedEvent
from referee.comparison.lockstep import PartingKind
from referee.comparison.telling import SideSays, ToldDifference
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.report.schema_parts import MAYBE_TEXT, TEXT, TEXTS, exactly
from referee.simulation.game_shares import interval

SCHEMA = "referee/comparison/1"
Record = Callable[[int, ShapeComparison, ToldDifference], Sequence[str]]
"""A game that shows a difference, as the first (0) or second (1) rules have it, as the lines of a log."""
_NUMBER = {"type": "integer", "minimum": 0}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


_EVENTS = _list({"type": "object"})
_STATEMENTS = _list(exactly(id=TEXT, text={"description": "its wording; empty if it is not known", **TEXT}))
_PLACE = {"description": "path:line of the rules", **MAYBE_TEXT}
_SAYS = exactly(
    text={"description": "what these rules say", **TEXT}, rule=MAYBE_TEXT, place=_PLACE, statements=_STATEMENTS,
    conditions={"description": "that decide, as the rules have them", **TEXTS},
    holds={"description": "whether these conditions are as they are to be", "type": "boolean"},
    because={"description": "what led there, nearest first", **TEXTS},
    log={"description": "the game by these rules, as the lines of a log", **TEXTS},
)
_DIFFERENCE = exactly(
    kind={"enum": [one.value for one in PartingKind]}, message=TEXT,
    events={"description": "of the game that shows it, as the first rules write them", **_EVENTS},
    shortest={"description": "every shorter game was looked at", "type": "boolean"},
    scenario={"description": "path:line of the scenario in whose position the game begins; null: with set-up",
              **MAYBE_TEXT},
    minimised={"description": "no event of the game can be left out", "type": "boolean"},
    games={"description": "how many of those by lot show it", **_NUMBER}, first=_SAYS, second=_SAYS,
    then={"description": "where it can be seen in what happens; null if it can be here, or is not known",
          "anyOf": [{"type": "null"}, exactly(events=_EVENTS, message=TEXT)]},
)
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_SHAPE = exactly(
    players=TEXTS, outcome={"enum": ["differences", "proved", "none found"]},
    positions={"description": "pairs of positions that were looked at for a proof", **_NUMBER},
    why_not={"description": "why these are not all; empty if they are", **TEXT},
    games={"description": "by lot", **_NUMBER}, told={"description": "how many of them show a difference", **_NUMBER},
    low={"description": "the share of such games lies between this (95 %)", **_SHARE},
    high={"description": "and this", **_SHARE}, directed={"description": "games toward differences", **_NUMBER},
    scenarios={"description": "games that scenarios of either tell", **_NUMBER},
    stopped={"description": "why not all of it was done; empty if it was", **TEXT},
    notes={"description": "what one has and the other has not, or is not compared", **TEXTS},
    differences=_list(_DIFFERENCE),
)
_VERDICT = exactly(
    outcome={"enum": [one.value for one in LogOutcome]},
    line={"description": "of the log, null where it is about the whole", "type": ["integer", "null"]},
    kind=MAYBE_TEXT, message=TEXT, rule=MAYBE_TEXT, place=_PLACE, statements=_STATEMENTS,
)
COMPARISON_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"two rulesets compared ({SCHEMA})",
    **exactly(
        schema={"const": SCHEMA}, first=TEXT, second=TEXT,
        options={"type": "object", "additionalProperties": TEXT},
        effort=exactly(games=_NUMBER, events=_NUMBER, positions=_NUMBER, seed={"type": "integer"}),
        exit=_NUMBER, engine={"description": "what carried both out, in words", **TEXT},
        proved={"description": "there is no difference, for these players and options", "type": "boolean"},
        shapes={"description": "one for each number of players", **_list(_SHAPE)},
        logs=_list(exactly(path=TEXT, changed={"type": "boolean"}, first=_VERDICT, second=_VERDICT,
                       why_not={"description": "why the second cannot be told it all; empty if they can", **TEXT})),
    ),
}


def as_data(found: RulesComparison, record: Record) -> dict[str, Any]:
    """The comparison; the keys are always the same."""
    effort = found.effort
    return {
        "schema": SCHEMA, "first": found.names[0], "second": found.names[1], "options": dict(found.options),
        "effort": {"games": effort.games, "events": effort.events, "positions": effort.positions, "seed": effort.seed},
        "exit": int(found.exit), "engine": found.engine, "proved": found.proved,
        "shapes": [_shape(shape, found, record) for shape in found.shapes],
        "logs": [_log(log, found) for log in found.logs],
    }


def outcome_of(shape: ShapeComparison) -> str:
    """What is known for a number of players, in a word or two."""
    return "differences" if shape.differences else "proved" if shape.proved else "none found"


def _shape(shape: ShapeComparison, found: RulesComparison, record: Record) -> dict[str, Any]:
    searched = shape.searched
    low, high = interval(searched.told, searched.games)
    return {
        "players": list(shape.players), "outcome": outcome_of(shape), "positions": searched.positions,
        "why_not": searched.why_not, "games": searched.games, "told": searched.told, "low": round(low, 4),
        "high": round(high, 4), "directed": searched.directed, "scenarios": searched.scenarios,
        "stopped": searched.stopped, "notes": list(shape.notes),
        "differences": [_difference(one, shape, found, record) for one in shape.differences],
    }


def _difference(one: ToldDifference, shape: ShapeComparison, found: RulesComparison, record: Record) -> dict[str, Any]:
    says = [_says(said, found.wording[side], record(side, shape, one)) for side, said in enumerate(one.says)]
    return {
        "kind": one.shown.parting.kind.value, "message": one.message, "events": _events(one.shown.events),
        "shortest": one.shown.shortest, "scenario": None if one.shown.told is None else one.shown.told.place,
        "minimised": one.shown.minimised, "games": len(one.shown.games),
        "first": says[0], "second": says[1],
        "then": None if one.then is None else {"events": _events(one.then[0]), "message": one.then[1]},
    }


def _events(events: Sequence[SharedEvent]) -> list[dict[str, Any]]:
    return [{"by": one.by, "do": one.do, **({"with": {name: json.loads(value) for name, value in one.args}}
                                            if one.args else {})} for one in events]


def _says(said: SideSays, wording: Mapping[str, str], log: Sequence[str]) -> dict[str, Any]:
    return {
        "text": said.text, "rule": said.rule, "place": None if said.span is None else str(said.span),
        "statements": _statements(said.cites, wording), "conditions": [fact.text for fact in said.conditions],
        "holds": said.holds, "because": list(said.because), "log": list(log),
    }


def _statements(cites: Sequence[str], wording: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"id": cite, "text": wording.get(cite, "")} for cite in cites]


def _log(log: LogChange, found: RulesComparison) -> dict[str, Any]:
    return {"path": log.path, "changed": log.changed, "first": _verdict(log.first, log.first.at, found.wording[0]),
            "second": _verdict(log.second, log.line, found.wording[1]), "why_not": log.why_not}


def _verdict(verdict: LogVerdict, line: int | None, wording: Mapping[str, str]) -> dict[str, Any]:
    wrong = verdict.wrong
    message = wrong.message if wrong is not None else verdict.reason or ""
    return {
        "outcome": verdict.outcome.value, "line": line, "kind": None if wrong is None else wrong.kind.value,
        "message": message, "rule": None if wrong is None else wrong.rule,
        "place": None if wrong is None or wrong.span is None else str(wrong.span),
        "statements": [] if wrong is None else _statements(wrong.cites, wording),
    }
