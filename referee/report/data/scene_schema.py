"""The JSON Schema of a scene; `spec/scene.schema.json` is this, written out."""

from __future__ import annotations

from typing import Any

from referee.report.data.scene_data import SCHEMA
from referee.report.schema_parts import MAYBE_NUMBER, MAYBE_TEXT, NUMBER, TEXT, exactly, list_of
from referee.scene.scene import BoardShape, ValueForm, ZoneForm

_TEXTS = {"type": "array", "items": TEXT}
_WAYS = {"type": "array", "items": {"enum": ["north", "east", "south", "west"]}}
_PLACE: dict[str, Any] = {
    "name": {"description": "of all that were declared together", **TEXT},
    "title": {"description": "of this one, as claims name it", **TEXT},
    "owner": {"description": "the player whose it is", **MAYBE_TEXT},
    "board": {"description": "the board on which it is", **MAYBE_TEXT},
    "cell": {"description": "where on the board, if there is one for each cell", **MAYBE_TEXT},
    "group": {"description": "the title under which it is drawn with others", **MAYBE_TEXT},
    "picture": {"description": "a file of the ruleset", **MAYBE_TEXT},
}


_DEFS: dict[str, Any] = {
    "asked": exactly(who={"description": "players, `fate`, `table`", **_TEXTS}, what=_TEXTS, point=TEXT),
    "board": exactly(
        name=TEXT,
        shape={"description": "of hexagons each row lies half a cell further to the east than the one below it",
               "enum": [one.value for one in BoardShape]},
        columns={"description": "from the west", **_TEXTS}, rows={"description": "from the south", **_TEXTS},
        cells=list_of("cell"),
    ),
    "cell": exactly(
        name=TEXT, column=NUMBER, row=NUMBER, room={"description": "of a map", **MAYBE_TEXT},
        walls={"description": "between it and the cell beside it", **_WAYS}, doors=_WAYS,
    ),
    "zone": exactly(
        **_PLACE,
        form={"enum": [one.value for one in ZoneForm]},
        number={"description": "of components in it", **NUMBER},
        seen={"description": "whether the viewers see what they are", "type": "boolean"},
        spots={"description": "all there are, if it has some", **_TEXTS}, pieces=list_of("piece"),
    ),
    "piece": exactly(
        name={"description": "as logs have it; null if it is not seen", **MAYBE_TEXT}, kind=MAYBE_TEXT,
        number={"type": "integer", "minimum": 1}, owner=MAYBE_TEXT, spot=MAYBE_TEXT,
        layer={"description": "of a pile: how far down, from 0; the order within a layer is not known",
               **MAYBE_NUMBER},
        picture=_PLACE["picture"],
    ),
    "value": exactly(
        **_PLACE,
        form={"enum": [one.value for one in ValueForm]},
        value={"description": "as logs have it; of dice the numbers that they show",
               "type": ["string", "integer", "boolean", "array", "null"]},
        text={"description": "for people", **TEXT}, low=MAYBE_NUMBER, high=MAYBE_NUMBER,
        open={"description": "nobody has said it: any value in its range", "type": "boolean"},
        setting={"description": "stays as it is throughout the game", "type": "boolean"},
        default={"description": "a setting that is as the rules have it if nobody says otherwise", "type": "boolean"},
    ),
}

SCENE_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": f"what lies where, as somebody sees it ({SCHEMA})",
    **exactly(
        schema={"const": SCHEMA}, ruleset=TEXT, players=_TEXTS,
        viewers={"description": "the players who see it together; none: somebody at no seat", **_TEXTS},
        turn=MAYBE_TEXT,
        asked={"description": "who has to act; null once the game is over",
               "oneOf": [{"$ref": "#/$defs/asked"}, {"type": "null"}]},
        winners={"description": "once the game is over", "oneOf": [_TEXTS, {"type": "null"}]},
        boards=list_of("board"), zones=list_of("zone"), values=list_of("value"),
    ),
    "$defs": _DEFS,
}
