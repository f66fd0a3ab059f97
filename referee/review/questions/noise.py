"""What is no question: an other answer that words of the rulebook, a number or the author have settled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from itertools import combinations

from referee.analysis.rule_places import Places
from referee.core.expr import (
    All,
    And,
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    If,
    Local,
    Members,
    Op,
    Operator,
    Or,
    Where,
)
from referee.core.naming import LANGUAGE
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Core, Form, SettledQuestion
from referee.core.stmt import Action, Branch, Decide, Finish, Gap, Merge, Move, Unspecified, origin_of
from referee.core.traverse import bodies, inner_blocks, itself, rewrite, rules_of, statements, walk
from referee.core.types import PLAYER, Elem, SetOf
from referee.diagnostics.source import Span
from referee.frontend.desugaring.later_moments import AFTER_ACTION, END_OF_TURN
from referee.frontend.desugaring.strict_comparisons import VALUE
from referee.frontend.desugaring.swapped_effects import ORDER
from referee.frontend.desugaring.triggers import AGAIN
from referee.frontend.expressions.grid_relations import CORNERS_TOO, MAPS, SIDES_ONLY
from referee.frontend.names.first_player import NEXT_BEGINS
from referee.frontend.names.other_answers import SELECTOR, OtherAnswer
from referee.frontend.statements.control_statements import NOBODY, ONCE
from referee.frontend.statements.decisions import FEWER, HOW_MANY, NEXT_PLAYER, NO_FIXED, PASS, PASSES
from referee.frontend.statements.state_changes import FOR_GOOD, NOT_AT_ALL, SURPLUS
from referee.other_rules.amounts.counter_answers import AS_OFTEN, NEVER_AGAIN
from referee.other_rules.amounts.nothing_moved import NOT_NOTHING
from referee.other_rules.amounts.paid_prices import AS_PAID, AS_REQUIRED
from referee.other_rules.amounts.points_said_twice import FOR_EACH_SENTENCE
from referee.other_rules.amounts.sums_of_all import ALL_TOGETHER
from referee.other_rules.components.destinations import BOX, STAYS, WHERE_TO
from referee.other_rules.components.map_walls import WALLS
from referee.other_rules.components.newcomers import BEFORE
from referee.other_rules.components.place_answers import BESIDES
from referee.other_rules.components.ranges import RANGE
from referee.other_rules.components.regular_values import OTHER_WAY_ROUND, REGULAR
from referee.other_rules.conditions.answered_effects import ANSWERED
from referee.other_rules.conditions.further_options import HERE_TOO
from referee.other_rules.conditions.guard_answers import ABSENT, NOT_HERE
from referee.other_rules.conditions.repeated_actions import ONCE_A_TURN
from referee.other_rules.conditions.sibling_steps import STEP_TOO
from referee.other_rules.likenesses.budgets import ONE_OF_THEM
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
from referee.other_rules.players.interrupted_turns import AFTER_HIM, SAME_AGAIN
from referee.other_rules.players.left_to_fate import A_PLAYER
from referee.other_rules.players.player_answers import HIMSELF, NEXT_ONLY
from referee.other_rules.players.ways_round import WAY
from referee.review.questions.lexicon import WHOM
from referee.review.questions.like_lines import cites_of_like_limits, is_read_after_the_turn
from referee.review.questions.sentence_words import SentenceWords
from referee.review.rule_lines import (
    compared_number,
    compares_the_same,
    is_chosen,
    is_compared,
    moved_and_place,
    offers_several,
    quoted,
    says_who_wins_then,
)

STEM = 4
"""Words that begin with so many letters alike are taken for the same: names in rules are short, and a sentence has them
with any ending."""
LITTLE = ("that", "this", "they", "them", "there", "here", "with", "have", "what", "which", "where", "when", "each",
          "some", "more", "than", "only", "your", "their")  # fmt: skip
"""Words that say nothing of what a sentence is about."""
_ONE_OF, _TIES = "one_of", "ties"
"""What the lexicon calls the words that name alternatives, and those for players who are level."""
_SAID_ALONE = (ALL_TOGETHER, AS_PAID, AS_REQUIRED, ANSWERED, HERE_TOO, STEP_TOO, ORDER, RANGE, WAY, NOT_AT_ALL,
               FOR_GOOD, NEVER_AGAIN, ABSENT, NOT_HERE, ONCE, LEFT_OUT, NOT_GONE_ROUND, ANOTHER_ROUND, OTHERS_NO_MORE,
               CORNERS_TOO, SIDES_ONLY, WHERE_TO)  # fmt: skip
"""Dimensions and answers that nobody asks about unless a sentence speaks of the line."""
_ONLY_IF_OPEN = (BEFORE, NEVER_AGAIN)
"""Answers that nobody asks about unless a word leaves it open."""
_STILL_LEVEL = "still_level"
"""What the lexicon calls the words for players whom nothing that decides a tie tells apart."""
_EVERYWHERE = "everywhere"
"""What the lexicon calls the words for what holds of whatever is done."""
_BETWEEN = "interruption"
"""What the lexicon calls the words for somebody who comes between; an answer within a turn is none."""
_PASSING = "passing"
"""What the lexicon calls the words for who does nothing in his turn."""
_WORDS_OF = {NOT_HERE: _EVERYWHERE, BROKEN_OFF: "rest_of_turn", EACH_TIME_THE_SAME: "all_from_one",
             OF_THE_KIND: "kinds", USED_NOW: "itself", GOT_NOW: "itself", OUT_OF_TURN: "out_of_turn",
             A_PLAYER: "by_lot", LATER_TOO: "this_moment", LAST_ALONE: "this_moment", NOTHING_ELSE: "kinds",
             SOMETHING_ELSE: "kinds", OVER_OTHERS: "over_others",
             LEFT_OUT: "last_round", NOT_GONE_ROUND: "last_round", ANOTHER_ROUND: "another_round",
             OTHERS_NO_MORE: "end_of_round", REST_IS_LOST: "unable",
             NOT_NOTHING: "nothing_moved", FOR_EACH_SENTENCE: "points_again"}
"""What the lexicon calls the words for an answer, if they are others than those for its dimension: that something is a
condition does not say of what."""
_ONLY_WHERE_SAID = {LATER_TOO: "some_moment", LAST_ALONE: "some_moment", NOTHING_ELSE: "nothing_there",
                    SOMETHING_ELSE: "nothing_there"}
"""What the lexicon calls the words without which nobody asks for an answer."""
_FIRST_OF_ALL = "first_of_all"
"""What the lexicon calls the words for who has the first turn of the game."""
_AT_MOST, _AT_LEAST = (Operator.LT, Operator.LE), (Operator.GT, Operator.GE)
_NAME = re.compile(r"(?<=[a-z] )[A-Z][a-z]{2,}")


class Settling:
    """Says of other answers of one core why they are no question."""

    def __init__(self, core: Core, places: Places, words: SentenceWords) -> None:
        self._core, self._places, self._words = core, places, words
        self._read, self._ruled = frozenset(_in_readings(core)), frozenset(_in_rulings(core))
        self._shuffled = {place.zone.replace("_", " ") for body in bodies(core) for merge in statements(body, Merge)
                          for place in merge.sources}  # fmt: skip
        self._idle = {one.point.origin.span for body in bodies(core) for one in statements(body, Decide)
                      if len(one.options) > 1
                      and any(_is_always_possible(core.actions[option.action]) for option in one.options)}  # fmt: skip
        self._passes = {one.point.origin.span for body in bodies(core) for one in statements(body, Decide)
                        if any(_is_passing(core.actions[option.action]) for option in one.options)}  # fmt: skip
        onto = (one for body in bodies(core) for one in statements(body, Move)
                if core.zones[one.to.zone].form is Form.PILE)  # fmt: skip
        self._shuffled |= {one.source.zone.replace("_", " ") for one in onto}
        self._sole = {one.point.origin.span for body in bodies(core) for one in statements(body, Decide)
                      if len(one.options) == 1 and not core.actions[one.options[0].action].params}  # fmt: skip
        self._picked, self._ranges = frozenset(_ends_of_picks(core)), frozenset(_ends_of_ranges(core))
        self._heads = {cite for one in core.actions.values() for cite in one.origin.cites}
        self._priced = {one.origin.span for one in core.actions.values() if _has_a_price(one)}
        self._course = {origin_of(one).span for one in statements(core.main)}
        self._first = {(one.origin.span.path, one.origin.span.line): one.guards[0].origin.cites
                       for one in core.actions.values() if one.guards}  # fmt: skip
        named = [Elem(PLAYER, seat, seat) for seat in range(core.seats.number)]
        player = Elem(PLAYER, 0, core.seats.number - 1)
        self._for_its_own_sake = {one.origin.span for body in bodies(core) for one in statements(body, Finish)
                                  if _wins_for_its_own_sake(one.winners, player)}  # fmt: skip
        self._naming = {one.span.first_line for one in walk(rules_of(core), Const)
                        if one.span is not None and one.type in named}  # fmt: skip

    def cites(self, other: OtherAnswer) -> tuple[str, ...]:
        """What the lines cite that the answer changes: statements of the rulebook, and assumptions; of the head of an
        action that cites nothing what its first condition does."""
        own = dict.fromkeys(cite for origin in other.origins for cite in origin.cites)
        if own:
            return tuple(own)
        there = dict.fromkeys(cite for origin in other.origins for cite in self._places.cites(origin.span))
        lines = ((origin.span.path, origin.span.line) for origin in other.origins)
        return tuple(there or dict.fromkeys(cite for line in lines for cite in self._first.get(line, ())))

    def why(self, other: OtherAnswer) -> str:
        """What settles it, in a few words; empty if nothing does."""
        cites = self.cites(other)
        if all(origin.span in self._read for origin in other.origins):
            return "asked by a reading"
        if all(origin.span in self._ruled for origin in other.origins):
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
            return "settled by a word"
        return self._by_number(other, statements_) or self._by_itself(other, statements_)

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
            return any(_in_turn(one, line, later) for one in sentences)
        if other.name == ABSENT:
            said = _said(quoted(line)) or _said(line)
            return 2 * sum(_speaks_of(sentences, one) for one in said) >= len(said)
        if other.name == BESIDES:
            here, beside = (_said(dict(other.said).get(key, "")) for key in ("here", "beside"))
            return any(_speaks_of(sentences, one) for one in here if one not in beside) and not any(
                _speaks_of(sentences, one) for one in beside)  # fmt: skip
        if other.dimension != WHERE_TO:
            return False
        what, there = moved_and_place(line)
        place, moved = _said(there), _said(what)[1:]
        return any(_speaks_of(sentences, one) for one in place) or any(
            _speaks_of([text], one) and any(_speaks_of([text], other) for other in moved if other not in place)
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
            return "settled by a number" if not paid or self._words.numbered(paid) else ""
        odd = dict(other.said)["odd"].split(" and ") if other.name in (OTHER_WAY_ROUND, REGULAR) else []
        if odd and all(map(self._has_its_numbers, odd)):
            return "settled by a number"
        literal = compared_number(line) if other.dimension == VALUE else ""
        if literal and (not cites or self._words.numbered(literal)):
            return "settled by a number"
        if other.name == ONCE_A_TURN and other.origins[0].span in self._priced:  # its number is what it costs
            cites = [cite for cite in cites if cite not in self._heads]
        both = other.dimension == VALUE and other.origins[0].span in self._ranges  # one of them has the number
        named = (both or (other.dimension == VALUE and any(map(str.isdigit, line)))
                 or other.name in (FEWER, ONCE_A_TURN)
                 or (other.name in (ABSENT, NOT_HERE) and is_compared(line)))  # fmt: skip
        return "settled by a number" if named and self._words.has_number(cites) else ""

    def _share_a_word(self, other: OtherAnswer) -> bool:
        """Whether the sentences of two lines have a word in common that few other sentences have."""
        one, two = ({word for cite in self._core.statements_in(at.cites)
                     for word in _said(self._core.statements.get(cite, ""))} for at in other.origins[:2])
        return any(map(self._is_rare, one & two))

    def _two_have(self, number: str, cites: Sequence[str]) -> bool:
        """Whether two sentences with a number stand far apart, or have a word in common that no third of these has and
        few others, or a name."""
        said = {cite: self._core.statements.get(cite, "") for cite in cites}
        words = {cite: {*filter(self._is_rare, _said(text)), *_NAME.findall(text)} for cite, text in said.items()}
        having = [cite for cite in cites if self._words.has_this_number(cite, number)]
        return any(self._words.far_apart(one, two) or any(sum(word in found for found in words.values()) == 2
                                                          for word in words[one] & words[two])
                   for one, two in combinations(having, 2))

    def _is_rare(self, stem: str) -> bool:
        """Whether few sentences have a word."""
        rare = max(3, len(self._core.statements) // 10)
        return sum(_speaks_of([text], stem) for text in self._core.statements.values()) <= rare

    def _names_one_kind(self, other: OtherAnswer, cites: Sequence[str]) -> bool:
        """Whether a sentence speaks of things of one kind where others may lie too."""
        said, sentences = dict(other.said), [self._core.statements.get(cite, "") for cite in cites]
        return _speaks_of(sentences, said["kind"]) and not any(_speaks_of(sentences, one) for one in
                                                              (*said["kinds"].split(), *said["rest"].split(" or ")))

    def _has_its_numbers(self, name: str) -> bool:
        """Whether a sentence of the rulebook says the numbers of a component."""
        spoken = re.compile(rf"(?<!\w){re.escape(name.replace('_', ' '))}(?!\w)", re.IGNORECASE)
        return any(spoken.search(text) and any(map(str.isdigit, text)) for text in self._core.statements.values())

    def _by_itself(self, other: OtherAnswer, cites: Sequence[str]) -> str:
        """What nobody asks unless a word leaves it open: whether a step within a turn is carried out at all, what is
        used goes away, or what is shuffled back is out of the game, whether any means the next; and what no sentence
        stands for, or only for its bounds."""
        line, seats = self._places.text(other.origins[0].span), self._core.seats.number
        if other.name == NEXT_ONLY and not self._words.leaving_open(WHOM, cites, seats):
            return "clear by itself"
        declared = self._places.declaration(other.origins[0].span)
        if other.dimension == HIMSELF and declared is not None and declared.kind == "position":
            return "clear by itself"  # what comes again when a position does is nobody's own
        if other.name == NOBODY and other.origins[0].span in self._for_its_own_sake:
            return "clear by itself"  # nobody is compared with anybody, so nobody is level
        if other.name in _ONLY_IF_OPEN and not self._words.leaving_open(other.dimension, cites, seats):
            return "clear by itself"
        if other.name in (AFTER_ACTION, END_OF_TURN) and is_read_after_the_turn(self._core, other.origins[0]):
            return "clear by itself"  # nobody reads before the turn is over what is noted
        if other.dimension == MAPS and other.origins[0].cites and not self._words.has_open(MAPS, cites):
            return "clear by itself"  # it goes by a definition, and its sentence has no word of its own for it
        if other.name == PASSES and not offers_several(line) and self._words.commanding(cites) is None:
            return "clear by itself"  # nobody is told to do something: it says what there is to do
        if other.name in (NO_FIXED, PASSES) and other.origins[0].span in self._idle:
            return "clear by itself"  # whoever would leave it takes what is always possible
        if other.name == PASSES and other.origins[0].span in self._passes:
            return "clear by itself"  # the rules offer it, and say when
        if other.name == NO_FIXED and other.origins[0].span in self._sole:
            return "clear by itself"  # nothing is chosen: it happens to him
        if other.dimension == VALUE and other.origins[0].span in self._picked:
            return "clear by itself"  # how far is looked for the first, the last, the nearest
        if other.name in (AFTER_HIM, SAME_AGAIN) and not self._words.leaving_open(_BETWEEN, cites, seats):
            return "clear by itself"
        step = other.name == STAYS or (other.name == NO_FIXED and not is_chosen(line)) or (
            other.name == BOX and dict(other.said).get("there") in self._shuffled)  # fmt: skip
        if step and not self._words.leaving_open(other.dimension, cites, seats):
            return "clear by itself"
        trigger = _ONLY_WHERE_SAID.get(other.name)
        if trigger is not None and self._words.settling(trigger, cites) is None:
            return "clear by itself"  # no word speaks of a moment, or of places that are empty
        if other.name == FOR_EACH_SENTENCE and not self._two_have(dict(other.said)["number"], cites):
            return "clear by itself"  # no two sentences speak of these points
        if other.name == ONE_OF_THEM and not self._share_a_word(other):
            return "clear by itself"  # the two have nothing in common but the moment
        if other.name == OF_THE_KIND and not self._names_one_kind(other, cites):
            return "clear by itself"  # the sentence speaks of all, or of none
        if other.dimension in (WAY, WALLS) and self._words.anywhere(other.dimension):
            return "settled by a word"
        if other.name == PASSES and (self._words.anywhere(_PASSING) or self._words.settling(HOW_MANY, cites)):
            return "settled by a word"
        if other.name == NEXT_BEGINS and other.origins[0].span in self._course:
            if self._words.anywhere(_FIRST_OF_ALL):
                return "settled by a word"
            lines = {one.span.first_line for one in other.origins}
            if not self._core.statements and lines < self._naming:
                return "clear by itself"  # of players whom the rules tell apart they name the first themselves
        if not cites and (other.dimension in (VALUE, *_SAID_ALONE) or other.name in _SAID_ALONE):
            return "clear by itself"
        even = other.dimension == VALUE and compares_the_same(line) and self._words.anywhere(_TIES)
        most = even and self._words.leaving_open(_TIES, cites, seats)
        return "clear by itself" if even and not most else ""


def _wins_for_its_own_sake(winners: Expr, player: Elem) -> bool:
    """Whether players win by what is so of each of them, whatever it is of the others: a side, who has gained."""
    found = [one for one in walk((_by_the_rules(winners),), Where) if _goes_through(one.source, player)]
    return bool(found) and not any(_is_measured(one, player) for one in found)


def _is_measured(those: Where, player: Elem) -> bool:
    """Whether who is meant hangs on others too, or on a number that is the same for all of them."""
    for inner in walk((those.where,), Fold, Where):
        if _goes_through(inner.source, player):
            return True
    for one in walk((those.where,), Op):
        if one.op in (Operator.EQ, *_AT_MOST, *_AT_LEAST):
            own = [any(arg.name == those.var for arg in walk((side,), Local))
                   for side in one.args if next(itself(side, Const), None) is None]  # fmt: skip
            if any(own) and not all(own):
                return True
    return False


def _by_the_rules(value: Expr) -> Expr:
    """A value as the rules have it, without what other answers would make of it."""
    return rewrite(value, lambda one: next((_by_the_rules(either.no) for either in itself(one, If)
                                            if SELECTOR in variables_of(either.cond)), None))  # fmt: skip


def _goes_through(source: Domainlike, player: Elem) -> bool:
    """Whether it is players that are gone through."""
    return any(one.of == player for one in itself(source, All)) or any(
        one.of.type == SetOf(player) for one in itself(source, Members))


def _has_a_price(action: Action) -> bool:
    """Whether an action moves a certain number of things, by the sentence that it is done by."""
    moves = (one for one in statements(action.body, Move) if any(n is one.number for n in walk((one.number,), Const)))
    return any(set(one.origin.cites) & set(action.origin.cites) for one in moves)


def _ends_of_picks(core: Core) -> Iterator[Span]:
    """The comparisons that say from where or how far the smallest or largest number of some is looked for."""
    for pick in walk(rules_of(core), Fold):
        if pick.kind in (FoldKind.MIN, FoldKind.MAX):
            for one in walk((pick.source, pick.where), Op):
                bound = any(arg.name == pick.var for each in one.args for arg in itself(each, Local))
                if bound and one.span is not None and one.op in (*_AT_MOST, *_AT_LEAST):
                    yield one.span


def _ends_of_ranges(core: Core) -> Iterator[Span]:
    """The comparisons by which the same lies between two bounds."""
    for joined in walk(rules_of(core), And):
        compared = [one for part in joined.parts for one in itself(part, Op)
                    if one.op in (*_AT_MOST, *_AT_LEAST)]  # fmt: skip
        for one in compared:
            if one.span is not None and any(one.args[0] == other.args[0] and
                                            (one.op in _AT_MOST) is (other.op in _AT_LEAST) for other in compared):
                yield one.span


def _is_passing(action: Action) -> bool:
    """Whether it is to do nothing, and declared as such: what another answer makes of a decision is named after it."""
    return action.label == PASS and "." not in action.name


def _is_always_possible(action: Action) -> bool:
    """Whether who is offered an action can always do it, and has nothing to choose."""
    return not action.params and not action.guards


def _in_turn(sentence: str, one: str, later: str) -> bool:
    """Whether a sentence speaks of two lines in their order: of what only the first is about, and then of the second.
    """
    first, second = (dict.fromkeys(_said(text)) for text in (one, later))
    begun = [at for stem in first if stem not in second for at in _where(sentence, stem)]
    ended = [at for stem in second if stem not in ("carr", "move") for at in _where(sentence, stem)]
    return bool(begun and ended) and min(begun) < max(ended) and not any(
        at < min(begun) for stem in second if stem not in first for at in _where(sentence, stem))  # fmt: skip


def _where(sentence: str, stem: str) -> list[int]:
    return [found.start() for found in re.finditer(rf"(?<!\w){re.escape(stem)}", sentence, re.IGNORECASE)]


def _said(text: str) -> list[str]:
    """How the words of a line begin that can say what it is about; what is not so is about the same."""
    found = [one.lower() for one in re.findall(rf"[^\W\d_]{{{STEM},}}", text)]
    found = [one[2:] if one.startswith("un") and len(one) >= STEM + 2 else one for one in found]
    return [one[:STEM] for one in found if one not in LITTLE]


def _speaks_of(sentences: Sequence[str], stem: str) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(stem)}", one, re.IGNORECASE) for one in sentences)


def _in_readings(core: Core) -> Iterator[Span]:
    """The lines that only some choice of a reading has, and the parts of definitions."""
    for body in bodies(core):
        for stmt in statements(body, Branch):
            if not core.readings.keys().isdisjoint(variables_of(stmt.cond)):
                yield from _lines_of(stmt)
    for joined in walk(rules_of(core), And, Or):
        yield from _told_apart(joined.parts, core.readings.keys())
    for either in walk(rules_of(core), If):
        yield from _told_apart((either.cond, either.yes, either.no), core.readings.keys())


def _told_apart(parts: Sequence[Expr], readings: Set[str]) -> Iterator[Span]:
    """The comparisons that stand beside a test of a reading: they count only as that comes out."""
    tests = [part for part in parts if variables_of(part) and variables_of(part) <= readings]
    if tests:
        yield from (one.span for part in parts if part not in tests for one in walk(part, Op) if one.span is not None)


def _in_rulings(core: Core) -> Iterator[Span]:
    """The lines that the table has chosen, of several that stand at a point of which nobody has said anything."""
    for body in bodies(core):
        ruled = {one.name for one in statements(body, Unspecified) if one.gap is Gap.SAID}
        for stmt in statements(body, Branch):
            if any(one.name in ruled for one in walk(stmt.cond, Local)):
                yield from (origin_of(one).span for one in statements(stmt.yes))


def _lines_of(stmt: Branch) -> Iterator[Span]:
    return (origin_of(one).span for block in inner_blocks(stmt) for one in statements(block))


def settlement_of(settled: Sequence[SettledQuestion], name: str) -> SettledQuestion | None:
    """The answer to a question, which names it, or all that is asked there about the same."""
    return next((one for one in settled if one.question in (name, name.rpartition(".")[0])), None)


def shape_of(text: str) -> str:
    """A line of rules with everything left out that the rules name: lines of one shape say the same of other things."""
    return " ".join(word if word in LANGUAGE or not word[:1].isalnum() else "_"
                    for word in re.findall(r"\w+|[^\w\s]+", text))  # fmt: skip
