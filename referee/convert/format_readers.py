"""Which reader a format has, and whether its library is there."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from referee.convert.foreign_game import BoundedLines, ForeignGame
from referee.convert.hand_history import read_hands
from referee.convert.step_text import read_steps

PGN = "pgn"
PHH = "phh"
FOR_PGN = "python-chess reads PGN, and is not installed: pip install 'referee[convert]'"


def missing(form: str) -> str | None:
    """What has to be installed for a format; None if it is."""
    return FOR_PGN if form == PGN and find_spec("chess") is None else None


def games_of(form: str, lines: BoundedLines) -> Iterator[ForeignGame]:
    """Each game of a file. Raises `Problems` where it cannot be read on."""
    if form == PGN:
        from referee.convert.movetext import read_movetext  # needs a library

        yield from read_movetext(lines)
    elif form == PHH:
        yield from read_hands(lines)
    else:
        yield read_steps(lines)
