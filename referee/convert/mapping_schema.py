"""The schema of mappings: how the steps of a format are called by some rules; `spec/mapping.schema.json` is this."""

from __future__ import annotations

from typing import Any

MAPPING = "referee/mapping/1"
FORMATS = ("pgn", "phh", "openspiel")
_TEXT = {"type": "string"}
_SCALAR = {"type": ["string", "integer", "boolean", "null"]}
_ARGUMENT = {"type": ["string", "integer", "boolean", "null", "array"], "items": _SCALAR}


def _of(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties, "additionalProperties": False}


def _table(of: dict[str, Any], description: str) -> dict[str, Any]:
    return {"description": description, "type": "object", "additionalProperties": of}


_ACTION = _of(
    ("pattern",),
    pattern={"description": "a regular expression that fits the whole text of a step; its groups have names", **_TEXT},
    do={"description": "the label; without it the groups are kept for the next event", **_TEXT},
    by={"description": "asked: whoever is (the default); fate; or a player, with {group}", **_TEXT},
    after={"description": "a group: only where a step before has kept it for this event", **_TEXT},
    passed={"description": "such a step is passed over, after the end too", "type": "boolean"},
    complete={"description": "arguments that are left out follow from what is legal", "type": "boolean"},
    steps={"description": "so many steps of this pattern together are one event", "enum": list(range(1, 14))},
    **{"with": _table(_ARGUMENT, "argument -> a value or a list; {group} and {group|table} in a text stand for what "
                          "fits, {group|number} for a whole number; of several steps a list has the members of each")},
)
_PARAMETER = _of(
    ("default", "options"),
    default={"description": "its value where the game does not state it", **_TEXT},
    options=_table(_table(_TEXT, "option of the rules -> value"), "value -> the options that it stands for"),
)
_EVENT = _of(
    ("by", "do"),
    by={"description": "a player, or fate", **_TEXT}, do=_TEXT,
    **{"with": _table(_SCALAR, "argument -> a value")},
)
_START = _of(
    ("place", "pieces", "turn"),
    place={"description": "a place of the rules, with {square}", **_TEXT},
    pieces=_table(_TEXT, "letter -> component"), turn=_table(_TEXT, "letter -> player"),
    castling=_table(_TEXT, "letter -> counter that is then yes, and else no"),
    passed={"description": "the counter with the square that a pawn has passed over", **_TEXT},
    quiet={"description": "the counter of moves without taking and pawns", **_TEXT},
)
_RESULT = _of(
    (),
    level={"description": "who wins where all have the same", "enum": ["nobody", "all"]},
    scores={"description": "the result has the scores of the rules", "type": "boolean"},
    winners={"description": "who wins: those with most; those with more than nothing", "enum": ["most", "gain"]},
)
_FORMAT = _of(
    ("players", "actions"),
    game={"description": "what the format calls the game", **_TEXT},
    players={"description": "the names of the seats, in seat order", "type": "array", "items": _TEXT, "minItems": 1},
    order={"description": "the same names in the order in which the format lists its players", "type": "array",
           "items": _TEXT},
    note=_TEXT,
    options=_table(_TEXT, "options of the rules that always hold"),
    before={"description": "events at the beginning that the format does not tell", "type": "array", "items": _EVENT},
    untold={"description": "labels that the format does not tell: the one legal event is written", "type": "array",
            "items": _TEXT},
    parameters=_table(_PARAMETER, "parameter of the game in its format"),
    values=_table(_table(_SCALAR, "text -> value"), "tables that arguments use"),
    actions={"description": "the first that fits counts, of those that are offered", "type": "array",
             "items": _ACTION, "minItems": 1},
    start=_START, result=_RESULT,
    header=_table(_table(_SCALAR, "name -> a value; {fact} stands for what the file tells"),
                  "part of the header of a log"),
)
MAPPING_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"mapping of formats to the labels of rules ({MAPPING})",
    **_of(("schema",), schema={"const": MAPPING}, **dict.fromkeys(FORMATS, _FORMAT)),
}
