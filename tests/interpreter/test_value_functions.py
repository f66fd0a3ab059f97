"""Functions that generated code makes of single expressions say what the reference engine says, or that it has to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from referee.codegen.often.value_functions import LEFT, ValueFunctions
from referee.core.expr import Const, Expr, Local
from referee.core.flow import Flow
from referee.core.stmt import Put
from referee.core.traverse import walk
from referee.core.types import Bool, Elem, Int
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine

RULES = (("cribbage", 2), ("hanabi", 3))
EVERY = 40


def numbers(flow: Flow) -> list[Expr]:
    """The numbers and truths that the rules store somewhere, and the conditions of their invariants."""
    found = [put.value for put in walk(flow.nodes, Put) if isinstance(put.value.type, Int | Elem | Bool)]
    return [*found, *(one.guard.cond for one in flow.core.invariants)]


def states_of(walker: Walker, players: int) -> Iterator[State]:
    """Positions of a random game."""
    game = play_out(walker, Setting(("a", "b", "c")[:players]), 1)
    step = walker.begin(game.setting)
    for number, event in enumerate(game.events):
        assert isinstance(step, State)
        if number % EVERY == 0:
            yield step
        step = walker.advance(step, event)


@pytest.mark.parametrize(("name", "players"), RULES)
def test_functions_agree_with_the_closures(name: str, players: int) -> None:
    walker = engine(load_flow(name, players, {}))
    code, functions = ExpressionClosures(walker.course.layout), ValueFunctions(walker.course.layout)
    states, compared = list(states_of(walker, players)), 0
    for expr in numbers(walker.flow):
        quick = functions.total([(1, expr)], {})
        assert quick is not None
        for state in states:
            try:
                wanted = code.expr(expr)(list(state.slots), {})
            except (Fault, Unsettled, KeyError):
                with pytest.raises(LEFT):
                    quick(list(state.slots), {})
                continue
            with suppress(*LEFT):
                assert quick(list(state.slots), {}) == wanted
                compared += 1
    assert compared > len(states)


def test_a_function_is_made_once_and_knows_signs_and_locals() -> None:
    walker = engine(load_flow("cribbage", 2, {}))
    functions = ValueFunctions(walker.course.layout)
    one, other = Local("one", Int(0, 9)), Const(4, Int(0, 9))
    made = functions.total([(1, one), (-1, other)], {"one": 0})
    assert made is not None
    assert made is functions.total([(1, one), (-1, other)], {"one": 0})
    assert made([], {"one": 9}) == 5
    with pytest.raises(LEFT):
        made([], {})
