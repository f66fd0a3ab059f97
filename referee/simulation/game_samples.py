"""Many games of one shape, played or told, to see what its rules can do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import complete
from referee.interpreter.walker import Walker
from referee.simulation.strategies import Manners, drawn
from referee.simulation.witness import Tale
from referee.system.deadline import Clock, OutOfTime

KEPT = 60
"""So many positions are kept of each point, fewer of large games."""
MOST_ENTRIES = 20_000_000
"""So many entries all positions that are kept may have."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game: all that is open was drawn for it. `last`: what its last step came to; `tale`: what tells it, if any."""

    setting: Setting
    events: tuple[Event, ...]
    last: Step
    tale: Tale | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """A position that a game came to after so many events."""

    game: int
    number: int
    state: State


class Plays:
    """Games with one seed, after those that are told, until the time is up or somebody interrupts.

    `visits`: positions by their point, a fair share of those met; `broken`: for each thing that is to hold always the
    nearest position at which it does not, of all that were met.
    `told`: how many of the games were told and not played; `placed`: games that are told from a position on, of which
    nobody says that a game could come to it, so they are none of the games; `passed`: the positions they come to.
    """

    def __init__(
        self, walker: Walker, players: tuple[str, ...], seed: int, games: int, events: int, clock: Clock,
        told: Sequence[Tale] = (), progress: Callable[[str], None] = lambda _: None,
    ) -> None:  # fmt: skip
        self._walker, self._players, self._clock, self._most = walker, players, clock, events
        self._progress = progress
        self._seed, self._random = seed, Random(seed)
        self._manners = Manners(walker, self._random)
        self.games: list[Played] = []
        self.visits: dict[int, list[Visit]] = {}
        self.broken: dict[str, Visit] = {}
        self.met: Counter[int] = Counter()
        self._kept = max(1, min(KEPT, MOST_ENTRIES // (max(1, walker.layout.size) * len(walker.flow.nodes))))
        self.in_time = True
        self.told = 0
        self.placed: list[Played] = []
        self.passed: list[list[State]] = []
        self._play(told, games)

    @property
    def said(self) -> str:
        """How many games were played, in words."""
        return f"{len(self.games) - self.told} games"

    @property
    def over(self) -> int:
        """How many of the games that were played were not broken off."""
        return sum(not isinstance(game.last, State) for game in self.games[self.told :])

    def more(self, games: int) -> Iterator[Played]:
        """Further games, that are not kept."""
        played = len(self.games) - self.told
        for number in range(played, played + games):
            self._go_on()
            yield self._one(number, keep=False)

    def _play(self, told: Sequence[Tale], games: int) -> None:
        try:
            for tale in told:
                self._clock.tick()
                self._tell(tale, Random(self._seed))  # so that one scenario more does not change every game
                self.told = len(self.games)
            for number in range(games):
                self._go_on()
                self._progress(f"playing game {number + 1} of {games}")
                self.games.append(self._one(number, keep=True))
        except (OutOfTime, KeyboardInterrupt) as stopped:
            if isinstance(stopped, KeyboardInterrupt) and not self._clock.hurry():
                raise
            self.in_time = False
            for at, kept in self.visits.items():  # the game that was broken off is none that could be shown
                self.visits[at] = [visit for visit in kept if visit.game < len(self.games)]
            self.broken = {name: visit for name, visit in self.broken.items() if visit.game < len(self.games)}

    def _go_on(self) -> None:
        """Raises `OutOfTime` if no further game is to be played."""
        if self._clock.hurried:
            raise OutOfTime
        self._clock.tick()

    def _tell(self, tale: Tale, random: Random) -> None:
        """Keeps a game that is told, as far as it can be played so; what is open in it is drawn.

        One that begins with set-up is a game as any other, of the players that those have.
        """
        try:
            setting = complete(self._walker, tale.setting, random)
        except Fault:
            return
        if setting.position is None:
            setting = replace(setting, players=self._players)
        step, done, passed = self._walker.begin(setting), 0, list[State]()
        for event in tale.events:
            if not isinstance(step, State) or self._walker.check(step, event) is not None:
                break
            passed.append(step)
            if setting.position is None:
                self._note(len(self.games), done, step)
            step, done = self._walker.advance(step, event), done + 1
        game = Played(setting, tale.events[:done], step, tale)
        if setting.position is None:
            self.games.append(game)
        else:
            self.placed.append(game)
            self.passed.append([*passed, *([step] if isinstance(step, State) else [])])

    def _one(self, number: int, *, keep: bool) -> Played:
        setting = Setting(self._players)
        try:
            setting = drawn(self._walker, setting, number, self._random)
        except Fault as fault:
            return Played(setting, (), fault.step(None))
        step, events, manner = self._walker.begin(setting), list[Event](), self._manners.of(number)
        while isinstance(step, State) and len(events) < self._most:
            if keep:
                self._note(number + self.told, len(events), step)
            event, step = manner(step)
            events.append(event)
            if len(events) % 64 == 0:
                self._clock.tick()
        return Played(setting, tuple(events), step)

    def _note(self, game: int, number: int, state: State) -> None:
        """Keeps the position, or lets it take the place of another: each that was met has the same chance."""
        for one in self._walker.broken(state):
            if one.name not in self.broken or number < self.broken[one.name].number:
                self.broken[one.name] = Visit(game, number, state)
        self.met[state.at] += 1
        kept = self.visits.setdefault(state.at, [])
        if len(kept) < self._kept:
            kept.append(Visit(game, number, state))
        elif (index := self._random.randrange(self.met[state.at])) < self._kept:
            kept[index] = Visit(game, number, state)
