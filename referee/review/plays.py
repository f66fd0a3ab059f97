"""Many games of one shape, played at random and with a will to see what was not seen yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

from referee.core.flow import Ask, Gather
from referee.core.ruleset import Form
from referee.engine.faults import Fault
from referee.engine.play import choose, complete
from referee.engine.walker import Walker
from referee.engine.zones import amount
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Failed, State, Step
from referee.review.clock import Clock, TimeUp

KEPT = 60
"""So many positions are kept of each point."""
LOOKED_AT = 6
"""Between so many events a player chooses who is after something new."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game: all that is open was drawn for it. `last`: what its last step came to."""

    setting: Setting
    events: tuple[Event, ...]
    last: Step


@dataclass(frozen=True, slots=True)
class Visit:
    """A position that a game came to after so many events."""

    game: int
    number: int
    state: State


class Plays:
    """Games with one seed. The first half has the default readings, the others have any."""

    def __init__(
        self, walker: Walker, players: tuple[str, ...], seed: int, games: int, events: int, clock: Clock
    ) -> None:
        self._walker, self._players, self._clock = walker, players, clock
        self._random = Random(seed)
        self._rare: Counter[object] = Counter()
        self.games: list[Played] = []
        self.visits: dict[int, list[Visit]] = {}
        self.met: Counter[int] = Counter()
        self.in_time = True
        self._play(games, events)

    @property
    def events(self) -> int:
        """How many events all games have together."""
        return sum(len(game.events) for game in self.games)

    def replay(self, game: Played) -> Iterator[tuple[State, Event | None, Step]]:
        """Each position of a game, what was done there and what came of it; at the last, None and the last step."""
        step: Step = self._walker.begin(game.setting)
        for event in game.events:
            if not isinstance(step, State):
                return
            state, step = step, self._walker.advance(step, event)
            yield state, event, step
        if isinstance(step, State):
            yield step, None, game.last

    def _play(self, games: int, events: int) -> None:
        try:
            for number in range(games):
                self._clock.tick()
                self.games.append(self._one(number, games, events))
        except TimeUp:
            self.in_time = False

    def _one(self, number: int, games: int, most: int) -> Played:
        setting = Setting(self._players)
        if number >= games // 2:
            setting = replace(setting, readings=self._readings())
        try:
            setting = complete(self._walker, setting, self._random)
        except Fault as fault:
            return Played(setting, (), Failed(fault.code, str(fault), fault.span, None))
        step, events = self._walker.begin(setting), list[Event]()
        while isinstance(step, State) and len(events) < most:
            self._note(number, len(events), step)
            event, step = self._next(step, number % 3)
            events.append(event)
            if len(events) % 64 == 0:
                self._clock.tick()
        return Played(setting, tuple(events), step)

    def _readings(self) -> dict[str, int]:
        return {name: self._random.randrange(len(one.choices)) for name, one in self._walker.core.readings.items()}

    def _note(self, game: int, number: int, state: State) -> None:
        """Keeps the position, or lets it take the place of another: each that was met has the same chance."""
        self.met[state.at] += 1
        kept = self.visits.setdefault(state.at, [])
        if len(kept) < KEPT:
            kept.append(Visit(game, number, state))
        elif (index := self._random.randrange(self.met[state.at])) < KEPT:
            kept[index] = Visit(game, number, state)

    def _next(self, state: State, manner: int) -> tuple[Event, Step]:
        """What is done, and what comes of it. Manners: anything; what was seldom done; what leads to something rare."""
        if manner == 0 or not isinstance(self._walker.flow.nodes[state.at], Ask | Gather):
            event = choose(self._walker, state, self._random)
            return event, self._walker.advance(state, event)
        offered = self._some(state)
        if manner == 1:
            event = min(offered, key=lambda e: self._rare[(state.at, e.label)])
            self._rare[(state.at, event.label)] += 1
            return event, self._walker.advance(state, event)
        return self._rarest(state, offered)

    def _some(self, state: State) -> list[Event]:
        """Some of the legal events, in no order."""
        found = list(islice(self._walker.legal(state), 200))
        self._random.shuffle(found)
        return found

    def _rarest(self, state: State, offered: list[Event]) -> tuple[Event, Step]:
        tried = [(event, self._walker.advance(state, event)) for event in offered[:LOOKED_AT]]
        seen = [(self._rarity(step), index) for index, (_, step) in enumerate(tried)]
        event, step = tried[min(seen)[1]]
        if isinstance(step, State):
            self._rare.update(self._features(step))
        return event, step

    def _rarity(self, step: Step) -> float:
        if not isinstance(step, State):
            return 3.0
        return min(self._rare[one] for one in self._features(step))

    def _features(self, state: State) -> list[object]:
        """What is told of a position: where it is, how full each zone is, what each small variable holds."""
        found: list[object] = [state.at]
        for name, zone in self._walker.core.zones.items():
            spread = self._walker.layout.zones[name]
            for index in range(spread.base, spread.base + spread.count):
                slot = state.slots[index]
                found.append((index, slot if zone.form is Form.SLOTS else amount(zone, slot)))
        for spread in self._walker.layout.vars.values():
            if spread.count <= 32:
                for index in range(spread.base, spread.base + spread.count):
                    if isinstance(state.slots[index], bool | int | None):
                        found.append((index, state.slots[index]))
        return found
