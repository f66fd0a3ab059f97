"""Tests of what programs hand over: each raises `ArgumentError` for what it is not."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping

from referee.api.errors import ArgumentError
from referee.frontend.names.shapes import MOST_PLAYERS


def a_text(value: object, what: str) -> None:
    """Raises `ArgumentError` (AP01) for what is no text. `what` begins the sentence: `a name`."""
    if not isinstance(value, str):
        raise ArgumentError("AP01", f"{what} is a text, not {type(value).__name__}")


def a_number(value: object, what: str, least: float, most: float, *, whole: bool = True) -> None:
    """Raises `ArgumentError` (AP01) for what is no number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        raise ArgumentError("AP01", f"{what} is a number, not {type(value).__name__}")
    if not least <= value <= most:
        raise ArgumentError("AP01", f"{what} is a number from {least:,} to {most:,}, not {value}")


def a_timeout(value: object, least: float = 0.001) -> None:
    """Raises `ArgumentError` (AP01) for what is neither None nor a time in seconds, at least so many, at most a day."""
    if value is not None:
        a_number(value, "`timeout`", least, 86_400, whole=False)


def amounts(**numbers: object) -> None:
    """Raises `ArgumentError` (AP01) if one of several is no number from 0 to a million."""
    for name, number in numbers.items():
        a_number(number, f"`{name}`", 0, 1_000_000)


def a_count_of_players(value: object) -> None:
    """Raises `ArgumentError` (AP01) for what is neither None nor a number of players, 1 to `MOST_PLAYERS`."""
    if value is not None:
        a_number(value, "`players`", 1, MOST_PLAYERS)


def a_seed(value: object, *, or_none: bool = False) -> None:
    """Raises `ArgumentError` (AP01) for what is no seed: a whole number from -2**63 to 2**63, maybe `or_none`."""
    if value is not None or not or_none:
        a_number(value, "a seed", -(2**63), 2**63)


def one_of(value: object, what: str, known: Collection[str]) -> None:
    """Raises `ArgumentError` (AP02) for what is none of the names that there are."""
    if not isinstance(value, str) or value not in known:
        said = repr(value[:60]) if isinstance(value, str) else type(value).__name__
        raise ArgumentError("AP02", f"{said} is no {what}", expected=tuple(known))


def callbacks(progress: object, cancel: object) -> None:
    """Raises `ArgumentError` (AP01) for a callback that is neither None nor a function."""
    for name, value in (("progress", progress), ("cancel", cancel)):
        if value is not None and not callable(value):
            raise ArgumentError("AP01", f"`{name}` is a function, not {type(value).__name__}")


def options_by_name(value: object) -> None:
    """Raises `ArgumentError` (AP01) for what is neither None nor a mapping of texts to texts."""
    if value is not None:
        if not isinstance(value, Mapping):
            raise ArgumentError("AP01", f"`options` is a mapping, not {type(value).__name__}")
        for part in (*value.keys(), *value.values()):
            a_text(part, "the name of an option or choice")


def path_text(value: str | os.PathLike[str]) -> str:
    """A path as a text. Raises `ArgumentError` (AP01) for one that is no text."""
    try:
        path: object = os.fspath(value)
    except TypeError:  # an object that says it is a path, and has none
        path = None
    if not isinstance(path, str):
        raise ArgumentError("AP01", f"a path is a text, and the one of {type(value).__name__} is not")
    return path
