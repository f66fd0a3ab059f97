"""What several records of one game say together, line by line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from referee.game.log.log_header import SCHEMA, Header
from referee.game.log.log_lines import AssertLine, EndLine, EventLine, Line, UndoLine, is_hole
from referee.game.log.strict_json import Json, Object, brief
from referee.game.player_views import HIDDEN
from referee.judge.records.start_merge import Differing, joined_state

ENTRIES = ("version", "options", "given", "readings", "rulings", "parameters", "pool")
"""What headers may state of the game itself, besides the ruleset and the players."""
MOST_LISTED = 1_000
"""So many components told by their numbers are compared one by one."""
Places = tuple[tuple[str, int], ...]
"""Where something stands: paths with lines."""


class RecordsDisagree(Exception):
    """Two records say what cannot both be so. `places` are the lines of which it is said."""

    def __init__(self, what: str, message: str, places: Places) -> None:
        super().__init__(message)
        self.what = what
        self.message = message
        self.places = places


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its path, header, and lines."""

    path: str
    header: Header
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """The lines of several records as one, each as JSON; `places[n]`: where what line n + 1 says stands."""

    texts: tuple[str, ...]
    places: tuple[Places, ...]


def joined(records: Sequence[Record]) -> Joined:
    """Several records as one. Raises `RecordsDisagree` and `Unjoined`."""
    found: list[tuple[Object, Places]] = [(_headers(records), tuple((one.path, 1) for one in records))]
    left = [list(one.lines) for one in records]
    while any(left):
        for record, lines in zip(records, left, strict=True):
            while lines and isinstance(lines[0], AssertLine):
                claim = lines.pop(0)
                assert isinstance(claim, AssertLine)
                found.append(({"assert": dict(claim.claims)}, ((record.path, claim.number),)))
        heads = [(record.path, lines.pop(0)) for record, lines in zip(records, left, strict=True) if lines]
        if heads:
            found.append((_one(heads), tuple((path, line.number) for path, line in heads)))
    return Joined(tuple(json.dumps(entry, ensure_ascii=False) for entry, _ in found),
                  tuple(places for _, places in found))


def _headers(records: Sequence[Record]) -> Object:
    places = tuple((one.path, 1) for one in records)
    first = records[0].header
    made: dict[str, Json] = {"schema": SCHEMA, "ruleset": first.ruleset, "players": list(first.players)}
    for record in records[1:]:
        for what, one, other in (("ruleset", first.ruleset, record.header.ruleset),
                                 ("players", first.players, record.header.players)):
            if one != other:
                raise RecordsDisagree(what, f"these are no records of one game: {what} differ", places)
    for name in ENTRIES:
        for value in (json.loads(json.dumps(value)) for one in records if (value := getattr(one.header, name))):
            both = _stated(made[name], value) if name in made else (value,)
            if both is None:
                raise RecordsDisagree(name, f"these are no records of one game: {name} differ", places)
            made[name] = both[0]
    try:
        state = joined_state([one.header.state for one in records])
    except Differing as what:
        raise RecordsDisagree("state", f"these are no records of one game: {what} differs", places) from None
    if state is not None:
        made["state"] = dict(state)
    return {**made, "viewpoint": "public"}


