"""Tests of what programs hand over: each raises `ArgumentError` for what it is not."""

from __future__ import annotations

from collections.abc import Collection

from referee.api.errors import ArgumentError


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


def one_of(value: object, what: str, known: Collection[str]) -> None:
    """Raises `ArgumentError` (AP02) for what is none of the names that there are."""
    if value not in known:
        raise ArgumentError("AP02", f"{str(value)[:60]!r} is no {what}", expected=tuple(known))
