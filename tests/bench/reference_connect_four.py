"""A referee for connect four written by hand in plain Python: what the general one is measured against.

It judges every line of a log (header, events, end), says which is the first wrong one, and is as fast as plain Python
on bit boards easily gets: a yardstick that is slow would flatter.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

ROWS = 6
COLUMNS = 7
STRIDE = ROWS + 1  # one empty bit above each column keeps lines from running round the edge


def first_wrong(lines: Iterable[bytes]) -> int | None:
    """The number (from 1) of the first line that cannot stand, None if all can."""
    loads = json.loads
    number = 1
    players: list[str] = []
    tops: list[int] = []
    boards = [0, 0]
    discs = 0
    won = False
    for number, line in enumerate(lines, start=1):
        entry = loads(line)
        try:
            if entry["do"] != "drop" or won or discs == ROWS * COLUMNS:
                return number
            me = discs & 1
            if entry["by"] != players[me]:
                return number
            arguments = entry["with"]
            column = arguments["column"]
            if len(arguments) != 1 or type(column) is not int or not 0 < column <= COLUMNS:
                return number
            top = tops[column]
            if top == column * STRIDE + ROWS:
                return number
            tops[column] = top + 1
            board = boards[me] = boards[me] | 1 << top
            discs += 1
            if discs > 6 and _four(board):
                won = True
        except KeyError:
            if number == 1:
                players = entry["players"]
                if entry["schema"] != "referee/log/1" or entry["ruleset"] != "connect_four" or len(players) != 2:
                    return 1
                tops = [column * STRIDE for column in range(COLUMNS + 1)]
            elif not _right_end(entry, players, discs, won):
                return number
    return None


def _four(board: int) -> bool:
    two = board & board >> 1
    if two & two >> 2:
        return True
    two = board & board >> STRIDE
    if two & two >> 2 * STRIDE:
        return True
    two = board & board >> STRIDE + 1
    if two & two >> 2 * STRIDE + 2:
        return True
    two = board & board >> STRIDE - 1
    return bool(two & two >> 2 * STRIDE - 2)


def _right_end(entry: dict[str, object], players: list[str], discs: int, won: bool) -> bool:
    end = entry.get("end")
    if not isinstance(end, dict) or not (won or discs == ROWS * COLUMNS):
        return False
    winner = players[discs - 1 & 1] if won else None
    scores = {player: 0 if winner is None else 1 if player == winner else -1 for player in players}
    return bool(end.get("winner") == winner and end.get("scores", scores) == scores)
