"""The JSON Schema of what `prove` writes as JSON; `spec/proofs.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.proofs.proof_outcomes import ProofOutcome

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
    depth={"description": "so many events were searched completely", "type": "integer", "minimum": 0},
    lemmas={"description": "what was shown besides, each with its place", **_TEXTS},
    cites=_TEXTS, assumed={"description": "the names of the assumptions that it cites", **_TEXTS},
    path=_TEXT, line={"type": "integer", "minimum": 1},
    log={"description": "the file into which the game was written", **_MAYBE_TEXT},
    game={"oneOf": [{"type": "null"}, _GAME]},
)
_SHAPE = _of(
    ruleset=_TEXT, version=_MAYBE_TEXT, players={"type": "integer", "minimum": 1},
    options={"type": "object", "additionalProperties": _TEXT},
    whole={"description": "false if it was interrupted: claims are missing", "type": "boolean"},
    claims={"type": "array", "items": _CLAIM},
)
PROOFS_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "proofs (referee/proofs/1)",
    **_of(schema={"const": SCHEMA}, shapes={"type": "array", "items": _SHAPE}),
}
