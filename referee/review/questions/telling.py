"""What is told of a question: the sentence, both answers, the game in which it matters, how often, what to write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.analysis.position_words import Words
from referee.analysis.rule_places import Places
from referee.core.ruleset import Core
from referee.core.stmt import Branch
from referee.core.traverse import statements
from referee.diagnostics.source import Span
from referee.frontend.desugaring.later_moments import WHEN
from referee.frontend.desugaring.swapped_effects import ORDER
from referee.other_rules.tracks.places_on_tracks import LED_ON
from referee.review.finding import AskedQuestion, Continuation, Finding, FindingOutcome, some
from referee.review.judged_kinds import is_seldom
from referee.review.questions.catalogue import DIMENSIONS, Reply, answer_of
from referee.review.questions.placed_games import PlacedTrial
from referee.review.questions.question_finding import CODE, called, cited_or_not, question, share_of, worded
from referee.review.questions.trials import AnswerTrial, Difference
from referee.review.questions.wordings import lines_for, sentences_of
from referee.simulation.witness import Tale

LIFT = 0.25
"""A sentence that has a word for being open ranks its question as if it mattered in so many of the games more."""

MOST_ENDS = 4
"""So many cases of an end are named where all of them are asked about."""


@dataclass(frozen=True, slots=True)
class ToldAnswer:
    """An other answer that makes a difference: what is known of it, its name, the statements that are cited there, the
    shortest game, the words of the sentence by which it is open (`unlike`: by which another says it of something
    else), the other places of lines of the same shape, where it is as open, and the assumptions that are cited there:
    then it is a question under these. `placed`: it made a
    difference in games alone that begin in the positions of scenarios, and the game is one of these; `nearer`: one of
    these that shows it sooner than any that is known from the beginning, which is far away."""

    trial: AnswerTrial
    place: str
    cites: tuple[str, ...]
    difference: Difference
    open_word: str = ""
    unlike: str = ""
    alike: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    placed: PlacedTrial | None = None
    nearer: tuple[Tale, Difference] | None = None


def order(one: ToldAnswer) -> tuple[object, ...]:
    """What is told first: where a statement is cited, then what often matters, the more if words of the sentence leave
    it open, then what soon comes up; what positions of scenarios alone show comes later, and last what is assumed."""
    weight = one.trial.told / max(1, one.trial.games) + (LIFT if one.open_word else 0)
    return bool(one.assumed), one.placed is not None, not one.cites, -weight, len(one.difference.events), one.place


class Telling:
    """Makes findings of questions of one core."""

    def __init__(self, core: Core, words: Words, places: Places) -> None:
        self._core, self._words, self._places = core, words, places

    def finding(self, first: ToldAnswer, rest: Sequence[ToldAnswer], besides: Sequence[Continuation]) -> Finding:
        """One question, of which some other answers make a difference: the first is told in full, `besides` is what is
        told of the rest."""
        other = first.trial.answer
        tale, difference = first.nearer or (None if first.placed is None else first.placed.tale, first.difference)
        answer, dimension = answer_of(other), DIMENSIONS[other.dimension]
        spans = tuple(dict.fromkeys(origin.span for origin in other.origins))
        of = () if answer.names else spans[: 2 if other.dimension in (ORDER, LED_ON) else 1]
        if other.dimension == WHEN and of:
            of = (*of, *self._further_ends(of[0]))
        asked = AskedQuestion(answer.asks or dimension.asks, tuple(map(self._places.head, of)))
        ways = difference.ways(self._core, self._words, *called(answer.now, answer.then, first.cites))
        return question(
            first.place, asked, spans, (*first.cites, *first.assumed), (*ways, *besides),
            difference.witness(self._core.options, tale), share_of(first.trial.told, first.trial.games),
            outcome=FindingOutcome.FOUND if first.placed is None else FindingOutcome.CANDIDATE,
            notes=self._notes(first), wordings=worded(first.cites, _sentences(answer, rest), as_it_is=True),
            alike=(*first.alike, *(one.place for one in rest)),
            lines=lines_for(f"{CODE}/{first.place}", answer, first.cites, self._worded(first),
                            first.assumed),
            from_start=None if first.nearer is None else first.difference.witness(self._core.options),
            seldom=is_seldom(f"{other.dimension}.{other.name}") and not first.open_word and not first.unlike,
        )  # fmt: skip

    def _further_ends(self, first: Span) -> tuple[Span, ...]:
        """Of an end with several cases those behind the first one: what is asked is asked of all of them, and the game
        that is told may come to any."""
        found: list[Branch] = []
        rest = self._core.ending
        while branch := next(statements(rest[:1], Branch), None):
            found.append(branch)
            rest = branch.no
        spans = [one.origin.span for one in found]
        return tuple(spans[1:MOST_ENDS]) if spans and (spans[0].path, spans[0].line) == (first.path, first.line) else ()

    def _worded(self, first: ToldAnswer) -> str:
        """A cited statement of which the words are known, which may settle it; empty if there is none."""
        return next((cite for cite in first.cites if self._core.statements.get(cite)), "")

    def besides(self, one: ToldAnswer) -> Continuation:
        """Another answer to the same question, with what comes of it in its own game."""
        said = f"{answer_of(one.trial.answer).then} ({one.place.rpartition('.')[2]})"
        games = "at once" if not one.difference.events else f"after {len(one.difference.events)} events of another game"
        return Continuation(said, f"{games}: {one.difference.end(self._words, other=True)}")

    def _notes(self, first: ToldAnswer) -> tuple[str, ...]:
        notes = list(cited_or_not(first.cites))
        if first.assumed:
            notes.append(f"the line rests on {' and '.join(first.assumed)}: say whether that is what it answers")
        if first.placed is not None:
            here = first.placed.trial
            notes.append("no game from the beginning shows it: of those that begin in the positions of scenarios "
                         f"{here.told} of {here.games} do")
        if first.nearer is not None:
            notes.append(f"the shortest game from the beginning that was found has {len(first.difference.events)} "
                         "events: `--out DIR` writes it too")
        if first.open_word:
            notes.append(f'the sentence leaves it open: "{first.open_word}"')
        if first.unlike:
            notes.append(f'of something else a sentence says it, and of this none: "{first.unlike}"')
        if first.alike:
            notes.append(f"as open elsewhere, in lines of this shape: {some(first.alike)}")
        return tuple(notes)


def _sentences(answer: Reply, rest: Sequence[ToldAnswer]) -> tuple[str, ...]:
    """What a rulebook could say, for each answer."""
    now, then = sentences_of(answer)
    others = (sentences_of(answer_of(one.trial.answer))[1] for one in rest)
    return now, *dict.fromkeys((then, *others))
