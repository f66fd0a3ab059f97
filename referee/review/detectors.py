"""The checks of a review, in the order in which they are made and told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from referee.review.checks.component_sums import contents
from referee.review.checks.contradiction import contradiction
from referee.review.checks.dead_rules import dead
from referee.review.checks.endless_games import endless
from referee.review.checks.indistinguishable import indistinguishable
from referee.review.checks.missing_targets import no_target
from referee.review.checks.obligation_conflicts import obligation_conflict
from referee.review.checks.open_points import open_points
from referee.review.checks.shadowed_rules import shadowed
from referee.review.checks.simultaneity import simultaneity
from referee.review.checks.stuck_games import (
    COMPONENT_SUM,
    GAP_CASE,
    GAP_MOVE,
    GAP_SUPPLY,
    NO_END,
    UNBOUNDED,
    UNDEFINED,
    stops,
)
from referee.review.checks.unasked_questions import questions
from referee.review.checks.unordered_choices import CONFLICT, NO_CHOOSER, NO_ORDER, conflict, no_chooser, no_order
from referee.review.checks.vacuous_invariants import vacuous
from referee.review.finding import Finding
from referee.review.questions.question_finding import CODE as QUESTION
from referee.review.sentences.broken_symmetries import symmetry_break
from referee.review.sentences.idle_values import idle_values
from referee.review.sentences.reading_divergence import reading_divergence
from referee.review.sentences.reading_evidence import reading_kills_sentence
from referee.review.sentences.redundant_sentences import redundant
from referee.review.subject import Subject


class CheckScope(Enum):
    """In which shapes (numbers of players, options) a check looks, and what then counts."""

    EACH_SHAPE = "each shape"
    """A flaw of any shape counts. What is found hangs on the options, so each other value of an option is played."""
    ALL_SHAPES = "all shapes"
    """A flaw is one only if each shape has it, those with other options too; a shape is not looked at once another had
    none."""
    UNTIL_FOUND = "until it is found"
    """Other options are tried only for places at which nothing was found with the defaults."""
    DEFAULTS_ONLY = "the default options"
    """No other value of an option could change what is found."""
    QUESTION = "where somebody asks"
    """It is made only if somebody names its class, and what it finds are questions, which a report may leave
    unanswered; with other options those that were not found before."""


@dataclass(frozen=True, slots=True)
class Detector:
    """A check. `code`: the class of its findings; `title`: what it looks for, in a few words.

    `find` yields flaws, and what is known where there is none: `ABSENT` or `BOUNDED`, of one place or of the class.
    It may raise `OutOfTime`; what it has yielded before counts.
    """

    code: str
    title: str
    find: Callable[[Subject], Iterator[Finding]]
    scope: CheckScope = CheckScope.EACH_SHAPE

    @property
    def asks(self) -> bool:
        """Whether what it finds are questions."""
        return self.scope is CheckScope.QUESTION

    @property
    def plays_options(self) -> bool:
        """Whether games with other options than the defaults are played for it, whatever else is looked for."""
        return self.scope not in (CheckScope.DEFAULTS_ONLY, CheckScope.QUESTION)


DETECTORS: tuple[Detector, ...] = (
    Detector(GAP_MOVE, "somebody must act and can do nothing", stops(GAP_MOVE)),
    Detector(GAP_CASE, "a case that no rule covers", stops(GAP_CASE, open_points)),
    Detector(UNDEFINED, "something is read that is not there", stops(UNDEFINED)),
    Detector(GAP_SUPPLY, "more is asked for than is left", stops(GAP_SUPPLY, open_points)),
    Detector(NO_CHOOSER, "several are the best, and nobody chooses", no_chooser),
    Detector("no-target", "one is spoken of where there are several", no_target),
    Detector(NO_ORDER, "several things happen at once, and their order matters", no_order),
    Detector("simultaneity", "effects that come to something else at once than in turn", simultaneity),
    Detector(CONFLICT, "two rules leave different values in one place", conflict),
    Detector("obligation-conflict", "one rule demands what another forbids", obligation_conflict),
    Detector("reading-divergence", "the readings of a sentence lead to different games", reading_divergence,
             CheckScope.UNTIL_FOUND),
    Detector("reading-kills-sentence", "a reading that something speaks against", reading_kills_sentence,
             CheckScope.DEFAULTS_ONLY),
    Detector("idle-value", "values of a parameter that no game tells apart", idle_values, CheckScope.ALL_SHAPES),
    Detector(UNBOUNDED, "a bound is passed, and no rule says what then", stops(UNBOUNDED)),
    Detector(NO_END, "a game that cannot end", stops(NO_END, endless)),
    Detector("dead", "a part of the rules that nothing comes to", dead, CheckScope.ALL_SHAPES),
    Detector("shadowed", "a case or condition that others leave nothing to decide", shadowed, CheckScope.ALL_SHAPES),
    Detector("redundant", "a sentence that could as well not be there", redundant, CheckScope.ALL_SHAPES),
    Detector("vacuous", "something said to hold always that says nothing", vacuous, CheckScope.ALL_SHAPES),
    Detector("contradiction", "something said to hold always that does not", contradiction),
    Detector("indistinguishable", "components that no rule tells apart", indistinguishable, CheckScope.ALL_SHAPES),
    Detector("symmetry-break", "what is declared alike and not treated alike", symmetry_break),
    Detector(COMPONENT_SUM, "components that do not add up, or are too few", stops(COMPONENT_SUM, contents)),
    Detector(QUESTION, "what a sentence leaves open, and nobody has said", questions, CheckScope.QUESTION),
)
"""A class has one check; `spec/ambiguity.md` says what each means."""
