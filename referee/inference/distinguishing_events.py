"""What would tell settings apart that explain the same logs: an event now, or a game that one of them forbids."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.playouts import complete, play_out
from referee.interpreter.walker import Walker
from referee.judge.open_settings.decision_diagrams import TooManyNodes
from referee.judge.open_settings.setting_sets import Choices, united
from referee.judge.open_settings.setting_space import Rejoin
from referee.judge.open_settings.setting_verdicts import Explained, standing
from referee.judge.partial.enumeration import TooMany
from referee.judge.partial.lifted.setting_tracker import SettingTracker
from referee.judge.partial.possible_states import Explorer
from referee.judge.partial.possible_worlds import PossibleState
from referee.system.deadline import NEVER, Deadline, OutOfTime

MOST_EVENTS = 500
"""Events that may come next, looked at for one log, at most."""
MOST_PAIRS = 4_000
"""Pairs of positions searched for a game that tells two settings apart, at most."""


@dataclass(frozen=True, slots=True)
class Decisive:
    """An event that may come after the last line of a log, and the settings that are left if it does."""

    path: str
    event: Event
    left: Choices


def decisive(log: Explained, region: Choices, deadline: Deadline = NEVER) -> Iterator[Decisive]:
    """The events that some settings of a region allow next and others do not, as far as they are found in time.

    None of a log of which not everything was told. Of a log with too many holes to fill them those events are looked at
    that may come next in one way to fill them; what is left after one is what is left in any way.
    """
    try:
        for event, after in _nexts(log, region, deadline):
            left = region.both(after)
            if left and region.less(left):
                yield Decisive(log.path, event, left)
    except (OutOfTime, TooManyNodes, TooMany):
        return


def _nexts(log: Explained, region: Choices, deadline: Deadline) -> Iterator[tuple[Event, Choices]]:
    """Events that may come next, and the settings that allow them. Not those of which that could not be told."""
    if log.judge is None or log.walker is None or log.space is None or log.judge.halt is not None or log.untold:
        return  # not everything was followed to its end
    hidden = log.judge.holes.branches if log.judge.holes is not None else None
    rejoin = Rejoin(log.space)
    explorer = Explorer(log.walker, log.judge.names, rejoin)
    explorer.deadline = deadline
    alive = [here for here in standing(log.judge) if isinstance(here.step, State)
             and region.both(log.space.shared(rejoin.choices(here)))]
    for event in islice(_next(explorer, log.walker, alive), MOST_EVENTS):
        deadline.check()
        if isinstance(hidden, SettingTracker):
            after = hidden.allowing(event, log.judge.lines + 1)
        else:
            after = _allowing(explorer, rejoin, alive, event, log.judge.lines + 1)
        if after is not None:
            yield event, after


def _allowing(explorer: Explorer, rejoin: Rejoin, alive: Sequence[PossibleState], event: Event,
              line: int) -> Choices | None:
    """The settings that allow an event next; None if not all was followed."""
    before = rejoin.left_out
    accepted = explorer.take(alive, event, line).accepted
    if rejoin.left_out != before:
        return None
    return united([rejoin.space.shared(rejoin.choices(here)) for here in accepted])


def _next(explorer: Explorer, walker: Walker, alive: Sequence[PossibleState]) -> Iterator[Event]:
    """Every event that some candidate allows next."""
    seen: set[Event] = set()
    for here in explorer.settling(alive, 0):
        if not isinstance(here.step, State):
            continue
        for _, events in explorer.settled(here, 0, lambda state: list(islice(walker.legal(state), MOST_EVENTS))):
            yield from (event for event in events if event not in seen)
            seen.update(events)


@dataclass(frozen=True, slots=True)
class DistinguishingGame:
    """Whether a game by one setting is ever forbidden by another. `events`: such a game, its last event the one that is
    forbidden (empty: none was found); `exhaustive`: there is none, or none shorter; `games`: play-outs looked at.
    """

    setting: Setting
    events: tuple[Event, ...]
    exhaustive: bool
    games: int = 0


def apart(
    walker: Walker, one: Setting, other: Setting, games: int, seed: int = 0, max_events: int = 2_000
) -> DistinguishingGame:
    """A game by `one` that `other` forbids: the shortest if there are few positions, else one from play-outs.

    What `one` leaves open is drawn; what `other` leaves open is as in `one`.
    """
    try:
        first = complete(walker, one, Random(seed))
    except Fault:  # no values of the parameters are related as the rules say
        return DistinguishingGame(one, (), exhaustive=False)
    found = _search(walker, first, _like(first, other)) if first == one else None
    if found is not None:
        return DistinguishingGame(one, found, exhaustive=True)
    for index in range(games):
        game = play_out(walker, one, (seed << 32) + index, max_events)
        events = _forbidden(walker, _like(game.setting, other), game.events)
        if events:
            return DistinguishingGame(game.setting, events, exhaustive=False, games=index + 1)
    return DistinguishingGame(one, (), exhaustive=False, games=games)


def _like(one: Setting, other: Setting) -> Setting:
    """The other setting, with what it leaves open as in the first."""
    parameters = {name: {**values, **other.parameters.get(name, {})} for name, values in one.parameters.items()}
    return replace(other, givens={**one.givens, **other.givens}, parameters={**other.parameters, **parameters})


def _forbidden(walker: Walker, setting: Setting, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events up to the first that a setting forbids, none if it allows them all."""
    try:
        step = walker.begin(setting)
        for index, event in enumerate(events):
            if not isinstance(step, State) or walker.check(step, event) is not None:
                return () if isinstance(step, Failed) else tuple(events[:index + 1])
            step = walker.advance(step, event)
    except (Fault, Unsettled):
        return ()
    return ()


def _search(walker: Walker, one: Setting, other: Setting) -> tuple[Event, ...] | None:
    """The shortest game by `one` that `other` forbids, () if there is none; None if that was too much to search."""
    try:
        first = walker.begin(one), walker.begin(other)
        seen: set[tuple[Step, Step]] = {first}
        waiting: deque[tuple[tuple[Step, Step], tuple[Event, ...]]] = deque([(first, ())])
        while waiting:
            (here, there), events = waiting.popleft()
            if not isinstance(here, State):
                continue
            for event in walker.legal(here):
                if isinstance(there, Ended) or (isinstance(there, State) and walker.check(there, event) is not None):
                    return (*events, event)
                if not isinstance(there, State):
                    continue
                after = walker.advance(here, event), walker.advance(there, event)
                if after not in seen:
                    if len(seen) >= MOST_PAIRS:
                        return None
                    seen.add(after)
                    waiting.append((after, (*events, event)))
    except (Fault, Unsettled):
        return None
    return ()
