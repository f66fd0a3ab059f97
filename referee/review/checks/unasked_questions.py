"""question: what a sentence leaves open without anybody having said so, and a game in which it matters.

Other answers that the front end could have given stand in the rules behind a selector, are played beside the rules
where a game comes to their places, and those that tell two games apart are questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

from referee.analysis.position_words import Words
from referee.core.flow import Flow
from referee.core.ruleset import Core
from referee.diagnostics.diagnostic import Problems
from referee.flow.lowering import lower
from referee.frontend.desugaring.strict_comparisons import VALUE
from referee.frontend.desugaring.swapped_effects import ORDER
from referee.frontend.desugaring.triggers import AGAIN
from referee.frontend.names.other_answers import OtherAnswer, gone_by
from referee.frontend.names.shapes import Shape
from referee.frontend.statements.state_changes import SCOPE, SURPLUS
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.other_rules.components.component_values import STATE, WHICH_VALUE
from referee.other_rules.conditions.guard_answers import GUARD
from referee.other_rules.conditions.sibling_guards import SIBLINGS
from referee.other_rules.every_other_rule import build_with_others
from referee.other_rules.likenesses.kinds_counted import OF_THE_KIND
from referee.other_rules.tracks.places_on_tracks import LED_ON
from referee.review.finding import Finding, FindingOutcome, bounded, some
from referee.review.questions.beside_catalogue.level_players import LevelPlayers
from referee.review.questions.beside_catalogue.points_left_open import PointsLeftOpen
from referee.review.questions.beside_catalogue.seen_places import SeenPlaces
from referee.review.questions.beside_catalogue.taken_for_granted import TakenForGranted
from referee.review.questions.catalogue import rank
from referee.review.questions.equal_answers import EqualAnswers
from referee.review.questions.noise import Settling, settlement_of, shape_of
from referee.review.questions.noted_games import noted_games
from referee.review.questions.parting import Comparison
from referee.review.questions.placed_games import PlacedGames, PlacedTrial
from referee.review.questions.question_finding import CODE
from referee.review.questions.sentence_words import sentence_words
from referee.review.questions.short_games import FAR, ShortGames
from referee.review.questions.telling import Telling, ToldAnswer, order
from referee.review.questions.text_findings import spoken_of
from referee.review.questions.trials import AnswerTrial, AnswerTrials
from referee.review.subject import Subject
from referee.review.text_questions.word_questions import WordQuestions
from referee.review.unseen_answers import UnseenAnswers
from referee.simulation.state_space import settings
from referee.system.deadline import OutOfTime

_ALONE = (VALUE, GUARD, ORDER, SIBLINGS)
_ONCE = (SCOPE, SURPLUS, STATE, WHICH_VALUE)
"""What is asked once of all lines that cite nothing: for how long, and what becomes of what somebody has."""
BATCH = 1_000
"""So many other answers stand in one core."""
PLAYING = 0.6
"""How much of the time that is left games take, and the answers tried in them; the rest is for telling."""
PLACING = 0.2
"""How much of what is left games take that begin in the positions of scenarios."""
PROVING = 0.3
"""How much of what is left proofs take."""
ASSUMED = 4
"""Answers to what is assumed are tried in one of so many games."""
WITH_OPTIONS = 4
"""With other options than the defaults one of so many games is played."""
NO_RULES = "leaves no rules that could be played"


def questions(subject: Subject) -> Iterator[Finding]:
    """Each question that nothing answers, the ones that matter most first; then how many others there were and why they
    are none."""
    found = _Questions(subject)
    found.look()
    yield from found.findings()


@dataclass(frozen=True, slots=True)
class _Beside:
    """What compares, tries and tells the answers of one core."""

    comparison: Comparison
    trials: AnswerTrials
    short: ShortGames
    placed: PlacedGames
    telling: Telling


class _Questions:
    """The other answers of one shape."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        core = subject.core
        self._shape = Shape(core.seats.number, core.options, core.pool)
        self._words = subject.effort.words or sentence_words(subject.loaded.statements)
        self._settling = Settling(core, subject.places, self._words)
        self._settled = tuple(one for one in core.settled if self._words.quoted(one))
        self._seen = SeenPlaces(core, subject.places, self._words)
        self._granted = TakenForGranted(subject)
        self._unseen = UnseenAnswers(core, subject.places)
        self._level = LevelPlayers(core, subject.places)
        self._points: PointsLeftOpen | None = None
        self._names: dict[int, str] = {}
        self._answered: dict[str, int] = {}
        self._with_options = any(value != subject.loaded.range.options[name][0] for name, value in core.options)
        self._told: list[tuple[ToldAnswer, _Beside]] = []
        self._late = ""
        self._equal: list[str] = []
        self._most = -(-subject.effort.games // (WITH_OPTIONS if self._with_options else 1))
        self._nothing = 0
        self._games = 0
        self._every = 1

    def look(self) -> None:
        """Tries all other answers, batch by batch, until the time is up or somebody interrupts."""
        first, size = 1, BATCH
        self._names |= {-number: name for number, (name, _) in enumerate(self._seen.names(), 1)}
        while first <= self._every:
            made = self._batch(first, size)
            if made is None:
                self._answered[NO_RULES] = self._answered.get(NO_RULES, 0) + 1
                first, size = first + 1, BATCH
                continue
            core, flow, others, size = made
            first, every = first + size, len(others)
            self._name(others)
            open_ = [one for one in others[first - size - 1 : first - 1] if self._is_open(one)]
            self._try(core, Walker(flow), open_, 1 if first > every else 2)
            size = min(BATCH, 2 * size)

    def _batch(self, first: int, size: int) -> tuple[Core, Flow, tuple[OtherAnswer, ...], int] | None:
        """A core with other answers from one on, fewer where so many make the rules too large, or where one of them
        leaves no rules that can be played; None if the first one does."""
        while size:
            try:
                core, others = build_with_others(self._subject.loaded, self._shape, first, size)
                self._every = len(others)
                return core, lower(core), others, size
            except Problems:
                size //= 2
        return None

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
        if why:
            self._answered[why] = self._answered.get(why, 0) + 1
        return not why

    def _try(self, core: Core, walker: Walker, others: Sequence[OtherAnswer], batches: int) -> None:
        subject, effort = self._subject, self._subject.effort
        words = Words(walker, subject.players)
        clock = subject.clock.part(PLAYING / batches)
        comparison = Comparison(walker, words)
        trials = AnswerTrials(walker, comparison, set_up=True)
        every = [AnswerTrial(one) for one in others]
        assumed = {one.index for one in others if subject.core.assumptions_in(self._settling.cites(one))}
        short = ShortGames(walker, trials, effort.seed)
        placed = PlacedGames(walker, effort.told(subject.core), subject.players, effort.seed)
        beside = _Beside(comparison, trials, short, placed, Telling(subject.core, words, subject.places))
        begun, first_batch = self._games, not self._games
        if first_batch:
            self._points = PointsLeftOpen(core, walker, words, subject.places, subject.clock, subject.known,
                                          effort.blind)  # fmt: skip
        try:
            for game in islice(noted_games(walker, subject.players, effort.seed, effort.events, clock),
                               self._most if every or first_batch else 0):  # fmt: skip
                self._provisional(every)
                self._games += 1
                self._level.look(game, others)
                if first_batch and self._points is not None:
                    self._seen.look(walker, game)
                    self._points.look(game)
                for trial in every:
                    if trial.undecided and (trial.answer.index not in assumed or self._games % ASSUMED == 1):
                        trials.look(trial, game, clock)
        except (OutOfTime, KeyboardInterrupt) as stopped:
            self._late = f"{clock.why} after {self._games - begun} of {self._most} games"
            if isinstance(stopped, KeyboardInterrupt):
                if not subject.clock.hurry():
                    raise
                self._late = ""
        self._keep(core, every, beside, self._placed(beside, every))

    def _placed(self, beside: _Beside, every: Sequence[AnswerTrial]) -> dict[int, PlacedTrial]:
        """What made no difference in games, tried in those that begin in the positions of scenarios."""
        subject = self._subject
        clock = subject.clock.part(PLACING)
        silent = [PlacedTrial(AnswerTrial(one.answer)) for one in every if not one.told and not one.failed]
        late = subject.clock.hurried or subject.clock.left() <= 0.0
        try:
            for tale, game in () if late or not silent else beside.placed.games(clock):
                for one in silent:
                    one.look(beside.trials, tale, game, clock)
        except OutOfTime:
            pass
        except KeyboardInterrupt:
            if not subject.clock.hurry():
                raise
        return {one.trial.answer.index: one for one in silent if one.tale is not None and not one.trial.failed}

    def _provisional(self, every: Sequence[AnswerTrial]) -> None:
        """Says on the way what makes a difference: it may still turn out to be answered."""
        found = sorted((one for one in every if one.told and not one.failed), key=lambda one: -one.told)
        said = f", such as {some(self._names[one.answer.index] for one in found)}" if found else ""
        more = " more" if self._subject.known else ""  # than other numbers of players or options have shown
        self._subject.progress(f"{CODE}: {len(found)}{more} so far, in {self._games} games{said}")

    def _keep(
        self, core: Core, every: Sequence[AnswerTrial], beside: _Beside, placed: Mapping[int, PlacedTrial]
    ) -> None:
        silent: list[AnswerTrial] = []
        usual = self._contradicted(core) if placed or any(one.told for one in every) else frozenset()
        for trial in sorted(every, key=lambda one: -one.told):
            against = "stops the game" if trial.failed else ""
            here = placed.get(trial.answer.index)
            tells = bool(trial.told) or here is not None
            if tells and not against and self._contradicted(gone_by(core, trial.answer)) - usual:
                against = "contradicted by a worked example"
            if against:
                self._answered[against] = self._answered.get(against, 0) + 1
            elif tells:
                name = self._names[trial.answer.index]
                cites, own = self._settling.cites(trial.answer), self._subject.core
                shown = trial.kept if here is None else here.trial.kept
                told = ToldAnswer(trial, name, own.statements_in(cites), shown[0],
                                  self._settling.open_word(trial.answer), self._settling.unlike(trial.answer),
                                  placed=here,
                                  assumed=tuple(one.name for one in own.assumptions_in(cites)))  # fmt: skip
                self._told.append((told, beside))
            else:
                silent.append(trial)
                if not trial.failed:
                    self._unseen.keep(trial, self._names[trial.answer.index], self._settling.cites(trial.answer))
                    self._level.keep(trial.answer, self._names[trial.answer.index],
                                     self._settling.cites(trial.answer), self._games)  # fmt: skip
        self._nothing += len(silent) - self._proved(beside.comparison, silent)

    def _proved(self, comparison: Comparison, silent: Sequence[AnswerTrial]) -> int:
        """Of how many of the answers that made no difference it is proved that they make none, if that is wanted."""
        subject = self._subject
        every = settings(subject.reference, Setting(subject.players)) if subject.effort.proofs and silent else None
        if every is None or subject.clock.hurried:
            return 0
        found = EqualAnswers(comparison, every, {one.answer.index for one in silent}, subject.effort.positions,
                             subject.clock.part(PROVING))  # fmt: skip
        if found.equal:
            self._equal.append(f"{len(found.equal)} proved equal at all {found.positions} positions")
        return len(found.equal)

    def _contradicted(self, core: Core) -> frozenset[str]:
        """The worked examples that do not come out; some cannot even begin with all answers in the rules."""
        late = self._subject.clock.hurried or self._subject.clock.left() <= 0.0
        return frozenset() if late else frozenset(self._subject.effort.contradicted(core))

    def _shortest(self, told: ToldAnswer, beside: _Beside) -> ToldAnswer:
        """With the shortest game that shows it; after Ctrl-C or when the time is up as it was played."""
        clock = self._subject.clock
        if not clock.hurried and clock.left() > 0.0:
            try:
                if told.placed is not None:
                    return replace(told, difference=beside.trials.minimised(
                        told.trial.answer.index, told.difference, clock))  # fmt: skip
                found = beside.trials.shortest(told.trial, clock)
                shorter = found if told.assumed else beside.short.shorter(told.trial.answer, found, clock)
                near = (beside.placed.nearest(beside.trials, told.trial.answer, FAR, clock)
                        if beside.short.is_far(shorter) else None)
                return replace(told, difference=shorter, nearer=near)
            except KeyboardInterrupt:
                if not clock.hurry():
                    raise
        return told

    # ------------------------------------------------------------------ what is told
    def findings(self) -> Iterator[Finding]:
        """The questions in their order, and what was none."""
        points = self._points
        open_points = [] if points is None else [name for name in points.names() if self._is_unanswered(name)]
        if points is not None:
            yield from points.stops(open_points)
        groups: dict[object, list[tuple[ToldAnswer, _Beside]]] = {}
        for told, beside in sorted(self._told, key=lambda one: order(one[0])):
            groups.setdefault(self._cause(told), []).append((told, beside))
        asked: dict[object, list[list[ToldAnswer]]] = {}
        by = {told.trial.answer.index: beside for told, beside in self._told}
        for group in groups.values():
            answers_ = self._answers_of([told for told, _ in group])
            asked.setdefault(self._shape_of(answers_), []).append(answers_)
        for answers_, *clones in asked.values():
            clone_places = tuple(one.place for one, *_ in clones)
            ranked = sorted(answers_, key=lambda one: rank(one.trial.answer))
            lead, *more = [self._shortest(one, by[one.trial.answer.index]) for one in ranked]
            lead = replace(lead, alike=(*lead.alike, *clone_places))
            further = [by[one.trial.answer.index].telling.besides(one) for one in more]
            yield by[lead.trial.answer.index].telling.finding(lead, more, further)
        yield from self._unseen.findings([one for one in self._unseen.names() if self._is_unanswered(one)])
        yield from self._level.findings([name for name in self._level.names() if self._is_unanswered(name)])
        yield from self._seen.findings([name for name, cites in self._seen.names() if self._is_asked(name, cites)])
        if points is not None:
            yield from points.findings(open_points)
        yield from self._what_is_granted()
        yield from self._raised_by_words()
        if not self._with_options:  # what is settled need not be there with every option
            yield from self._stale()
        yield bounded(CODE, self._rest())

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
        late = self._subject.clock.hurried or self._subject.clock.left() <= 0.0
        wanted = [] if late or self._with_options else self._granted.besides(names, lines)
        yield from self._granted.findings([name for name in wanted if self._is_unanswered(name)])

    @cached_property
    def _of_words(self) -> WordQuestions:
        """What is asked of the wording: looked for where it is told, or an answer may be to it."""
        core = self._subject.core
        spoken = frozenset(spoken_of(core, self._subject.places, blind=self._subject.effort.blind))
        return WordQuestions(self._words, self._subject.loaded.statements, spoken, core.seats.number)

    def _raised_by_words(self) -> Iterator[Finding]:
        """What the wording alone leaves open, and no line of the rules has raised; where that is asked for."""
        if not self._subject.effort.lone_words:
            return
        asked_of_lines = {(frozenset(told.cites), told.trial.answer.dimension) for told, _ in self._told}
        for name in self._of_words.names:
            found = self._of_words.finding(name, asked_of_lines) if self._is_unanswered(name) else None
            if found is not None:
                yield found

    def _cause(self, told: ToldAnswer) -> object:
        """What is one question: of one statement and dimension; of lines of one shape; of one place."""
        answer = told.trial.answer
        if told.cites:
            return told.cites, told.assumed, answer.dimension, self._apart(told)
        place = self._subject.places.text(answer.origins[0].span)
        alike = answer.name if answer.dimension in _ONCE else shape_of(place)
        return alike, told.assumed, answer.dimension, ""

    def _shape_of(self, answers_: Sequence[ToldAnswer]) -> object:
        """What questions have in common that ask the same of lines of one shape: they are one, with their number."""
        first = answers_[0].trial.answer
        text = self._subject.places.text(first.origins[0].span)
        asked = tuple((one.trial.answer.dimension, one.trial.answer.name) for one in answers_)
        by_sentence = first.dimension in (AGAIN, LED_ON) or first.name == OF_THE_KIND
        apart = answers_[0].cites if by_sentence else ()
        return shape_of(text), answers_[0].assumed, asked, apart

    def _apart(self, told: ToldAnswer) -> str:
        """Comparisons, conditions and orders of one statement are questions of their own."""
        answer = told.trial.answer
        return self._subject.places.text(answer.origins[0].span) if answer.dimension in _ALONE else ""

    def _answers_of(self, group: Sequence[ToldAnswer]) -> list[ToldAnswer]:
        """The first place of a group with its answers; the others are counted."""
        first = group[0]
        here = [one for one in group if one.place.rpartition("/")[0] == first.place.rpartition("/")[0]]
        rest = tuple(dict.fromkeys(one.place for one in group if one not in here))
        lead = min(here, key=lambda one: rank(one.trial.answer))
        return [replace(lead, alike=rest), *(one for one in here if one is not lead)]

    def _stale(self) -> Iterator[Finding]:
        """Answers to what cannot be asked any more, or in words that nothing has."""
        if not self._subject.core.settled:
            return
        points = () if self._points is None else self._points.names()
        every = (*self._names.values(), *self._granted.names, *points, *self._of_words.names)
        names = [f"{CODE}/{name}" for name in every]
        for one in self._subject.core.settled:
            if one not in self._settled:
                where = " nor in the rulebook" if self._words.rulebook is not None else ", and no rulebook is given"
                said = f'"{one.words}" settles {one.question} here, and does not stand in what is cited{where}'
                yield Finding(CODE, FindingOutcome.FOUND, said, "", (one.origin.span,), one.statements,
                              settle="quote the words as they stand there")  # fmt: skip
            elif not any(settlement_of((one,), name) for name in names):
                yield Finding(CODE, FindingOutcome.FOUND, f"{one.question} is settled here, and cannot be asked", "",
                              (one.origin.span,), one.statements, settle="take the line out")  # fmt: skip

    def _rest(self) -> str:
        said = [f"{number} {why}" for why, number in sorted(self._answered.items())]
        made = [f"{self._nothing} made no difference in {self._games} games"] if self._nothing else []
        if self._granted.unseen:
            said_of = "things that are taken for granted came up in no game, or are no steps of one"
            made.append(f"{self._granted.unseen} {said_of}")
        made += self._equal
        made += [self._late] if self._late else []
        return "; ".join(["of the other answers", *said, *made]).replace(";", ":", 1) if said or made else (
            "the rules leave no other answer open")  # fmt: skip
