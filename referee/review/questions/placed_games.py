"""Games that begin in the positions of scenarios: they show what may matter, soon, and not that a game comes there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from referee.frontend.names.other_answers import OtherAnswer
from referee.game.event import Event
from referee.game.start_position import BadPosition
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.playouts import choose
from referee.interpreter.walker import Walker
from referee.review.questions.noted_games import NotedGame, Taken, carried_out, noted_game
from referee.review.questions.noting_selector import NotingSelector
from referee.review.questions.trials import AnswerTrial, AnswerTrials, Difference
from referee.simulation.witness import Tale
from referee.system.deadline import Clock, OutOfTime

FURTHER = 12
"""After what a scenario tells so many events are played at most."""


class PlacedGames:
    """The games that scenarios tell from a position on, each gone on with for a while; each is played once, when it is
    asked for. One that cannot begin with other answers in the rules is left out."""

    def __init__(self, walker: Walker, tales: Sequence[Tale], players: tuple[str, ...], seed: int) -> None:
        self._walker, self._random = walker, Random(seed)
        self._left = [tale for tale in reversed(tales)
                      if tale.setting.position is not None and tale.setting.players == players]  # fmt: skip
        self._played: list[tuple[Tale, NotedGame]] = []

    def games(self, clock: Clock) -> Iterator[tuple[Tale, NotedGame]]:
        """All of them. Raises `OutOfTime`."""
        yield from self._played
        while self._left:
            clock.tick()
            tale = self._left.pop()
            left = _Left(self._walker, list(tale.events), self._random)
            try:
                game = noted_game(self._walker, tale.setting, len(tale.events) + FURTHER, clock, left.next)
            except (BadPosition, Fault, Unsettled):
                continue
            self._played.append((tale, game))
            yield tale, game

    def nearest(
        self, trials: AnswerTrials, answer: OtherAnswer, most: int, clock: Clock
    ) -> tuple[Tale, Difference] | None:
        """The shortest of them in which an answer matters after so many events at most. Raises `OutOfTime` never: what
        is found by then counts."""
        found: tuple[Tale, Difference] | None = None
        try:
            for tale, game in self.games(clock):
                clock.tick()
                one = trials.parted(answer, game)
                shorter = None if one is None else trials.minimised(answer.index, one, clock)
                if shorter is not None and len(shorter.events) <= most:
                    found, most = (tale, shorter), len(shorter.events) - 1
        except OutOfTime:
            pass
        return found


@dataclass
class PlacedTrial:
    """What is known of an other answer from such games. `tale`: the scenario whose game is the first of those kept that
    tell; None if none does."""

    trial: AnswerTrial
    tale: Tale | None = None

    def look(self, trials: AnswerTrials, tale: Tale, game: NotedGame, clock: Clock) -> None:
        """Tries the answer in one game more. Raises `OutOfTime`."""
        if self.trial.undecided:
            trials.look(self.trial, game, clock)
            if self.trial.kept and self.trial.kept[0].setting is tale.setting:
                self.tale = tale


@dataclass
class _Left:
    """What is left of the events that a scenario tells; after these anything is done that is possible."""

    walker: Walker
    events: list[Event]
    random: Random
    told: int = 0

    def next(self, state: State, noting: NotingSelector) -> Taken:
        if self.told < len(self.events) and self.walker.check(state, self.events[self.told]) is None:
            self.told += 1
            return carried_out(self.walker, state, self.events[self.told - 1], noting)
        self.told = len(self.events)
        return carried_out(self.walker, state, choose(self.walker, state, self.random), noting)
