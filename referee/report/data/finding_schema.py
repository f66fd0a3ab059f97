"""The JSON Schema of a review; `spec/review.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.diagnostics.exit_codes import Exit
from referee.report.data.finding_data import SCHEMA
from referee.report.schema_parts import MAYBE_TEXT, NUMBER, TEXT, exactly, list_of
from referee.review.finding import FindingOutcome

_TEXTS = {"type": "array", "items": TEXT}
_NUMBERS = {"type": "array", "items": {"type": "integer", "minimum": 1}}
_LINE = {"type": "integer", "minimum": 1}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_LOG = {"description": "the lines of a log, as log.schema.json has them", "type": "array", "items": {"type": "object"}}


_DEFS: dict[str, Any] = {
    "effort": exactly(
        games={"description": "played for each number of players", **NUMBER},
        events={"description": "of the longest of them", **NUMBER},
        positions={"description": "searched at most", **NUMBER},
        seed={"type": "integer"},
        proofs={"description": "whether it was tried to prove what no game showed", "type": "boolean"},
    ),
    "check": exactly(**{"class": TEXT, "title": TEXT}),
    "finding": exactly(
        id={"description": "the class and the place: what an `accept` in the rules names", **TEXT},
        **{"class": TEXT},
        outcome={"enum": [outcome.value for outcome in FindingOutcome]},
        message=TEXT,
        players={"description": "the numbers of players for which it is so", **_NUMBERS},
        statements={"description": "of the rulebook", **_TEXTS},
        sentences={"description": "of these statements, as far as the ruleset has their wording", **_TEXTS},
        places={"description": "in the rules; the first is what it is about", **list_of("place")},
        game={"description": "a game that shows it", "oneOf": [{"$ref": "#/$defs/game"}, {"type": "null"}]},
        from_start={"description": "where that begins in the position of a scenario: the log of a longer game from the"
                                   " beginning that shows it too; null if there is none",
                    "oneOf": [_LOG, {"type": "null"}]},
        candidates={"description": "how the game could go on", **list_of("candidate")},
        settle={"description": "the least that could be written to settle it", **MAYBE_TEXT},
        lines={"description": "of a question: what could be written into the rules, line by line", **_TEXTS},
        weight={"description": "of a question: in how many of the games it matters, and the interval of that share",
                "oneOf": [{"$ref": "#/$defs/weight"}, {"type": "null"}]},
        wordings={"description": "of a question: what a rulebook could say, for each answer", **_TEXTS},
        alike={"description": "the ids of others that it stands for", **_TEXTS},
        seldom={"description": "of a question: whether it is of a kind that readers seldom found worth asking",
                "type": "boolean"},
        notes=_TEXTS,
        accepted={"description": "why the rules accept it; null if they do not", **MAYBE_TEXT},
        assumed={"description": "what the ruleset takes for granted there", **list_of("declared")},
    ),
    "game": exactly(
        log=_LOG,
        settings={"description": "what is not the default, in words", **_TEXTS},
        set_up={"description": "how many events come before play", **NUMBER},
        drawn={"description": "after how many events the scene stands", **NUMBER},
        scene={"description": "what lies where then, as scene.schema.json has it, with all that some player sees;"
                              " null if there is no position", "type": ["object", "null"]},
        shortest={"description": "no game that shows it has fewer events", "type": "boolean"},
        minimised={"description": "none of its events can be left out", "type": "boolean"},
    ),
    "weight": exactly(told=NUMBER, games=NUMBER, low=_SHARE, high=_SHARE),
    "declared": exactly(
        name=TEXT, text=TEXT, statements={"description": "of the rulebook, that it completes or explains", **_TEXTS},
    ),
    "candidate": exactly(text=TEXT, end=TEXT, log=_LOG),
    "place": exactly(path=TEXT, line=_LINE, column=_LINE, end_line=_LINE, end_column=_LINE),
    "rulebook": exactly(
        path={"description": "of the text that was given; null if none was", **MAYBE_TEXT},
        language={"description": "null if its words do not show it", **MAYBE_TEXT},
        guessed={"description": "nobody said which language it is", "type": "boolean"},
        sentences=NUMBER,
        uncovered={"description": "sentences that no statement covers", "type": "array",
                   "items": exactly(line=_LINE, text=TEXT)},
        open={"description": "sentences with words that leave something open; null if nobody asked",
              "oneOf": [list_of("open"), {"type": "null"}]},
    ),
    "open": exactly(
        statements={"description": "that cover it", **_TEXTS},
        line={"description": "of the rulebook; null for a statement's own wording",
              "oneOf": [_LINE, {"type": "null"}]},
        text=TEXT, words={"type": "array", "items": exactly(dimension=TEXT, words=TEXT)},
    ),
    "search": exactly(players={"type": "integer", "minimum": 1}, options=TEXT,
                    positions={"type": "integer", "minimum": 0}, whole={"type": "boolean"},
                    why={"type": ["string", "null"]}, depth={"type": "integer", "minimum": 0},
                    seconds={"type": "number", "minimum": 0}, per_second={"type": "integer", "minimum": 0},
                    engine=TEXT),
    "stale": exactly(id=TEXT, reason=TEXT, place={"$ref": "#/$defs/place"}),
}

REVIEW_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"what a review of rules found ({SCHEMA})",
    **exactly(
        schema={"const": SCHEMA}, ruleset=TEXT, players=_NUMBERS,
        effort={"$ref": "#/$defs/effort"}, exit={"enum": sorted(int(code) for code in Exit)},
        interrupted={"type": "boolean"}, checks=list_of("check"),
        searches={"description": "of positions, for each number of players and options", **list_of("search")},
        findings={"description": "flaws, and for each class without one what is known of it", **list_of("finding")},
        stale={"description": "accepted in the rules and not found any more", **list_of("stale")},
        known={"description": "the ids of questions left out, as the baseline has them", **_TEXTS},
        rulebook={"description": "what the text of the rulebook shows",
                  "oneOf": [{"$ref": "#/$defs/rulebook"}, {"type": "null"}]},
    ),
    "$defs": _DEFS,
}
