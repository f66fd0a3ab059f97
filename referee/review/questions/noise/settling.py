"""Says of an other answer what settles it: words of the rulebook, a number, or that nobody would ask."""

from __future__ import annotations

import re
from collections.abc import Sequence

from referee.analysis.rule_places import Places
from referee.core.ruleset import Core, SettledQuestion
from referee.frontend.desugaring.strict_comparisons import VALUE
from referee.frontend.desugaring.swapped_effects import ORDER
from referee.frontend.desugaring.triggers import AGAIN
from referee.frontend.expressions.grid_relations import MAPS
from referee.frontend.names.other_answers import OtherAnswer
from referee.frontend.statements.control_statements import NOBODY
from referee.frontend.statements.decisions import FEWER, NEXT_PLAYER, NO_FIXED
from referee.frontend.statements.state_changes import SURPLUS
from referee.other_rules.amounts.counter_answers import AS_OFTEN
from referee.other_rules.amounts.nothing_moved import NOT_NOTHING
from referee.other_rules.amounts.paid_prices import AS_PAID, AS_REQUIRED
from referee.other_rules.amounts.points_said_twice import FOR_EACH_SENTENCE
from referee.other_rules.components.destinations import WHERE_TO
from referee.other_rules.components.place_answers import BESIDES
from referee.other_rules.components.regular_values import OTHER_WAY_ROUND, REGULAR
from referee.other_rules.conditions.guard_answers import ABSENT, NOT_HERE
from referee.other_rules.conditions.repeated_actions import ONCE_A_TURN
from referee.other_rules.likenesses.empty_places import NOTHING_ELSE, SOMETHING_ELSE
from referee.other_rules.likenesses.kinds_counted import OF_THE_KIND
from referee.other_rules.likenesses.repeated_choices import EACH_TIME_THE_SAME
from referee.other_rules.likenesses.ways_over import OVER_OTHERS
from referee.other_rules.moments.broken_turns import BROKEN_OFF
from referee.other_rules.moments.handed_back import GOT_NOW, USED_NOW
from referee.other_rules.moments.last_rounds import ANOTHER_ROUND, LEFT_OUT, NOT_GONE_ROUND, OTHERS_NO_MORE
from referee.other_rules.moments.late_limits import OUT_OF_TURN
from referee.other_rules.moments.options_elsewhere import LAST_ALONE, LATER_TOO
from referee.other_rules.moments.unable_steps import REST_IS_LOST
from referee.other_rules.players.left_to_fate import A_PLAYER
from referee.review.questions.like_lines import cites_of_like_limits
from referee.review.questions.noise.clear_answers import BY_A_WORD, OneAnswer, why_nobody_asks
from referee.review.questions.noise.line_sorts import line_sorts
from referee.review.questions.noise.word_stems import in_turn, speaks_of, stems
from referee.review.questions.sentence_words import SentenceWords
from referee.review.rule_lines import (
    compared_number,
    is_compared,
    moved_and_place,
    offers_several,
    quoted,
    says_who_wins_then,
)

_BY_A_NUMBER = "settled by a number"
_ONE_OF = "one_of"
"""What the lexicon calls the words that name alternatives."""
_STILL_LEVEL = "still_level"
"""What the lexicon calls the words for players whom nothing that decides a tie tells apart."""
_EVERYWHERE = "everywhere"
"""What the lexicon calls the words for what holds of whatever is done."""
_WORDS_OF = {NOT_HERE: _EVERYWHERE, BROKEN_OFF: "rest_of_turn", EACH_TIME_THE_SAME: "all_from_one",
             OF_THE_KIND: "kinds", USED_NOW: "itself", GOT_NOW: "itself", OUT_OF_TURN: "out_of_turn",
             A_PLAYER: "by_lot", LATER_TOO: "this_moment", LAST_ALONE: "this_moment", NOTHING_ELSE: "kinds",
             SOMETHING_ELSE: "kinds", OVER_OTHERS: "over_others",
             LEFT_OUT: "last_round", NOT_GONE_ROUND: "last_round", ANOTHER_ROUND: "another_round",
             OTHERS_NO_MORE: "end_of_round", REST_IS_LOST: "unable",
             NOT_NOTHING: "nothing_moved", FOR_EACH_SENTENCE: "points_again"}
"""What the lexicon calls the words for an answer, if they are others than those for its dimension: that something is a
condition does not say of what."""


