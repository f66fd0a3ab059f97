"""How many questions of each kind readers found worth asking: kinds of which that are few are told last.

Questions raised without knowing any declaration (`--blind`), of five rulebooks that come along and of twelve others,
were read by two or three people each who knew the rulebook and nothing of the rules (28 and 29 November 2026). What the
majority took for asked in vain is counted as that; what was worth asking and asked badly is counted as worth asking.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LEAST = 0.35
"""The share, one more of each assumed, from which on a kind is told with the first."""
ENOUGH = 3
"""So many questions of a kind have to have been read before it is told last: one in vain says nothing of the next."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Of how many questions of a kind how many were worth asking."""

    worth: int
    of: int

    @property
    def share(self) -> float:
        """What is to be expected of the next one (Laplace's rule of succession)."""
        return (self.worth + 1) / (self.of + 2)


JUDGED: Mapping[str, Judged] = {
    "again.as_often_as_able": Judged(0, 5), "again.once_a_game": Judged(0, 1), "bounds.half_of_them": Judged(0, 1),
    "bounds.read_once": Judged(0, 1), "data.exchanged_values": Judged(0, 1), "data.regular_value": Judged(0, 2),
    "fact.each_time": Judged(1, 2), "for_each.once_however_many": Judged(0, 3), "guard.absent": Judged(2, 11),
    "guard.not_here": Judged(0, 1), "himself.he_too": Judged(0, 4), "how_many.at_least_one": Judged(0, 3),
    "how_many.up_to": Judged(0, 1), "limit.given_up_first": Judged(2, 3), "maps.corners_too": Judged(3, 3),
    "maps.sides_only": Judged(1, 1), "mixed.all_alike": Judged(0, 1), "must.may": Judged(0, 4),
    "must.must": Judged(0, 2), "offered.here_too": Judged(1, 1), "order.one_after_the_other": Judged(1, 1),
    "order.the_other_first": Judged(1, 3), "price.only_needed": Judged(0, 1), "range.not_itself": Judged(1, 7),
    "rows.at_the_other_end": Judged(0, 4), "run_dry.when_needed": Judged(0, 1),
    "scope.to_the_end_of_the_turn": Judged(0, 4), "shortage.what_was_used_comes_back": Judged(1, 2),
    "siblings.there_too": Judged(0, 2), "siblings.this_step_too": Judged(0, 2),
    "state.keeps_what_it_had": Judged(0, 1), "surplus.no_limit": Judged(0, 1), "surplus.not_at_all": Judged(1, 3),
    "taken_place.replaced": Judged(0, 2), "targets.also_in_vain": Judged(0, 1), "targets.not_in_vain": Judged(1, 3),
    "turn_order.the_next_begins": Judged(0, 1), "value.equal_fails": Judged(0, 4), "value.equal_passes": Judged(3, 6),
    "way_round.the_other_way": Judged(0, 1), "when.after_the_action": Judged(0, 1), "when.broken_off": Judged(0, 2),
    "when.end_of_turn": Judged(0, 1), "where_to.back_to_hand": Judged(0, 3), "where_to.not_back": Judged(1, 3),
    "where_to.out_of_the_game": Judged(0, 2), "where_to.stays": Judged(1, 1),
    "which_set.also_what_lies_beside": Judged(0, 2), "which_set.nothing_else_there": Judged(1, 1),
    "which_set.only_the_unmarked": Judged(0, 1), "which_set.only_what_lay_there_before_the_turn": Judged(0, 4),
    "who.anybody_else": Judged(1, 1), "who.nobody_of_several": Judged(1, 1), "who.the_next_only": Judged(1, 2),
    "who.the_next_player": Judged(1, 4), "windows.one_answer": Judged(0, 1), "words.already_one_there": Judged(0, 1),
    "words.also_diagonally": Judged(1, 1), "words.also_in_hand": Judged(0, 1),
    "words.at_any_time_also_when": Judged(0, 1), "words.besides_the_action": Judged(0, 2),
    "words.can_do_none": Judged(0, 2), "words.card_in_vain": Judged(2, 2), "words.counts_as_for_what": Judged(0, 1),
    "words.discards_open": Judged(2, 2), "words.draw_too_few": Judged(0, 3), "words.each_time_for_each": Judged(0, 1),
    "words.empty_of_what": Judged(1, 3), "words.empty_when": Judged(0, 3),
    "words.end_again_in_the_last": Judged(0, 2), "words.enough_for_each": Judged(0, 1),
    "words.equal_in_that_too": Judged(0, 1), "words.equal_turns": Judged(0, 1), "words.exact_steps": Judged(0, 1),
    "words.exception_elsewhere": Judged(0, 1), "words.excess_which": Judged(0, 2),
    "words.extras_together": Judged(0, 2), "words.filled_how_far": Judged(0, 2),
    "words.gained_from_supply": Judged(0, 1), "words.give_up_freely": Judged(0, 2), "words.hands_open": Judged(0, 3),
    "words.how_often_in_a_turn": Judged(1, 1), "words.in_the_same_way": Judged(0, 1),
    "words.in_two_sets": Judged(1, 1), "words.instead_in_all": Judged(1, 3), "words.last_of_the_round": Judged(0, 4),
    "words.last_one_drawn_how": Judged(1, 1), "words.last_turn_whole": Judged(0, 2),
    "words.limit_and_what_else": Judged(0, 2), "words.limit_full": Judged(0, 3),
    "words.limit_out_of_turn": Judged(0, 2), "words.majority_of_nothing": Judged(0, 1),
    "words.may_pass": Judged(2, 5), "words.moved_later": Judged(0, 1), "words.needed_and_not_there": Judged(0, 1),
    "words.new_ones_too_few": Judged(0, 1), "words.no_room_to_retreat": Judged(0, 1),
    "words.nobody_gets_there": Judged(0, 1), "words.nobody_himself": Judged(0, 1), "words.not_so_far": Judged(0, 1),
    "words.nothing_to_give": Judged(1, 1), "words.nothing_to_give_up": Judged(0, 1),
    "words.of_any_kind": Judged(0, 1), "words.once_by_whom": Judged(0, 1), "words.once_or_each_time": Judged(0, 1),
    "words.one_of_the_new": Judged(1, 1), "words.paid_for_each": Judged(0, 1), "words.passed_over": Judged(0, 1),
    "words.points_for_unfinished": Judged(0, 1), "words.put_down_again": Judged(1, 1),
    "words.rest_of_the_round": Judged(0, 3), "words.same_one_back": Judged(2, 2),
    "words.seen_before_giving": Judged(0, 2), "words.several_others_there": Judged(1, 1),
    "words.shuffled_in_again": Judged(0, 1), "words.side_as_who_sees_it": Judged(0, 1),
    "words.so_again_after_it": Judged(0, 1), "words.spent_when": Judged(0, 1), "words.starting_player": Judged(0, 1),
    "words.still_of_the_rule": Judged(0, 1), "words.straight_diagonally": Judged(1, 3),
    "words.taken_or_left": Judged(0, 1), "words.target_with_most": Judged(0, 2),
    "words.the_new_one_too": Judged(0, 1), "words.there_already_again": Judged(0, 1), "words.to_none": Judged(3, 3),
    "words.turns_on_the_way": Judged(0, 1), "words.values_used_up": Judged(0, 1), "words.void_counted": Judged(0, 1),
    "words.where_lost": Judged(0, 1), "words.which_is_given_up": Judged(1, 1), "words.which_opponent": Judged(0, 1),
    "words.whichever_owner": Judged(0, 1),
}  # fmt: skip
"""By dimension and answer, or by the row of the wording; kinds of which none was read are not there."""


def is_seldom(kind: str) -> bool:
    """Whether few questions of a kind were worth asking."""
    found = JUDGED.get(kind)
    return found is not None and found.of >= ENOUGH and found.share < LEAST
