"""Games by lot of a flow, played by one function as the walker plays them: with the same seed the same game."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

from referee.codegen.offer_groups import logged
from referee.codegen.runtime_support import Again, StepError
from referee.codegen.whole_games.game_function import GameFunction
from referee.codegen.whole_games.set_numbers import members_of
from referee.codegen.whole_games.whole_game import WholeGame
from referee.core.flow import Flow, offered, offers
from referee.game.event import Event
from referee.game.state import Ended, State, Step

MOST_KNOWN = 65_536


class LotGame(WholeGame):
    """Plays games of a flow."""

    def __init__(self, form: GameFunction, fixed: int, flow: Flow) -> None:
        super().__init__(form, fixed)
        self._flow = flow
        self._nodes = {number: at for at, number in form.places.items()}
        self._events: dict[tuple[Any, ...], Event] = {}

    def played(self, state: State, random: Random, most: int) -> tuple[list[Event], Step | None] | None:
        """The events of a game from a position on, and where it then is: None if what the last of them leads to is
        unusual. Nothing is said of a position that is none for it."""
        place = self._form.places.get(state.at)
        if place is None or not self._lies(state):
            return None
        drawn: list[tuple[Any, ...]] = []
        found: tuple[Any, ...] | None = None
        with suppress(StepError, Again):
            found = self._function(self._begun[1], place, most, random.choice, drawn.append)
        events = [self._events.get(one) or self._event(one) for one in drawn]
        if found is None:
            return events, None
        at, won, entries = found
        if won is None:
            return events, self._state(self._nodes[at], entries)
        return events, Ended(self._state(at, entries), frozenset(members_of(won)))

    def _event(self, drawn: tuple[Any, ...]) -> Event:
        at, by, number, *values = drawn
        node = offers(self._flow.nodes[at])
        assert node is not None
        one = offered(node)[number]
        if len(self._events) >= MOST_KNOWN:
            self._events.clear()
        made = self._events[drawn] = Event(by, one.label, tuple(zip(logged(one), values, strict=True)))
        return made
