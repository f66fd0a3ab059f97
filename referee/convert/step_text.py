"""Reads games of OpenSpiel as text: `game(parameter=value,...)` on the first line, then a step on each line.

Lines that begin with `#` are remarks; a last line `returns: 1, -1` tells what each player has in the end.
"""

from __future__ import annotations

import math
import re

from referee.convert.foreign_game import MOST_STEPS, BoundedLines, ForeignGame, ForeignStep, diagnostic, remark, trouble

_GAME = re.compile(r"(?P<name>[a-z][a-z0-9_]{0,60})(?:\((?P<parameters>[^()]{0,2000})\))?")
EXAMPLE = "game(parameter=value)"
_RETURNS = re.compile(r"returns:(?P<values>[-+0-9., eE]{1,400})")


def read_steps(lines: BoundedLines) -> ForeignGame:
    """The game of a file. Raises `Problems` (CV03 to CV05)."""
    note: str | None = None
    game: ForeignGame | None = None
    for raw in lines:
        text = raw.strip()
        if text.startswith("#"):
            note = remark(text[1:])
        elif not text:
            continue
        elif game is None:
            game = _begun(text, lines)
        elif (found := _RETURNS.fullmatch(text)) is not None:
            game.results = _results(found["values"], lines)
        elif len(game.steps) >= MOST_STEPS:
            game.trouble = diagnostic("CV04", f"a game of more than {MOST_STEPS} steps", lines.path, lines.line)
            break
        else:
            game.steps.append(ForeignStep(lines.line, text, note))
            note = None
    if game is None:
        raise trouble("CV05", "the file holds no game", lines.path, 1, (EXAMPLE,))
    return game


def _begun(text: str, lines: BoundedLines) -> ForeignGame:
    try:
        name, parameters = begun_by(text)
    except ValueError:
        raise trouble("CV05", "the first line names no game", lines.path, lines.line, (EXAMPLE,)) from None
    return ForeignGame(lines.line, name, parameters)


def begun_by(text: str) -> tuple[str, dict[str, str]]:
    """The name of a game, and its parameters. Raises `ValueError` for what names none."""
    found = _GAME.fullmatch(text)
    if found is None:
        raise ValueError(text)
    pairs = [pair.partition("=") for pair in (found["parameters"] or "").split(",") if pair.strip()]
    return found["name"], {name.strip(): value.strip() for name, _, value in pairs}


def _results(text: str, lines: BoundedLines) -> tuple[float, ...]:
    try:
        found = tuple(float(one) for one in text.split(","))
    except ValueError:
        found = (math.nan,)
    if not all(map(math.isfinite, found)):
        raise trouble("CV11", "the result is no list of numbers", lines.path, lines.line)
    return found
