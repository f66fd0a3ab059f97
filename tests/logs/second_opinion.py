"""Logs read and played by the games in plain Python: which line is the first that cannot stand, and random games."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.logs.board_checkers import BOARDS
from tests.logs.checkers import GAMES, Move, Result

Line = dict[str, Any]
SCHEMA = "referee/log/1"
CHECKED = {**GAMES, **BOARDS}


def as_line(move: Move) -> Line:
    """The line of a log for a move."""
    return {"by": move[0], "do": move[1], "with": dict(move[2])}


def end_line(result: Result) -> Line:
    """The line that closes a log."""
    return {"end": {"winner": result[0], "scores": result[1]}}


def header(game: str, players: Sequence[str]) -> Line:
    """The first line of a log."""
    return {"schema": SCHEMA, "ruleset": game, "players": list(players)}


def random_game(game: str, rng: Random, players: Sequence[str] = (), stop_early: float = 0.0) -> list[Line]:
    """A whole random game as lines; with the chance `stop_early` after each event it stops there, without an end."""
    make, usual = CHECKED[game]
    players = players or usual
    table = make(players)
    lines = [header(game, players)]
    while moves := table.moves():
        if rng.random() < stop_early:
            return lines
        move = rng.choice(moves)
        table.play(move)
        lines.append(as_line(move))
    result = table.result()
    assert result is not None
    return [*lines, end_line(result)]


def first_wrong(lines: Sequence[Line]) -> int | None:
    """The number (1 is the header) of the first line that cannot stand, None if all can. Claims are passed over."""
    make, _ = CHECKED[lines[0]["ruleset"]]
    table = make(lines[0]["players"])
    closed = False
    for number, line in enumerate(lines[1:], start=2):
        if "assert" in line:
            continue
        if "end" in line:
            if closed or not _same_result(line["end"], table.result()):
                return number
            closed = True
            continue
        move = (line["by"], line["do"], tuple(sorted(line.get("with", {}).items())))
        if not any(_same(move, legal) for legal in table.moves()):
            return number
        table.play(move)
    return None


def _same(said: Move, legal: Move) -> bool:
    """Equal as JSON: 1 and true are not the same."""
    return json.dumps(said) == json.dumps(legal)


def _same_result(said: Line, result: Result | None) -> bool:
    """Whether everything that is said is true; what is not said cannot be wrong."""
    if result is None:
        return False
    winner = said.get("winner", result[0])
    winners = winner if isinstance(winner, list) else [winner]
    return winners == [result[0]] and said.get("scores", {}).items() <= result[1].items()
