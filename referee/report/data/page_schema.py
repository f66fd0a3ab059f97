"""The JSON Schema of what a page reads; `spec/page.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.report.data.finding_schema import REVIEW_SCHEMA
from referee.report.data.proof_schema import PROOFS_SCHEMA
from referee.report.data.scene_schema import SCENE_SCHEMA
from referee.report.data.verdict_schema import REPORT_SCHEMA
from referee.report.schema_parts import MAYBE_NUMBER, MAYBE_TEXT, NUMBER, TEXT, TRUTH, exactly, list_of
from referee.scene.scene import ValueForm, ZoneForm

SCHEMA = "referee/page/1"
_TEXTS = {"type": "array", "items": TEXT}
_NUMBERS = {"type": "array", "items": NUMBER}
_WORDINGS = {"description": "id -> words of the rulebook", "type": "object", "additionalProperties": TEXT}
_WITHIN = {name: f"urn:referee:{name}" for name in ("proofs", "report", "review", "scene")}


def _by_number(name: str) -> dict[str, Any]:
    return {"type": "object", "patternProperties": {"^[0-9]+$": {"$ref": f"#/$defs/{name}"}},
            "additionalProperties": False}  # fmt: skip


def _page(kind: str, **properties: Any) -> dict[str, Any]:
    return exactly(schema={"const": SCHEMA}, kind={"const": kind}, title=TEXT, **properties)


_VERDICT = {"$ref": f"{_WITHIN['report']}#/$defs/verdict"}
_PLACE: dict[str, Any] = {
    "name": TEXT, "title": TEXT, "owner": MAYBE_TEXT, "board": MAYBE_TEXT, "cell": MAYBE_TEXT,
    "group": MAYBE_TEXT, "picture": MAYBE_TEXT,
}  # fmt: skip
_PICTURES: dict[str, Any] = {
    "description": "file of the ruleset -> its content, as a data URI", "type": "object",
    "additionalProperties": {"type": "string", "pattern": "^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/=]*$"},
}  # fmt: skip
_LOG = _page(
    "log", ruleset=TEXT, version=TEXT, players=_TEXTS,
    viewer={"description": "whose view it is: a player, `public`, null for somebody who sees all", **MAYBE_TEXT},
    verdict=_VERDICT, statements=_WORDINGS,
    boards={"type": "array", "items": {"$ref": f"{_WITHIN['scene']}#/$defs/board"}},
    places=list_of("place"), values=list_of("value"), pieces=list_of("piece"), pictures=_PICTURES,
    texts={"description": "that steps name by their numbers", **_TEXTS}, steps=list_of("step"),
    left_out={"description": "so many lines are not in the page", **NUMBER},
)  # fmt: skip
_DEFS: dict[str, Any] = {
    "place": exactly(form={"enum": [one.value for one in ZoneForm]}, spots=_TEXTS, **_PLACE),
    "value": exactly(form={"enum": [one.value for one in ValueForm]}, low=MAYBE_NUMBER, high=MAYBE_NUMBER,
                   setting=TRUTH, **_PLACE),
    "piece": exactly(name=MAYBE_TEXT, kind=MAYBE_TEXT, owner=MAYBE_TEXT, picture=MAYBE_TEXT),
    "step": {
        "description": "a line of the log; the first is its header",
        "type": "object", "required": ["line", "text", "asked", "legal", "more", "statements", "change"],
        "properties": {
            "line": {"type": "integer", "minimum": 1}, "text": TEXT,
            "asked": {"description": "who had to act before it, and where; empty if that is open", **TEXT},
            "legal": {"description": "what he could do: numbers of texts", **_NUMBERS},
            "more": {"description": "and more", **TRUTH},
            "statements": {"description": "by which it is legal", **_TEXTS},
            "learned": {"description": "lines before, with what is known of them from now on", "type": "array",
                        "items": {"type": "array", "prefixItems": [NUMBER, TEXT], "minItems": 2, "maxItems": 2}},
            "change": {"description": "what is different on the table after it; null where that is open",
                       "oneOf": [{"$ref": "#/$defs/change"}, {"type": "null"}]},
        }, "additionalProperties": False,
    },
    "change": {
        "description": "from the step before that has one; before the first there is nothing on the table",
        "type": "object",
        "properties": {
            "turn": MAYBE_TEXT, "winners": {"oneOf": [_TEXTS, {"type": "null"}]},
            "asked": {"oneOf": [{"$ref": f"{_WITHIN['scene']}#/$defs/asked"}, {"type": "null"}]},
            "zones": _by_number("zone_change"), "values": _by_number("value_change"),
        }, "additionalProperties": False,
    },
    "zone_change": {
        "type": "object", "required": ["number", "seen"],
        "properties": {
            "number": {"description": "of the components that lie there", **NUMBER}, "seen": TRUTH,
            "at": {"description": "spot -> number of a piece, null for none", "type": "object",
                   "additionalProperties": MAYBE_NUMBER},
            "pieces": {"description": "from which entry on, how many entries go, and which come in their place",
                       "type": "array", "prefixItems": [NUMBER, NUMBER, list_of("entry")], "minItems": 3,
                       "maxItems": 3},
        }, "additionalProperties": False,
    },
    "entry": {"description": "number of a piece, how many, and 1 if the order to the entry before is not known",
              "type": "array", "items": NUMBER, "minItems": 3, "maxItems": 3},
    "value_change": exactly(value={}, text=TEXT, open=TRUTH, default=TRUTH),
    "statement": exactly(
        id=TEXT, state={"enum": ["encoded", "open", "not a rule", "missing"]}, text=TEXT, reason=MAYBE_TEXT,
        places=_TEXTS, assumptions=_TEXTS, settles={"type": "object", "additionalProperties": TEXT},
        scenarios={"description": "that cite it", **_TEXTS},
        questions={"description": "open sentences, readings and points that cite it", **_TEXTS},
        events={"description": "of the logs, that are legal by it", **NUMBER},
        logs={"description": "in how many logs there is such an event", **NUMBER},
    ),
    "assumption": exactly(name=TEXT, text=TEXT, statements=_TEXTS, place=TEXT, rests=_TEXTS),
    "inferred": exactly(place=TEXT, construct=TEXT),
}  # fmt: skip
PAGE_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"what a page shows ({SCHEMA})",
    "oneOf": [
        _LOG,
        _page("verdicts", verdicts={"type": "array", "items": _VERDICT}, left_out=NUMBER),
        _page("review", report={"$ref": _WITHIN["review"]},
              after={"description": "for each finding, and each way in which its game goes on, what lies where then; "
                     "null where no further event shows it", "type": "array", "items": {"type": "array", "items": {
                         "oneOf": [{"$ref": _WITHIN["scene"]}, {"type": "null"}]}}}, pictures=_PICTURES),
        _page("proofs", report={"$ref": _WITHIN["proofs"]}),
        _page("coverage", ruleset=TEXT, complete=TRUTH, statements=list_of("statement"),
              assumptions=list_of("assumption"), inferred=list_of("inferred"),
              logs={"description": "how many were looked at; null if nobody named any", **MAYBE_NUMBER},
              unread={"description": "logs that are not legal by these rules: of them nothing is counted", **_TEXTS}),
    ],
    "$defs": {
        **_DEFS,
        **{name: {**schema, "$id": _WITHIN[name]} for name, schema in (
            ("proofs", PROOFS_SCHEMA), ("report", REPORT_SCHEMA), ("review", REVIEW_SCHEMA), ("scene", SCENE_SCHEMA))},
    },
}  # fmt: skip
