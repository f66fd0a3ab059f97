"""Sequences of turns and of events are counted by machine code as they are one by one.

What is kept of positions that came before is as long as it has to be.
"""

from __future__ import annotations

import pytest

from referee.codegen.generated_engine import Generated
from referee.core.flow import Flow
from referee.game.state import State
from referee.interpreter.playouts import play_out
from referee.native import memory_layout
from referee.native.exploring.sequence_count import NativeCount
from referee.native.native_engine import Native
from referee.simulation import game_counting
from referee.simulation.game_counting import CountedSteps, GameCounter, Unit
from referee.simulation.turn_ends import surely_last
from tests.native.test_machine_playouts import seated
from tests.native.test_native_engine import flow_of


def begun(flow: Flow) -> tuple[Generated, State]:
    engine = Generated(flow)
    step = engine.begin(seated(flow))
    assert isinstance(step, State)
    return engine, step


@pytest.mark.parametrize(("name", "depth"), [
    ("tic_tac_toe", 3), ("commits", 2), ("passed_cards", 1), ("leduc_poker", 2), ("repetition", 3)])
def test_as_many_are_counted(name: str, depth: int) -> None:
    engine, state = begun(flow_of(name))
    nodes = range(len(engine.flow.nodes))
    for unit in Unit:
        counter = GameCounter(engine, CountedSteps(unit))
        last = frozenset(nodes) if unit is Unit.EVENT else surely_last(engine.flow)
        machine, found = NativeCount(engine, last, by_event=unit is Unit.EVENT), 0
        for steps in range(1, depth + 1):
            number = machine.number(state, None, steps)
            if number is not None:
                assert number == counter.number(state, steps), (unit, steps)
                found += 1
        assert found or name == "passed_cards"


def test_what_is_long_to_count_goes_over_to_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, state = begun(flow_of("tic_tac_toe"))
    expected = [GameCounter(engine).number(state, depth) for depth in range(1, 8)]
    monkeypatch.setattr(game_counting, "price_of", lambda flow: 0.0)
    counter = GameCounter(engine)
    assert [counter.number(state, depth) for depth in range(1, 8)] == expected
    assert counter._machine is not None


def test_where_there_is_too_much_others_count(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, state = begun(flow_of("tic_tac_toe"))
    machine = NativeCount(engine, surely_last(engine.flow), by_event=False)
    monkeypatch.setattr("referee.native.exploring.sequence_count.MOST_POINTS", 5)
    assert [machine.number(state, None, depth) for depth in (3, 3, 2, 1)] == [None, None, None, 9]
    assert machine.deepest == 1


def test_positions_that_came_before_are_copied_as_far_as_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that notes its positions has room for many of them, and none at its beginning."""
    flow = flow_of("repetition")
    monkeypatch.setenv("REFEREE_CACHE", "")
    monkeypatch.setattr(memory_layout, "LEAST_TAIL", 64)
    native, generated = Native(flow), Generated(flow)
    memory = native.compiled.memory
    assert memory.tail == "positions noted"
    games = [play_out(native, seated(flow), seed, most) for seed, most in ((1, 60), (2, 4), (3, 30))]
    for game in games:
        step = generated.begin(game.setting, test_arrival=False)
        for event in game.events:
            assert isinstance(step, State)
            assert generated.check(step, event) is None
            step = generated.advance(step, event, test_arrival=False)
        if isinstance(game.last, State) and isinstance(step, State):
            assert game.last.slots == generated.arrive(step).slots  # type: ignore[union-attr]
