"""That every component lies somewhere once: one that is missing, or there twice, is noticed wherever it lies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from referee.core.flow import Flow
from referee.core.ruleset import Core, Form
from referee.frontend import load_flow
from referee.game.state import State
from referee.smt.concolic.position_answers import Answers
from referee.smt.concolic.position_conditions import KindPlaces
from tests.smt.drawn import draw

FILES = ["connect_four", "go_goal", *(f"tests/language/constructs/{name}.rules" for name in ("piles", "zones"))]
ALL_FORMS = {Form.BAG, Form.LINE, Form.SLOTS, Form.PILE}
TRIED = 40


@cache
def positions(ruleset: str) -> tuple[Flow, list[State]]:
    """Positions of games, different ones."""
    flow = load_flow(ruleset)
    return flow, list({one.state: None for one in draw(flow, 30, Random(3)) if one.reached})


def without(form: Form, slot: Any) -> Any:
    """A content with one component less."""
    match form:
        case Form.SLOTS:
            at = next(i for i, one in enumerate(slot) if one is not None)
            return (*slot[:at], None, *slot[at + 1 :])
        case Form.PILE:
            return (slot[0][1:], *slot[1:]) if len(slot[0]) > 1 else slot[1:]
        case _:
            return slot[1:]


def first(form: Form, slot: Any) -> int:
    """The class that `without` takes away."""
    return int(slot[0][0] if form is Form.PILE else next(one for one in slot if one is not None))


def filled(flow: Flow, answers: Answers, state: State) -> Iterator[tuple[Form, int]]:
    """The entries in which something lies."""
    for zone in flow.core.zones.values():
        spread = answers.layout.zones[zone.name]
        for index in range(spread.base, spread.base + spread.count):
            slot: Any = state.slots[index]
            if any(one is not None for one in slot):
                yield zone.form, index


def kinds(core: Core, answers: Answers) -> dict[str, KindPlaces]:
    """What is asked of each kind of component."""
    return {one.kind: KindPlaces(core, answers.layout, one.kind) for one in core.components}


def changed(state: State, index: int, slot: Any) -> State:
    """A position with another entry."""
    return State(state.at, (*state.slots[:index], slot, *state.slots[index + 1 :]))


@pytest.mark.parametrize("ruleset", FILES)
def test_a_component_that_is_missing_is_noticed(ruleset: str) -> None:
    flow, states = positions(ruleset)
    answers = Answers(flow)
    asked, tried = kinds(flow.core, answers), 0
    for state in states:
        assert all(answers.all_there(state, kind) for kind in asked.values())
        for form, index in list(filled(flow, answers, state))[: max(1, TRIED // len(states))]:
            slot: Any = state.slots[index]
            lost = flow.core.components[first(form, slot)].kind
            missing = changed(state, index, without(form, slot))
            assert {name for name, kind in asked.items() if not answers.all_there(missing, kind)} == {lost}
            tried += 1
    assert tried >= len(states) > 5


@pytest.mark.parametrize("ruleset", FILES)
def test_a_component_that_is_there_twice_is_noticed(ruleset: str) -> None:
    flow, states = positions(ruleset)
    answers = Answers(flow)
    asked, tried = kinds(flow.core, answers), 0
    for state in states:
        for form, index in filled(flow, answers, state):
            if form in (Form.BAG, Form.PILE):
                slot: Any = state.slots[index]
                one = first(form, slot)
                more = tuple(sorted((*slot, one))) if form is Form.BAG else (*slot, (one,))
                twice = changed(state, index, more)
                wrong = {name for name, kind in asked.items() if not answers.all_there(twice, kind)}
                assert wrong == {flow.core.components[one].kind}
                tried += 1
                break
    assert tried > 5


def test_a_pile_may_grow_by_many_blocks() -> None:
    flow, states = positions("tests/language/constructs/piles.rules")
    answers, state = Answers(flow), states[0]
    quarry, wall = (answers.layout.zones[name].base for name in ("quarry", "wall"))
    stones, lying = kinds(flow.core, answers)["Stone"], state.slots[quarry]
    assert isinstance(lying, tuple)
    for moved in range(len(lying) + 1):
        blocks = tuple((one,) for one in lying[:moved])
        there = changed(changed(state, quarry, lying[moved:]), wall, (*blocks, *state.slots[wall]))  # type: ignore[misc]
        assert answers.all_there(there, stones)
        assert moved == 0 or not answers.all_there(changed(there, wall, blocks[1:]), stones)
    assert len(lying) > 4


def test_every_form_of_zone_is_asked() -> None:
    assert {zone.form for file in FILES for zone in positions(file)[0].core.zones.values()} == ALL_FORMS
