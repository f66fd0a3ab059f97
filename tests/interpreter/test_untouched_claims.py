"""Claims are not tested again where nothing can have changed about them.

That is told by what is moved, or for whom it is; the engines agree on where each of them breaks.
"""

from __future__ import annotations

import pytest

from referee.codegen.compiled_program import Program
from referee.codegen.invariant_code import InvariantCode
from referee.codegen.often.conserved_counts import conserved, moved
from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.game.state import Layout
from tests.interpreter.agreement import Pair

RULES = """game "Stones" for 2 players x and o

kind Stone is RED, BLUE, GREY

components
  3 of each Stone in heap

zones
  heap: bag of Stone, open
  hand of player: bag of Stone, open
  out: bag of Stone, open

play
  turns from x, to the left, until heap is empty and hand of x is empty
    turn player may draw, drop, give

action draw(stone: Stone in heap)
  move stone from heap to hand of me

action drop(stone: Stone in hand of me)
  move stone from hand of me to out

action give(stone: Stone in hand of me)
  move stone from hand of me to hand of opponent

define dear of player p = (number of hand of p where it is RED) + (number of hand of p where it is GREY)
define worth of player p = (number of hand of p) + dear(p)

always none_is_lost: number of heap + number of out + (sum of (number of hand of it) in players) = 9
always some_are_in_play: number of heap + number of hand of x + number of hand of o >= 4
always x_has_few: number of heap + number of hand of x <= 10
always twice: number of heap + number of heap + number of out + number of out >= 6
always nobody_is_rich: every player p: (worth(p) <= 7 and worth(p) + number of heap <= 14) or worth(p) <= 12
always nobody_has_all_of_one: every player p: every s in Stone: (number of hand of p where it is s) <= 2
"""
MOVES = (("heap", "hand"), ("hand", "out"), ("hand", "hand"), ("heap", "out"))


@pytest.fixture(scope="module")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Flow:
    path = tmp_path_factory.mktemp("rules") / "stones.rules"
    path.write_text(RULES, encoding="utf-8")
    return load_flow(path)


def test_what_is_moved_between_zones_that_are_counted_together_breaks_nothing(flow: Flow) -> None:
    core, claims = flow.core, InvariantCode(flow)
    bits = {one.name: 1 << number for number, one in enumerate(core.invariants)}
    whole = {one.name: conserved(one.guard.cond, core) for one in core.invariants}
    assert whole["none_is_lost"] == {"heap", "out", "hand"}
    assert whole["some_are_in_play"] == {"heap", "hand"}
    assert whole["x_has_few"] == {"heap"}
    assert whole["twice"] == whole["nobody_is_rich"] == whole["nobody_has_all_of_one"] == frozenset()
    found = {pair: {name for name, bit in bits.items() if claims.touched([moved(*pair)]) & bit} for pair in MOVES}
    assert not any("none_is_lost" in names for names in found.values())
    assert "some_are_in_play" not in found["heap", "hand"] | found["hand", "hand"]
    assert "some_are_in_play" in found["hand", "out"]
    assert "x_has_few" in found["heap", "hand"] & found["hand", "hand"]
    assert "twice" in found["heap", "out"]
    assert claims.touched(["heap"]) == claims.all & ~bits["nobody_has_all_of_one"]


@pytest.mark.parametrize("seed", range(6))
def test_both_engines_find_broken_claims_at_the_same_events(flow: Flow, seed: int) -> None:
    both = Pair(flow)
    both.compare(seed, 40)
    both.same_play_outs(seed, 60)
    assert both.followed


def test_what_is_remembered_is_of_no_other_game(flow: Flow) -> None:
    """Games one after the other by the same engine, in which claims break now here and now there."""
    both = Pair(flow)
    for seed in range(10, 16):
        both.compare(seed, 30)


def test_what_hangs_on_no_position_is_worked_out_when_it_is_written() -> None:
    """How many cards each player's deck begins with is a number of a constant table."""
    flow = load_flow("adrenalyn_xl")
    program = Program(flow, Layout(flow))
    names = [one.name for one in flow.core.invariants]
    text = program.source.written(("claim", names.index("each_gamer_keeps_his_cards"))).text
    assert "range(" not in text
