"""The JSON Schema of the lines of a log; `spec/log.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.core.player_names import MAX_NAME, RESERVED
from referee.game.log.log_header import MAX_ROWS, SCHEMA
from referee.game.log.log_lines import MAX_WORD
from referee.game.log.strict_json import MAX_DIGITS

_NAME = {"type": "string", "minLength": 1, "maxLength": MAX_WORD}
_NAMES = {"type": "array", "items": _NAME}
_REMARKS = {
    "note": {"description": "for people; means nothing to the rules"},
    "at": {"description": "when it happened; means nothing to the rules"},
}
_VALUE = {"$ref": "#/$defs/value"}


def _entries(title: str, required: list[str], **properties: Any) -> dict[str, Any]:
    remarks = {name: said for name, said in _REMARKS.items() if name not in properties}
    return {"title": title, "type": "object", "required": required, "properties": {**properties, **remarks}}


_HEADER = _entries(
    "header: the first line", ["schema", "ruleset", "players"],
    schema={"const": SCHEMA},
    ruleset={"type": "string", "pattern": "^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$"},
    players={
        "description": "in seat order, clockwise", "type": "array", "minItems": 1, "uniqueItems": True,
        "items": {"type": "string", "minLength": 1, "maxLength": MAX_NAME, "not": {"enum": sorted(RESERVED)}},
    },
    version={"description": "of the ruleset; absent: not stated", "type": "string"},
    options={"type": "object"},
    given={"description": "facts from outside: name -> value, or key -> value", "type": "object"},
    readings={"description": "name -> choice", "type": "object", "additionalProperties": {"type": "string"}},
    rulings={"description": "unspecified point -> what the table chose", "type": "object"},
    parameters={"description": "name -> value, or key -> value", "type": "object"},
    viewpoint={"description": "all, public or a player", "type": "string"},
    pool={
        "description": "kind -> rows in the place of its data file", "type": "object",
        "additionalProperties": {
            "type": "array", "minItems": 1, "maxItems": MAX_ROWS,
            "items": {"type": "object", "required": ["name"], "properties": {"name": _NAME},
                      "additionalProperties": {"type": ["string", "integer", "boolean"]}},
        },
    },
    state=_entries(
        "state: a position to start from", [],
        turn={"type": "string"}, at={"description": "the name of a rest point", "type": "string"},
        place={"description": "place in the words of the rules -> what lies there", "type": "object"},
        set={"description": "counter in the words of the rules -> value", "type": "object",
             "additionalProperties": _VALUE},
        rest={"enum": ["home", "unknown"]},
    ),
)
_EVENT = _entries(
    "event", ["by", "do"],
    by={"description": "a player, fate or table", **_NAME},
    do=_NAME,
    **{"with": {
        "description": 'arguments by name; a value may be "?" or {"in": [...]} where it is not known',
        "type": "object",
    }},
)
_END = _entries(
    "end: the result claimed", ["end"],
    end=_entries(
        "result", [],
        winner={"description": "a name, several, or null for nobody",
                "oneOf": [_NAME, _NAMES, {"type": "null"}]},
        scores={"type": ["object", "null"], "additionalProperties": {"type": "integer"}},
        ranking={"description": "best first; those who share a place in a list", "type": ["array", "null"],
                 "items": {"oneOf": [_NAME, {**_NAMES, "minItems": 1}]}},
    ),
)
_ASSERT = _entries(
    "assert: claims about the state", ["assert"],
    **{"assert": {"description": "expression -> value", "type": "object"}},
)
_HELD = {
    "title": "value of a counter, or key -> value",
    "anyOf": [
        {"type": ["boolean", "null"]},
        {"type": "integer", "minimum": 1 - 10**MAX_DIGITS, "maximum": 10**MAX_DIGITS - 1},
        {"description": f"a player, a member, or a number of more than {MAX_DIGITS} digits: these, with - before them",
         "type": "string"},
        {"type": "array", "items": _VALUE}, {"type": "object", "additionalProperties": _VALUE},
    ],
}
_UNDO = _entries("undo: events taken back", ["undo"], undo={"type": "integer", "minimum": 1})

LOG_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "a line of a log (referee/log/1): the first is the header, each other one of the rest",
    "oneOf": [
        {"$ref": "#/$defs/header"}, {"$ref": "#/$defs/event"}, {"$ref": "#/$defs/assert"}, {"$ref": "#/$defs/end"},
        {"$ref": "#/$defs/undo"},
    ],
    "$defs": {"header": _HEADER, "event": _EVENT, "assert": _ASSERT, "end": _END, "undo": _UNDO, "value": _HELD},
}
