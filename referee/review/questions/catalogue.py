"""What can be asked of rules: for each dimension and other answer the question, and both answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from referee.frontend.desugaring.later_moments import (
    AFTER_ACTION,
    END_OF_ROUND,
    END_OF_TURN,
    RUN_DRY,
    WHEN,
    WHEN_NEEDED,
)
from referee.frontend.desugaring.strict_comparisons import EQUAL_FAILS, EQUAL_PASSES, VALUE
from referee.frontend.desugaring.swapped_effects import ONE_BY_ONE, ORDER, OTHER_FIRST
from referee.frontend.expressions.grid_relations import CORNERS_TOO, MAPS
from referee.frontend.expressions.member_sources import NO_TIE_BREAK, PICK, TESTED_AFTER
from referee.frontend.names.first_player import NEXT_BEGINS, TURN_ORDER
from referee.frontend.names.other_answers import OtherAnswer
from referee.frontend.statements.control_statements import NOBODY
from referee.frontend.statements.decisions import (
    ALL_THERE_ARE,
    FEWER,
    FIXED,
    HOW_MANY,
    MUST,
    NEXT_PLAYER,
    NO_FIXED,
    NOT_NONE,
    SHORTAGE,
    WHO,
)
from referee.frontend.statements.draws import NONE_THEN, SKIPPED
from referee.frontend.statements.reaction_windows import ANYBODY, CLOSE, STAY_OPEN, WINDOWS
from referee.frontend.statements.state_changes import FOR_GOOD, NO_LIMIT, NOT_AT_ALL, SCOPE, SURPLUS
from referee.other_rules.amount_answers import ADDED, BOUNDS, HALF
from referee.other_rules.component_values import AS_PRINTED, KEEPS, STATE, TO_THE_TURN, WHICH_VALUE
from referee.other_rules.counter_answers import AGAIN, AS_OFTEN, CARRIED, NEVER_AGAIN
from referee.other_rules.destinations import BACK, BOX, ELSEWHERE, NOT_BACK, OTHER_END, SHUFFLED, STAYS, WHERE_TO
from referee.other_rules.empty_piles import COMES_BACK
from referee.other_rules.guard_answers import ABSENT, GUARD, UNSET_APART
from referee.other_rules.kept_facts import EACH_TIME, FACT
from referee.other_rules.moved_piece import WHICH_SET, WITHOUT_MOVED
from referee.other_rules.newcomers import BEFORE
from referee.other_rules.paid_prices import ONLY_NEEDED, PRICE
from referee.other_rules.place_answers import BESIDES, UNMARKED
from referee.other_rules.player_answers import HE_TOO, HIMSELF, NEXT_ONLY, NOT_HE
from referee.other_rules.player_rounds import EACH_STEP, PASSES_ON
from referee.other_rules.repeated_actions import ONCE_A_TURN
from referee.other_rules.sibling_guards import SIBLINGS, THERE_TOO


@dataclass(frozen=True, slots=True)
class Dimension:
    """What a question is about. `asks`: what is open, in a sentence. The words that settle it stand in `words/`."""

    name: str
    asks: str


@dataclass(frozen=True, slots=True)
class Reply:
    """Another answer: what the rules say now, and what they would say, each as a rulebook could word it. `asks`: what
    is open, if it is asked in other words than those of the dimension."""

    dimension: str
    name: str
    now: str
    then: str
    asks: str = ""


DIMENSIONS: Mapping[str, Dimension] = {one.name: one for one in (
    Dimension(WHEN, "when does this happen?"),
    Dimension(RUN_DRY, "when is it filled up again?"),
    Dimension(ORDER, "which of the two comes first?"),
    Dimension(WHO, "who decides, or whose is it?"),
    Dimension(MUST, "is it left to the player, or must he?"),
    Dimension(HOW_MANY, "may it be fewer?"),
    Dimension(SURPLUS, "what becomes of what is too much?"),
    Dimension(VALUE, "and if the two are equal?"),
    Dimension(WHERE_TO, "where does it go?"),
    Dimension(AGAIN, "how often can it be done?"),
    Dimension(GUARD, "is this a condition at all?"),
    Dimension(HIMSELF, "does who acts count too?"),
    Dimension(WHICH_SET, "which of them count?"),
    Dimension(TURN_ORDER, "who is the first?"),
    Dimension(WINDOWS, "can it still be answered then?"),
    Dimension(PICK, "which are the best, and of which?"),
    Dimension(SHORTAGE, "and if there are not enough?"),
    Dimension(SCOPE, "for how long?"),
    Dimension(SIBLINGS, "does this hold for the like action too?"),
    Dimension(PRICE, "is it paid, or must it only be there?"),
    Dimension(FACT, "is it so from then on, or each time anew?"),
    Dimension(WHICH_VALUE, "which value counts?"),
    Dimension(BOUNDS, "is it this number, or does it change with another?"),
    Dimension(MAPS, "what lies beside it: also over a corner?"),
    Dimension(STATE, "does it begin anew, or keep what it had?"),
)}  # fmt: skip
ANSWERS: Mapping[tuple[str, str], Reply] = {(one.dimension, one.name): one for one in (
    Reply(WHEN, AFTER_ACTION, "at once, as soon as it is so", "once the action is carried out to its end"),
    Reply(WHEN, END_OF_TURN, "at once, as soon as it is so", "at the end of the turn"),
    Reply(WHEN, END_OF_ROUND, "at once, as soon as it is so", "at the end of the round, after equal turns for all"),
    Reply(RUN_DRY, WHEN_NEEDED, "as soon as it is empty", "when something is to be drawn from it"),
    Reply(ORDER, OTHER_FIRST, "in the order of the rules: the first, then the second", "the second, then the first"),
    Reply(ORDER, ONE_BY_ONE, "at once: both look at what was there before",
          "one after the other: the second looks at what the first has left"),
    Reply(WHO, NEXT_PLAYER, "the player named by the rules chooses", "the next player (of two: the other) chooses"),
    Reply(WHO, NOBODY, "of several all win", "of several nobody wins"),
    Reply(WHO, NEXT_ONLY, "any whom the rules allow", "always the next player round the table"),
    Reply(WHO, ANYBODY, "the player named by the rules alone", "all others may, he first"),
    Reply(MUST, FIXED, "he may leave it", "he must, if he can"),
    Reply(MUST, NO_FIXED, "he must", "he may leave it"),
    Reply(HOW_MANY, FEWER, "exactly so many", "up to so many, also none"),
    Reply(HOW_MANY, NOT_NONE, "also none", "at least one, if there is one"),
    Reply(SURPLUS, NOT_AT_ALL, "as far as the limit, the rest is lost", "not at all, where it would pass the limit"),
    Reply(VALUE, EQUAL_PASSES, "equal is not enough", "equal is enough"),
    Reply(VALUE, EQUAL_FAILS, "equal is enough", "equal is not enough"),
    Reply(SURPLUS, NO_LIMIT, "as far as the limit, the rest is lost", "the limit is none here"),
    Reply(SURPLUS, ADDED, "it is set anew, what was left is lost", "it is added to what was left"),
    Reply(BOUNDS, HALF, "always this number", "half of what it is half of now"),
    Reply(SURPLUS, CARRIED, "it starts anew, and what is more than the mark is lost", "what is more than that is kept"),
    Reply(WHERE_TO, STAYS, "it goes away, to where the rules put it", "it stays where it is"),
    Reply(WHERE_TO, ELSEWHERE, "it goes where the rules put it", "it goes where others go that have been used"),
    Reply(WHERE_TO, BACK, "it goes where the rules put it", "it goes back to who used it"),
    Reply(WHERE_TO, BOX, "it goes where the rules put it, and may come back", "it is out of the game"),
    Reply(WHERE_TO, NOT_BACK, "it is shuffled in, and may be drawn again", "it stays out"),
    Reply(WHERE_TO, OTHER_END, "it goes to that end of the pile", "it goes to the other end of the pile"),
    Reply(WHERE_TO, SHUFFLED, "it lies where it was put", "it is shuffled into the pile"),
    Reply(AGAIN, AS_OFTEN, "not again, until it is set back", "as often as he can"),
    Reply(AGAIN, NEVER_AGAIN, "again, once it is set back", "once a game"),
    Reply(GUARD, ABSENT, "only under this condition", "also if it does not hold"),
    Reply(GUARD, UNSET_APART, "two that have none are alike", "one that has none is like no other"),
    Reply(HIMSELF, HE_TOO, "all others, not he himself", "he himself too"),
    Reply(HIMSELF, NOT_HE, "all, also he himself", "all others, not he himself"),
    Reply(WHICH_SET, WITHOUT_MOVED, "with what has just come there", "without it, only what lay there before"),
    Reply(TURN_ORDER, NEXT_BEGINS, "the player named by the rules is the first", "the next player is the first"),
    Reply(WINDOWS, STAY_OPEN, "after an answer nobody else is asked", "all are asked, also after an answer"),
    Reply(WINDOWS, CLOSE, "after an answer all are asked again", "after an answer nobody else is asked"),
    Reply(PICK, NO_TIE_BREAK, "of those tied this decides", "it does not count, they stay tied"),
    Reply(PICK, TESTED_AFTER, "the best of those for whom the condition holds",
          "the best of all, and nobody if it does not hold for them"),
    Reply(SHORTAGE, ALL_THERE_ARE, "exactly so many, or it does not happen", "as many as there are"),
    Reply(SHORTAGE, COMES_BACK, "there is nothing to draw", "what was used is shuffled in first"),
    Reply(SHORTAGE, SKIPPED, "one must be there", "if there is none, nothing happens"),
    Reply(SHORTAGE, NONE_THEN, "as many as there are", "none, if there are not enough"),
    Reply(SCOPE, FOR_GOOD, "for a while, then as before", "for good"),
    Reply(SCOPE, TO_THE_TURN, "for good", "until the end of the turn"),
    Reply(SIBLINGS, THERE_TOO, "for this action alone", "for the like action too"),
    Reply(PRICE, ONLY_NEEDED, "it is paid", "it must be there, and is kept"),
    Reply(FACT, EACH_TIME, "it is noted when it happens, and stays so", "it changes with what it hangs on"),
    Reply(STATE, KEEPS, "it begins anew", "it keeps what it had"),
    Reply(WHICH_VALUE, AS_PRINTED, "the value that it has now", "the value that is printed on it"),
    Reply(WHICH_SET, BESIDES, "what lies there alone", "also what lies in the like place beside it"),
    Reply(WHICH_SET, UNMARKED, "all that lie there, in whatever state", "only those that are in no special state"),
    Reply(ORDER, EACH_STEP, "each does all of it before the next player begins",
          "all do the first part of it, and then all the second", "does each do all of it at one go?"),
    Reply(WHICH_SET, BEFORE, "also what has only just come there", "only what lay there before the turn"),
    Reply(TURN_ORDER, PASSES_ON, "the same player begins each time", "each time the next player begins",
          "who begins the next time?"),
    Reply(MAPS, CORNERS_TOO, "over the sides alone, not across a corner", "also across a corner",
          "does what lies across a corner count as well?"),
    Reply(AGAIN, ONCE_A_TURN, "as often as he can", "once a turn"),
)}  # fmt: skip
_GOES = "where does it go: to {there}?"
_NAMING: Mapping[tuple[str, str], tuple[str, str, str]] = {
    (ORDER, OTHER_FIRST): ("{first} first, then {second}", "{second} first, then {first}",
                           "which comes first, {first} or {second}?"),
    (GUARD, ABSENT): ("only where {label}", "also where it is not so that {label}",
                      "{act}: is it a condition that {label}?"),
    (SIBLINGS, THERE_TOO): ("for {here} alone", "for {there} too",
                            "{label}: does this hold for {there} as for {here}?"),
    (AGAIN, ONCE_A_TURN): ("{act} as often as he can", "{act} once a turn", "how often may a player {act} in a turn?"),
    (WHERE_TO, STAYS): ("it goes to {there}", "it stays where it is", _GOES),
    (WHERE_TO, ELSEWHERE): ("it goes to {there}", "it goes to {other}", _GOES),
    (WHERE_TO, BACK): ("it goes to {there}", "it goes back to the {other} of who used it", _GOES),
    (WHERE_TO, BOX): ("it goes to {there}, and may come back", "it is out of the game", _GOES),
    (WHICH_SET, BEFORE): ("also what has only just come to {there}", "only what lay in {there} before this turn",
                          "{act}: may it be what has only just come to {there}?"),
    (WHICH_SET, BESIDES): ("what lies in {here} alone", "also what lies in {beside}", "what counts: {here} alone?"),
}
"""By answer what the rules say, what they would say and what is asked, where what it is about has names."""
_RANK = {key: number for number, key in enumerate(ANSWERS)}


def answer_of(other: OtherAnswer) -> Reply:
    """What an other answer means, in words that name what it is about where that is known."""
    plain, fuller = ANSWERS[other.dimension, other.name], _NAMING.get((other.dimension, other.name))
    said = dict(other.said)
    if fuller is None or not said:
        return plain
    now, then, asks = (one.format_map(said) for one in fuller)
    return replace(plain, now=now, then=then, asks=asks)


def rank(other: OtherAnswer) -> int:
    """Where it stands in the catalogue."""
    return _RANK[other.dimension, other.name]
