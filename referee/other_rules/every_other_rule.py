"""All other answers of a ruleset: those of lowering, and those that are made on the core, one sort after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Protocol

from referee.core.ruleset import Core, Role
from referee.diagnostics.source import Span
from referee.frontend.desugaring.later_moments import REMEMBERED
from referee.frontend.desugaring.strict_comparisons import with_equal_values
from referee.frontend.loading.assembly import Loaded, build_asking
from referee.frontend.names.other_answers import MOST_ANSWERS, OtherAnswer, OtherAnswers
from referee.frontend.names.shapes import Shape
from referee.frontend.names.tree_access import head, nodes
from referee.other_rules.amounts.amount_answers import with_amounts_added_up, with_halves
from referee.other_rules.amounts.counter_answers import with_repetition, with_surplus_carried_over
from referee.other_rules.amounts.each_or_once import with_once_however_many
from referee.other_rules.amounts.ended_facts import with_facts_that_go_on
from referee.other_rules.amounts.hand_written_ties import with_both_if_level
from referee.other_rules.amounts.kept_facts import with_facts_worked_out
from referee.other_rules.amounts.nothing_moved import with_nothing_refused
from referee.other_rules.amounts.paid_prices import comparisons_with_prices, with_one_number, with_prices_only_needed
from referee.other_rules.amounts.points_said_twice import with_points_of_each_sentence
from referee.other_rules.amounts.sums_of_all import with_sums_of_all
from referee.other_rules.amounts.supplies import with_draws_of_what_is_left, with_none_from_a_supply
from referee.other_rules.arrivals.brought_there import with_effects_of_being_brought
from referee.other_rules.arrivals.own_moves_alone import with_own_moves_alone
from referee.other_rules.components.added_values import with_added_values
from referee.other_rules.components.component_values import ComponentValues
from referee.other_rules.components.destinations import Destinations, used_zones
from referee.other_rules.components.empty_piles import EmptyPiles
from referee.other_rules.components.map_walls import with_walls_aside
from referee.other_rules.components.moved_piece import without_the_moved
from referee.other_rules.components.newcomers import Newcomers
from referee.other_rules.components.place_answers import PlaceAnswers
from referee.other_rules.components.ranges import with_ranges_from_one_on
from referee.other_rules.components.regular_values import with_regular_values
from referee.other_rules.conditions.answered_effects import with_effects_before_answers
from referee.other_rules.conditions.changing_members import with_members_tested_again
from referee.other_rules.conditions.clashing_rules import with_rules_that_yield
from referee.other_rules.conditions.costs_of_turn import with_costs_of_the_others
from referee.other_rules.conditions.further_options import with_options_of_like_decisions
from referee.other_rules.conditions.guard_answers import with_fewer_guards, with_unset_apart
from referee.other_rules.conditions.if_scopes import IfScopes
from referee.other_rules.conditions.joined_effects import JoinedEffects
from referee.other_rules.conditions.met_limits import MetLimits
from referee.other_rules.conditions.mixed_choices import with_choices_alike
from referee.other_rules.conditions.needed_targets import with_targets_needed
from referee.other_rules.conditions.protections import with_protections_of_one_effect
from referee.other_rules.conditions.repeated_actions import with_actions_once_a_turn
from referee.other_rules.conditions.sibling_guards import with_conditions_of_siblings
from referee.other_rules.conditions.sibling_steps import with_steps_of_siblings
from referee.other_rules.conditions.vain_actions import with_actions_in_vain
from referee.other_rules.conditions.vain_cases import with_cases_without_effect
from referee.other_rules.conditions.words_of_uses import with_words_of_uses
from referee.other_rules.endings.hand_written_ends import with_ends_after_the_round
from referee.other_rules.endings.players_out import with_things_of_players_out
from referee.other_rules.endings.things_left import ThingsLeft
from referee.other_rules.joined_blocks import joined
from referee.other_rules.likenesses.budgets import with_one_number_for_like_actions
from referee.other_rules.likenesses.empty_places import with_nothing_else_there, with_something_else_there
from referee.other_rules.likenesses.kinds_counted import with_one_kind_alone
from referee.other_rules.likenesses.like_moves import with_effects_of_like_moves
from referee.other_rules.likenesses.like_places import with_conditions_on_like_places
from referee.other_rules.likenesses.repeated_choices import with_repeated_choices
from referee.other_rules.likenesses.shared_effects import with_effects_of_one_alone
from referee.other_rules.likenesses.ways_over import with_ways_over_others
from referee.other_rules.moments.broken_turns import with_turns_broken_off
from referee.other_rules.moments.handed_back import with_what_is_handed_back
from referee.other_rules.moments.last_rounds import with_rounds_cut_short
from referee.other_rules.moments.late_limits import with_limits_at_other_times
from referee.other_rules.moments.options_elsewhere import with_options_at_other_moments
from referee.other_rules.moments.unable_steps import with_the_rest_lost
from referee.other_rules.players.interrupted_turns import with_turns_after_interruptions
from referee.other_rules.players.left_to_fate import with_players_in_the_place_of_fate
from referee.other_rules.players.player_answers import with_himself, with_the_next_alone
from referee.other_rules.players.player_rounds import with_steps_by_all, with_the_start_passed_on
from referee.other_rules.players.second_choices import with_second_choices_last
from referee.other_rules.players.unasked_effects import with_unasked_effects_left
from referee.other_rules.players.ways_round import with_the_other_way_round
from referee.other_rules.tracks.closed_rows import with_places_that_stay_empty
from referee.other_rules.tracks.places_on_tracks import PlacesOnTracks
from referee.other_rules.tracks.rows import Rows
from referee.other_rules.tracks.taken_places import TakenPlaces
from referee.syntax.syntax_tree import Node

_Pass = Callable[[Core, OtherAnswers], Core]
"""Puts the other answers of one sort into a core."""


class _Making(Protocol):
    def made(self) -> Core: ...


_KINDS = ("compare", "equal", "is_", "is_not", "need", "forbidden", "move", "move_all", "define")


def build_with_others(loaded: Loaded, shape: Shape, first: int = 1, most: int = MOST_ANSWERS
                      ) -> tuple[Core, tuple[OtherAnswer, ...]]:
    """The core of a shape in which other answers stand behind the variable `SELECTOR`, and what they are.

    `first`, `most`: only so many stand in it, from this one on; all that there are are told. While the selector is
    `THE_RULES` a game goes as without them. Raises Problems, also if the rules become too large with so many.
    """
    others = OtherAnswers(True, first, most)
    core = build_asking(loaded, shape, others)
    return _that_begin_anywhere(with_other_rules(core, others, loaded.trees), core), others.found()


def _that_begin_anywhere(core: Core, rules: Core) -> Core:
    """The rules so that games begin in any position: what other answers remember starts as at the beginning, and is not
    to be told. `rules`: before other answers were made on them."""
    added = {name: replace(var, role=Role.STATE) for name, var in core.vars.items() if var.role is Role.REGISTER
             and (name not in rules.vars or name.startswith(REMEMBERED))}  # fmt: skip
    return replace(core, vars={**core.vars, **added})


def with_other_rules(core: Core, others: OtherAnswers, trees: Sequence[Node]) -> Core:
    """The rules of some trees with every other answer that is made of guards, moves, sets, players and counters."""
    for made in _passes(_written(trees)):
        core = made(core, others)
    return joined(core)


def _passes(written: Mapping[str, frozenset[Span]]) -> tuple[_Pass, ...]:
    """All passes in their order. Each works on what those before it have made. Beside some stands why they are there:
    what looks for a form is `hidden` by a pass that rewrites it, and `misled` by one that adds what it would ask of
    too, so it comes before these; it `sees` what an earlier one has made, and asks of that as well, or is `blind` to
    it. Of the other pairs none was seen to make a difference to what is found, in the rules of the tests and most
    bundled ones.
    """
    return (
        # hidden by with_unasked_effects_left and with_members_tested_again:
        with_protections_of_one_effect,
        # before those that copy what they hold:
        with_the_rest_lost,
        with_second_choices_last,
        with_unasked_effects_left,  # misled by PlacesOnTracks and with_members_tested_again
        with_none_from_a_supply,
        with_draws_of_what_is_left,  # hidden by with_equal_values
        with_nothing_refused,  # misled by without_the_moved
        with_points_of_each_sentence,
        with_rounds_cut_short,
        with_own_moves_alone,
        with_effects_of_being_brought,
        with_turns_broken_off,
        with_effects_of_one_alone,  # misled by with_facts_that_go_on
        with_what_is_handed_back,  # hidden by Destinations
        with_places_that_stay_empty,
        with_players_in_the_place_of_fate,
        with_limits_at_other_times,
        # misled by with_one_number_for_like_actions and with_actions_once_a_turn, hidden by with_fewer_guards:
        with_cases_without_effect,
        with_one_number_for_like_actions,  # hidden by with_fewer_guards
        with_repeated_choices,
        lambda core, others: with_words_of_uses(core, others, written["need"] | written["forbidden"]),
        with_targets_needed,  # misled by MetLimits, blind to what with_what_is_handed_back has rewritten
        with_one_number,  # hidden by with_sums_of_all
        with_both_if_level,  # hidden by with_equal_values
        # hidden by Destinations, misled by with_turns_after_interruptions; sees with_protections_of_one_effect:
        _made(IfScopes),
        _made(JoinedEffects),
        with_regular_values,
        with_sums_of_all,  # blind to what with_one_number has rewritten
        # hidden by with_equal_values, with_fewer_guards and PlaceAnswers:
        lambda core, others: MetLimits(core, others, used_zones(core, written)).made(),
        lambda core, others: TakenPlaces(core, others, used_zones(core, written)).made(),
        with_rules_that_yield,  # hidden by with_fewer_guards
        with_choices_alike,
        with_walls_aside,
        with_steps_of_siblings,  # hidden by with_prices_only_needed, ComponentValues and Destinations
        with_costs_of_the_others,
        with_added_values,
        _made(PlacesOnTracks),
        _made(ThingsLeft),
        with_members_tested_again,
        with_ranges_from_one_on,
        lambda core, others: with_equal_values(core, others, written["compare"] - comparisons_with_prices(core)),
        lambda core, others: with_unset_apart(core, others, written),
        # misled by with_conditions_of_siblings and with_conditions_on_like_places:
        lambda core, others: with_fewer_guards(core, others, written),  # hidden by with_something_else_there
        with_something_else_there,
        lambda core, others: with_ways_over_others(core, others, written["need"] | written["forbidden"]),
        without_the_moved,  # hidden by Destinations
        # hidden by with_the_next_alone; sees with_effects_of_being_brought:
        lambda core, others: with_himself(core, others, written["define"]),
        with_the_next_alone,
        with_things_of_players_out,
        with_surplus_carried_over,
        lambda core, others: with_repetition(core, others, written["need"] | written["forbidden"]),
        lambda core, others: with_conditions_of_siblings(core, others, written),  # sees with_equal_values
        with_effects_before_answers,
        with_the_other_way_round,  # hidden by with_turns_after_interruptions
        with_prices_only_needed,
        with_facts_worked_out,
        with_facts_that_go_on,
        _made(ComponentValues),  # sees with_facts_worked_out
        _made(PlaceAnswers),  # sees MetLimits
        with_amounts_added_up,
        with_once_however_many,
        with_halves,  # misled by Destinations
        with_actions_once_a_turn,  # hidden and misled by with_options_at_other_moments
        # misled by EmptyPiles; sees with_things_of_players_out:
        lambda core, others: Destinations(core, others, written).made(),
        _made(Rows),
        _made(EmptyPiles),
        _made(Newcomers),  # sees MetLimits
        with_ends_after_the_round,
        with_actions_in_vain,
        with_turns_after_interruptions,  # sees MetLimits
        with_options_of_like_decisions,
        with_effects_of_like_moves,  # blind to what IfScopes and Destinations have rewritten
        with_conditions_on_like_places,
        with_nothing_else_there,
        with_one_kind_alone,
        with_options_at_other_moments,
        with_steps_by_all,
        with_the_start_passed_on,  # sees with_limits_at_other_times
    )


def _made(kind: Callable[[Core, OtherAnswers], _Making]) -> _Pass:
    """A class that goes through the core, as a pass."""
    return lambda core, others: kind(core, others).made()


def _written(trees: Sequence[Node]) -> Mapping[str, frozenset[Span]]:
    """Where constructs are written in rules, by their kind; those of several lines by their first."""
    found: dict[str, set[Span]] = {kind: set() for kind in _KINDS}
    open_ = [decl for tree in trees for decl in nodes(tree) if decl.kind != "scenario"]
    while open_:
        one = open_.pop()
        if one.kind in found:
            found[one.kind].add(head(one) if one.kind in ("need", "forbidden") else one.span)
        open_.extend(nodes(one))
    return MappingProxyType({kind: frozenset(spans) for kind, spans in found.items()})
