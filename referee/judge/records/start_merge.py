"""What several records of one game say together of the position that they start from."""

from __future__ import annotations

import json
from collections.abc import Sequence

from referee.game.log.log_header import StateEntry
from referee.game.log.strict_json import Json, Object
from referee.game.player_views import HIDDEN


class Unjoined(Exception):
    """It cannot be told what several records say together, though nothing says that they contradict each other."""


class Differing(Exception):
    """Two records say of a place, or of something else, what cannot both be so."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def joined_state(states: Sequence[StateEntry | None]) -> Object | None:
    """The position, where one record fills in what another only counts; None if there is none. Raises `Differing`, and
    `Unjoined` where records name different places: what is not named may be at home."""
    told = [state for state in states if state is not None]
    if not told:
        return None
    if len(told) < len(states) or any(state.place.keys() != told[0].place.keys() for state in told):
        raise Unjoined("the records do not start from a position told in the same way")
    first = told[0]
    for state in told[1:]:
        for what, one, other in (("at", first.at, state.at), ("turn", first.turn, state.turn),
                                 ("set", dict(first.set), dict(state.set))):
            if one != other:
                raise Differing(what)
        if first.rest != state.rest:
            raise Unjoined("the records do not say alike where the rest lies")
    place = {name: _lying(name, [state.place[name] for state in told]) for name in first.place}
    made: dict[str, Json] = {"at": first.at, "turn": first.turn, "set": dict(first.set), "rest": first.rest,
                             "place": place}
    return {name: value for name, value in made.items() if value}


def _lying(name: str, told: Sequence[Json]) -> Json:
    """What lies in one place."""
    known = [one for one in told if not _counted(one)]
    numbers = {_number(one) for one in told}
    if any(json.dumps(one) != json.dumps(known[0]) for one in known[1:]):
        raise Unjoined(f"the records do not say in the same words what lies in {name}")
    if None not in numbers and len(numbers) > 1:
        raise Differing(name)
    return known[0] if known else told[0]


def _counted(told: Json) -> bool:
    return isinstance(told, dict) and set(told) == {HIDDEN}


def _number(told: Json) -> int | None:
    """How many components lie there, as far as that is plain."""
    if isinstance(told, list):
        inner = [1 if not isinstance(one, dict | list) else _number(one) for one in told]
        return sum(one for one in inner if one is not None) if None not in inner else None
    if isinstance(told, dict) and all(isinstance(number, int) for number in told.values()):
        return sum(number for number in told.values() if isinstance(number, int))
    return None