class Settling:
    """Says of other answers of one core why they are no question."""

    def __init__(self, core: Core, places: Places, words: SentenceWords) -> None:
        self._core, self._places, self._words = core, places, words
        self._sorts = line_sorts(core)

    def cites(self, other: OtherAnswer) -> tuple[str, ...]:
        """What the lines cite that the answer changes: statements of the rulebook, and assumptions; of the head of an
        action that cites nothing what its first condition does."""
        own = dict.fromkeys(cite for origin in other.origins for cite in origin.cites)
        if own:
            return tuple(own)
        there = dict.fromkeys(cite for origin in other.origins for cite in self._places.cites(origin.span))
        lines = ((origin.span.path, origin.span.line) for origin in other.origins)
        return tuple(there or dict.fromkeys(cite for line in lines for cite in self._sorts.first.get(line, ())))

    def why(self, other: OtherAnswer) -> str:
        """What settles it, in a few words; empty if nothing does."""
        cites = self.cites(other)
        if all(origin.span in self._sorts.read for origin in other.origins):
            return "asked by a reading"
        if all(origin.span in self._sorts.ruled for origin in other.origins):
            return "ruled by the table"
        statements_ = self._core.statements_in(cites)
        if other.dimension == SURPLUS:
            like = (cite for origin in other.origins for cite in cites_of_like_limits(self._core, origin.span))
            statements_ = tuple(dict.fromkeys((*statements_, *self._core.statements_in(like))))
        numbers = other.name in (AS_REQUIRED, AS_PAID)  # that it is paid does not say how many
        dimension = _WORDS_OF.get(other.name, other.dimension)
        if other.name == NOBODY and says_who_wins_then(self._places.text(other.origins[0].span)):
            dimension = _STILL_LEVEL  # what decides first is no answer
        by_word = not numbers and self._words.settling(dimension, statements_) is not None
        if other.dimension == MAPS and self._words.has_open(MAPS, statements_):  # what is defined may be another word
            used = bool(other.origins[0].cites)  # by a line that goes by a definition
            by_word = (used and by_word) or self._words.undefined(MAPS, statements_) is None
        told = other.name in (NO_FIXED, NEXT_PLAYER) and self._words.commanding(statements_) is not None
        if by_word or told or self._by_name(other, statements_) or self._says_it_itself(other, dimension):
            return BY_A_WORD
        return self._by_number(other, statements_) or why_nobody_asks(
            OneAnswer(other, statements_, self._core, self._places, self._words, self._sorts))

    def open_word(self, other: OtherAnswer) -> str:
        """The words of a cited sentence by which it is open; empty if it has none."""
        cites = self._core.statements_in(self.cites(other))
        return self._words.leaving_open(other.dimension, cites, self._core.seats.number) or ""

    def unlike(self, other: OtherAnswer) -> str:
        """The words by which another sentence says of something else what the cited ones do not say; empty if none."""
        cites = self._core.statements_in(self.cites(other))
        if other.name != AS_OFTEN or self._words.settling(AGAIN, cites) is not None:
            return ""
        return self._words.anywhere("in_a_turn") or ""

    def _by_name(self, other: OtherAnswer, cites: Sequence[str]) -> bool:
        """Whether a sentence speaks of the condition that the rules have, of the place where they put something, or of
        the one place of two in which things count."""
        sentences = [self._core.statements.get(cite, "") for cite in cites]
        line = self._places.text(other.origins[0].span)
        if other.name == NO_FIXED and offers_several(line):
            return self._words.settling(_ONE_OF, cites) is not None
        if other.dimension == ORDER and len(other.origins) > 1:
            later = self._places.text(other.origins[1].span)
            both, second = (self._core.statements_in(one.cites) for one in other.origins[:2])
            if self._words.are_steps([cite for cite in both if cite not in second], second):
                return True
            return any(in_turn(one, line, later) for one in sentences)
        if other.name == ABSENT:
            said = stems(quoted(line)) or stems(line)
            return 2 * sum(speaks_of(sentences, one) for one in said) >= len(said)
        if other.name == BESIDES:
            here, beside = (stems(dict(other.said).get(key, "")) for key in ("here", "beside"))
            return any(speaks_of(sentences, one) for one in here if one not in beside) and not any(
                speaks_of(sentences, one) for one in beside)  # fmt: skip
        if other.dimension != WHERE_TO:
            return False
        what, there = moved_and_place(line)
        place, moved = stems(there), stems(what)[1:]
        return any(speaks_of(sentences, one) for one in place) or any(
            speaks_of([text], one) and any(speaks_of([text], other) for other in moved if other not in place)
            for text in self._core.statements.values() for one in place)  # fmt: skip

    def _says_it_itself(self, other: OtherAnswer, dimension: str) -> bool:
        """Whether a condition of rules without a rulebook says it in its own words: there is no other sentence."""
        said = "" if self._core.statements else quoted(self._places.text(other.origins[0].span))
        return self._words.lexicon.settling(dimension, said) is not None

    def _by_number(self, other: OtherAnswer, cites: Sequence[str]) -> str:
        """What a number says that is written: of a comparison with one, how many they are, a condition on a number; one
        more or less is asked only if the statement has none."""
        line = self._places.text(other.origins[0].span)
        if other.name in (AS_REQUIRED, AS_PAID):
            paid = dict(other.said)["paid"]
            return _BY_A_NUMBER if not paid or self._words.numbered(paid) else ""
        odd = dict(other.said)["odd"].split(" and ") if other.name in (OTHER_WAY_ROUND, REGULAR) else []
        if odd and all(map(self._has_its_numbers, odd)):
            return _BY_A_NUMBER
        literal = compared_number(line) if other.dimension == VALUE else ""
        if literal and (not cites or self._words.numbered(literal)):
            return _BY_A_NUMBER
        if other.name == ONCE_A_TURN and other.origins[0].span in self._sorts.priced:  # its number is what it costs
            cites = [cite for cite in cites if cite not in self._sorts.heads]
        both = other.dimension == VALUE and other.origins[0].span in self._sorts.ranges  # one of them has the number
        named = (both or (other.dimension == VALUE and any(map(str.isdigit, line)))
                 or other.name in (FEWER, ONCE_A_TURN)
                 or (other.name in (ABSENT, NOT_HERE) and is_compared(line)))  # fmt: skip
        return _BY_A_NUMBER if named and self._words.has_number(cites) else ""

    def _has_its_numbers(self, name: str) -> bool:
        """Whether a sentence of the rulebook says the numbers of a component."""
        spoken = re.compile(rf"(?<!\w){re.escape(name.replace('_', ' '))}(?!\w)", re.IGNORECASE)
        return any(spoken.search(text) and any(map(str.isdigit, text)) for text in self._core.statements.values())


def settlement_of(settled: Sequence[SettledQuestion], name: str) -> SettledQuestion | None:
    """The answer to a question, which names it, or all that is asked there about the same."""
    return next((one for one in settled if one.question in (name, name.rpartition(".")[0])), None)
