"""Random play-outs of connect four and breakthrough as fast as plain Python easily gets: bit boards, a function a game.

Play-outs are all that these programs can do; `plain_playouts.py` is what somebody writes who has a game.
"""

from __future__ import annotations

from random import Random

ROWS = 6
COLUMNS = 7
STRIDE = ROWS + 1  # one empty bit above each column keeps lines from running round the edge
FULL = [column * STRIDE + ROWS for column in range(COLUMNS)]
FIELD = (1 << 64) - 1
NOT_FIRST = 0xFEFEFEFEFEFEFEFE
NOT_LAST = 0x7F7F7F7F7F7F7F7F


def connect_four(games: int, random: Random) -> tuple[int, list[int]]:
    """How many moves so many games took, and how many of them the first and the second player won."""
    draw = random.random
    moves, won = 0, [0, 0]
    for _ in range(games):
        open_columns = list(range(COLUMNS))
        tops = [column * STRIDE for column in open_columns]
        mine = others = discs = 0
        while open_columns:
            column = open_columns[int(draw() * len(open_columns))]
            top = tops[column]
            mine |= 1 << top
            tops[column] = top = top + 1
            discs += 1
            if discs > 6:
                side = mine & mine >> STRIDE
                if side & side >> 14:
                    break
                rising = mine & mine >> 8
                if rising & rising >> 16:
                    break
                falling = mine & mine >> 6
                if falling & falling >> 12:
                    break
                up = mine & mine >> 1
                if up & up >> 2:
                    break
            if top == FULL[column]:
                open_columns.remove(column)
            mine, others = others, mine
        else:
            moves += discs
            continue
        moves += discs
        won[discs - 1 & 1] += 1
    return moves, won


def breakthrough(games: int, random: Random) -> tuple[int, list[int]]:
    """The same for breakthrough; each player moves the way he looks: no board is turned round."""
    draw = random.random
    moves, won = 0, [0, 0]
    for _ in range(games):
        mine, others, up, made = 0xFFFF, 0xFFFF << 48, True, 0
        while True:
            if up:
                ahead = mine << 8 & ~others & ~mine & FIELD
                left = (mine & NOT_FIRST) << 7 & ~mine & FIELD
                right = (mine & NOT_LAST) << 9 & ~mine & FIELD
            else:
                ahead = mine >> 8 & ~others & ~mine
                left = (mine & NOT_LAST) >> 7 & ~mine
                right = (mine & NOT_FIRST) >> 9 & ~mine
            first = ahead.bit_count()
            second = first + left.bit_count()
            index = int(draw() * (second + right.bit_count()))
            if index < first:
                step = 8
            elif index < second:
                ahead, step = left, 7
                index -= first
            else:
                ahead, step = right, 9
                index -= second
            for _ in range(index):
                ahead &= ahead - 1
            target = ahead & -ahead
            mine ^= target | (target >> step if up else target << step)
            others &= ~target
            made += 1
            if not others or (target >> 56 if up else target < 256):
                break
            mine, others, up = others, mine, not up
        moves += made
        won[made - 1 & 1] += 1
    return moves, won
