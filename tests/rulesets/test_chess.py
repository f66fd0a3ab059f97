"""Chess: how many legal moves there are, so many moves deep, from positions of which the numbers are known.

The numbers are common knowledge among those who write programs for chess; one legal move too many or too few, at any
depth, changes them.
"""

from __future__ import annotations

from pathlib import Path
from shutil import copytree

import pytest

from referee.frontend.loading.loader import load_flow
from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.game.state import State
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine
from referee.rule_tests.scenario_runs import game_of

RULES = Path("rulesets/classics/chess.rules")
PIECES = {"k": "King", "q": "Queen", "r": "Rook", "b": "Bishop", "n": "Knight", "p": "Pawn"}
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"
POSITIONS = [
    (START, (20, 400, 8902)),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq", (48, 2039)),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w -", (14, 191, 2812)),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq", (6, 264)),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ", (44, 1486)),
]


def scenario(position: str) -> str:
    """A scenario that starts from a position, told as programs tell it."""
    board, turn, castling = position.split()
    lines = [f'scenario "{position}"']
    for row, pieces in zip("87654321", board.split("/"), strict=True):
        spread = "".join("." * int(one) if one.isdigit() else one for one in pieces)
        lines += [f"  given field at {column}{row}: {PIECES[one.lower()]} of {'white' if one.isupper() else 'black'}"
                  for column, one in zip("abcdefgh", spread, strict=True) if one != "."]
    for letter, side in zip("KQkq", ("white, king", "white, queen", "black, king", "black, queen"), strict=True):
        lines.append(f"  given may_castle({side}_side) is {'yes' if letter in castling else 'no'}")
    return "\n".join((*lines, f"  turn of {'white' if turn == 'w' else 'black'}", "  expect quiet = 0", ""))


def counted(walker: Walker, state: State, depth: int) -> int:
    """The ways to go on for so many moves."""
    moves = [event for event in walker.legal(state) if event.label != "claim_draw"]
    if depth == 1:
        return len(moves)
    steps = (walker.advance(state, event) for event in moves)
    return sum(counted(walker, step, depth - 1) for step in steps if isinstance(step, State))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Walker, dict[str, State]]:
    """An engine, and the positions to start from."""
    path = tmp_path_factory.mktemp("chess") / "chess.rules"
    copytree(RULES.parent / "pictures", path.parent / "pictures")
    rules = RULES.read_text("utf-8").partition("\nscenario")[0]
    path.write_text("\n".join((rules, *(scenario(position) for position, _ in POSITIONS))), "utf-8")
    walker = engine(load_flow(path))
    steps = {told.title: walker.begin(game_of(told)[0]) for told in load_scenarios(path).found}
    return walker, {title: step for title, step in steps.items() if isinstance(step, State)}


@pytest.mark.parametrize(("position", "numbers"), POSITIONS, ids=[position for position, _ in POSITIONS])
def test_the_number_of_moves_is_known(position: str, numbers: tuple[int, ...],
                                      begun: tuple[Walker, dict[str, State]]) -> None:
    walker, states = begun
    assert tuple(counted(walker, states[position], depth) for depth in range(1, len(numbers) + 1)) == numbers
