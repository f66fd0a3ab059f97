"""All other answers of a ruleset: those of lowering, and those that are made on the core, one sort after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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

_Written = Mapping[str, frozenset[Span]]
"""Where constructs are written in rules, by their kind."""


class _Making(Protocol):
    def made(self) -> Core: ...


@dataclass(frozen=True, slots=True)
class _Pass:
    """Puts the other answers of one sort into a core: a function that does, or a class that goes through it.
    `carry_out` if it has to know what is written.

    Some say why they stand where they do: what looks for a form is `hidden_by` a pass that rewrites it, and
    `misled_by` one that adds what it would ask of too, so it comes before these; it `sees` what an earlier one has
    made, and asks of that as well, or is `blind_to` what that has rewritten.
    """

    of: Callable[..., Core | _Making]
    carry_out: Callable[[Core, OtherAnswers, _Written], Core] | None = None
    hidden_by: tuple[Callable[..., Core | _Making], ...] = ()
    misled_by: tuple[Callable[..., Core | _Making], ...] = ()
    sees: tuple[Callable[..., Core | _Making], ...] = ()
    blind_to: tuple[Callable[..., Core | _Making], ...] = ()

    def made(self, core: Core, others: OtherAnswers, written: _Written) -> Core:
        """The core with these answers too."""
        if self.carry_out is not None:
            return self.carry_out(core, others, written)
        found = self.of(core, others)
        return found if isinstance(found, Core) else found.made()


_KINDS = ("compare", "equal", "is_", "is_not", "need", "forbidden", "move", "move_all", "define")


PASSES = (
    _Pass(with_protections_of_one_effect, hidden_by=(with_unasked_effects_left, with_members_tested_again)),
    # before those that copy what they hold:
    _Pass(with_the_rest_lost),
    _Pass(with_second_choices_last),
    _Pass(with_unasked_effects_left, misled_by=(PlacesOnTracks, with_members_tested_again)),
    _Pass(with_none_from_a_supply),
    _Pass(with_draws_of_what_is_left, hidden_by=(with_equal_values,)),
    _Pass(with_nothing_refused, misled_by=(without_the_moved,)),
    _Pass(with_points_of_each_sentence),
    _Pass(with_rounds_cut_short),
    _Pass(with_own_moves_alone),
    _Pass(with_effects_of_being_brought),
    _Pass(with_turns_broken_off),
    _Pass(with_effects_of_one_alone, misled_by=(with_facts_that_go_on,)),
    _Pass(with_what_is_handed_back, hidden_by=(Destinations,)),
    _Pass(with_places_that_stay_empty),
    _Pass(with_players_in_the_place_of_fate),
    _Pass(with_limits_at_other_times),
    _Pass(with_cases_without_effect, hidden_by=(with_fewer_guards,),
          misled_by=(with_one_number_for_like_actions, with_actions_once_a_turn)),
    _Pass(with_one_number_for_like_actions, hidden_by=(with_fewer_guards,)),
    _Pass(with_repeated_choices),
    _Pass(with_words_of_uses,
          lambda core, others, written: with_words_of_uses(core, others, written["need"] | written["forbidden"])),
    _Pass(with_targets_needed, misled_by=(MetLimits,), blind_to=(with_what_is_handed_back,)),
    _Pass(with_one_number, hidden_by=(with_sums_of_all,)),
    _Pass(with_both_if_level, hidden_by=(with_equal_values,)),
    _Pass(IfScopes, hidden_by=(Destinations,), misled_by=(with_turns_after_interruptions,),
          sees=(with_protections_of_one_effect,)),
    _Pass(JoinedEffects),
    _Pass(with_regular_values),
    _Pass(with_sums_of_all, blind_to=(with_one_number,)),
    _Pass(MetLimits, lambda core, others, written: MetLimits(core, others, used_zones(core, written)).made(),
          hidden_by=(with_equal_values, with_fewer_guards, PlaceAnswers)),
    _Pass(TakenPlaces, lambda core, others, written: TakenPlaces(core, others, used_zones(core, written)).made()),
    _Pass(with_rules_that_yield, hidden_by=(with_fewer_guards,)),
    _Pass(with_choices_alike),
    _Pass(with_walls_aside),
    _Pass(with_steps_of_siblings, hidden_by=(with_prices_only_needed, ComponentValues, Destinations)),
    _Pass(with_costs_of_the_others),
    _Pass(with_added_values),
    _Pass(PlacesOnTracks),
    _Pass(ThingsLeft),
    _Pass(with_members_tested_again),
    _Pass(with_ranges_from_one_on),
    _Pass(with_equal_values,
          lambda core, others, written: with_equal_values(
              core, others, written["compare"] - comparisons_with_prices(core))),
    _Pass(with_unset_apart, lambda core, others, written: with_unset_apart(core, others, written)),
    _Pass(with_fewer_guards, lambda core, others, written: with_fewer_guards(core, others, written),
          hidden_by=(with_something_else_there,),
          misled_by=(with_conditions_of_siblings, with_conditions_on_like_places)),
    _Pass(with_something_else_there),
    _Pass(with_ways_over_others,
          lambda core, others, written: with_ways_over_others(core, others, written["need"] | written["forbidden"])),
    _Pass(without_the_moved, hidden_by=(Destinations,)),
    _Pass(with_himself, lambda core, others, written: with_himself(core, others, written["define"]),
          hidden_by=(with_the_next_alone,), sees=(with_effects_of_being_brought,)),
    _Pass(with_the_next_alone),
    _Pass(with_things_of_players_out),
    _Pass(with_surplus_carried_over),
    _Pass(with_repetition,
          lambda core, others, written: with_repetition(core, others, written["need"] | written["forbidden"])),
    _Pass(with_conditions_of_siblings,
          lambda core, others, written: with_conditions_of_siblings(core, others, written), sees=(with_equal_values,)),
    _Pass(with_effects_before_answers),
    _Pass(with_the_other_way_round, hidden_by=(with_turns_after_interruptions,)),
    _Pass(with_prices_only_needed),
    _Pass(with_facts_worked_out),
    _Pass(with_facts_that_go_on),
    _Pass(ComponentValues, sees=(with_facts_worked_out,)),
    _Pass(PlaceAnswers, sees=(MetLimits,)),
    _Pass(with_amounts_added_up),
    _Pass(with_once_however_many),
    _Pass(with_halves, misled_by=(Destinations,)),
    _Pass(with_actions_once_a_turn, hidden_by=(with_options_at_other_moments,),
          misled_by=(with_options_at_other_moments,)),
    _Pass(Destinations, lambda core, others, written: Destinations(core, others, written).made(),
          misled_by=(EmptyPiles,), sees=(with_things_of_players_out,)),
    _Pass(Rows),
    _Pass(EmptyPiles),
    _Pass(Newcomers, sees=(MetLimits,)),
    _Pass(with_ends_after_the_round),
    _Pass(with_actions_in_vain),
    _Pass(with_turns_after_interruptions, sees=(MetLimits,)),
    _Pass(with_options_of_like_decisions),
    _Pass(with_effects_of_like_moves, blind_to=(IfScopes, Destinations)),
    _Pass(with_conditions_on_like_places),
    _Pass(with_nothing_else_there),
    _Pass(with_one_kind_alone),
    _Pass(with_options_at_other_moments),
    _Pass(with_steps_by_all),
    _Pass(with_the_start_passed_on, sees=(with_limits_at_other_times,)),
)
"""All passes in their order: each works on what those before it have made. Of the pairs of which nothing is said none
was seen to make a difference to what is found, in the rules of the tests and most bundled ones."""


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
    written = _written(trees)
    for one in PASSES:
        core = one.made(core, others, written)
    return joined(core)


def _written(trees: Sequence[Node]) -> _Written:
    """Where constructs are written in rules, by their kind; those of several lines by their first."""
    found: dict[str, set[Span]] = {kind: set() for kind in _KINDS}
    open_ = [decl for tree in trees for decl in nodes(tree) if decl.kind != "scenario"]
    while open_:
        one = open_.pop()
        if one.kind in found:
            found[one.kind].add(head(one) if one.kind in ("need", "forbidden") else one.span)
        open_.extend(nodes(one))
    return MappingProxyType({kind: frozenset(spans) for kind, spans in found.items()})
