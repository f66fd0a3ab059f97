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
    WITH_THE_ROUND,
)
from referee.frontend.desugaring.strict_comparisons import EQUAL_FAILS, EQUAL_PASSES, VALUE
from referee.frontend.desugaring.swapped_effects import ONE_BY_ONE, ORDER, OTHER_FIRST, OTHER_SIDE
from referee.frontend.desugaring.triggers import AGAIN, FIRST_TIME
from referee.frontend.expressions.grid_relations import CORNERS_TOO, MAPS, SIDES_ONLY
from referee.frontend.expressions.member_sources import NO_TIE_BREAK, PICK, TESTED_AFTER
from referee.frontend.expressions.value_expressions import ROUNDED_UP, ROUNDING
from referee.frontend.names.first_player import NEXT_BEGINS, TURN_ORDER
from referee.frontend.names.other_answers import OtherAnswer
from referee.frontend.statements.control_statements import BOUNDS, NOBODY, OFTEN, ONCE, READ_ONCE
from referee.frontend.statements.decisions import (
    ALL_THERE_ARE,
    FEWER,
    FIXED,
    HOW_MANY,
    MUST,
    NEXT_PLAYER,
    NO_FIXED,
    NOT_NONE,
    PASSES,
    SHORTAGE,
    WHO,
)
from referee.frontend.statements.draws import NONE_THEN, SKIPPED
from referee.frontend.statements.reaction_windows import ANYBODY, CLOSE, STAY_OPEN, WINDOWS
from referee.frontend.statements.state_changes import FOR_GOOD, NO_LIMIT, NOT_AT_ALL, SCOPE, SURPLUS
from referee.other_rules.amounts.amount_answers import ADDED, HALF
from referee.other_rules.amounts.counter_answers import AS_OFTEN, CARRIED, NEVER_AGAIN
from referee.other_rules.amounts.ended_facts import ENDED, GOES_ON
from referee.other_rules.amounts.hand_written_ties import BOTH_IF_LEVEL
from referee.other_rules.amounts.kept_facts import EACH_TIME, FACT
from referee.other_rules.amounts.nothing_moved import NOT_NOTHING
from referee.other_rules.amounts.paid_prices import AS_PAID, AS_REQUIRED, ONLY_NEEDED, PRICE
from referee.other_rules.amounts.points_said_twice import FOR_EACH_SENTENCE
from referee.other_rules.amounts.sums_of_all import ALL_TOGETHER, WHOSE
from referee.other_rules.arrivals.brought_there import ALSO_BROUGHT
from referee.other_rules.arrivals.own_moves_alone import NOT_BROUGHT
from referee.other_rules.components.added_values import NOT_TWICE, PRINTED_ALONE
from referee.other_rules.components.component_values import AS_PRINTED, KEEPS, STATE, TO_THE_TURN, WHICH_VALUE
from referee.other_rules.components.destinations import (
    BACK,
    BOX,
    ELSEWHERE,
    NOT_BACK,
    OTHER_END,
    SHUFFLED,
    STAYS,
    WHERE_TO,
)
from referee.other_rules.components.empty_piles import COMES_BACK
from referee.other_rules.components.map_walls import STOP, THROUGH, WALLS
from referee.other_rules.components.moved_piece import WHICH_SET, WITHOUT_MOVED
from referee.other_rules.components.newcomers import BEFORE
from referee.other_rules.components.place_answers import BESIDES, UNMARKED
from referee.other_rules.components.ranges import NOT_ITSELF, RANGE
from referee.other_rules.components.regular_values import DATA, OTHER_WAY_ROUND, REGULAR
from referee.other_rules.conditions.answered_effects import ANSWERED, EFFECT_FIRST
from referee.other_rules.conditions.changing_members import STILL_SO
from referee.other_rules.conditions.clashing_rules import CLASH, YIELDS
from referee.other_rules.conditions.costs_of_turn import AS_THE_OTHERS, COSTS
from referee.other_rules.conditions.further_options import HERE_TOO, OFFERED
from referee.other_rules.conditions.guard_answers import ABSENT, GUARD, NOT_HERE, UNSET_APART
from referee.other_rules.conditions.if_scopes import ALSO_WHAT_FOLLOWS, IF_SCOPE
from referee.other_rules.conditions.joined_effects import JOINED, ONE_BY_CHOICE
from referee.other_rules.conditions.met_limits import EXCHANGED, GIVEN_UP_FIRST, LIMIT
from referee.other_rules.conditions.mixed_choices import ALL_ALIKE, MIXED, NOT_TWICE_THE_SAME
from referee.other_rules.conditions.needed_targets import NOT_IN_VAIN, TARGETS
from referee.other_rules.conditions.protections import FIRST_ALONE, REST_ALONE
from referee.other_rules.conditions.repeated_actions import ONCE_A_TURN
from referee.other_rules.conditions.sibling_guards import SIBLINGS, THERE_TOO
from referee.other_rules.conditions.sibling_steps import STEP_TOO
from referee.other_rules.conditions.vain_actions import IN_VAIN
from referee.other_rules.conditions.vain_cases import WITHOUT_EFFECT
from referee.other_rules.endings.players_out import GOES_AWAY, OUT
from referee.other_rules.endings.things_left import COUNTS_AGAINST, COUNTS_TOO, LEFT
from referee.other_rules.likenesses.budgets import ONE_OF_THEM
from referee.other_rules.likenesses.empty_places import NOTHING_ELSE, SOMETHING_ELSE
from referee.other_rules.likenesses.kinds_counted import OF_THE_KIND
from referee.other_rules.likenesses.like_moves import WITH_IT_TOO
from referee.other_rules.likenesses.like_places import HERE_AS_WELL
from referee.other_rules.likenesses.repeated_choices import EACH_TIME_THE_SAME
from referee.other_rules.likenesses.shared_effects import NOT_WITH_IT
from referee.other_rules.likenesses.ways_over import OVER_OTHERS
from referee.other_rules.moments.broken_turns import BROKEN_OFF
from referee.other_rules.moments.handed_back import GOT_NOW, USED_NOW
from referee.other_rules.moments.last_rounds import ANOTHER_ROUND, LEFT_OUT, NOT_GONE_ROUND, OTHERS_NO_MORE
from referee.other_rules.moments.late_limits import AFTER_THE_REST, OUT_OF_TURN
from referee.other_rules.moments.options_elsewhere import LAST_ALONE, LATER_TOO
from referee.other_rules.moments.unable_steps import REST_IS_LOST
from referee.other_rules.players.interrupted_turns import AFTER_HIM, SAME_AGAIN
from referee.other_rules.players.left_to_fate import A_PLAYER
from referee.other_rules.players.player_answers import HE_TOO, HIMSELF, NEXT_ONLY, NOT_HE
from referee.other_rules.players.player_rounds import EACH_STEP, PASSES_ON
from referee.other_rules.players.second_choices import SECOND_IF_NOT
from referee.other_rules.players.unasked_effects import LEFT_IF_HE_LIKES
from referee.other_rules.players.ways_round import THE_OTHER_WAY, WAY
from referee.other_rules.tracks.closed_rows import STAYS_EMPTY
from referee.other_rules.tracks.places_on_tracks import LED_ON, SENT_BACK, SHARED, THERE_TOO_ON_TRACK, TURNS_BACK
from referee.other_rules.tracks.rows import AT_OTHER_END, END_THAT_IS_TAKEN, INTO_GAP, ROWS
from referee.other_rules.tracks.taken_places import REFUSED, REPLACED, TAKEN


