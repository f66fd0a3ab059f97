"""The JSON Schema of a review; `spec/review.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.diagnostics.exit_codes import Exit
from referee.report.data.finding_data import SCHEMA
from referee.review.finding import FindingOutcome

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_MAYBE_TEXT = {"type": ["string", "null"]}
_NUMBERS = {"type": "array", "items": {"type": "integer", "minimum": 1}}
_NUMBER = {"type": "integer", "minimum": 0}
_LINE = {"type": "integer", "minimum": 1}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_LOG = {"description": "the lines of a log, as log.schema.json has them", "type": "array", "items": {"type": "object"}}


def _keys(**properties: Any) -> dict[str, Any]:
    """An object with exactly these keys."""
    return {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}


def _list(name: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}


_DEFS: dict[str, Any] = {
    "effort": _keys(
        games={"description": "played for each number of players", **_NUMBER},
        events={"description": "of the longest of them", **_NUMBER},
        positions={"description": "searched at most", **_NUMBER},
        seed={"type": "integer"},
        proofs={"description": "whether it was tried to prove what no game showed", "type": "boolean"},
    ),
    "check": _keys(**{"class": _TEXT, "title": _TEXT}),
    "finding": _keys(
        id={"description": "the class and the place: what an `accept` in the rules names", **_TEXT},
        **{"class": _TEXT},
        outcome={"enum": [outcome.value for outcome in FindingOutcome]},
        message=_TEXT,
        players={"description": "the numbers of players for which it is so", **_NUMBERS},
        statements={"description": "of the rulebook", **_TEXTS},
        sentences={"description": "of these statements, as far as the ruleset has their wording", **_TEXTS},
        places={"description": "in the rules; the first is what it is about", **_list("place")},
        game={"description": "a game that shows it", "oneOf": [{"$ref": "#/$defs/game"}, {"type": "null"}]},
        from_start={"description": "where that begins in the position of a scenario: the log of a longer game from the"
                                   " beginning that shows it too; null if there is none",
                    "oneOf": [_LOG, {"type": "null"}]},
        candidates={"description": "how the game could go on", **_list("candidate")},
        settle={"description": "the least that could be written to settle it", **_MAYBE_TEXT},
        lines={"description": "of a question: what could be written into the rules, line by line", **_TEXTS},
        weight={"description": "of a question: in how many of the games it matters, and the interval of that share",
                "oneOf": [{"$ref": "#/$defs/weight"}, {"type": "null"}]},
        wordings={"description": "of a question: what a rulebook could say, for each answer", **_TEXTS},
        alike={"description": "the ids of others that it stands for", **_TEXTS},
        seldom={"description": "of a question: whether it is of a kind that readers seldom found worth asking",
                "type": "boolean"},
        notes=_TEXTS,
        accepted={"description": "why the rules accept it; null if they do not", **_MAYBE_TEXT},
        assumed={"description": "what the ruleset takes for granted there", **_list("declared")},
    ),
    "game": _keys(
        log=_LOG,
        settings={"description": "what is not the default, in words", **_TEXTS},
        set_up={"description": "how many events come before play", **_NUMBER},
        drawn={"description": "after how many events the scene stands", **_NUMBER},
        scene={"description": "what lies where then, as scene.schema.json has it, with all that some player sees;"
                              " null if there is no position", "type": ["object", "null"]},
        shortest={"description": "no game that shows it has fewer events", "type": "boolean"},
        minimised={"description": "none of its events can be left out", "type": "boolean"},
    ),
    "weight": _keys(told=_NUMBER, games=_NUMBER, low=_SHARE, high=_SHARE),
    "declared": _keys(
        name=_TEXT, text=_TEXT, statements={"description": "of the rulebook, that it completes or explains", **_TEXTS},
    ),
    "candidate": _keys(text=_TEXT, end=_TEXT, log=_LOG),
    "place": _keys(path=_TEXT, line=_LINE, column=_LINE, end_line=_LINE, end_column=_LINE),
    "rulebook": _keys(
        path={"description": "of the text that was given; null if none was", **_MAYBE_TEXT},
        language={"description": "null if its words do not show it", **_MAYBE_TEXT},
        guessed={"description": "nobody said which language it is", "type": "boolean"},
        sentences=_NUMBER,
        uncovered={"description": "sentences that no statement covers", "type": "array",
                   "items": _keys(line=_LINE, text=_TEXT)},
        open={"description": "sentences with words that leave something open; null if nobody asked",
              "oneOf": [_list("open"), {"type": "null"}]},
    ),
    "open": _keys(
        statements={"description": "that cover it", **_TEXTS},
        line={"description": "of the rulebook; null for a statement's own wording",
              "oneOf": [_LINE, {"type": "null"}]},
        text=_TEXT, words={"type": "array", "items": _keys(dimension=_TEXT, words=_TEXT)},
    ),
    "search": _keys(players={"type": "integer", "minimum": 1}, options=_TEXT,
                    positions={"type": "integer", "minimum": 0}, whole={"type": "boolean"},
                    why={"type": ["string", "null"]}, depth={"type": "integer", "minimum": 0},
                    seconds={"type": "number", "minimum": 0}, per_second={"type": "integer", "minimum": 0},
                    engine=_TEXT),
    "stale": _keys(id=_TEXT, reason=_TEXT, place={"$ref": "#/$defs/place"}),
}

REVIEW_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"what a review of rules found ({SCHEMA})",
    **_keys(
        schema={"const": SCHEMA}, ruleset=_TEXT, players=_NUMBERS,
        effort={"$ref": "#/$defs/effort"}, exit={"enum": sorted(int(code) for code in Exit)},
        interrupted={"type": "boolean"}, checks=_list("check"),
        searches={"description": "of positions, for each number of players and options", **_list("search")},
        findings={"description": "flaws, and for each class without one what is known of it", **_list("finding")},
        stale={"description": "accepted in the rules and not found any more", **_list("stale")},
        known={"description": "the ids of questions left out, as the baseline has them", **_TEXTS},
        rulebook={"description": "what the text of the rulebook shows",
                  "oneOf": [{"$ref": "#/$defs/rulebook"}, {"type": "null"}]},
    ),
    "$defs": _DEFS,
}
