"""Mappings: how the steps, players and positions of a format are called by some rules; read from a TOML file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from referee.convert.foreign_game import trouble
from referee.convert.mapping_schema import FORMATS, MAPPING_SCHEMA
from referee.convert.schema_check import misfits
from referee.game.log.strict_json import Json
from referee.system.given_files import toml_of

MOST_BYTES = 1_000_000
"""A mapping with more bytes is refused."""
SUFFIX = ".mapping.toml"
NUMBER = "number"
"""What stands for a table: the text is a whole number."""
ASKED, BY_FATE = "asked", "fate"
_NUMBER = re.compile(r"-?\d{1,18}")
_HOLE = re.compile(r"\{(\w+)(?:\|(\w+))?\}")


@dataclass(frozen=True, slots=True)
class StepPattern:
    """What a step of the format is to the rules. `label`: None where its groups are kept for the next event; `by`:
    `asked`, `fate`, or a text for a player; `passed`: it is nothing to the rules; `steps`: so many together are one
    event; `after`: a group that a step before it must have kept."""

    pattern: re.Pattern[str]
    label: str | None
    by: str
    after: str | None
    complete: bool
    passed: bool
    steps: int
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class GameParameter:
    """A parameter of the game in its format: value -> options of the rules."""

    default: str
    options: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class PositionWords:
    """How the position that a game starts from is told. `castling`: letter -> counter."""

    place: str
    pieces: Mapping[str, str]
    turn: Mapping[str, str]
    castling: Mapping[str, str]
    passed: str | None
    quiet: str | None


@dataclass(frozen=True, slots=True)
class FormatMapping:
    """How one format is mapped to some rules. `order`: the players as the format lists them; `before`, `untold`: events
    that the format does not tell; `level_wins`: all win where the result is the same for all, else nobody does."""

    game: str | None
    players: tuple[str, ...]
    order: tuple[str, ...]
    note: str | None
    options: Mapping[str, str]
    before: tuple[Mapping[str, Json], ...]
    untold: frozenset[str]
    parameters: Mapping[str, GameParameter]
    values: Mapping[str, Mapping[str, Json]]
    steps: tuple[StepPattern, ...]
    start: PositionWords | None
    level_wins: bool
    scores: bool
    gain_wins: bool
    header: Mapping[str, Mapping[str, Json]]

    def seated(self, number: int | None) -> FormatMapping:
        """The same for so many of the players, the first ones."""
        return self if number is None else replace(self, players=self.players[:number], order=self.order[:number])

    def argument(self, value: Json, groups: Mapping[str, str], gathered: Sequence[Mapping[str, str]] = ()) -> Json:
        """The value of an argument, with what fits its holes; `gathered`: of each of several steps, for a list. Raises
        `KeyError` for what a table does not have."""
        if isinstance(value, list):
            return [self.argument(one, of) for of in gathered or (groups,) for one in value]
        if not isinstance(value, str):
            return value
        whole = _HOLE.fullmatch(value)
        if whole is not None:
            return self._filled(whole, groups)
        return _HOLE.sub(lambda hole: str(self._filled(hole, groups)), value)

    def _filled(self, hole: re.Match[str], groups: Mapping[str, str]) -> Json:
        text = groups[hole[1]]
        if hole[2] == NUMBER and NUMBER not in self.values:
            return int(text) if _NUMBER.fullmatch(text) else text
        return text if hole[2] is None else self.values[hole[2]][text]


def read_mapping(path: Path, name: str) -> FormatMapping:
    """What a file says of a format. Raises `Problems` (CV01, CV02)."""
    said = str(path)
    data = toml_of("CV01", "the mapping", path, MOST_BYTES)
    for where, wanted in misfits(data, MAPPING_SCHEMA):
        raise trouble("CV02", f"`{where or 'the mapping'}` does not fit", said, expected=(wanted,))
    if name not in data:
        raise trouble("CV02", f"the mapping has nothing on {name}", said,
                      expected=tuple(one for one in FORMATS if one in data))
    return _format(data[name], said)


def _format(data: Mapping[str, Any], said: str) -> FormatMapping:
    players = tuple(data["players"])
    start, result = data.get("start"), data.get("result", {})
    values: dict[str, Mapping[str, Json]] = data.get("values", {})
    return FormatMapping(
        data.get("game"), players, tuple(data.get("order", players)), data.get("note"), data.get("options", {}),
        tuple(data.get("before", ())), frozenset(data.get("untold", ())),
        {key: GameParameter(one["default"], one["options"]) for key, one in data.get("parameters", {}).items()},
        values, tuple(_step(one, values, said) for one in data["actions"]),
        None if start is None else PositionWords(start["place"], start["pieces"], start["turn"],
                                                 start.get("castling", {}), start.get("passed"), start.get("quiet")),
        result.get("level") == "all", result.get("scores", False), result.get("winners") == "gain",
        data.get("header", {}),
    )


def _step(data: Mapping[str, Any], values: Mapping[str, object], said: str) -> StepPattern:
    try:
        pattern = re.compile(data["pattern"])
    except (re.error, RecursionError, OverflowError) as error:
        raise trouble("CV02", f"{data['pattern'][:80]!r} is no regular expression: {error}", said) from None
    given, by = data.get("with", {}), data.get("by", ASKED)
    if by not in (ASKED, BY_FATE) and _HOLE.search(by) is None:
        raise trouble("CV02", f"`by` is one of asked, fate, or a text with a {{group}}, not {by[:80]!r}", said)
    for text in (one for value in given.values() for one in (value if isinstance(value, list) else [value])):
        for _, table in _HOLE.findall(text) if isinstance(text, str) else ():
            if table and table != NUMBER and table not in values:
                raise trouble("CV02", f"there is no table {table} in `values`", said)
    return StepPattern(pattern, data.get("do"), by, data.get("after"), data.get("complete", False),
                       data.get("passed", False), data.get("steps", 1), given)
