"""The header of a log: its entries, checked as far as that needs no ruleset."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field

from referee.core.player_names import refused
from referee.diagnostics.suggestions import did_you_mean
from referee.game.log.log_lines import LineFault, Warn, kind_of, names_in, unknown_keys
from referee.game.log.strict_json import Json, Object, brief
from referee.game.start_position import MissingEntry
from referee.system.lazy_dataclasses import dataclass

SCHEMA = "referee/log/1"
MAX_ROWS = 5_000
"""Rows of a kind in the pool of a header: a header with more is refused."""
MAX_CELL = 200
"""Characters of an entry of such a row: a header with a longer one is refused."""
MAX_SAID = 2_000
"""Things that the position in a header says: a header with more is refused."""

_KEYS = frozenset({
    "schema", "ruleset", "players", "version", "options", "given", "pool", "readings", "rulings", "parameters",
    "viewpoint", "state", "note", "at",
})
_STATE_KEYS = frozenset({"at", "turn", "place", "set", "rest", "note"})
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True)
class StateEntry:
    """The position that a log starts from; places and counters by their names in the rules.

    `rest`: `home`, or `unknown` where it is not known where the components lie that are not placed.
    """

    at: str | None = None
    turn: str | None = None
    place: Object = field(default_factory=dict)
    set: Object = field(default_factory=dict)
    rest: str = "home"


@dataclass(frozen=True, slots=True)
class Header:
    """What a log says before its first event; values are still as they stand in the log.

    `viewpoint` is `all`, `public` or the name of a player: who wrote the log down.
    """

    ruleset: str
    players: tuple[str, ...]
    version: str | None = None
    options: Object = field(default_factory=dict)
    given: Object = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    rulings: Object = field(default_factory=dict)
    parameters: Object = field(default_factory=dict)
    viewpoint: str = "all"
    state: StateEntry | None = None
    pool: Mapping[str, list[Object]] = field(default_factory=dict)


class HeaderFault(LineFault):
    """An entry of a header that does not fit the ruleset. Whoever loads rulesets for logs raises it too.

    `missing`: what its position would have to tell.
    """

    missing: tuple[MissingEntry, ...] = ()


def header_of(value: Json, warn: Warn) -> Header:
    """The header that the first line is; `LineFault` (LG12 to LG21) if it is none."""
    if not isinstance(value, dict) or "schema" not in value:
        raise LineFault("LG12", "the first line is no header", None, ('{"schema": "' + SCHEMA + '", ...}',))
    if value["schema"] != SCHEMA:
        raise LineFault("LG13", f"the schema {brief(value['schema'])} is not known", "schema", (SCHEMA,))
    unknown_keys(value, _KEYS, warn)
    players = _players(value.get("players"))
    return Header(
        ruleset=_ruleset(value.get("ruleset")),
        players=players,
        version=_text(value, "version"),
        options=_object(value, "options"),
        given=_object(value, "given"),
        readings=_readings(value),
        rulings=_object(value, "rulings"),
        parameters=_object(value, "parameters"),
        viewpoint=_viewpoint(value, players),
        state=_state(value, warn),
        pool=_pool(value),
    )


def _ruleset(name: Json) -> str:
    if name is None:
        raise LineFault("LG14", "the header does not name a ruleset", "schema", ('"ruleset": NAME',))
    if not isinstance(name, str) or not _PLAIN.fullmatch(name):
        raise LineFault("LG14", f"{brief(name)} is not a plain name of a ruleset", "ruleset",
                        ("letters, digits, _ and -",))
    return name


def _players(value: Json) -> tuple[str, ...]:
    names = names_in(value) if isinstance(value, list) else None
    if not names:
        raise LineFault("LG15", "`players` is a list of the names, in seat order", "players")
    wrong = refused(names)
    if wrong is not None:
        raise LineFault(wrong.code, wrong.message.format(brief(names[wrong.at])), "players", wrong.expected)
    return names


def _text(value: Object, key: str) -> str | None:
    text = value.get(key)
    if text is not None and not isinstance(text, str):
        raise LineFault("LG21", f"`{key}` is a text, not {kind_of(text)}", key)
    return text


def _object(value: Object, key: str) -> Object:
    found = value.get(key, {})
    if not isinstance(found, dict):
        raise LineFault("LG21", f"`{key}` is an object, not {kind_of(found)}", key)
    return found


def _readings(value: Object) -> dict[str, str]:
    made: dict[str, str] = {}
    for name, choice in _object(value, "readings").items():
        if not isinstance(choice, str):
            raise LineFault("LG21", f"the reading {brief(name)} is the name of one of its choices", "readings")
        made[name] = choice
    return made


def _viewpoint(value: Object, players: tuple[str, ...]) -> str:
    viewpoint = _text(value, "viewpoint") or "all"
    known = ("all", "public", *players)
    if viewpoint not in known:
        raise LineFault("LG21", f"{brief(viewpoint)} is no viewpoint", "viewpoint", known,
                        did_you_mean(viewpoint, known))
    return viewpoint


def _state(value: Object, warn: Warn) -> StateEntry | None:
    if "state" not in value:
        return None
    entry = _object(value, "state")
    unknown_keys(entry, _STATE_KEYS, warn)
    rest = _text(entry, "rest") or "home"
    if rest not in ("home", "unknown"):
        raise LineFault("LG21", f"{brief(rest)} does not say where the rest lies", "rest", ("home", "unknown"))
    place, held = _object(entry, "place"), _object(entry, "set")
    if len(place) + len(held) > MAX_SAID:
        raise LineFault("LG21", f"a position says at most {MAX_SAID} things", "state")
    return StateEntry(_text(entry, "at"), _text(entry, "turn"), place, held, rest)


def _pool(value: Object) -> dict[str, list[Object]]:
    """Rows by kind: plain values only, so that a log brings no structure that rules could take for more."""
    made: dict[str, list[Object]] = {}
    for kind, rows in _object(value, "pool").items():
        if not isinstance(rows, list) or not 0 < len(rows) <= MAX_ROWS:
            raise LineFault("LG21", f"the pool of {brief(kind)} is a list of 1 to {MAX_ROWS} rows", "pool")
        made[kind] = [_row(kind, row) for row in rows]
    return made


def _row(kind: str, row: Json) -> Object:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        raise LineFault("LG21", f"a row in the pool of {brief(kind)} is an object with a `name`", "pool")
    for column, cell in row.items():
        if not isinstance(cell, (str, int)) or len(str(cell)) > MAX_CELL:
            message = f"{column} of {brief(row['name'])} is a number, true or false, or a text of {MAX_CELL} characters"
            raise LineFault("LG21", message, "pool")
    return row
