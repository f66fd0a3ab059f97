"""Other answers that are proved to be none: at no position that a game can come to do they say anything else."""

from __future__ import annotations

from collections import deque
from collections.abc import Set
from dataclasses import replace
from itertools import islice

from referee.frontend.names.other_answers import SELECTOR, THE_RULES
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.review.questions.noted_games import under
from referee.review.questions.noting_selector import NotingSelector
from referee.review.questions.parting import Comparison
from referee.simulation.state_space import MOST_EVENTS
from referee.system.deadline import Clock, OutOfTime


class EqualAnswers:
    """Compares the rules with other answers at every position of a game, from every setting of some.

    An answer that is the same at each of them is the same in every game: from the same position both go to the same.
    `equal`: those of which that is so, none unless all positions are known; `positions`: how many there are.
    """

    def __init__(
        self, comparison: Comparison, settings: list[Setting], answers: Set[int], most: int, clock: Clock
    ) -> None:
        self._comparison, self._walker = comparison, comparison.walker
        self._left = set(answers)
        self._known: set[State] = set()
        self._waiting = deque[State]()
        try:
            whole = self._compared(settings, most, clock)
        except OutOfTime:
            whole = False
        self.equal = frozenset(self._left) if whole else frozenset[int]()
        self.positions = len(self._known)

    def _compared(self, settings: list[Setting], most: int, clock: Clock) -> bool:
        """Goes through all positions as long as there is something to show; False if there are too many."""
        for setting in settings:
            noting = NotingSelector()
            step = self._walker.begin(_by(setting, noting))
            for answer in self._left & noting.taken():
                self._same(answer, step, self._walker.begin(_by(setting, answer)))
            self._reached(step)
        while self._waiting and self._left:
            clock.tick()
            if len(self._known) > most or not self._from(self._waiting.popleft()):
                return False
        return True

    def _from(self, here: State) -> bool:
        noting = NotingSelector()
        state = under(self._walker, here, noting)
        offered = list(islice(self._walker.legal(state), MOST_EVENTS + 1))
        for answer in self._left & noting.taken():
            if set(islice(self._walker.legal(under(self._walker, here, answer)), MOST_EVENTS + 1)) != set(offered):
                self._left.discard(answer)
        for event in offered:
            step = self._walker.advance(state, event)
            for answer in self._left & noting.taken():
                self._same(answer, step, self._walker.advance(under(self._walker, here, answer), event))
            self._reached(step)
        return len(offered) <= MOST_EVENTS

    def _same(self, answer: int, one: Step, other: Step) -> None:
        if not self._comparison.same_but_the_answer(one, other):
            self._left.discard(answer)

    def _reached(self, step: Step) -> None:
        if isinstance(step, State):
            plain = under(self._walker, step, THE_RULES)
            if plain not in self._known:
                self._known.add(plain)
                self._waiting.append(plain)


def _by(setting: Setting, answer: int) -> Setting:
    return replace(setting, readings={**setting.readings, SELECTOR: answer})
