"""Games by lot of a flow, played by one function as the walker plays them: with the same seed the same game."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

from referee.codegen.runtime_support import Again, StepError
from referee.codegen.whole_games.game_function import GameFunction
from referee.codegen.whole_games.whole_game import WholeGame
from referee.game.event import Event
from referee.game.state import Ended, State, Step


class LotGame(WholeGame):
    """Plays games of a flow."""

    def __init__(self, form: GameFunction, fixed: int) -> None:
        super().__init__(form, fixed)
        self._nodes = {number: at for at, number in form.places.items()}

    def played(self, state: State, random: Random, most: int) -> tuple[list[Event], Step | None] | None:
        """The events of a game from a position on, and where it then is: None if what the last of them leads to is
        unusual. Nothing is said of a position that is none for it, or of what draws in a way of its own."""
        place = self._form.places.get(state.at)
        if place is None or type(random) is not Random or not self._lies(state):
            return None
        drawn: list[Event] = []
        found: tuple[Any, ...] | None = None
        with suppress(StepError, Again):
            found = self._function(self._begun[1], place, most, random.getrandbits, drawn.append)
        if found is None:
            return drawn, None
        at, won, entries = found
        if won is None:
            return drawn, State(self._nodes[at], self._slots(entries))
        return drawn, Ended(State.later(at, partial(self._slots, entries)), self.winners(won))
