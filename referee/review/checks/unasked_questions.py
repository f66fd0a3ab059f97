"""question: what a sentence leaves open without anybody having said so, and a game in which it matters.

Other answers that the front end could have given stand in the rules behind a selector, are played beside the rules
where a game comes to their places, and those that tell two games apart are questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice

from referee.core.ruleset import Core
from referee.frontend.names.other_answers import OtherAnswer, gone_by
from referee.frontend.names.shapes import Shape
from referee.frontend.names.tree_access import cites, nodes
from referee.interpreter.walker import Walker
from referee.review.finding import Finding, bounded, some
from referee.review.questions.all_answers.answer_batches import AnswerBatch, AnswerBatches
from referee.review.questions.all_answers.answer_counts import NO_RULES, AnswerCounts
from referee.review.questions.all_answers.core_trials import CoreTrials
from referee.review.questions.all_answers.question_groups import QuestionGroups
from referee.review.questions.all_answers.stale_answers import stale_answers
from referee.review.questions.beside_catalogue.level_players import LevelPlayers
from referee.review.questions.beside_catalogue.points_left_open import PointsLeftOpen
from referee.review.questions.beside_catalogue.seen_places import SeenPlaces
from referee.review.questions.beside_catalogue.situations import Situations
from referee.review.questions.beside_catalogue.taken_for_granted import TakenForGranted
from referee.review.questions.noise.settling import Settling, settlement_of
from referee.review.questions.noted_games import noted_games
from referee.review.questions.question_finding import CODE
from referee.review.questions.sentence_words import sentence_words
from referee.review.questions.telling import ToldAnswer
from referee.review.questions.text_findings import spoken_of
from referee.review.questions.trials import AnswerTrial
from referee.review.subject import Subject
from referee.review.text_questions.text_rows import ONCE
from referee.review.text_questions.word_questions import WordQuestions, rows_in
from referee.review.unseen_answers import UnseenAnswers
from referee.syntax.syntax_tree import Node
from referee.system.deadline import Clock, OutOfTime

PLAYING = 0.9
"""How much of the time that is left games take at most, and the answers tried in them; the rest is for telling."""
TELLING, MANY_TOLD = 0.4, 8
"""How much of it is kept for telling so many questions and more; for fewer, less in proportion."""
ASSUMED = 4
"""Answers to what is assumed are tried in one of so many games."""
OPTION = "option"
"""Of what rows of the wording say that it asks the same as a line (`like`): an option that cites the sentence."""
FOR_WORDS = 5.0
"""Seconds in which the wording is asked about though games took all the time: a text of usual length takes less."""
WITH_OPTIONS = 4
"""With other options than the defaults one of so many games is played."""


def questions(subject: Subject) -> Iterator[Finding]:
    """Each question that nothing answers, the ones that matter most first; then how many others there were and why they
    are none."""
    found = _Questions(subject)
    found.look()
    yield from found.findings()


class _Questions:
    """The other answers of one shape."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        core = subject.core
        self._words = subject.effort.words or sentence_words(subject.loaded.statements)
        self._settling = Settling(core, subject.places, self._words)
        self._settled = tuple(self._words.answers(core))
        self._seen = SeenPlaces(core, subject.places, self._words)
        self._granted = TakenForGranted(subject)
        self._unseen = UnseenAnswers(core, subject.places)
        self._level = LevelPlayers(core, subject.places)
        self._situations = Situations(core, subject.places, self._words)
        self._points: PointsLeftOpen | None = None
        self._names: dict[int, str] = {}
        self._counts = AnswerCounts()
        self._with_options = any(value != subject.loaded.range.options[name][0] for name, value in core.options)
        self._told: list[tuple[ToldAnswer, CoreTrials]] = []
        self._most = -(-subject.effort.games // (WITH_OPTIONS if self._with_options else 1))

    def look(self) -> None:
        """Tries all other answers, batch by batch, until the time is up or somebody interrupts."""
        core = self._subject.core
        batches = AnswerBatches(self._subject.loaded, Shape(core.seats.number, core.options, core.pool))
        self._names |= {-number: name for number, (name, _) in enumerate(self._seen.names(), 1)}
        for batch in batches:
            self._name(batch.every)
            self._try(batch, [one for one in batch.answers if self._is_open(one)])
        self._counts.answered += Counter({NO_RULES: batches.left_out})

    def _name(self, others: Sequence[OtherAnswer]) -> None:
        """Names that other lines leave alone; the same words in one declaration are numbered."""
        used: dict[str, int] = {}
        for one in others:
            place = self._subject.places.name(one.origins[0].span)
            key = f"{place} {one.dimension}.{one.name}"
            number = used[key] = used.get(key, 0) + 1
            self._names[one.index] = f"{place}{f'.{number}' if number > 1 else ''}/{one.dimension}.{one.name}"

    def _is_open(self, one: OtherAnswer) -> bool:
        """Whether nothing answers it; if something does, it is counted."""
        name = self._names[one.index]
        if name in self._subject.known:
            return False
        settled = settlement_of(self._settled, f"{CODE}/{name}")
        why = "settled in the rules" if settled is not None else self._settling.why(one)
        self._situations.note_settled(self._settling.cites(one), one.dimension, settled=bool(why))
        if why:
            self._counts.answered[why] += 1
        return not why

    def _try(self, batch: AnswerBatch, others: Sequence[OtherAnswer]) -> None:
        """Plays games of a core and tries in them those of its answers that are open."""
        subject, effort, counts = self._subject, self._subject.effort, self._counts
        walker, whole = Walker(batch.flow), subject.clock.left()
        clock = subject.clock.part(PLAYING if batch.last else PLAYING / 2)
        tried = CoreTrials(subject, walker)
        every = [AnswerTrial(one) for one in others]
        assumed = {one.index for one in others if subject.core.assumptions_in(self._settling.cites(one))}
        begun, first_batch = counts.games, not counts.games
        if first_batch:
            self._points = PointsLeftOpen(batch.core, walker, tried.words, subject.places, subject.clock,
                                          subject.known, effort.blind)  # fmt: skip
        try:
            for game in islice(noted_games(walker, subject.players, effort.seed, effort.events, clock),
                               self._most if every or first_batch else 0):  # fmt: skip
                self._provisional(every)
                counts.games += 1
                if subject.clock.left() < whole * TELLING * min(1.0, sum(1 for one in every if one.told) / MANY_TOLD):
                    raise OutOfTime
                self._level.look(game, others)
                if first_batch and self._points is not None:
                    self._seen.look(walker, game)
                    self._situations.look(walker, game)
                    self._points.look(game)
                for trial in every:
                    if trial.undecided and (trial.answer.index not in assumed or counts.games % ASSUMED == 1):
                        tried.trials.look(trial, game, clock)
        except OutOfTime:
            counts.late = f"{clock.why} after {counts.games - begun} of {self._most} games"
        except KeyboardInterrupt:
            if not subject.clock.hurry():
                raise
            counts.late = ""  # that it was interrupted is said of the whole review
        self._keep(batch.core, every, tried)

    def _provisional(self, every: Sequence[AnswerTrial]) -> None:
        """Says on the way what makes a difference: it may still turn out to be answered."""
        found = sorted((one for one in every if one.told and not one.failed), key=lambda one: -one.told)
        said = f", such as {some(self._names[one.answer.index] for one in found)}" if found else ""
        more = " more" if self._subject.known else ""  # than other numbers of players or options have shown
        self._subject.progress(f"{CODE}: {len(found)}{more} so far, in {self._counts.games} games{said}")

    def _keep(self, core: Core, every: Sequence[AnswerTrial], tried: CoreTrials) -> None:
        """Notes what became of each answer."""
        placed, silent = tried.placed(every), list[AnswerTrial]()
        usual = self._contradicted(core) if placed or any(one.told for one in every) else frozenset()
        for trial in sorted(every, key=lambda one: -one.told):
            self._situations.note_tried(trial, self._settling.cites(trial.answer))
            against = "stops the game" if trial.failed else ""
            here = placed.get(trial.answer.index)
            tells = bool(trial.told) or here is not None
            if tells and not against and self._contradicted(gone_by(core, trial.answer)) - usual:
                against = "contradicted by a worked example"
            if against:
                self._counts.answered[against] += 1
            elif tells:
                name = self._names[trial.answer.index]
                cites, own = self._settling.cites(trial.answer), self._subject.core
                shown = trial.kept if here is None else here.trial.kept
                told = ToldAnswer(trial, name, own.statements_in(cites), shown[0],
                                  self._settling.open_word(trial.answer), self._settling.unlike(trial.answer),
                                  placed=here,
                                  assumed=tuple(one.name for one in own.assumptions_in(cites)))  # fmt: skip
                self._told.append((told, tried))
            else:
                silent.append(trial)
                if not trial.failed:
                    self._unseen.keep(trial, self._names[trial.answer.index], self._settling.cites(trial.answer))
                    self._level.keep(trial.answer, self._names[trial.answer.index],
                                     self._settling.cites(trial.answer), self._counts.games)  # fmt: skip
        equal, positions = tried.proved_equal(silent)
        self._counts.nothing += len(silent) - equal
        self._counts.proved(equal, positions)

    def _contradicted(self, core: Core) -> frozenset[str]:
        """The worked examples that do not come out; some cannot even begin with all answers in the rules."""
        return frozenset() if self._subject.clock.over else frozenset(self._subject.effort.contradicted(core))

    # ------------------------------------------------------------------ what is told
    def findings(self) -> Iterator[Finding]:
        """The questions in their order, and what was none."""
        points = self._points
        open_points = [] if points is None else [name for name in points.names() if self._is_unanswered(name)]
        if points is not None:
            yield from points.stops(open_points)
        by = {told.trial.answer.index: tried for told, tried in self._told}
        for answers, clones in QuestionGroups(self._subject.places).of(told for told, _ in self._told):
            lead, *more = [by[one.trial.answer.index].shortest(one) for one in answers]
            lead = replace(lead, alike=(*lead.alike, *clones))
            further = [by[one.trial.answer.index].telling.besides(one) for one in more]
            yield by[lead.trial.answer.index].telling.finding(lead, more, further)
        yield from self._unseen.findings([one for one in self._unseen.names() if self._is_unanswered(one)])
        yield from self._level.findings([name for name in self._level.names() if self._is_unanswered(name)])
        yield from self._seen.findings([name for name, cites in self._seen.names() if self._is_asked(name, cites)])
        if points is not None:
            yield from points.findings(open_points)
        yield from self._what_is_granted()
        yield from self._raised_by_words()
        if self._subject.core.settled and not self._with_options:  # what is settled need not be there with every option
            yield from stale_answers(self._subject.core, self._words, self._all_names)
        yield bounded(CODE, self._counts.said((*self._not_granted(), *self._not_asked_of_words())))

    def _is_asked(self, name: str, cites: Sequence[str]) -> bool:
        """Whether nothing answers who sees something."""
        assumed = bool(self._subject.core.assumptions_in(tuple(cites)))
        return not assumed and self._is_unanswered(name) and not self._seen.is_settled(name)

    def _is_unanswered(self, name: str) -> bool:
        """Whether no line of the rules answers a question, and it was not asked with other players."""
        return name not in self._subject.known and settlement_of(self._settled, f"{CODE}/{name}") is None

    def _what_is_granted(self) -> Iterator[Finding]:
        """What is taken for granted, but for what another answer asks about already."""
        told = [one for one, _ in self._told]
        lines = {(at.span.path, at.span.line) for one in told for at in one.trial.answer.origins}
        names = {name for one in told for name in one.assumed}
        wanted = [] if self._subject.clock.over or self._with_options else self._granted.besides(names, lines)
        yield from self._granted.findings([name for name in wanted if self._is_unanswered(name)])

    @cached_property
    def _of_words(self) -> WordQuestions:
        """What is asked of the wording: looked for where it is told, or an answer may be to it."""
        core = self._subject.core
        spoken = frozenset(spoken_of(core, self._subject.places, blind=self._subject.effort.blind))
        whole, least = self._subject.clock, Clock(FOR_WORDS)
        return WordQuestions(self._words, self._subject.loaded.statements, spoken, core.seats.number,
                             lambda: whole.over and least.over)  # fmt: skip

    def _raised_by_words(self) -> Iterator[Finding]:
        """What the wording alone leaves open, and no line of the rules has raised; where that is asked for."""
        if not self._subject.effort.lone_words:
            return
        asked_of_lines = {(frozenset(told.cites), told.trial.answer.dimension) for told, _ in self._told}
        asked_of_lines |= {(frozenset(cites(one)), OPTION) for one in self._options_declared()}
        of, options = self._of_words, self._subject.core.options
        answered = rows_in(self._subject.core)
        for name in self._situations.first(map(of.of, of.names), of.names):
            row = of.of(name).row
            if row.once == ONCE and row.name in answered:
                continue  # it is asked of the first sentence that it fits: not of the next one, once that is answered
            shown = self._situations.shown(of.of(name))
            witness = None if shown is None else shown.witness(options)
            found = of.finding(name, asked_of_lines, witness) if self._is_unanswered(name) else None
            if found is not None:
                yield found

    def _options_declared(self) -> Iterator[Node]:
        """The lines of options: players agree on them before a game."""
        return (one for tree in self._subject.loaded.trees for one in nodes(tree, "option"))

    @property
    def _all_names(self) -> tuple[str, ...]:
        """What everything is called that could be asked."""
        points = () if self._points is None else self._points.names()
        settled = (one.question.removeprefix(f"{CODE}/") for one in self._subject.core.settled)
        of_words = (one for one in settled if self._of_words.may_be_asked(one))
        return *self._names.values(), *self._granted.names, *points, *self._of_words.names, *of_words

    def _not_granted(self) -> Iterator[str]:
        """What is taken for granted and no game comes to."""
        if self._granted.unseen:
            said = "things that are taken for granted came up in no game, or are no steps of one"
            yield f"{self._granted.unseen} {said}"

    def _not_asked_of_words(self) -> Iterator[str]:
        """What was not asked of the wording, for want of time."""
        if self._subject.effort.lone_words and (rows := len(self._of_words.left_out)):
            yield f"{rows} rows were not asked of the wording, as {self._subject.clock.why}"
