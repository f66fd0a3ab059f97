"""A secret that is kept for several rounds is filled in where it was made, once it is revealed."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from referee.flow.lowering import lower
from referee.frontend.loading.loader import load
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.views.redaction import redacted

RULES = Path(__file__).resolve().parent.parent / "language" / "constructs" / "shown_later.rules"
EVENTS: list[tuple[str, str, dict[str, Any]]] = [
    ("ana", "lay", {"card": "THREE"}), ("ben", "lay", {"card": "FOUR"}),
    ("ana", "say", {"number": 5}), ("ben", "say", {"number": 1}),
    ("ben", "lay", {"card": "FIVE"}), ("ana", "lay", {"card": "ACE"}),
    ("ana", "say", {"number": 2}), ("ben", "say", {"number": 2}),
    ("ana", "lay", {"card": "TWO"}), ("ben", "lay", {"card": "ACE"}),
    ("ana", "say", {"number": 4}), ("ben", "say", {"number": 4}),
]


def rules(header: Header) -> Walker:
    return Walker(lower(load(RULES, len(header.players))))


def seen(number: int, player: str) -> list[Any]:
    """What a player knows of the first events: the one argument of each."""
    header = {"schema": "referee/log/1", "ruleset": "shown_later", "players": ["ana", "ben"]}
    lines = [header, *({"by": by, "do": do, "with": args} for by, do, args in EVENTS[:number])]
    text = "\n".join(json.dumps(line) for line in lines)
    made = list(redacted(Log(io.BytesIO(text.encode()), "log"), player, rules))
    return [next(iter(json.loads(line)["with"].values())) for line in made[1:]]


def test_what_is_chosen_in_between_does_not_show_it() -> None:
    assert seen(8, "ana") == ["THREE", "?", 5, 1, "?", "ACE", 2, 2]
    assert seen(9, "ben") == ["?", "FOUR", 5, 1, "FIVE", "?", 2, 2, "?"]
    assert seen(8, "public") == ["?", "?", 5, 1, "?", "?", 2, 2]


def test_all_of_it_is_known_once_it_is_revealed() -> None:
    for player in ("ana", "ben", "public"):
        assert seen(12, player) == ["THREE", "FOUR", 5, 1, "FIVE", "ACE", 2, 2, "TWO", "ACE", 4, 4]
