"""How many questions of each kind readers found worth asking: kinds of which that are few are told last.

Questions raised without knowing any declaration (`--blind`), of five rulebooks that come along and of six others, were
read by two or three people each who knew the rulebook and nothing of the rules (28 November 2026). What the majority
took for asked in vain is counted as that; what was worth asking and asked badly is counted as worth asking.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.frontend.names.other_answers import OtherAnswer

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
    "bounds.read_once": Judged(0, 1), "data.exchanged_values": Judged(0, 1), "data.regular_value": Judged(0, 1),
    "fact.each_time": Judged(1, 1), "guard.absent": Judged(2, 11), "himself.he_too": Judged(0, 4),
    "how_many.at_least_one": Judged(0, 3), "how_many.up_to": Judged(0, 1), "limit.given_up_first": Judged(1, 2),
    "maps.corners_too": Judged(3, 3), "must.may": Judged(0, 4), "must.must": Judged(0, 1),
    "offered.here_too": Judged(1, 1), "order.one_after_the_other": Judged(1, 1), "order.the_other_first": Judged(1, 2),
    "price.only_needed": Judged(0, 1), "range.not_itself": Judged(1, 7), "rows.at_the_other_end": Judged(0, 3),
    "scope.to_the_end_of_the_turn": Judged(0, 4), "shortage.what_was_used_comes_back": Judged(1, 1),
    "siblings.there_too": Judged(0, 2), "siblings.this_step_too": Judged(0, 2), "state.keeps_what_it_had": Judged(0, 1),
    "surplus.no_limit": Judged(0, 1), "taken_place.replaced": Judged(0, 2), "targets.also_in_vain": Judged(0, 1),
    "targets.not_in_vain": Judged(1, 3), "turn_order.the_next_begins": Judged(0, 1), "value.equal_fails": Judged(0, 2),
    "value.equal_passes": Judged(1, 3), "way_round.the_other_way": Judged(0, 1), "when.end_of_turn": Judged(0, 1),
    "where_to.back_to_hand": Judged(0, 3), "where_to.not_back": Judged(1, 2), "where_to.out_of_the_game": Judged(0, 2),
    "where_to.stays": Judged(1, 1), "which_set.also_what_lies_beside": Judged(0, 2),
    "which_set.only_the_unmarked": Judged(0, 1), "which_set.only_what_lay_there_before_the_turn": Judged(0, 4),
    "who.anybody_else": Judged(1, 1), "who.nobody_of_several": Judged(1, 1), "who.the_next_only": Judged(1, 1),
    "who.the_next_player": Judged(1, 4), "windows.one_answer": Judged(0, 1),
}  # fmt: skip
"""By dimension and answer; kinds of which none was read are not there."""


def is_seldom(other: OtherAnswer) -> bool:
    """Whether few questions of the kind were worth asking."""
    found = JUDGED.get(f"{other.dimension}.{other.name}")
    return found is not None and found.of >= ENOUGH and found.share < LEAST
