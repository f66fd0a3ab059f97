"""The position that a game starts from, as FEN tells it, in the words of some rules."""

from __future__ import annotations

import re

from referee.convert.mapping import PositionWords
from referee.game.log.strict_json import Json

_FEN = re.compile(r"(?P<board>[A-Za-z1-8/]{15,80}) (?P<turn>\w) (?P<castling>[A-Za-z]{1,4}|-) (?P<passed>[a-h][1-8]|-)"
                  r"(?: (?P<quiet>\d{1,4})(?: \d{1,5})?)?")
_COLUMNS = "abcdefgh"


def state_of(text: str, words: PositionWords) -> dict[str, Json] | None:
    """The entry `state` of a header; None for what is no FEN, or has what the words do not."""
    found = _FEN.fullmatch(text.strip())
    rows = found["board"].split("/") if found is not None else []
    if found is None or len(rows) != len(_COLUMNS) or found["turn"] not in words.turn:
        return None
    place: dict[str, Json] = {}
    for row, pieces in zip(range(len(rows), 0, -1), rows, strict=True):
        spread = "".join("." * int(one) if one.isdigit() else one for one in pieces)
        if len(spread) != len(_COLUMNS):
            return None
        for column, one in zip(_COLUMNS, spread, strict=True):
            if one != "." and one not in words.pieces:
                return None
            if one != ".":
                place[words.place.replace("{square}", f"{column}{row}")] = words.pieces[one]
    counters: dict[str, Json] = {name: letter in found["castling"] for letter, name in words.castling.items()}
    if words.passed is not None and found["passed"] != "-":
        counters[words.passed] = found["passed"]
    if words.quiet is not None and found["quiet"] is not None:
        counters[words.quiet] = int(found["quiet"])
    return {"turn": words.turn[found["turn"]], "place": place, "set": counters}
