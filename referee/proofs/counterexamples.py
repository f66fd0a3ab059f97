"""Games that break a claim, made shorter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.walker import Walker
from referee.proofs.proof_outcomes import RefutingGame

Broken = Callable[[Step], Sequence[str]]
"""The names of the claims that are broken where a game has come to, or on the way there from the point before."""


def minimised(walker: Walker, game: RefutingGame, name: str, broken: Broken) -> RefutingGame:
    """The game without events that it does not need: none of what is left can be dropped alone."""
    if game.shortest:
        return game
    events = list(game.events)
    size = max(1, len(events) // 2)
    while True:
        shorter, at = False, 0
        while at < len(events):
            tried = breaks(walker, game.setting, [*events[:at], *events[at + size:]], name, broken)
            if tried is None:
                at += size
            else:
                events, shorter = tried, True
        if not shorter and size == 1:
            return RefutingGame(game.setting, tuple(events))
        size = size if shorter else max(1, size // 2)


def breaks(walker: Walker, setting: Setting, events: Sequence[Event], name: str, broken: Broken) -> list[Event] | None:
    """The events up to the break, if they are legal and break the claim; else None."""
    step: Step = walker.begin(setting)
    for number in range(len(events) + 1):
        if name in broken(step):
            return list(events[:number])
        if number == len(events) or not isinstance(step, State) or walker.check(step, events[number]) is not None:
            return None
        step = walker.advance(step, events[number])
    return None
