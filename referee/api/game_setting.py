"""The setting of a game: from the arguments or the header that a program gives, by lot, and names for seats."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.api.errors import ArgumentError, LogError
from referee.core.ruleset import Core
from referee.game.log.log_header import SCHEMA, Header, header_of
from referee.game.log.log_lines import LineFault
from referee.game.log.strict_json import JsonFault, parse
from referee.game.setting import Setting, Stated


def header_from(ruleset: str, players: Sequence[str] | None, header: Mapping[str, Any] | None,
                entries: Mapping[str, Any]) -> Header:
    """The header that arguments stand for; `entries` that are None are not given. Raises `ArgumentError` (AP01) for
    what is no JSON or is given twice, `LogError` (LG..) for what no header has."""
    if header is not None and not isinstance(header, Mapping):
        raise ArgumentError("AP01", f"`header` is a mapping, not {type(header).__name__}")
    if isinstance(players, str) or not isinstance(players, Sequence | None):
        raise ArgumentError("AP01", f"players are a list of names, not {type(players).__name__}")
    stated = {**entries, "players": None if players is None else list(players)}
    whole: dict[str, Any] = {"schema": SCHEMA, "ruleset": ruleset, **(header or {})}
    for name, entry in stated.items():
        if entry is not None:
            if header is not None and name in header:
                raise ArgumentError("AP01", f"`{name}` stands in the header and beside it: give it once")
            whole[name] = entry
    if whole["ruleset"] != ruleset:
        raise ArgumentError("AP02", f"the header names the ruleset {str(whole['ruleset'])[:60]}, these are {ruleset}")
    try:
        return header_of(whole if _is_plain(whole) else parse(json.dumps(whole, default=_plain)), _refused)
    except (TypeError, ValueError, RecursionError) as error:
        raise ArgumentError("AP01", f"a header is written as JSON, and this cannot be: {error}") from None
    except (LineFault, JsonFault) as fault:
        expected, hint = (fault.expected, fault.hint) if isinstance(fault, LineFault) else ((), None)
        raise LogError(fault.code, fault.message, expected=expected, hint=hint) from None


def _is_plain(whole: Mapping[str, Any]) -> bool:
    """Whether a header has nothing but texts and lists of texts of plain letters: as JSON it would be the same."""
    for entry in whole.values():
        for text in entry if type(entry) is list else (entry,):
            if type(text) is not str or not text.isascii():
                return False
    return True


def _plain(value: object) -> Any:
    """An immutable mapping as JSON has it. `TypeError` for what JSON has not."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is nothing that JSON has")


def _refused(code: str, message: str, key: str, hint: str | None) -> None:
    """What a log is only warned of, a program is told."""
    raise LogError(code, f"{message} in the header" if key else message, hint=hint)


def players_of(core: Core) -> tuple[str, ...]:
    """The names that the rules give the seats, or else some names."""
    from referee.frontend.scenarios.scenario_reader import NAMES  # slow to import, and mostly not needed

    return core.seats.roles or NAMES[:core.seats.number]


def drawn(before: Setting, after: Setting) -> tuple[str, ...]:
    """The names of what was drawn by lot for a game."""
    if not after.givens and not after.parameters:
        return ()
    return (*_new(before.givens, after.givens), *_new(before.parameters, after.parameters))


def _new(before: Stated, after: Stated) -> Iterator[str]:
    return (name for name, values in after.items() if values != before.get(name))
