"""Assumptions: which are kept, which fall away because every answer leads to the same."""

from __future__ import annotations

from referee.game.state import State
from referee.judge.partial.possible_worlds import MOST_ASSUMPTIONS, PossibleState, merged, simplified
from referee.judge.verdict import Assumption

A, B = (Assumption(3, "tie", value, 2, "ruling") for value in ("first", "last"))
C = Assumption(5, "order", "clockwise", 2, "ruling")


def test_what_is_assumed_in_every_way_is_not_assumed() -> None:
    assert simplified([(A,), (B,)]) == ((),)
    assert simplified([(A, C), (B, C)]) == ((C,),)
    assert simplified([(A,), (B, C)]) == ((A,), (B, C))


def test_a_world_without_assumptions_covers_all() -> None:
    assert simplified([(A,), ()]) == ((),)


def test_equal_states_are_one_and_keep_their_worlds() -> None:
    one, two = State(1, (0,)), State(1, (1,))
    found = merged([PossibleState(one, ((A,),)), PossibleState(two, ((A,),)), PossibleState(State(1, (0,)), ((B, C),))])
    assert found == [PossibleState(one, ((A,), (B, C))), PossibleState(two, ((A,),))]


def test_assumptions_are_bounded() -> None:
    candidate = PossibleState(State(1, ()))
    for line in range(200):
        candidate = candidate.assuming(candidate.step, Assumption(line, "tie", "first", 2, "ruling"))
    assert len(candidate.worlds[0]) == MOST_ASSUMPTIONS
    assert candidate.more
