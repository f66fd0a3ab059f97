"""Chess: where a draw may be claimed because a position comes again, python-chess and the rules say the same.

No game by lot comes to it, so each goes on here from an opening with steps of two, to and fro, past the third time.
What decides is whether a pawn could be taken in passing, by a move that leaves the king safe.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.runs.log_engines import Rules
from referee.convert.mapping import read_mapping
from tests.foreign.agreement import Comparison, along, asked
from tests.sample_sizes import FULL

pytest.importorskip("chess", reason="of the extra `convert`")
CHESS = Comparison("chess", "", read_mapping(Path("rulesets/classics/chess.mapping.toml"), "pgn"), Rules("chess"))
OPENINGS = {
    "a pawn stands in front": ("e4 e5", "Nf3 Nf6 Ng1 Ng8"),
    "no pawn is near": ("e4 c5", "Nf3 Nf6 Ng1 Ng8"),
    "it may be taken": ("e4 a6 e5 d5", "Nf3 Nc6 Ng1 Nb8"),
    "black may take it": ("a3 d5 a4 d4 e4", "Nf6 Nf3 Ng8 Ng1"),
    "the one who could take it is pinned": ("e4 e5 f4 exf4 e5 Qe7 Nc3 d5", "Nb1 Nc6 Nc3 Nb8"),
    "castling is lost by going to and fro": ("e4 e5 Nf3 Nf6 Be2 Be7", "Rg1 Rg8 Rh1 Rh8"),
}


def played(moves: str) -> list[str]:
    """The events of a game, told as its moves."""
    oracle, events = CHESS.oracle(), list[str]()
    for move in moves.split():
        events.append(next(event for event, told in oracle.events.items() if told == (move,)))
        oracle = oracle.after(event=events[-1])
    return events


def differs(events: list[str]) -> str | None:
    """The first difference in what is legal, claims too."""
    return asked(CHESS, events, along(CHESS, events))


@pytest.mark.parametrize("name", OPENINGS)
def test_the_third_time_is_known(name: str) -> None:
    opening, again = OPENINGS[name]
    assert differs(played(f"{opening} {again} {again} {again}")) is None


def to_and_fro(board: Any, random: Random) -> list[Any] | None:
    """Moves of both and back again, of pieces, by lot; None if none was found."""
    import chess

    ways: list[Any] = []
    for _ in range(2):
        quiet = [move for move in board.legal_moves if not board.is_capture(move) and not board.is_castling(move)
                 and board.piece_type_at(move.from_square) != chess.PAWN]
        if not quiet:
            return None
        ways.append(random.choice(quiet))
        board.push(ways[-1])
    for way in tuple(ways):
        back = chess.Move(way.to_square, way.from_square)
        if back not in board.legal_moves:
            return None
        ways.append(back)
        board.push(back)
    return ways


@pytest.mark.parametrize("seed", range(8 if FULL else 3))
def test_it_is_known_after_openings_by_lot(seed: int) -> None:
    import chess

    random = Random(seed)
    while True:
        board = chess.Board()
        for _ in range(random.randint(3, 14)):
            double = [move for move in board.legal_moves if board.piece_type_at(move.from_square) == chess.PAWN]
            board.push(random.choice(double if double and random.random() < 0.7 else list(board.legal_moves)))
        begun = board.copy()
        ways = to_and_fro(board, random) if board.ep_square is not None else None
        if ways is not None:
            break
    moves = [*begun.move_stack, *ways * 3]
    board, told = chess.Board(), list[str]()
    for move in moves:
        told.append(board.san(move))
        board.push(move)
    assert board.is_repetition(3)
    assert differs(played(" ".join(told))) is None
