"""Games that show a difference made shorter: events left out, other ways tried; and what a difference leads to."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from random import Random

from referee.comparison.correspondence import SharedEvent
from referee.comparison.lockstep import Both, Lockstep, PartingKind, SidesParting, ends_here
from referee.comparison.shown_difference import ShownDifference
from referee.simulation.shrinking import fewest
from referee.system.deadline import Clock

OTHER_WAYS = 60
"""So many times another way is tried to come to a difference by fewer events."""
MOST_FURTHER = 300
"""Among so many positions it is looked for what a difference of state leads to."""
LISTED = 40
"""So many events of a position are followed for what a difference leads to."""
Chooser = Callable[[Both, int], SharedEvent | None]
"""An event that is legal in both, by lot as one of them (0: the first) draws it."""


class Shortener:
    """Looks for the shortest games of differences."""

    def __init__(self, lockstep: Lockstep, chosen: Chooser, random: Random, clock: Clock) -> None:
        self._lockstep, self._chosen, self._random, self._clock = lockstep, chosen, random, clock

    def shorten(self, shown: ShownDifference) -> None:
        """Makes the game of a difference shorter, if it can be; of one of state it tells what comes of it. Raises
        `OutOfTime`."""
        if not shown.shortest:
            self._minimise(shown, shown.events)
            if shown.told is None:
                self._other_ways(shown)
        if shown.parting.kind is PartingKind.STATE:
            shown.then = self._decides(shown)

    def _minimise(self, shown: ShownDifference, known: Sequence[SharedEvent]) -> None:
        lockstep, cause = self._lockstep, shown.parting.cause

        def after(both: Both, event: SharedEvent) -> Both | None:
            return None if ends_here(lockstep.partings(both)) else lockstep.after(both, event)

        def shows(both: Both) -> bool:
            return any(one.cause == cause for one in lockstep.partings(both))

        events, least = fewest(lockstep.begin(shown.settings), after, shows, known, self._clock)
        both = self._along(shown, events)
        if both is not None:
            found = [one for one in lockstep.partings(both) if one.cause == cause]
            if found:
                shown.parting, shown.events, shown.minimised = found[0], events, least

    def _other_ways(self, shown: ShownDifference) -> None:
        """Leaves the known game somewhere, and comes to the same by lot and fewer events: those of the known game are
        preferred, whoever does them."""
        for number in range(OTHER_WAYS):
            self._clock.tick()
            known = shown.events
            if len(known) < 2:
                return
            kept = self._random.randrange(len(known) - 1)
            both = self._along(shown, known[:kept])
            events = list(known[:kept])
            while both is not None and len(events) < len(known):
                found = self._lockstep.partings(both)
                if any(one.cause == shown.parting.cause for one in found):
                    self._minimise(shown, events)
                    break
                event = None if ends_here(found) else self._next(both, number, known)
                both = None if event is None else self._lockstep.after(both, event)
                events += [] if event is None else [event]

    def _next(self, both: Both, number: int, known: Sequence[SharedEvent]) -> SharedEvent | None:
        common = self._lockstep.common(both) if self._random.random() < 0.7 else []
        wanted = {(event.do, event.args) for event in known}
        near = [event for event in common if (event.do, event.args) in wanted]
        return self._random.choice(near) if near else self._chosen(both, number % 2)

    def _along(self, shown: ShownDifference, events: Sequence[SharedEvent]) -> Both | None:
        both: Both | None = self._lockstep.begin(shown.settings)
        for event in events:
            both = None if both is None else self._lockstep.after(both, event)
        return both

    def _decides(self, shown: ShownDifference) -> tuple[tuple[SharedEvent, ...], SidesParting] | None:
        """The fewest further events after which something else can be seen to happen; None if it is not known."""
        both = self._along(shown, shown.events)
        waiting: deque[tuple[Both, tuple[SharedEvent, ...]]] = deque([] if both is None else [(both, ())])
        seen = set[tuple[object, object]]()
        while waiting and len(seen) < MOST_FURTHER:
            self._clock.tick()
            here, events = waiting.popleft()
            if (here.one, here.other) in seen:
                continue
            seen.add((here.one, here.other))
            found = self._lockstep.partings(here, state=False)
            if found:
                return events, found[0]
            for event in self._lockstep.common(here)[:LISTED]:
                further = self._lockstep.after(here, event)
                if further is not None:
                    waiting.append((further, (*events, event)))
        return None
