"""Other answers that nobody asks about, although no word and no number of the line settles them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import NamedTuple

from referee.analysis.rule_places import Places
from referee.core.ruleset import Core
from referee.diagnostics.source import Span
from referee.frontend.desugaring.later_moments import AFTER_ACTION, END_OF_TURN
from referee.frontend.desugaring.strict_comparisons import VALUE
from referee.frontend.desugaring.swapped_effects import ORDER
from referee.frontend.expressions.grid_relations import CORNERS_TOO, MAPS, SIDES_ONLY
from referee.frontend.names.first_player import NEXT_BEGINS
from referee.frontend.names.other_answers import OtherAnswer
from referee.frontend.statements.control_statements import NOBODY, ONCE
from referee.frontend.statements.decisions import HOW_MANY, NO_FIXED, PASSES
from referee.frontend.statements.state_changes import FOR_GOOD, NOT_AT_ALL
from referee.other_rules.amounts.counter_answers import NEVER_AGAIN
from referee.other_rules.amounts.paid_prices import AS_PAID, AS_REQUIRED
from referee.other_rules.amounts.points_said_twice import FOR_EACH_SENTENCE
from referee.other_rules.amounts.sums_of_all import ALL_TOGETHER
from referee.other_rules.components.destinations import BOX, STAYS, WHERE_TO
from referee.other_rules.components.map_walls import WALLS
from referee.other_rules.components.newcomers import BEFORE
from referee.other_rules.components.ranges import RANGE
from referee.other_rules.conditions.answered_effects import ANSWERED
from referee.other_rules.conditions.further_options import HERE_TOO
from referee.other_rules.conditions.guard_answers import ABSENT, NOT_HERE
from referee.other_rules.conditions.sibling_steps import STEP_TOO
from referee.other_rules.likenesses.budgets import ONE_OF_THEM
from referee.other_rules.likenesses.empty_places import NOTHING_ELSE, SOMETHING_ELSE
from referee.other_rules.likenesses.kinds_counted import OF_THE_KIND
from referee.other_rules.moments.last_rounds import ANOTHER_ROUND, LEFT_OUT, NOT_GONE_ROUND, OTHERS_NO_MORE
from referee.other_rules.moments.options_elsewhere import LAST_ALONE, LATER_TOO
from referee.other_rules.players.interrupted_turns import AFTER_HIM, SAME_AGAIN
from referee.other_rules.players.player_answers import HIMSELF, NEXT_ONLY
from referee.other_rules.players.ways_round import WAY
from referee.review.questions.lexicon import WHOM
from referee.review.questions.like_lines import is_read_after_the_turn
from referee.review.questions.noise.line_sorts import LineSorts
from referee.review.questions.noise.word_stems import speaks_of, stems
from referee.review.questions.sentence_words import SentenceWords
from referee.review.rule_lines import compares_the_same, is_chosen, offers_several

BY_ITSELF, BY_A_WORD = "clear by itself", "settled by a word"
"""Why an answer is no question."""
_TIES, _MOMENT, _NOTHING_THERE = "ties", "some_moment", "nothing_there"
"""What the lexicon calls the words for players who are level, for a moment, and for places that are empty."""
_BETWEEN = "interruption"
"""What the lexicon calls the words for somebody who comes between; an answer within a turn is none."""
_PASSING = "passing"
"""What the lexicon calls the words for who does nothing in his turn."""
_FIRST_OF_ALL = "first_of_all"
"""What the lexicon calls the words for who has the first turn of the game."""
_SAID_ALONE = (ALL_TOGETHER, AS_PAID, AS_REQUIRED, ANSWERED, HERE_TOO, STEP_TOO, ORDER, RANGE, WAY, NOT_AT_ALL,
               FOR_GOOD, NEVER_AGAIN, ABSENT, NOT_HERE, ONCE, LEFT_OUT, NOT_GONE_ROUND, ANOTHER_ROUND, OTHERS_NO_MORE,
               CORNERS_TOO, SIDES_ONLY, WHERE_TO, VALUE)  # fmt: skip
"""Dimensions and answers that nobody asks about unless a sentence speaks of the line."""
_NAME = re.compile(r"(?<=[a-z] )[A-Z][a-z]{2,}")


@dataclass(frozen=True, slots=True)
class OneAnswer:
    """An other answer to a line, with the statements that are cited for it."""

    other: OtherAnswer
    cites: Sequence[str]
    core: Core
    places: Places
    words: SentenceWords
    sorts: LineSorts

    @property
    def span(self) -> Span:
        """Where the line stands, the first of them if the answer changes several."""
        return self.other.origins[0].span

    @property
    def line(self) -> str:
        """The text of that line."""
        return self.places.text(self.span)

    def said(self, what: str) -> str | None:
        """What a question would name."""
        return dict(self.other.said).get(what)

    def is_open(self, dimension: str) -> bool:
        """Whether a word of what is cited leaves it open."""
        return bool(self.words.leaving_open(dimension, self.cites, self.core.seats.number))

    def declared_as(self, kind: str) -> bool:
        """Whether the line stands in a declaration of a kind."""
        declared = self.places.declaration(self.span)
        return declared is not None and declared.kind == kind

    def share_a_word(self) -> bool:
        """Whether the sentences of two lines have a word in common that few other sentences have."""
        one, two = ({stem for cite in self.core.statements_in(at.cites)
                     for stem in stems(self.core.statements.get(cite, ""))} for at in self.other.origins[:2])
        return any(map(self._is_rare, one & two))

    def two_have_the_number(self) -> bool:
        """Whether two sentences with the number that is said twice stand far apart, or have a word in common that no
        third of these has and few others, or a name."""
        said = {cite: self.core.statements.get(cite, "") for cite in self.cites}
        words = {cite: {*filter(self._is_rare, stems(text)), *_NAME.findall(text)} for cite, text in said.items()}
        number = self.said("number") or ""
        having = [cite for cite in self.cites if self.words.has_this_number(cite, number)]
        return any(self.words.far_apart(one, two) or any(sum(word in found for found in words.values()) == 2
                                                         for word in words[one] & words[two])
                   for one, two in combinations(having, 2))

    def _is_rare(self, stem: str) -> bool:
        """Whether few sentences have a word."""
        rare = max(3, len(self.core.statements) // 10)
        return sum(speaks_of([text], stem) for text in self.core.statements.values()) <= rare

    def names_one_kind(self) -> bool:
        """Whether a sentence speaks of things of one kind where others may lie too."""
        said, sentences = dict(self.other.said), [self.core.statements.get(cite, "") for cite in self.cites]
        return speaks_of(sentences, said["kind"]) and not any(
            speaks_of(sentences, one) for one in (*said["kinds"].split(), *said["rest"].split(" or ")))

    def compares_who_is_level(self) -> bool:
        """Whether two players are compared by the same, and no sentence that is cited leaves open what if they are
        level, but another says it."""
        return (compares_the_same(self.line) and bool(self.words.anywhere(_TIES))
                and not self.is_open(_TIES))  # fmt: skip

    def names_players_itself(self) -> bool:
        """Whether rules without a rulebook name certain players in all lines that the answer changes."""
        return not self.core.statements and {one.span.first_line for one in self.other.origins} < self.sorts.naming


class _Clear(NamedTuple):
    """Answers, by what they or their dimension is called, that nobody asks about if something holds; and why."""

    of: Collection[str]
    if_: Callable[[OneAnswer], object]
    why: str = BY_ITSELF


def _not_open(one: OneAnswer, dimension: str = "") -> bool:
    """Whether no word leaves it open: what a line is about, if nothing else is said."""
    return not one.is_open(dimension or one.other.dimension)


_NOT_ASKED = (
    _Clear([NEXT_ONLY], partial(_not_open, dimension=WHOM)),
    # what comes again when a position does is nobody's own:
    _Clear([HIMSELF], lambda one: one.declared_as("position")),
    # nobody is compared with anybody, so nobody is level:
    _Clear([NOBODY], lambda one: one.span in one.sorts.won_alone),
    _Clear([BEFORE, NEVER_AGAIN], _not_open),
    # nobody reads before the turn is over what is noted:
    _Clear([AFTER_ACTION, END_OF_TURN], lambda one: is_read_after_the_turn(one.core, one.other.origins[0])),
    # it goes by a definition, and its sentence has no word of its own for it:
    _Clear([MAPS], lambda one: one.other.origins[0].cites and not one.words.has_open(MAPS, one.cites)),
    # nobody is told to do something: it says what there is to do:
    _Clear([PASSES], lambda one: not offers_several(one.line) and one.words.commanding(one.cites) is None),
    # whoever would leave it takes what is always possible:
    _Clear([NO_FIXED, PASSES], lambda one: one.span in one.sorts.idle),
    # the rules offer it, and say when:
    _Clear([PASSES], lambda one: one.span in one.sorts.passes),
    # nothing is chosen: it happens to him:
    _Clear([NO_FIXED], lambda one: one.span in one.sorts.sole),
    # how far is looked for the first, the last, the nearest:
    _Clear([VALUE], lambda one: one.span in one.sorts.picked),
    _Clear([AFTER_HIM, SAME_AGAIN], partial(_not_open, dimension=_BETWEEN)),
    # a step within a turn is carried out, what is used goes away, and what is shuffled comes back:
    _Clear([STAYS], _not_open),
    _Clear([NO_FIXED], lambda one: not is_chosen(one.line) and _not_open(one)),
    _Clear([BOX], lambda one: one.said("there") in one.sorts.shuffled and _not_open(one)),
    # no word speaks of a moment, or of places that are empty:
    _Clear([LATER_TOO, LAST_ALONE], lambda one: one.words.settling(_MOMENT, one.cites) is None),
    _Clear([NOTHING_ELSE, SOMETHING_ELSE], lambda one: one.words.settling(_NOTHING_THERE, one.cites) is None),
    # no two sentences speak of these points:
    _Clear([FOR_EACH_SENTENCE], lambda one: not one.two_have_the_number()),
    # the two have nothing in common but the moment:
    _Clear([ONE_OF_THEM], lambda one: not one.share_a_word()),
    # the sentence speaks of all, or of none:
    _Clear([OF_THE_KIND], lambda one: not one.names_one_kind()),
    _Clear([WAY, WALLS], lambda one: one.words.anywhere(one.other.dimension), BY_A_WORD),
    _Clear([PASSES], lambda one: one.words.anywhere(_PASSING) or one.words.settling(HOW_MANY, one.cites), BY_A_WORD),
    _Clear([NEXT_BEGINS], lambda one: one.span in one.sorts.course and one.words.anywhere(_FIRST_OF_ALL), BY_A_WORD),
    # of players whom the rules tell apart they name the first themselves:
    _Clear([NEXT_BEGINS], lambda one: one.span in one.sorts.course and one.names_players_itself()),
    _Clear(_SAID_ALONE, lambda one: not one.cites),
    _Clear([VALUE], OneAnswer.compares_who_is_level),
)


def why_nobody_asks(one: OneAnswer) -> str:
    """What makes it clear, in a few words: the first of these that holds; empty if none does."""
    called = (one.other.dimension, one.other.name)
    return next((row.why for row in _NOT_ASKED if any(name in row.of for name in called) and row.if_(one)), "")
