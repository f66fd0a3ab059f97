"""The order in which other answers are made: what a pass of `every_other_rule` says of others is so.

Each pass is carried out alone, and after another one that stands behind it: then it finds less, or more.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from referee.core.ruleset import Core
from referee.frontend.loading.assembly import build_asking, parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.names.shapes import Shape
from referee.other_rules.amounts.ended_facts import with_facts_that_go_on
from referee.other_rules.amounts.paid_prices import with_one_number, with_prices_only_needed
from referee.other_rules.amounts.sums_of_all import with_sums_of_all
from referee.other_rules.components.component_values import ComponentValues
from referee.other_rules.conditions.repeated_actions import with_actions_once_a_turn
from referee.other_rules.conditions.sibling_steps import with_steps_of_siblings
from referee.other_rules.conditions.vain_cases import with_cases_without_effect
from referee.other_rules.every_other_rule import PASSES
from referee.other_rules.likenesses.budgets import with_one_number_for_like_actions
from referee.other_rules.likenesses.shared_effects import with_effects_of_one_alone
from referee.other_rules.players.interrupted_turns import with_turns_after_interruptions
from referee.other_rules.players.ways_round import with_the_other_way_round

QUESTIONS = Path(__file__).parent / "questions"
Pass = Callable[[Core, OtherAnswers], Core]


def with_values(core: Core, others: OtherAnswers) -> Core:
    return ComponentValues(core, others).made()


HIDDEN: list[tuple[Pass, Pass, str]] = [
    (with_one_number, with_sums_of_all, "price_requires_what_it_takes"),
    (with_steps_of_siblings, with_prices_only_needed, "price_only_needed"),
    (with_steps_of_siblings, with_values, "scope_to_the_end_of_the_turn"),
    (with_the_other_way_round, with_turns_after_interruptions, "turn_order_the_same_again"),
]
MISLED: list[tuple[Pass, Pass, str]] = [
    (with_effects_of_one_alone, with_facts_that_go_on, "ended_goes_on"),
    (with_cases_without_effect, with_actions_once_a_turn, "again_once_a_turn"),
    (with_cases_without_effect, with_one_number_for_like_actions, "costs_one_of_them"),
]


def core_of(name: str) -> Core:
    return build_asking(parsed(find(QUESTIONS / name / "game.rules")), Shape(), OtherAnswers(True))


def found(one: Pass, core: Core) -> set[tuple[str, str, object]]:
    """What a pass asks of some rules."""
    others = OtherAnswers(True)
    one(core, others)
    return {(answer.dimension, answer.name, answer.origins[0].span) for answer in others.found()}


@pytest.mark.parametrize(("first", "later", "name"), HIDDEN)
def test_a_pass_that_is_hidden_by_another_finds_less_after_it(first: Pass, later: Pass, name: str) -> None:
    core = core_of(name)
    assert found(first, later(core, OtherAnswers(True))) < found(first, core)


@pytest.mark.parametrize(("first", "later", "name"), MISLED)
def test_a_pass_that_is_misled_by_another_finds_more_after_it(first: Pass, later: Pass, name: str) -> None:
    core = core_of(name)
    assert found(first, later(core, OtherAnswers(True))) > found(first, core)


def test_each_pass_stands_before_those_that_hide_or_mislead_it_and_behind_what_it_sees() -> None:
    order = [one.of for one in PASSES]
    assert len(set(order)) == len(order)
    for at, one in enumerate(PASSES):
        assert all(order.index(later) > at for later in (*one.hidden_by, *one.misled_by)), one.of
        assert all(order.index(earlier) < at for earlier in (*one.sees, *one.blind_to)), one.of


def test_what_was_carried_out_here_is_declared() -> None:
    declared = {one.of: one for one in PASSES}
    for first, later, _ in HIDDEN:
        assert (ComponentValues if later is with_values else later) in declared[first].hidden_by
    for first, later, _ in MISLED:
        assert later in declared[first].misled_by
