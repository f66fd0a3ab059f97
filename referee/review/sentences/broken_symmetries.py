"""symmetry-break: players or components that the rules declare alike, and do not treat alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from referee.analysis.position_words import Words
from referee.core.ruleset import Core, DeclaredAlike
from referee.diagnostics.source import Span
from referee.flow.lowering import lower
from referee.frontend.names.other_answers import OtherAnswer
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.other_rules.mirrored_members import (
    Exchange,
    exchanges,
    is_seen_through,
    uneven_start,
    with_members_exchanged,
)
from referee.review.finding import Finding, FindingOutcome, absent, bounded
from referee.review.questions.all_answers.equal_answers import EqualAnswers
from referee.review.questions.noted_games import noted_games
from referee.review.questions.parting import Comparison
from referee.review.questions.trials import AnswerTrial, AnswerTrials
from referee.review.subject import Subject
from referee.simulation.state_space import settings

CODE = "symmetry-break"
GAMES = 40
"""So many games are played by the rules at most."""
SETTLE = "rules that treat them alike, or a declaration without them"


def symmetry_break(subject: Subject) -> Iterator[Finding]:
    """Each group that is declared alike."""
    if not subject.core.alike:
        yield absent(CODE, "nothing is declared to be alike")
    for one in subject.core.alike:
        yield from _Group(subject, one).findings()


class _Group:
    """What is known of members that are declared alike."""

    def __init__(self, subject: Subject, declared: DeclaredAlike) -> None:
        self._subject, self._declared = subject, declared
        self._exchanges = exchanges(subject.core, declared)

    def findings(self) -> Iterator[Finding]:
        """A difference of set-up and one of play, or what is known where there is none."""
        uneven = [(one, said) for one in self._exchanges if (said := uneven_start(self._subject.core, one))]
        if uneven:
            yield self._uneven(*uneven[0])
        core, answers = with_members_exchanged(self._subject.core, self._exchanges)
        if not answers:
            if not uneven:
                yield self._unnamed()
            return
        yield from self._played(core, answers)

    def _unnamed(self) -> Finding:
        name = self._declared.name
        if is_seen_through(self._subject.core, self._declared):
            return absent(CODE, "no rule tells them apart", name)
        return bounded(CODE, "no rule names one of them; what goes through them in an order was not looked at", name)

    def _uneven(self, one: Exchange, said: str) -> Finding:
        return Finding(
            CODE, FindingOutcome.FOUND, f"{one.said} are said to be alike, and do not begin alike: {said}",
            f"{self._declared.name}.start", (self._declared.origin.span,), self._declared.origin.cites,
            settle="the same for each of them before the game, or a declaration without them",
        )  # fmt: skip

    # ------------------------------------------------------------------ games
    def _played(self, core: Core, answers: Sequence[OtherAnswer]) -> Iterator[Finding]:
        subject = self._subject
        walker = Walker(lower(core))
        comparison = Comparison(walker, Words(walker, subject.players))
        trials = AnswerTrials(walker, comparison)
        every = [AnswerTrial(one) for one in answers]
        games = noted_games(walker, subject.players, subject.effort.seed, subject.effort.events, subject.clock)
        number = 0
        for game in islice(games, min(subject.effort.games, GAMES)):
            number += 1
            for trial in every:
                if not trial.told and not trial.failed:
                    trials.look(trial, game, subject.clock)
        told = [trial for trial in every if trial.told]
        failed = [trial for trial in every if trial.failed]
        if told:
            yield self._found(trials, min(told, key=lambda one: len(one.kept[0].events)))
        elif failed:
            yield self._failing(failed[0])
        else:
            yield self._alike(comparison, answers, number)

    def _alike(self, comparison: Comparison, answers: Sequence[OtherAnswer], games: int) -> Finding:
        subject, name = self._subject, self._declared.name
        every = settings(subject.reference, Setting(subject.players)) if subject.space.whole else None
        if every is not None and is_seen_through(subject.core, self._declared):
            indexes = frozenset(one.index for one in answers)
            same = EqualAnswers(comparison, every, indexes, subject.effort.positions, subject.clock)
            if same.equal == indexes:
                return absent(CODE, f"exchanged, they come to the same at all {same.positions} positions", name)
        return bounded(CODE, f"exchanged, they come to the same in {games} games", name)

    def _found(self, trials: AnswerTrials, trial: AnswerTrial) -> Finding:
        subject = self._subject
        difference = trials.shortest(trial, subject.clock)
        words = Words(trials.walker, subject.players)
        said = self._said(trial)
        return Finding(
            CODE, FindingOutcome.FOUND, f"{said} are said to be alike, and are not treated alike", self._declared.name,
            self._spans(trial), self._declared.origin.cites,
            difference.witness(subject.core.options),
            difference.ways(subject.core, words, "as the rules have it", f"with {said} exchanged in the rules"),
            SETTLE,
        )  # fmt: skip

    def _failing(self, trial: AnswerTrial) -> Finding:
        said = self._said(trial)
        return Finding(
            CODE, FindingOutcome.CANDIDATE, f"{said} are said to be alike, and are not treated alike",
            self._declared.name, self._spans(trial), self._declared.origin.cites, settle=SETTLE,
            notes=(f"with {said} exchanged in the rules {trial.failed}",),
        )  # fmt: skip

    def _said(self, trial: AnswerTrial) -> str:
        return self._exchanges[trial.answer.index - 1].said

    def _spans(self, trial: AnswerTrial) -> tuple[Span, ...]:
        """The declaration, and the lines that name one of them."""
        lines = {(one.span.path, one.span.line): one.span for one in trial.answer.origins}
        return (self._declared.origin.span, *lines.values())
