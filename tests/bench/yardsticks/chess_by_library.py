"""Chess by python-chess: moves judged one by one, and sequences of moves counted."""

from __future__ import annotations

from collections.abc import Sequence

import chess

CLAIM = chess.Move.null()
"""Stands for claiming a draw, which is no move."""


def first_wrong(moves: Sequence[chess.Move]) -> int | None:
    """Which of the moves (from 0) cannot stand, None if all can. After a mate, a stalemate, a fifth repetition, 75
    quiet moves and in a dead position none can, after a draw that was claimed neither."""
    board = chess.Board()
    over = False
    for number, move in enumerate(moves):
        if over:
            return number
        if move:
            if not board.is_legal(move):
                return number
            board.push(move)
            over = drawn(board)
        elif board.halfmove_clock >= 100 or board.is_repetition(3):
            over = True
        else:
            return number
    return None


def drawn(board: chess.Board) -> bool:
    """Whether nobody may move although somebody could. Looked for only where it can be: a mate needs no test, as no
    move is legal after it."""
    quiet = board.halfmove_clock
    if not quiet:  # something was taken, or a pawn was moved
        return bool(board.is_insufficient_material())
    return bool(quiet >= 150 or (quiet >= 16 and board.is_repetition(5)))


def sequences(board: chess.Board, depth: int) -> int:
    """How many sequences of so many moves there are; the last moves are only counted."""
    if depth == 1:
        return int(board.legal_moves.count())
    found = 0
    for move in board.legal_moves:
        board.push(move)
        found += sequences(board, depth - 1)
        board.pop()
    return found