def _stated(one: Json, other: Json) -> tuple[Json] | None:
    """What two headers state together, entry by entry; None if they state something that differs."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return (one,) if one == other else None
    made = dict(one)
    for key, value in other.items():
        both = _stated(made[key], value) if key in made else (value,)
        if both is None:
            return None
        made[key] = both[0]
    return (made,)


def _one(heads: Sequence[tuple[str, Line]]) -> Object:
    places = tuple((path, line.number) for path, line in heads)
    lines = [line for _, line in heads]
    if all(isinstance(line, EventLine) for line in lines):
        return _event([line for line in lines if isinstance(line, EventLine)], places)
    if all(isinstance(line, UndoLine) for line in lines) and len(set(_counts(lines))) == 1:
        return {"undo": _counts(lines)[0]}
    if all(isinstance(line, EndLine) for line in lines):
        return _end([line for line in lines if isinstance(line, EndLine)], places)
    raise RecordsDisagree("undo", "the records do not say that the same happened", places)


def _counts(lines: Sequence[Line]) -> list[int]:
    return [line.count for line in lines if isinstance(line, UndoLine)]


def _end(lines: Sequence[EndLine], places: Places) -> Object:
    made: dict[str, Json] = {}
    for line in lines:
        winners: Json = None if line.winners is None else list(line.winners)
        ranking: Json = None if line.ranking is None else [list(place) for place in line.ranking]
        stated = {"winner": winners, "scores": None if line.scores is None else dict(line.scores), "ranking": ranking}
        for name, value in stated.items():
            if value is not None and made.setdefault(name, value) != value:
                raise RecordsDisagree("end", f"{brief(made[name])} and {brief(value)} are claimed as {name}", places)
    if made.get("winner") == []:
        made["winner"] = None
    return {"end": made}


def _event(lines: Sequence[EventLine], places: Places) -> Object:
    first = lines[0]
    for line in lines[1:]:
        if (line.by, line.do) != (first.by, first.do):
            raise RecordsDisagree(
                first.do, f"the records differ: {first.by}: {first.do}, and {line.by}: {line.do}", places
            )
        if line.args.keys() != first.args.keys():
            raise RecordsDisagree(first.do, f"{first.do}: the records do not name the same arguments", places)
    args = dict(first.args)
    for line in lines[1:]:
        for name, value in line.args.items():
            both = _both(args[name], value)
            if both is None:
                what = f"{name} of {first.do} is {brief(args[name])} and {brief(value)}"
                raise RecordsDisagree(first.do, what, places)
            args[name] = both[0]
    return {"by": first.by, "do": first.do, "with": args} if args else {"by": first.by, "do": first.do}


def _both(one: Json, other: Json) -> tuple[Json] | None:
    """What fits both of two values, either of which may have holes; None if nothing does. (In a tuple: `null` is a
    value.)"""
    if one == HIDDEN or json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True):
        return (other,)
    if other == HIDDEN:
        return (one,)
    if (values := _set(one)) is not None:
        return _among(values, other)
    if (values := _set(other)) is not None:
        return _among(values, one)
    one, other = _listed(one), _listed(other)
    if isinstance(one, list) and isinstance(other, list):
        return _lists(one, other)
    return None


def _set(value: Json) -> list[Json] | None:
    """The values of which one is meant; None if a value is no such set."""
    match value:
        case {"in": list(values), **rest} if not rest:
            return values
        case _:  # any other value that a log can have: one, a list, numbers by label, or a hole; `_both` goes on
            return None


def _listed(value: Json) -> Json:
    """Several components told by the number of each, as a list, if they are not too many."""
    if not isinstance(value, dict) or not all(type(number) is int and number >= 0 for number in value.values()):
        return value
    numbers = {label: number for label, number in value.items() if isinstance(number, int)}
    return [label for label, number in numbers.items() for _ in range(number)] if (
        sum(numbers.values()) <= MOST_LISTED) else value


def _among(values: list[Json], other: Json) -> tuple[Json] | None:
    """What of some values fits another."""
    found = [both[0] for value in values if (both := _both(value, other))]
    return None if not found else (found[0],) if len(found) == 1 else ({"in": found},)


def _lists(one: list[Json], other: list[Json]) -> tuple[Json] | None:
    """Two lists, in which the order is no matter: what either knows, and holes for the rest."""
    if len(one) != len(other):
        return None
    known = _known(one) | _known(other)
    left = len(one) - sum(known.values())
    if left < 0:
        return None
    sets = [part for part in one if isinstance(part, dict)] if not _known(other) and left else []
    holes: list[Json] = [*sets[:left], *[HIDDEN] * (left - len(sets[:left]))]
    return ([*(json.loads(text) for text in known.elements()), *holes],)


def _known(values: list[Json]) -> Counter[str]:
    return Counter(json.dumps(value) for value in values if not is_hole(value))
