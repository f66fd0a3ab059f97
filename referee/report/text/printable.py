"""Text from rules and logs made safe to print: one line, no control characters, no more than asked for."""

from __future__ import annotations

import os
from unicodedata import east_asian_width

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def printable(text: str, most: int | None = None) -> str:
    """The text without characters that move the cursor or colour the terminal, cut to `most` characters."""
    clean = text if text.isprintable() else "".join(_safe(c) for c in text)
    return clean if most is None or len(clean) <= most else clean[: max(most - 3, 0)] + "..."


def path_of(path: str) -> str:
    """A path as it is shown: from the current folder if it lies inside."""
    try:
        here = os.path.join(os.getcwd(), "")
    except OSError:  # the current folder is gone
        return printable(path)
    return printable(path.removeprefix(here))


def width(text: str) -> int:
    """How many columns a printable text takes on a terminal."""
    return len(text) if text.isascii() else sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def count(number: int, noun: str) -> str:
    """`1 line`, `2,000 lines`."""
    return f"{number} {noun}" if number == 1 else f"{number:,} {noun}s"


def _safe(char: str) -> str:
    if char.isprintable():
        return char
    return " " if char.isspace() else _REPLACEMENT
