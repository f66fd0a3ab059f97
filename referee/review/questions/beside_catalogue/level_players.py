"""Players who are level at the end in spite of what decides a tie: asked although no game has come to that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from referee.analysis.rule_places import Places
from referee.core.ruleset import Core
from referee.frontend.names.other_answers import OtherAnswer
from referee.frontend.statements.control_statements import NOBODY, WHO
from referee.game.state import Ended
from referee.review.finding import AskedQuestion, Finding, FindingOutcome
from referee.review.questions.catalogue import ANSWERS
from referee.review.questions.noted_games import NotedGame
from referee.review.questions.question_finding import CODE, FirstGames, both, question, share_of, worded
from referee.review.questions.wordings import lines_for, sentences_of
from referee.review.rule_lines import says_nobody_wins_then, says_who_wins_then

ASKS = "and if they are still level then?"


@dataclass
class LevelPlayers:
    """What is open when nothing decides any more: with many points and a tie-break games seldom come there, and every
    reader knows that they may. Asked only where games end by the line, and of one that several may win by."""

    core: Core
    places: Places
    _ended: FirstGames = field(default_factory=FirstGames)
    _open: dict[int, tuple[OtherAnswer, str, tuple[str, ...], int]] = field(default_factory=dict)

    def look(self, game: NotedGame, answers: Sequence[OtherAnswer]) -> None:
        """Notes a game that ends by a line of which it could be asked."""
        if not isinstance(game.last, Ended):
            return
        for one in answers:
            if (one.dimension, one.name) == (WHO, NOBODY) and game.effects and one.index in game.effects[-1]:
                self._ended.note(one.index, game, len(game.events))

    def keep(self, answer: OtherAnswer, name: str, cites: tuple[str, ...], games: int) -> None:
        """Notes an answer that no game has told apart, of so many."""
        decided = says_who_wins_then(self.places.text(answer.origins[0].span))
        if decided and answer.index in self._ended.first and self.core.statements_in(cites):
            self._open[answer.index] = answer, name, cites, games

    def names(self) -> Iterator[str]:
        """What the questions are called."""
        yield from (name for _, name, _, _ in self._open.values())

    def findings(self, open_: Sequence[str]) -> Iterator[Finding]:
        """A question for each such line."""
        for answer, name, cites, games in self._open.values():
            if name in open_:
                yield self._finding(answer, name, cites, games)

    def _finding(self, answer: OtherAnswer, name: str, cites: tuple[str, ...], games: int) -> Finding:
        reply, ended = ANSWERS[WHO, NOBODY], self._ended.first[answer.index]
        now, then = sentences_of(reply)
        ends = ["who is level wins", "nobody wins"]
        if says_nobody_wins_then(self.places.text(answer.origins[0].span)):  # the other way round
            reply, now, then, ends = replace(reply, now=reply.then, then=reply.now), then, now, ends[::-1]
        asked = AskedQuestion(ASKS, (self.places.head(answer.origins[0].span),))
        return question(
            name, asked, (answer.origins[0].span,), cites, both(reply.now, reply.then, ends, cites),
            ended.witness(self.core.options), share_of(0, games), outcome=FindingOutcome.CANDIDATE,
            notes=(f"no game came to it: {ended.told} of {games} ended by this line, and one was the best",),
            wordings=worded(cites, (now, then), as_it_is=True),
            lines=lines_for(f"{CODE}/{name}", reply, cites, cites[0]),
        )  # fmt: skip
