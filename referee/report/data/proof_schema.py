"""The JSON Schema of what `prove` writes as JSON; `spec/proofs.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.proofs.proof_outcomes import ProofOutcome, ProofWay

SCHEMA = "referee/proofs/1"
_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_MAYBE_TEXT = {"type": ["string", "null"]}


def _of(**properties: Any) -> dict[str, Any]:
    """An object with exactly these keys."""
    return {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}


_OUTCOME = {"enum": [outcome.value for outcome in ProofOutcome]}
_GAME = _of(
    players=_TEXTS,
    shortest={"description": "no shorter game breaks it; else no event can be dropped", "type": "boolean"},
    readings={"type": "object", "additionalProperties": _TEXT},
    events={"description": "as lines of a log, up to the break", "type": "array", "items": {"type": "object"}},
)
_CLAIM = _of(
    name=_TEXT, outcome=_OUTCOME, expected=_OUTCOME,
    how={"description": "by what it is proved, or why it is not", **_MAYBE_TEXT},
    way={"description": "how it was decided: every position was looked at, by induction, by a game that was "
                        "found; null if it is open", "enum": [*(way.value for way in ProofWay), None]},
    depth={"description": "so many events were searched completely", "type": "integer", "minimum": 0},
    lemmas={"description": "what was shown besides, each with its place", **_TEXTS},
    cites=_TEXTS, assumed={"description": "the names of the assumptions that it cites", **_TEXTS},
    path=_TEXT, line={"type": "integer", "minimum": 1},
    log={"description": "the file into which the game was written", **_MAYBE_TEXT},
    game={"oneOf": [{"type": "null"}, _GAME]},
)
_SPACE = _of(
    positions={"description": "so many were looked at", "type": "integer", "minimum": 0},
    whole={"description": "games come to no other", "type": "boolean"},
    why={"description": "why these are not all; null if they are", **_MAYBE_TEXT},
    depth={"description": "every game of so many events was looked at", "type": "integer", "minimum": 0},
    seconds={"description": "of computing", "type": "number", "minimum": 0},
    per_second={"type": "integer", "minimum": 0},
    engine={"description": "what looked at them, in words", "type": "string"},
)
_GAMES = _of(
    games={"description": "so many were played by lot to break claims", "type": "integer", "minimum": 0},
    events={"type": "integer", "minimum": 0},
    seconds={"description": "of computing", "type": "number", "minimum": 0},
    engine={"description": "what played them, in words", "type": "string"},
)
_SHAPE = _of(
    ruleset=_TEXT, version=_MAYBE_TEXT, players={"type": "integer", "minimum": 1},
    options={"type": "object", "additionalProperties": _TEXT},
    whole={"description": "false if it was interrupted: claims are missing", "type": "boolean"},
    positions={"description": "the search of every position; null if there was none",
               "oneOf": [{"type": "null"}, _SPACE]},
    games={"description": "the games by lot of one process; null if there were none",
           "oneOf": [{"type": "null"}, _GAMES]},
    claims={"type": "array", "items": _CLAIM},
)
PROOFS_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "proofs (referee/proofs/1)",
    **_of(schema={"const": SCHEMA}, shapes={"type": "array", "items": _SHAPE}),
}
