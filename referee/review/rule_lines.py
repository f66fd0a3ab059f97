"""What a line of rules says by the words in it: all that a review asks of how rules are spelled, and no tree tells.

A line is one of `Places.text`: without comments and citations. Each function here has a test on a line as `referee fmt`
lays it out, so a new spelling in the grammar fails there.
"""

from __future__ import annotations

import re

_QUOTED = re.compile(r'"[^"]*"')
_UNSPECIFIED = re.compile(r"(?<!\w)unspecified(?!\w)")
_ONE_OF = re.compile(r"(?<=\s)one of(?=\s)")
_CHOSEN = re.compile(r"\bone of\b|^turn player\b")
_COMPARED = re.compile(r"[<>]|= \d")
_WITH_NUMBER = re.compile(r"(?:[<>]=?\s*(\d+)|(\d+)\s*[<>]=?)\s*$|^(\d+)\s*[<>]")
_SIGNS = (" < ", " <= ", " > ", " >= ")
_THEN = re.compile(r"\bties: .*, then ")
_THEN_NOBODY = re.compile(r", then nobody wins$")
_STOCK = re.compile(r"(\d+) (\w+) in ")


def says_unspecified(line: str) -> bool:
    """Whether it says that nobody says what happens."""
    return _UNSPECIFIED.search(_bare(line)) is not None


def offers_several(line: str) -> bool:
    """Whether somebody does one of several things by it."""
    return _ONE_OF.search(_bare(line)) is not None


def is_chosen(line: str) -> bool:
    """Whether somebody chooses by it: one of several, or what he does in his turn."""
    return _CHOSEN.search(_bare(line)) is not None


def breaks_ties(line: str) -> bool:
    """Whether it says what decides between those who are level."""
    return ", ties:" in _bare(line)


def says_who_wins_then(line: str) -> bool:
    """Whether it says, behind what decides between those who are level, who of these wins."""
    return _THEN.search(line) is not None


def says_nobody_wins_then(line: str) -> bool:
    """Whether it says that then nobody wins."""
    return _THEN_NOBODY.search(line) is not None


def is_compared(line: str) -> bool:
    """Whether something in it is more or less than something, or a number."""
    return _COMPARED.search(line) is not None


def compared_number(line: str) -> str:
    """The number at the end or the beginning of a comparison; empty if it has none."""
    found = _WITH_NUMBER.search(line)
    return "" if found is None else next(filter(None, found.groups()))


def compares_the_same(line: str) -> bool:
    """Whether the same is compared of two."""
    one, _, other = line.partition(next((sign for sign in _SIGNS if sign in line), _SIGNS[-1]))
    first, second = re.findall(r"\w+", one)[:1], re.findall(r"\w+", other)[:1]
    return bool(first) and first == second


def quoted(line: str) -> str:
    """The first text in quotes; empty if it has none."""
    return line.partition('"')[2].partition('"')[0]


def moved_and_place(line: str) -> tuple[str, str]:
    """The words for what is moved, and for the place that it comes to."""
    what, _, there = line.partition(" to ")
    return what, there


def stock_of(line: str) -> tuple[int, str] | None:
    """How many of what are in the box, and where; None if the line says it in another way."""
    found = _STOCK.match(line)
    return None if found is None else (int(found.group(1)), found.group(2))


def _bare(line: str) -> str:
    """A line without its quoted texts."""
    return _QUOTED.sub('""', line)
