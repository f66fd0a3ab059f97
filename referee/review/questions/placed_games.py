"""Games that begin in the positions of scenarios: they show what may matter, and not that a game comes there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from referee.game.event import Event
from referee.game.start_position import BadPosition
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.playouts import choose
from referee.interpreter.walker import Walker
from referee.review.questions.noted_games import NotedGame, Taken, carried_out, noted_game
from referee.review.questions.noting_selector import NotingSelector
from referee.review.questions.trials import AnswerTrial, AnswerTrials
from referee.simulation.witness import Tale
from referee.system.deadline import Clock

FURTHER = 12
"""After what a scenario tells so many events are played at most."""


def placed_games(
    walker: Walker, tales: Sequence[Tale], players: tuple[str, ...], seed: int, clock: Clock
) -> Iterator[tuple[Tale, NotedGame]]:
    """The games that scenarios tell from a position on, each gone on with for a while. One that cannot begin with other
    answers in the rules is left out. Raises `OutOfTime`."""
    random = Random(seed)
    for tale in tales:
        if tale.setting.position is None or tale.setting.players != players:
            continue
        clock.tick()
        left = _Left(walker, list(tale.events), random)
        try:
            yield tale, noted_game(walker, tale.setting, len(tale.events) + FURTHER, clock, left.next)
        except (BadPosition, Fault, Unsettled):
            continue


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