@dataclass(frozen=True, slots=True)
class Dimension:
    """What a question is about. `asks`: what is open, in a sentence. The words that settle it stand in `words/`."""

    name: str
    asks: str


@dataclass(frozen=True, slots=True)
class Reply:
    """Another answer: what the rules say now, and what they would say, each as a rulebook could word it. `asks`: what
    is open, if it is asked in other words than those of the dimension; `names`: these say what it is about."""

    dimension: str
    name: str
    now: str
    then: str
    asks: str = ""
    names: bool = False


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
    Dimension(TURN_ORDER, "who is the first, and is he chosen, or drawn by lot?"),
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
    Dimension(ANSWERED, "has it happened when it is answered?"),
    Dimension(WAY, "which way round does the turn go?"),
    Dimension(RANGE, "is the place itself within reach?"),
    Dimension(TARGETS, "may it be done in vain?"),
    Dimension(LEFT, "does what a player still has count at the end?"),
    Dimension(OUT, "what becomes of what a player has who is out?"),
    Dimension(LIMIT, "and if he has as many as he may have?"),
    Dimension(OFFERED, "may it be done here too?"),
    Dimension(LED_ON, "does the place count to which one is led?"),
    Dimension(SHARED, "may two stand at one place?"),
    Dimension(ROWS, "where in the row does it go?"),
    Dimension(IF_SCOPE, "does the condition hold for what follows too?"),
    Dimension(JOINED, "both, or one of the two?"),
    Dimension(DATA, "is this value right?"),
    Dimension(WHOSE, "of one player, or of all together?"),
    Dimension(STATE, "does it begin anew, or keep what it had?"),
    Dimension(WALLS, "does a wall stop it?"),
    Dimension(TAKEN, "and if something lies there already?"),
    Dimension(CLASH, "and if both cannot be met?"),
    Dimension(OFTEN, "for each of them, or once?"),
    Dimension(ENDED, "does this end it?"),
    Dimension(COSTS, "what does it take from the turn?"),
    Dimension(MIXED, "may they be mixed, or the same?"),
    Dimension(ROUNDING, "what of a part that is no whole one?"),
)}  # fmt: skip
ANSWERS: Mapping[tuple[str, str], Reply] = {(one.dimension, one.name): one for one in (
    Reply(WHEN, AFTER_ACTION, "at once, as soon as it is so", "once the action is carried out to its end"),
    Reply(WHEN, END_OF_TURN, "at once, as soon as it is so", "at the end of the turn"),
    Reply(WHEN, END_OF_ROUND, "at once, as soon as it is so", "at the end of the round, after equal turns for all"),
    Reply(RUN_DRY, WHEN_NEEDED, "as soon as it is empty", "when something is to be drawn from it"),
    Reply(ORDER, OTHER_FIRST, "in the order of the rules: the first, then the second", "the second, then the first"),
    Reply(ORDER, ONE_BY_ONE, "at once: both look at what was there before",
          "one after the other: the second looks at what the first has left"),
    Reply(WHO, NEXT_PLAYER, "the player named by the rules chooses", "the next player (of two: the other) chooses",
          "which player chooses this?"),
    Reply(WHO, NOBODY, "of several all win", "of several nobody wins", "and if several are level, who wins?"),
    Reply(WHO, NEXT_ONLY, "any whom the rules allow", "always the next player round the table",
          "may it be any of them, or the next player alone?"),
    Reply(WHO, ANYBODY, "the player named by the rules alone", "all others may, he first", "which players may answer?"),
    Reply(MUST, FIXED, "he may leave it", "he must, if he can"),
    Reply(MUST, NO_FIXED, "he must", "he may leave it"),
    Reply(MUST, PASSES, "he must do one of these, as long as he can", "he may pass and do none of them",
          "must a player do this if he can, or may he pass?"),
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
    Reply(GUARD, NOT_HERE, "here too", "elsewhere, and not here", "does this condition hold here too?"),
    Reply(GUARD, UNSET_APART, "two that have none are alike", "one that has none is like no other"),
    Reply(HIMSELF, HE_TOO, "all others, not he himself", "he himself too"),
    Reply(HIMSELF, NOT_HE, "all, also he himself", "all others, not he himself"),
    Reply(WHICH_SET, WITHOUT_MOVED, "with what has just come there", "without it, only what lay there before"),
    Reply(TURN_ORDER, NEXT_BEGINS, "the player named by the rules is the first", "the next player is the first"),
    Reply(WINDOWS, STAY_OPEN, "after an answer nobody else is asked", "all are asked, also after an answer"),
    Reply(WINDOWS, CLOSE, "after an answer all are asked again", "after an answer nobody else is asked"),
    Reply(PICK, NO_TIE_BREAK, "of those tied this decides", "it does not count, they stay tied",
          "where several are the best, does this decide among them?"),
    Reply(PICK, TESTED_AFTER, "the best of those for whom the condition holds",
          "the best of all, and nobody if it does not hold for them",
          "is the best looked for among all, or among those for whom the condition holds?"),
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
    Reply(MAPS, SIDES_ONLY, "also across a corner", "over the sides alone, not across a corner",
          "does what lies across a corner count as well?"),
    Reply(ANSWERED, EFFECT_FIRST, "it is answered before it happens", "it happens, and is answered then"),
    Reply(WAY, THE_OTHER_WAY, "the turn goes round the way that the rules have", "the turn goes round the other way"),
    Reply(RANGE, NOT_ITSELF, "also what is no step away", "only what is one step away or more"),
    Reply(AGAIN, ONCE_A_TURN, "as often as he can", "once a turn"),
    Reply(WHEN, WITH_THE_ROUND, "at the end of the turn in which it is so",
          "at the end of the round, after equal turns for all"),
    Reply(BOUNDS, READ_ONCE, "as many as it says each time", "as many as it says at the beginning",
          "is it counted once, or each time?"),
    Reply(SURPLUS, TURNS_BACK, "it stops at the end", "it goes back from the end by what is too much"),
    Reply(WHICH_VALUE, PRINTED_ALONE, "with what was added to it", "what is printed on it alone",
          "does what was added to it count here?"),
    Reply(SCOPE, NOT_TWICE, "each time it is added anew", "a second time takes the place of the first",
          "does it add up?"),
    Reply(WHICH_SET, STILL_SO, "all of whom it is so at the beginning",
          "each of whom it is still so when he is reached", "and if that changes on the way?"),
    Reply(SIBLINGS, STEP_TOO, "with this action alone", "with the like action too"),
    Reply(OFFERED, HERE_TOO, "only where the rules have it", "here too"),
    Reply(OFTEN, ONCE, "for each of them", "once, however many there are"),
    Reply(ENDED, GOES_ON, "with this it is over", "it goes on after this"),
    Reply(COSTS, AS_THE_OTHERS, "it is done besides what else is done in a turn", "it counts as the others do"),
    Reply(LIMIT, GIVEN_UP_FIRST, "then he may not", "he gives one up first"),
    Reply(LIMIT, EXCHANGED, "then he may not", "he may, and gives one up then"),
    Reply(LEFT, COUNTS_TOO, "it does not count", "it counts too"),
    Reply(LEFT, COUNTS_AGAINST, "it does not count", "it counts against him"),
    Reply(OUT, GOES_AWAY, "it stays where it is", "it is taken out of the game"),
    Reply(LED_ON, THERE_TOO_ON_TRACK, "no, only the place where one has come by his own move",
          "yes, what is there happens as well"),
    Reply(LED_ON, ALSO_BROUGHT, "no, only after the moves that are meant for it",
          "yes, it happens to whom or what another rule brings there",
          "if the first brings somebody or something to a place: does the second happen there as well?"),
    Reply(LED_ON, NOT_BROUGHT, "yes, whatever brings him there", "no, only after a move of his own",
          "the first is no move of his own: does the second happen where it brings him to?"),
    Reply(SHARED, SENT_BACK, "any number", "one alone: who stood there goes back to the start"),
    Reply(ROWS, AT_OTHER_END, "at that end", "at the other end"),
    Reply(ROWS, END_THAT_IS_TAKEN, "at that end", "at the other end",
          "another rule takes from one of the ends of this row: at which end is this laid?"),
    Reply(ROWS, INTO_GAP, "at an end, the others close up", "where there is a gap"),
    Reply(WINDOWS, OTHER_SIDE, "in this order: the first of the two lines, and then the second",
          "the second of the two first", "is it answered before that is chosen, or after?"),
    Reply(AGAIN, FIRST_TIME, "each time when it comes to be so", "the first time only"),
    Reply(IF_SCOPE, ALSO_WHAT_FOLLOWS,
          "what follows happens in any case", "what follows happens under this condition too"),
    Reply(IF_SCOPE, FIRST_ALONE, "from all that happens here", "from the first of it alone, the rest happens",
          "who owns that is kept from this: from all of it, or from a part alone?"),
    Reply(IF_SCOPE, REST_ALONE, "from all that happens here", "from all but the first of it, which happens",
          "who owns that is kept from this: from all of it, or from a part alone?"),
    Reply(JOINED, ONE_BY_CHOICE, "both happen", "one of the two, as the player chooses"),
    Reply(PICK, BOTH_IF_LEVEL, "if they are level neither happens", "if they are level both happen",
          "and if they are level?"),
    Reply(DATA, REGULAR, "as it is printed", "as with all others"),
    Reply(WHOSE, ALL_TOGETHER, "what this player has", "what all players have together"),
    Reply(TARGETS, IN_VAIN, "only if there is something to choose",
          "also if there is nothing: then nothing comes of it"),
    Reply(WALLS, THROUGH, "a wall stops it", "also past a wall"),
    Reply(WALLS, STOP, "also past a wall", "a wall stops it"),
    Reply(TAKEN, REPLACED, "only where nothing lies", "also where something lies, which goes away"),
    Reply(TAKEN, REFUSED, "what lies there goes away", "only where nothing lies"),
    Reply(CLASH, YIELDS, "then it cannot be done", "one of the two does not count then"),
    Reply(MIXED, ALL_ALIKE, "they may be mixed", "all must be alike"),
    Reply(MIXED, NOT_TWICE_THE_SAME, "it may be the same twice", "never the same twice"),
    Reply(PRICE, AS_REQUIRED, "so many are required, and others so many are paid", "as many are paid as are required"),
    Reply(PRICE, AS_PAID, "so many are required, and others so many are paid", "only as many are required as are paid"),
    Reply(TURN_ORDER, AFTER_HIM, "the turn passes on as if nobody had come between",
          "the turn passes on from who came between", "who has the turn then?"),
    Reply(TURN_ORDER, SAME_AGAIN, "the turn passes on as if nobody had come between",
          "who had the turn has it again", "who has the turn then?"),
    Reply(DATA, OTHER_WAY_ROUND, "as it is printed", "the other way round"),
    Reply(TARGETS, NOT_IN_VAIN, "also if there is nothing to choose: then nothing comes of it",
          "only if there is something to choose"),
    Reply(WHEN, BROKEN_OFF, "who has the turn plays it to its end", "nothing more is done in that turn",
          "the end comes in the middle of a turn: is that turn played to its end?"),
    Reply(WHICH_SET, USED_NOW, "not what is used to do it", "also what is used to do it",
          "may it be what is used now?"),
    Reply(WHICH_SET, GOT_NOW, "only what he had before", "also what he has just got",
          "may it be what he has just got?"),
    Reply(WHEN, AFTER_THE_REST, "here, before the rest of the turn", "at the end of the turn, after all the rest",
          "too much is given up: before the rest of the turn, or at its end?"),
    Reply(LIMIT, OUT_OF_TURN, "he gives it up when his own turn comes to that",
          "he gives it up in the turn in which he gets it",
          "and if somebody gets too many in the turn of another?"),
    Reply(WHO, A_PLAYER, "it is drawn by lot", "the player who begins chooses it",
          "who decides this: a player, or the lot?"),
    Reply(WHICH_SET, NOTHING_ELSE, "what else lies there does not count", "nothing else may lie there either"),
    Reply(WHICH_SET, SOMETHING_ELSE, "nothing else may lie there either", "what else lies there does not count"),
    Reply(GUARD, OVER_OTHERS, "not over what stands on the way", "also over what stands on the way",
          "may it pass over others on the way?"),
    Reply(SIBLINGS, NOT_WITH_IT, "with both", "with the first of the two alone"),
    Reply(OFFERED, LATER_TOO, "here alone", "later in the turn too"),
    Reply(OFFERED, LAST_ALONE, "at each of these moments", "at the last of them alone"),
    Reply(ROWS, STAYS_EMPTY, "the next one takes its place at once", "nothing lies there until the row is closed up"),
    Reply(COSTS, ONE_OF_THEM, "it is done besides", "it counts among the others"),
    Reply(TARGETS, WITHOUT_EFFECT, "only if it has an effect", "also if it has no effect: then nothing comes of it"),
    Reply(MIXED, EACH_TIME_THE_SAME, "each time it may be another", "each time the same"),
    Reply(WHICH_SET, OF_THE_KIND, "all that lie there", "those of one kind alone"),
    Reply(SIBLINGS, WITH_IT_TOO, "with this action alone", "with the like action too"),
    Reply(SIBLINGS, HERE_AS_WELL, "for this action alone", "for the other action too"),
    Reply(WHEN, LEFT_OUT, "it is done in the last round as in any other",
          "not in the last round, once the end is settled",
          "is this still done in the round in which the end comes?"),
    Reply(ROUNDING, ROUNDED_UP, "it is rounded down: a part counts for nothing",
          "it is rounded up: a part counts as a whole one"),
    Reply(HOW_MANY, NOT_NOTHING, "also if it comes to nothing", "only if it comes to something",
          "may it be done if it comes to nothing?"),
    Reply(OFTEN, FOR_EACH_SENTENCE, "once: both sentences speak of the same points",
          "twice: each sentence gives its own",
          "are these points got once, or for each of the sentences that speak of them?"),
    Reply(MUST, REST_IS_LOST, "the rest of the turn goes on without it", "nothing of the rest of the turn is done",
          "and who can do none of this: does his turn go on?"),
    Reply(MUST, SECOND_IF_NOT, "one of the two, as the player likes", "the second only if the first cannot be done",
          "may the second be done by who could do the first?"),
    Reply(MUST, LEFT_IF_HE_LIKES, "it happens in any case", "whoever brings it about may leave it",
          "must this be done, or may it be left?"),
    Reply(WHEN, NOT_GONE_ROUND, "the round is played to its end, as many times round as ever",
          "once it is so they do not go round again",
          "do they go round once more in the round in which the end comes?"),
    Reply(WHEN, OTHERS_NO_MORE, "all who come after still have their turn in that round", "nobody else has a turn",
          "does whoever comes after still have his turn in the round in which the end comes?"),
    Reply(WHEN, ANOTHER_ROUND, "that round is the last", "one more round is played, and that is the last",
          "and if it comes about only at the end of a round: is one more played?"),
)}  # fmt: skip
_GOES = "where does it go: to {there}?"
_NAMING: Mapping[tuple[str, str], tuple[str, str, str]] = {
    (ORDER, OTHER_FIRST): ("{first} first, then {second}", "{second} first, then {first}",
                           "which comes first, {first} or {second}?"),
    (GUARD, ABSENT): ("only where {label}", "whether or not {label}",
                      "{act}: is it a condition that {label}?"),
    (GUARD, NOT_HERE): ("{act} too only where {label}", "{act} whether or not {label}",
                        "does it hold for {act} as for {there} that {label}?"),
    (SIBLINGS, THERE_TOO): ("for {here} alone", "for {there} too",
                            "{label}: does this hold for {there} as for {here}?"),
    (AGAIN, ONCE_A_TURN): ("{act} as often as he can", "{act} once a turn", "how often may a player {act} in a turn?"),
    (TARGETS, IN_VAIN): ("a player may {act} only if there is a {what} to choose",
                         "a player may {act} also if there is no {what}: the rest of it happens",
                         "may a player {act} if there is no {what} to choose?"),
    (JOINED, ONE_BY_CHOICE): ("both happen when a player may {act}", "he chooses one of the two",
                              "{act}: do both happen, or one of the two?"),
    (DATA, REGULAR): ("{odd} differ in {table}, as is printed",
                      "{odd} have the {table} of all others with their {column}",
                      "is the {table} of {odd} right? all others with the same {column} have another"),
    (DATA, OTHER_WAY_ROUND): ("{odd} have the {table} that is printed", "{odd} have each other's {table}",
                        "is the {table} of {odd} exchanged? of all others it goes with the {column}"),
    (TAKEN, REPLACED): ("a player may {act} only where nothing lies",
                        "a player may {act} where something lies too: that goes away",
                        "{act}: and if something lies there already?"),
    (TAKEN, REFUSED): ("a player may {act} where something lies: that goes away",
                       "a player may {act} only where nothing lies",
                       "{act}: and if something lies there already?"),
    (CLASH, YIELDS): ("{act}: then there is none that he may choose",
                      "{act}: then it need not be so that {second}",
                      "{act}: and if there is none with which {first}, and {second}?"),
    (MIXED, ALL_ALIKE): ("{act}: they may have any {column}", "{act}: all have the same {column}",
                         "{act}: may those that are chosen together have any {column}?"),
    (MIXED, NOT_TWICE_THE_SAME): ("{act}: it may be the same twice", "{act}: never the same twice",
                                  "{act}: may it be the same twice?"),
    (PRICE, AS_REQUIRED): ("{needed} are required and {paid} paid", "{needed} are required and {needed} paid",
                           "{act}: how many are paid?"),
    (PRICE, AS_PAID): ("{needed} are required and {paid} paid", "{paid} are required and {paid} paid",
                       "{act}: how many are paid?"),
    (WHOSE, ALL_TOGETHER): ("the {what} of this player", "the {what} of all players together",
                            "is it the {what} of one player, or of all together?"),
    (SIBLINGS, STEP_TOO): ("with {here} alone", "with {there} too", "does this happen with {there} too?"),
    (OFFERED, HERE_TOO): ("here a player may only {here}", "here a player may {act} too",
                          "may a player also {act}, where he may {here}?"),
    (COSTS, AS_THE_OTHERS): ("a player may {act} besides what else he does in his turn",
                             "who may {act} uses as much of his turn as with the others",
                             "{act}: is it done besides, or does it count as the others do?"),
    (LIMIT, GIVEN_UP_FIRST): ("who has as many in his {there} may not {act}",
                              "who has as many in his {there} gives one of them up first",
                              "may a player {act} who has as many in his {there} as he may have?"),
    (LIMIT, EXCHANGED): ("who has as many in his {there} may not {act}",
                         "who has as many in his {there} gives one of them up then, the new one or another",
                         "may a player {act} who has as many in his {there} as he may have?"),
    (LEFT, COUNTS_TOO): ("{here} alone counts", "what a player still has in his {beside} counts too",
                         "does what a player still has in his {beside} at the end count?"),
    (LEFT, COUNTS_AGAINST): ("{here} alone counts", "what a player still has in his {beside} counts against him",
                             "does what a player still has in his {beside} at the end count?"),
    (SHARED, SENT_BACK): ("any number of players", "one alone: who stood there goes back to the start",
                          "may two players have the same {place}?"),
    (ROWS, AT_OTHER_END): ("at one end of the {row}", "at the other end of the {row}",
                           "at which end of the {row} is it laid?"),
    (ROWS, INTO_GAP): ("at the end of the {row}, which closes up", "where there is a gap in the {row}",
                       "is a gap in the {row} filled, or does the {row} close up?"),
    (TARGETS, NOT_IN_VAIN): ("a player may {act} also if there is nothing to choose, and nothing comes of it",
                             "a player may {act} only if there is something to choose",
                             "may a player {act} if there is nothing to choose?"),
    (WHICH_SET, SOMETHING_ELSE): ("{act}: a place with {kind} is not empty",
                                  "{act}: a place with {kind} is empty all the same",
                                  "{act}: is a place empty where {kind} lies?"),
    (GUARD, OVER_OTHERS): ("{act}: not over what stands on the way", "{act}: also over what stands on the way",
                           "{act}: may it pass over others on the way?"),
    (WHICH_SET, NOTHING_ELSE): ("{act}: a place with {kind} is empty all the same",
                                "{act}: a place with {kind} is not empty",
                                "{act}: is a place empty where {kind} lies?"),
    (SIBLINGS, NOT_WITH_IT): ("with {there} as with {here}", "with {here} alone",
                              "does this come with {there} as with {here}?"),
    (OFFERED, LATER_TOO): ("a player may {act} only here", "a player may {act} later in his turn too",
                           "{act}: only at this moment of the turn, or later in it too?"),
    (OFFERED, LAST_ALONE): ("a player may {act} at each of these moments",
                            "a player may {act} at the last of them alone",
                            "{act}: at any of several moments of the turn, or at the last of them alone?"),
    (ROWS, STAYS_EMPTY): ("the next of the {row} counts as the one that lies there",
                          "nothing lies there until the {row} is closed up",
                          "what lay at that end of the {row} was taken in this turn: does the next one count as it?"),
    (WHICH_SET, USED_NOW): ("{act}: not what is used to do it", "{act}: also what is used to do it",
                            "{act}: may it be what is used to do it?"),
    (WHICH_SET, GOT_NOW): ("{act}: who gives something back chooses of what he had before",
                           "{act}: he gets the other first, and may give that back",
                           "{act}: may it be what he has just got?"),
    (COSTS, ONE_OF_THEM): ("{there} is done besides", "{there} is one of the times that one may {here}",
                           "does {there} count as one of the times that one may {here}?"),
    (TARGETS, WITHOUT_EFFECT): ("{act}: only if {label}", "{act}: also if not, and then nothing comes of it",
                                "{act}: may it be done without any effect, if it is not so that {label}?"),
    (MIXED, EACH_TIME_THE_SAME): ("{act} several times: each time with any {what}",
                                  "{act} several times: each time with the same {what}",
                                  "{act} several times in a row: may it be another {what} each time?"),
    (WHICH_SET, OF_THE_KIND): ("{rest} counts as {kind} there", "{rest} does not count as {kind}",
                               "does {rest} count as {kind} here?"),
    (SIBLINGS, WITH_IT_TOO): ("with {here} alone", "with {there} too", "does this come with {there} as with {here}?"),
    (SIBLINGS, HERE_AS_WELL): ("for {here} alone", "for {there} too",
                               "{label}: does this hold for {there} as for {here}?"),
    (MUST, SECOND_IF_NOT): ("{first} or {second}, as the player likes", "{second} only for who cannot {first}",
                            "{first} or {second}: as the player likes, or {second} only if he cannot {first}?"),
    (WHERE_TO, STAYS): ("it goes to {there}", "it stays where it is", _GOES),
    (WHERE_TO, ELSEWHERE): ("it goes to {there}", "it goes to {other}", _GOES),
    (WHERE_TO, BACK): ("it goes to {there}", "it goes back to the {other} of who used it", _GOES),
    (WHERE_TO, BOX): ("it goes to {there}, and may come back", "it is out of the game", _GOES),
    (WHICH_SET, BEFORE): ("also what has only just come to {there}", "only what lay in {there} before this turn",
                          "{act}: may it be what has only just come to {there}?"),
    (WHICH_SET, BESIDES): ("what lies in {here} alone", "also what lies in {beside}", "what counts: {here} alone?"),
}
"""By answer what the rules say, what they would say and what is asked, where what it is about has names."""
_WITH_LINE = ((SIBLINGS, STEP_TOO), (SIBLINGS, NOT_WITH_IT), (ROWS, STAYS_EMPTY),
              (SIBLINGS, WITH_IT_TOO), (WHICH_SET, OF_THE_KIND), (WHOSE, ALL_TOGETHER),
              (JOINED, ONE_BY_CHOICE))
"""What is asked of a line, and not of what it names alone."""
_OR_NOT = "whether or not it is not so that "
_RANK = {key: number for number, key in enumerate(ANSWERS)}


def answer_of(other: OtherAnswer) -> Reply:
    """What an other answer means, in words that name what it is about where that is known."""
    plain, fuller = ANSWERS[other.dimension, other.name], _NAMING.get((other.dimension, other.name))
    said = dict(other.said)
    if fuller is None or not said:
        return plain
    now, then, asks = (one.format_map(said).replace(_OR_NOT, "whether or not ") for one in fuller)
    return replace(plain, now=now, then=then, asks=asks, names=(other.dimension, other.name) not in _WITH_LINE)


def rank(other: OtherAnswer) -> int:
    """Where it stands in the catalogue."""
    return _RANK[other.dimension, other.name]
