"""The JSON Schema of what `prove` writes as JSON; `spec/proofs.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.proofs.proof_outcomes import ProofOutcome, ProofWay
from referee.report.schema_parts import MAYBE_TEXT, TEXT, TEXTS, exactly

SCHEMA = "referee/proofs/1"


_OUTCOME = {"enum": [outcome.value for outcome in ProofOutcome]}
_GAME = exactly(
    players=TEXTS,
    shortest={"description": "no shorter game breaks it; else no event can be dropped", "type": "boolean"},
    readings={"type": "object", "additionalProperties": TEXT},
    events={"description": "as lines of a log, up to the break", "type": "array", "items": {"type": "object"}},
)
_CLAIM = exactly(
    name=TEXT, outcome=_OUTCOME, expected=_OUTCOME,
    how={"description": "by what it is proved, or why it is not", **MAYBE_TEXT},
    way={"description": "how it was decided: every position was looked at, by induction, by a game that was "
                        "found; null if it is open", "enum": [*(way.value for way in ProofWay), None]},
    depth={"description": "so many events were searched completely", "type": "integer", "minimum": 0},
    lemmas={"description": "what was shown besides, each with its place", **TEXTS},
    cites=TEXTS, assumed={"description": "the names of the assumptions that it cites", **TEXTS},
    path=TEXT, line={"type": "integer", "minimum": 1},
    log={"description": "the file into which the game was written", **MAYBE_TEXT},
    game={"oneOf": [{"type": "null"}, _GAME]},
)
_SPACE = exactly(
    positions={"description": "so many were looked at", "type": "integer", "minimum": 0},
    whole={"description": "games come to no other", "type": "boolean"},
    why={"description": "why these are not all; null if they are", **MAYBE_TEXT},
    depth={"description": "every game of so many events was looked at", "type": "integer", "minimum": 0},
    seconds={"description": "of computing", "type": "number", "minimum": 0},
    per_second={"type": "integer", "minimum": 0},
    engine={"description": "what looked at them, in words", "type": "string"},
)
_GAMES = exactly(
    games={"description": "so many were played by lot to break claims", "type": "integer", "minimum": 0},
    events={"type": "integer", "minimum": 0},
    seconds={"description": "of computing", "type": "number", "minimum": 0},
    engine={"description": "what played them, in words", "type": "string"},
)
_SHAPE = exactly(
    ruleset=TEXT, version=MAYBE_TEXT, players={"type": "integer", "minimum": 1},
    options={"type": "object", "additionalProperties": TEXT},
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
    **exactly(schema={"const": SCHEMA}, shapes={"type": "array", "items": _SHAPE}),
}
