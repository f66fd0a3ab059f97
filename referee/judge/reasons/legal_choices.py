"""Who is asked at a position, and what he can do, in words that a viewer may read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from referee.game.event import TABLE
from referee.game.state import State
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.visibility import PlayerSight
from referee.system.deadline import Deadline

MOST_LEGAL = 40
"""So many legal events of a line are told; of more it is said that there are."""


def choices_before(walker: Walker, names: Names, sight: PlayerSight, before: Iterable[PossibleState],
                   until: Deadline) -> tuple[str, tuple[str, ...]]:
    """Who is asked where the game stands, and what he can do, one more than `MOST_LEGAL` at most; of the first
    candidate. Raises `OutOfTime`."""
    for here in before:
        if not isinstance(here.step, State):
            continue
        try:
            asked = walker.asked(here.step)
            events = []
            for event in islice(walker.legal(here.step), MOST_LEGAL + 1):
                events.append(event)
                until.check()
        except (Unsettled, Fault):
            continue
        told = [names.event(event) for event in events if sight.of_actor(event.by) or event.by == TABLE]
        return f"{names.all_of(asked.by)} at {asked.point.name}", tuple(told)
    return "", ()
