"""Every position of connect four on four columns of four, searched breadth first by hand in plain Python.

A position is a tuple: what lies in each of the sixteen cells, and who won, if somebody has.
"""

from __future__ import annotations

SIDE = 4
STATES = 161_029
"""How many positions there are, the beginning and those in which the game is over among them: known from others."""
_Position = tuple[int, ...]
LINES = [
    *(tuple(range(column * SIDE, column * SIDE + SIDE)) for column in range(SIDE)),
    *(tuple(range(row, SIDE * SIDE, SIDE)) for row in range(SIDE)),
    tuple(range(0, SIDE * SIDE, SIDE + 1)), tuple(range(SIDE - 1, SIDE * SIDE - 1, SIDE - 1)),
]
THROUGH = [[line for line in LINES if cell in line] for cell in range(SIDE * SIDE)]
COLUMNS = [tuple(range(column * SIDE, column * SIDE + SIDE)) for column in range(SIDE)]


def states() -> int:
    """How many positions a game may come to."""
    first: _Position = (0,) * (SIDE * SIDE)
    seen = {first}
    layer = [first]
    player = 1
    while layer:
        following = []
        for position in layer:
            for column in COLUMNS:
                for cell in column:
                    if not position[cell]:
                        break
                else:
                    continue
                after = (*position[:cell], player, *position[cell + 1:])
                if after not in seen:
                    seen.add(after)
                    for one, two, three, four in THROUGH[cell]:
                        if after[one] == after[two] == after[three] == after[four]:
                            break
                    else:
                        following.append(after)
        layer = following
        player = 3 - player
    return len(seen)
