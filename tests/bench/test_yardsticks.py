"""What others are measured against plays the games right: a wrong yardstick would measure nothing."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from tests.bench.yardsticks import c_programs, four_by_four, plain_playouts, tuned_playouts

LENGTHS = {"connect_four": (21.3, 0.556), "breakthrough": (64.1, 0.510)}
"""How many moves a game by lot has, and how often the first player wins, from a hundred million games."""


@pytest.mark.parametrize("programs", [plain_playouts, tuned_playouts], ids=["plain", "tuned"])
@pytest.mark.parametrize("game", LENGTHS)
def test_play_outs_by_hand_follow_the_same_law(programs: ModuleType, game: str) -> None:
    number = 4_000 if game == "connect_four" else 700
    moves, won = getattr(programs, game)(number, Random(3))
    length, first = LENGTHS[game]
    assert moves / number == pytest.approx(length, rel=0.03)
    assert won[0] / number == pytest.approx(first, abs=0.05)


@pytest.mark.skipif(c_programs.compiler() is None, reason="there is no C compiler")
def test_play_outs_by_c_follow_it_too(tmp_path: Path) -> None:
    programs = c_programs.compiled(tmp_path)
    assert programs is not None
    for game, (length, first) in LENGTHS.items():
        moves, won = programs.play(game, 100_000)
        assert moves / 100_000 == pytest.approx(length, rel=0.005)
        assert won[0] / 100_000 == pytest.approx(first, abs=0.01)


def test_without_a_compiler_nothing_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert c_programs.compiler() is None
    assert c_programs.compiled(tmp_path) is None


def test_every_position_of_the_small_board_is_found() -> None:
    assert four_by_four.states() == four_by_four.STATES


def test_chess_is_counted_as_it_is_known() -> None:
    chess = pytest.importorskip("chess", reason="of the extra `convert`")
    by_library = pytest.importorskip("tests.bench.yardsticks.chess_by_library")
    assert [by_library.sequences(chess.Board(), depth) for depth in (1, 2, 3)] == [20, 400, 8_902]


@pytest.mark.parametrize(("moves", "wrong"), [
    ("e2e4 e7e5 e1e2", None), ("e2e4 e7e5 e1e3", 2), ("e2e4 e2e4", 1), ("f2f3 e7e5 g2g4 d8h4 a2a3", 4),
    ("g1f3 g8f6 f3g1 f6g8 0000", 4), ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 0000", None),
    ("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 0000 a2a3", 9), ("g1f3 g8f6 f3g1 f6g8 " * 4 + "g1f3", 16)])
def test_chess_is_judged(moves: str, wrong: int | None) -> None:
    chess = pytest.importorskip("chess", reason="of the extra `convert`")
    by_library = pytest.importorskip("tests.bench.yardsticks.chess_by_library")
    assert by_library.first_wrong([chess.Move.from_uci(move) for move in moves.split()]) == wrong


def test_a_hand_of_poker_is_judged() -> None:
    pokerkit = pytest.importorskip("pokerkit", reason="of the extra `oracles`")
    yardstick = pytest.importorskip("tests.bench.yardsticks.holdem_by_library")
    dealt = [yardstick.Action(None, "deal", seat, tuple(pokerkit.Card.parse(cards)))
             for seat, cards in enumerate(("AsKs", "2c7d"))]
    said = [yardstick.Action(1, "raise", 6), yardstick.Action(0, "raise", 30), yardstick.Action(1, "fold")]
    assert yardstick.first_wrong(yardstick.Hand((100, 100), 1, 2, 0, [*dealt, *said], (6, -6))) is None
    assert yardstick.first_wrong(yardstick.Hand((100, 100), 1, 2, 0, [*dealt, *said], (7, -7))) == 5
    wrong = [*dealt, said[0], yardstick.Action(0, "raise", 7), said[2]]
    assert yardstick.first_wrong(yardstick.Hand((100, 100), 1, 2, 0, wrong, (6, -6))) == 3
    assert yardstick.first_wrong(yardstick.Hand((100, 100), 1, 2, 0, [*dealt, said[1]], (6, -6))) == 2
