"""Games that all players prolong: each does what he likes best, and they like what has kept games going.

What they like is changed a little from game to game, and kept if the game lasts no less. Where a position comes again
without fate having been asked, it can come again and again. Where as much is counted and lies everywhere as before, and
fate can change nothing of that, more games are played so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from random import Random

from referee.core.ruleset import Form, Role, Zone
from referee.core.types import COMPONENT, Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.game.event import FATE, TABLE, Event
from referee.game.setting import Setting
from referee.game.state import Slot, State, Step
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.walker import Walker
from referee.simulation.strategies import Manners
from referee.system.deadline import Clock

OFFERED = 40
"""So many legal events are looked at for what is liked best."""
LOOKED_AT = 3
"""Of so many events that are liked alike it is looked at what comes of them."""
NEAR = 40
"""For so many events players try to come back to one position."""
AGAIN = 2
"""So often a game has to come to what is counted alike."""
CONFIRMED = 3
"""So many more games have to go on as long if somebody plays them so."""
Likes = dict[object, float]
"""How much somebody likes to do something."""
Start = tuple[Setting, tuple[Event, ...]]


@dataclass(frozen=True, slots=True)
class Loop:
    """A game that goes on: `events` to a position, and `again`, after which it is there once more.

    `exact`: the position is the same, and fate was not asked; else all that is counted is the same, and as much lies
    in each place, in games of `most` events.
    """

    setting: Setting
    events: tuple[Event, ...]
    again: tuple[Event, ...]
    exact: bool
    most: int = 0


class Prolonged:
    """Games of a walker, with a seed. `steps`: what comes of so many events is looked at in all."""

    def __init__(self, walker: Walker, seed: int, steps: int, clock: Clock) -> None:
        self._walker, self._clock, self._left = walker, clock, steps
        self._random = Random(f"prolonged {seed}")
        self._manners = Manners(walker, self._random)
        layout = walker.layout
        self._zones = [(at, zone) for name, zone in walker.core.zones.items() for at in layout.zones[name].entries]
        self._counted = [at for name, var in layout.defs.items()
                         if var.role in (Role.STATE, Role.COUNTER) and not _of_components(var.type)
                         for at in layout.vars[name].entries]  # fmt: skip

    def loops(self, starts: Sequence[Start], most: int) -> Iterator[Loop]:
        """Games of at most so many events that go on for ever, or seem to: one from each start, in turn, as long as
        steps are left. Raises `OutOfTime`."""
        best: list[tuple[int, Likes]] = [(0, {}) for _ in starts]
        for game in count():
            if not starts or self._left <= 0:
                return
            number = game % len(starts)
            lasted, likes = best[number]
            changed = self._changed(likes)
            one = _OneGame(self, starts[number], changed, most, back=game // len(starts) % 2 == 1)
            one.play()
            if one.lasted >= lasted:
                best[number] = one.lasted, changed
            if one.loop is not None and (one.loop.exact or self._confirmed(starts[number], changed, most)):
                yield one.loop

    def _confirmed(self, start: Start, likes: Likes, most: int) -> bool:
        """Whether games that are played so are never over, whatever fate does."""
        for _ in range(CONFIRMED):
            one = _OneGame(self, start, likes, most, back=False)
            one.play()
            if not one.going:
                return False
        return True

    def _changed(self, likes: Likes) -> Likes:
        """Some of it otherwise."""
        share = self._random.random()
        return {label: value for label, value in likes.items() if self._random.random() > share / 2}

    def whatever_fate_does(self, loop: Loop) -> bool:
        """Whether nothing that is counted hangs on what fate does in a loop."""
        step = self.begin((loop.setting, loop.events))
        for event in loop.again:
            assert isinstance(step, State)
            after = self._walker.advance(step, event)
            if event.by == FATE:
                others = [self._walker.advance(step, one) for one in islice(self._walker.legal(step), OFFERED)]
                self._left -= len(others)
                if any(self._alike(one) != self._alike(after) for one in others):
                    return False
            step = after
        return True

    def _alike(self, step: Step) -> object:
        return self.counted(step) if isinstance(step, State) else step

    # ------------------------------------------------------------------ for a game
    def counted(self, state: State) -> object:
        """All of a position but for which components lie where."""
        slots = state.slots
        return (state.at, *[_full(zone, slots[at]) for at, zone in self._zones], *[slots[at] for at in self._counted])

    def decided(self, state: State) -> bool:
        """Whether players decide at a position."""
        return min(self._walker.who(state)) > FATE

    def chosen(self, state: State, likes: Likes, aim: State) -> tuple[Event, Step]:
        """What somebody likes best; of what he likes alike, what comes nearest to a position."""
        if FATE in self._walker.who(state):
            self._left -= 1
            return self._manners.any(state)
        offered = list(islice(self._walker.legal(state), OFFERED))
        for event in offered:
            likes.setdefault(_kind(event), self._random.random())
        best = max(likes[_kind(event)] for event in offered)
        alike = [event for event in offered if likes[_kind(event)] == best]
        some = self._random.sample(alike, min(LOOKED_AT, len(alike)))
        self._left -= len(some)
        self._clock.tick()
        tried = [(event, self._walker.advance(state, event)) for event in some]
        return min(tried, key=lambda one: _far(one[1], aim))

    def begin(self, start: Start) -> Step:
        """Where a game begins."""
        setting, events = start
        step = self._walker.begin(setting)
        for event in events:
            assert isinstance(step, State)
            step = self._walker.advance(step, event)
            self._left -= 1
        return step


class _OneGame:
    """A game that is prolonged. `lasted`: so many events; `going`: it was not over then; `back`: they try to come back
    to what was, else to change little."""

    def __init__(self, games: Prolonged, start: Start, likes: Likes, most: int, *, back: bool) -> None:
        self._games, self._start, self._likes, self._most, self._back = games, start, likes, most, back
        self._events: list[Event] = []
        self.loop: Loop | None = None
        self.lasted, self.going = 0, False

    def play(self) -> None:
        """Plays it, until a position comes again without fate."""
        step, aim = self._games.begin(self._start), None
        seen: dict[State, int] = {}
        counted: dict[object, list[int]] = {}
        since_fate = 0
        while isinstance(step, State) and len(self._events) < self._most:
            here = len(self._events)
            if seen.get(step, -1) >= since_fate:
                self.loop = self._found(seen[step], here, exact=True)
                break
            seen[step] = here
            if self._games.decided(step):
                counted.setdefault(self._games.counted(step), []).append(here)
            if not self._back or aim is None or here % NEAR == 0:
                aim = step
            event, step = self._games.chosen(step, self._likes, aim)
            self._events.append(event)
            if event.by == FATE:
                since_fate = len(self._events)
        self.lasted, self.going = len(self._events), isinstance(step, State)

        if self.loop is None and self.going:
            often = max(counted.values(), key=len, default=[])
            if len(often) >= AGAIN and often[-1] > self._most * 3 // 4:
                loop = self._found(often[0], often[1], exact=False)
                self.loop = loop if self._games.whatever_fate_does(loop) else None

    def _found(self, first: int, then: int, *, exact: bool) -> Loop:
        setting, before = self._start
        events = tuple(self._events)
        return Loop(setting, (*before, *events[:first]), events[first:then], exact, self._most)


def _kind(event: Event) -> object:
    """What is liked more or less: to do what has a label; of the table, each ruling."""
    return event.label if event.by != TABLE else (event.label, event.args)


def _of_components(kind: Type) -> bool:
    match kind:
        case Bool() | Int():
            return False
        case Elem():
            return kind.domain == COMPONENT
        case Maybe() | SetOf() | Many():
            return _of_components(kind.of)


def _full(zone: Zone, content: Slot) -> object:
    """How much lies in a zone; of one with spots, on which of them."""
    if zone.form is Form.SLOTS and isinstance(content, tuple):
        return tuple([one is not None for one in content])
    return amount(zone, content)


def _far(step: Step, aim: State) -> int:
    """In how many entries a step is not a position; far away if the game is over."""
    if not isinstance(step, State):
        return len(aim.slots) + 1
    return sum(one is not other and one != other for one, other in zip(step.slots, aim.slots, strict=True))
