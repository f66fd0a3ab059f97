"""Taking several at once: which multisets a source allows."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from referee.core.expr import Const, End, Expr, Place, Within
from referee.core.flow import Flow
from referee.core.ruleset import Form
from referee.core.stmt import Param
from referee.core.types import Elem, Many, SetOf
from referee.game.state import Layout
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.closures.frame import Frame
from referee.interpreter.initial_state import home
from referee.interpreter.multisets import (
    every_taken,
    is_selection,
    near_selections,
    near_taken,
    sample,
    selections,
    taken_with,
)
from tests import cores
from tests.cores import HERE

THING = Elem("component", 0, 2)
BOX = Place("box")
TOP, BOTTOM = Place("pile", end=End.TOP), Place("pile", end=End.BOTTOM)


def frame() -> Frame:
    """A box with 0 0 1 2, and a pile: 0 0 1 on top of 1 2."""
    zones = [cores.zone("box", Form.BAG), cores.zone("pile", Form.PILE)]
    made = cores.made((), zones=zones, components=cores.things("box", 2, 1, 1))
    layout = Layout(Flow(made, (), 0, made.vars))
    slots = home(layout)
    slots[layout.zones["pile"].base] = ((0, 0, 1), (1, 2))
    return Frame(ExpressionClosures(layout), slots)


def several(place: Place, least: int, most: int, *, among: Expr | None = None, repeated: bool = False) -> Param:
    return Param("some", "some", Many(THING, 9), Within(place), HERE, (cores.num(least), cores.num(most)),
                 repeated=repeated, among=among)


def taken(param: Param) -> list[tuple[int, ...]]:
    return list(selections(param, frame()))


def test_fewer_come_first_and_alike_ones_are_alike() -> None:
    assert taken(several(BOX, 0, 2)) == [(), (0,), (1,), (2,), (0, 0), (0, 1), (0, 2), (1, 2)]
    assert taken(several(BOX, 5, 6)) == []


def test_from_an_end_of_a_pile_block_after_block() -> None:
    assert taken(several(TOP, 2, 2)) == [(0, 0), (0, 1)]
    assert taken(several(TOP, 4, 4)) == [(0, 0, 1, 1), (0, 0, 1, 2)]
    assert taken(several(BOTTOM, 3, 3)) == [(0, 1, 2), (1, 1, 2)]


@pytest.mark.parametrize("param", [
    several(BOX, 0, 4), several(BOX, 2, 3), several(BOX, 5, 6), several(TOP, 0, 5), several(TOP, 2, 4),
    several(BOTTOM, 1, 4), several(BOX, 2, 3, repeated=True),
])
@pytest.mark.parametrize("given", [(), (0,), (1, 1), (0, 0, 2), (0, 1, 2, 2), (2, 2, 2, 2, 2, 2)])
def test_the_nearest_come_first_and_none_is_left_out(param: Param, given: tuple[int, ...]) -> None:
    near, wanted = list(near_selections(param, given, frame())), Counter(given)
    assert sorted(near) == sorted(taken(param))
    others = [(Counter(one) - wanted).total() + (wanted - Counter(one)).total() for one in near]
    assert others == sorted(others)


def test_the_nearest_of_very_many_are_found_at_once() -> None:
    blocks = [[one for one in range(60) for _ in range(4)]]
    assert list(islice(near_taken(blocks, 30, 30, tuple(range(29))), 2)) == [
        (0, *range(29)), (0, 1, *range(1, 29))]


def test_only_members_of_a_set() -> None:
    assert taken(several(BOX, 2, 2, among=Const(frozenset({0, 2}), SetOf(THING)))) == [(0, 0), (0, 2)]


def test_a_block_with_others_in_it_is_never_used_up() -> None:
    zeros = Const(frozenset({0, 2}), SetOf(THING))
    assert taken(several(TOP, 1, 4, among=zeros)) == [(0,), (0, 0)]


def test_taken_again_and_again() -> None:
    assert taken(several(BOX, 2, 2, repeated=True)) == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]


@pytest.mark.parametrize("param", [
    several(BOX, 1, 3), several(TOP, 0, 4), several(BOTTOM, 2, 5), several(BOX, 3, 3, repeated=True),
    several(TOP, 1, 4, among=Const(frozenset({0, 1}), SetOf(THING))),
])
def test_what_is_listed_is_what_is_allowed_and_what_is_sampled(param: Param) -> None:
    listed = set(taken(param))
    candidates = {(), (0,), (1,), (2,), (0, 0), (1, 1), (2, 2), (0, 0, 0), (0, 1, 2), (0, 0, 1), (0, 0, 1, 1)}
    assert {value for value in listed | candidates if is_selection(param, value, frame())} == listed
    assert {sample(param, frame(), Random(seed)) for seed in range(200)} == listed


@pytest.mark.parametrize("value", [None, 0, True, frozenset({0}), (5,)])
def test_other_values_are_no_selection(value: object) -> None:
    assert not is_selection(several(BOX, 1, 1), value, frame())  # type: ignore[arg-type]


def test_multisets_that_hold_something_are_those_of_all_that_hold_it() -> None:
    blocks = [[0, 0, 1], [1, 2], [0, 3, 3]]
    every = list(every_taken(blocks, 1, 7))
    for held in ((), (0,), (1, 1), (0, 3), (2, 2), (0, 0, 1, 1, 2, 3, 3)):
        wanted = Counter(held)
        found = list(taken_with(blocks, 1, 7, held))
        assert len(found) == len(set(found))
        assert set(found) == {one for one in every if wanted <= Counter(one)}
        assert [len(one) for one in found] == sorted(len(one) for one in found)
