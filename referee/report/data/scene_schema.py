"""The JSON Schema of a scene; `spec/scene.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.report.data.scene_data import SCHEMA
from referee.scene.scene import BoardShape, ValueForm, ZoneForm

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_MAYBE_TEXT = {"type": ["string", "null"]}
_NUMBER = {"type": "integer", "minimum": 0}
_MAYBE_NUMBER = {"type": ["integer", "null"]}
_WAYS = {"type": "array", "items": {"enum": ["north", "east", "south", "west"]}}
_PLACE: dict[str, Any] = {
    "name": {"description": "of all that were declared together", **_TEXT},
    "title": {"description": "of this one, as claims name it", **_TEXT},
    "owner": {"description": "the player whose it is", **_MAYBE_TEXT},
    "board": {"description": "the board on which it is", **_MAYBE_TEXT},
    "cell": {"description": "where on the board, if there is one for each cell", **_MAYBE_TEXT},
    "group": {"description": "the title under which it is drawn with others", **_MAYBE_TEXT},
    "picture": {"description": "a file of the ruleset", **_MAYBE_TEXT},
}


def _keys(**properties: Any) -> dict[str, Any]:
    """An object with exactly these keys."""
    return {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}


def _list(name: str) -> dict[str, Any]:
    return {"type": "array", "items": {"$ref": f"#/$defs/{name}"}}


_DEFS: dict[str, Any] = {
    "asked": _keys(who={"description": "players, `fate`, `table`", **_TEXTS}, what=_TEXTS, point=_TEXT),
    "board": _keys(
        name=_TEXT,
        shape={"description": "of hexagons each row lies half a cell further to the east than the one below it",
               "enum": [one.value for one in BoardShape]},
        columns={"description": "from the west", **_TEXTS}, rows={"description": "from the south", **_TEXTS},
        cells=_list("cell"),
    ),
    "cell": _keys(
        name=_TEXT, column=_NUMBER, row=_NUMBER, room={"description": "of a map", **_MAYBE_TEXT},
        walls={"description": "between it and the cell beside it", **_WAYS}, doors=_WAYS,
    ),
    "zone": _keys(
        **_PLACE,
        form={"enum": [one.value for one in ZoneForm]},
        number={"description": "of components in it", **_NUMBER},
        seen={"description": "whether the viewers see what they are", "type": "boolean"},
        spots={"description": "all there are, if it has some", **_TEXTS}, pieces=_list("piece"),
    ),
    "piece": _keys(
        name={"description": "as logs have it; null if it is not seen", **_MAYBE_TEXT}, kind=_MAYBE_TEXT,
        number={"type": "integer", "minimum": 1}, owner=_MAYBE_TEXT, spot=_MAYBE_TEXT,
        layer={"description": "of a pile: how far down, from 0; the order within a layer is not known",
               **_MAYBE_NUMBER},
        picture=_PLACE["picture"],
    ),
    "value": _keys(
        **_PLACE,
        form={"enum": [one.value for one in ValueForm]},
        value={"description": "as logs have it; of dice the numbers that they show",
               "type": ["string", "integer", "boolean", "array", "null"]},
        text={"description": "for people", **_TEXT}, low=_MAYBE_NUMBER, high=_MAYBE_NUMBER,
        open={"description": "nobody has said it: any value in its range", "type": "boolean"},
        setting={"description": "stays as it is throughout the game", "type": "boolean"},
        default={"description": "a setting that is as the rules have it if nobody says otherwise", "type": "boolean"},
    ),
}

SCENE_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"what lies where, as somebody sees it ({SCHEMA})",
    **_keys(
        schema={"const": SCHEMA}, ruleset=_TEXT, players=_TEXTS,
        viewers={"description": "the players who see it together; none: somebody at no seat", **_TEXTS},
        turn=_MAYBE_TEXT,
        asked={"description": "who has to act; null once the game is over",
               "oneOf": [{"$ref": "#/$defs/asked"}, {"type": "null"}]},
        winners={"description": "once the game is over", "oneOf": [_TEXTS, {"type": "null"}]},
        boards=_list("board"), zones=_list("zone"), values=_list("value"),
    ),
    "$defs": _DEFS,
}
