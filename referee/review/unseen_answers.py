"""What no game has shown, and a reader asks all the same: what is left of a turn, what counts as what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from referee.analysis.rule_places import Places
from referee.core.ruleset import Core
from referee.frontend.names.other_answers import OtherAnswer
from referee.other_rules.conditions.vain_cases import WITHOUT_EFFECT
from referee.other_rules.likenesses.kinds_counted import OF_THE_KIND
from referee.other_rules.likenesses.repeated_choices import EACH_TIME_THE_SAME
from referee.other_rules.moments.broken_turns import BROKEN_OFF
from referee.other_rules.moments.handed_back import GOT_NOW, USED_NOW
from referee.other_rules.moments.late_limits import AFTER_THE_REST, OUT_OF_TURN
from referee.other_rules.moments.options_elsewhere import LATER_TOO
from referee.review.finding import AskedQuestion, Finding, FindingOutcome
from referee.review.questions.catalogue import DIMENSIONS, answer_of
from referee.review.questions.question_finding import CODE, both, question, share_of, worded
from referee.review.questions.trials import AnswerTrial
from referee.review.questions.wordings import lines_for, sentences_of

MOST_ALIKE = 2
"""So many things at most stand for those of another kind: jokers, not half of all cards."""
_COULD = "games came to a moment at which it could be done then, and who leaves it goes on as by the rules"
_ENDS = ("as in each game that was played", "no game shows it")
_ASKED = (BROKEN_OFF, OF_THE_KIND, EACH_TIME_THE_SAME, USED_NOW, GOT_NOW, AFTER_THE_REST, OUT_OF_TURN, WITHOUT_EFFECT)
"""Answers that stand for a case of which every reader knows that it may come, whether the games came to it or not."""


@dataclass
class UnseenAnswers:
    """The answers of one core that never did anything else in the games that were played."""

    core: Core
    places: Places
    _open: list[tuple[OtherAnswer, str, tuple[str, ...], int]] = field(default_factory=list)

    def keep(self, trial: AnswerTrial, name: str, cites: tuple[str, ...]) -> None:
        """Notes an answer that no game has told apart, if none came to where it would do something else."""
        answer = trial.answer
        here = trial.forks > 0 if answer.name == LATER_TOO else answer.name in _ASKED and not trial.forks
        if here and trial.games and self.core.statements_in(cites):
            alike = dict(answer.said).get("alike", "").split()
            if answer.name == OF_THE_KIND and not 1 <= len(alike) <= MOST_ALIKE:
                return  # nothing in the rules takes the one for the other, or so much does that it says nothing
            self._open.append((answer, name, self.core.statements_in(cites), trial.games))

    def names(self) -> Iterator[str]:
        """What the questions are called."""
        yield from (name for _, name, _, _ in self._open)

    def findings(self, open_: Sequence[str]) -> Iterator[Finding]:
        """A question for each of them; what is asked of several lines of a statement is asked once."""
        known = set[tuple[str, tuple[str, ...]]]()
        for answer, name, cites, games in self._open:
            if name in open_ and (answer.name, cites) not in known:
                known.add((answer.name, cites))
                yield self._finding(answer, name, cites, games)

    def _finding(self, answer: OtherAnswer, name: str, cites: tuple[str, ...], games: int) -> Finding:
        reply = answer_of(answer)
        now, then = sentences_of(reply)
        of = () if reply.names else (self.places.head(answer.origins[0].span),)
        asked = AskedQuestion(reply.asks or DIMENSIONS[answer.dimension].asks, of)
        return question(
            name, asked, (), cites, both(reply.now, reply.then, _ENDS, cites), None, share_of(0, games),
            outcome=FindingOutcome.CANDIDATE,
            notes=(_COULD if answer.name == LATER_TOO else f"none of {games} games came to where it matters",),
            wordings=worded(cites, (now, then), as_it_is=True),
            lines=lines_for(f"{CODE}/{name}", reply, cites, cites[0]),
        )  # fmt: skip
