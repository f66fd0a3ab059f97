"""What tries, compares, shortens and tells the other answers that stand in one core."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from referee.analysis.position_words import Words
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.review.questions.all_answers.equal_answers import EqualAnswers
from referee.review.questions.parting import Comparison
from referee.review.questions.placed_games import PlacedGames, PlacedTrial
from referee.review.questions.short_games import FAR, ShortGames
from referee.review.questions.telling import Telling, ToldAnswer
from referee.review.questions.trials import AnswerTrial, AnswerTrials
from referee.review.subject import Subject
from referee.simulation.state_space import settings
from referee.system.deadline import OutOfTime

PLACING = 0.2
"""How much of what is left games take that begin in the positions of scenarios."""
PROVING = 0.3
"""How much of what is left proofs take."""


class CoreTrials:
    """The trials of one core. `walker` has the answers in it; `words`: of its positions."""

    def __init__(self, subject: Subject, walker: Walker) -> None:
        effort = subject.effort
        self.walker, self.words = walker, Words(walker, subject.players)
        self._subject = subject
        self._comparison = Comparison(walker, self.words)
        self.trials = AnswerTrials(walker, self._comparison, set_up=True)
        self._short = ShortGames(walker, self.trials, effort.seed)
        self._placed = PlacedGames(walker, effort.told(subject.core), subject.players, effort.seed)
        self.telling = Telling(subject.core, self.words, subject.places)

    def placed(self, every: Sequence[AnswerTrial]) -> Mapping[int, PlacedTrial]:
        """What made no difference in games, tried in those that begin in the positions of scenarios: those that do."""
        whole = self._subject.clock
        clock = whole.part(PLACING)
        silent = [PlacedTrial(AnswerTrial(one.answer)) for one in every if not one.told and not one.failed]
        try:
            for tale, game in () if whole.over or not silent else self._placed.games(clock):
                for one in silent:
                    one.look(self.trials, tale, game, clock)
        except OutOfTime:
            pass
        except KeyboardInterrupt:
            if not whole.hurry():
                raise
        return {one.trial.answer.index: one for one in silent if one.tale is not None and not one.trial.failed}

    def proved_equal(self, silent: Collection[AnswerTrial]) -> tuple[int, int]:
        """Of how many of the answers that made no difference it is proved that they make none, if that is wanted, and
        at how many positions."""
        subject = self._subject
        every = settings(subject.reference, Setting(subject.players)) if subject.effort.proofs and silent else None
        if every is None or subject.clock.hurried:
            return 0, 0
        found = EqualAnswers(self._comparison, every, {one.answer.index for one in silent}, subject.effort.positions,
                             subject.clock.part(PROVING))  # fmt: skip
        return len(found.equal), found.positions

    def shortest(self, told: ToldAnswer) -> ToldAnswer:
        """With the shortest game that shows it; after Ctrl-C or when the time is up as it was played."""
        clock, answer = self._subject.clock, told.trial.answer
        if clock.over:
            return told
        try:
            if told.placed is not None:
                return replace(told, difference=self.trials.minimised(answer.index, told.difference, clock))
            found = self.trials.shortest(told.trial, clock)
            shorter = found if told.assumed else self._short.shorter(answer, found, clock)
            near = self._placed.nearest(self.trials, answer, FAR, clock) if self._short.is_far(shorter) else None
            return replace(told, difference=shorter, nearer=near)
        except KeyboardInterrupt:
            if not clock.hurry():
                raise
        return told
