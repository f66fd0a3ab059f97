"""What can be picked next: the picks with which an event that has begun so can still become a legal one."""

from __future__ import annotations

from collections.abc import Sequence

from referee.core.stmt import Param
from referee.envs.action_codes import ENOUGH, Pick
from referee.game.event import Event
from referee.game.state import State
from referee.interpreter.multisets import selections_with
from referee.interpreter.offers import Offer
from referee.interpreter.walker import Walker

MOST_TRIED = 20_000
"""So many ways to go on are tried before a pick is taken to be possible without having seen one."""


class PickChains:
    """What somebody can pick at one position."""

    def __init__(self, walker: Walker, state: State, by: int) -> None:
        self._by = by
        self._frame = walker.course.frame(state)
        self._offers = walker.course.offers(state.at, by, self._frame)
        self._found: dict[Pick, None] = {}
        self._event: Event | None = None
        self._left = 0

    def after(self, picks: Sequence[Pick]) -> tuple[tuple[Pick, ...], Event | None]:
        """What can be picked after these; no more and the event, if they make it up.

        Several are chosen one by one in any order, until it is said to be enough; nobody has to say so where nothing
        else is possible. A pick after which no event is legal is left out as far as `MOST_TRIED` tries tell.
        """
        self._found, self._event = {}, None
        for offer in self._offers:
            if not picks or offer.label == picks[0].label:
                self._left = MOST_TRIED
                offer.enter(self._by, self._frame)
                self._go(offer, 0, tuple(picks))
        if self._event is not None and self._found:
            self._found[Pick(self._event.label, None)] = None  # others of the same name have more arguments
            return tuple(self._found), None
        if len(self._found) == 1 and picks:
            only = next(iter(self._found))
            if only.value is ENOUGH and only.argument is not None:
                return self.after((*picks, only))
        return tuple(self._found), self._event

    def _go(self, offer: Offer, index: int, picks: tuple[Pick, ...]) -> None:
        """Binds what was picked from an argument on, and notes what can follow it."""
        if not offer.holds(index, self._frame):
            return
        if index == len(offer.params):
            self._complete(offer, picks)
            return
        choice = offer.choices[index]
        name, told, several = choice.param.name, choice.param.arg, choice.param.count is not None
        env = self._frame.env
        if told is None:
            for value in choice.values(self._frame):
                env[name] = value
                self._go(offer, index + 1, picks)
        elif not picks:
            if several:
                self._more(offer, index, ())
                return
            for value in choice.values(self._frame):
                assert isinstance(value, int)
                pick = Pick(offer.label, told, value)
                env[name] = value
                if pick not in self._found and self._completes(offer, index + 1):
                    self._found[pick] = None
        elif picks[0].argument == told and not several:
            value = picks[0].value
            if value is not ENOUGH and choice.allows(value, self._frame):
                env[name] = value
                self._go(offer, index + 1, picks[1:])
        elif picks[0].argument == told:
            held = tuple(one.value for one in picks if one.argument == told and one.value is not ENOUGH)
            if len(held) == len(picks):
                self._more(offer, index, held)
                return
            said = picks[len(held)] == Pick(offer.label, told)  # or it was not needed: nothing else was possible
            env[name] = tuple(sorted(held))
            if choice.allows(env[name], self._frame):
                self._go(offer, index + 1, picks[len(held) + said:])

    def _complete(self, offer: Offer, picks: tuple[Pick, ...]) -> None:
        if offer.names and not picks:
            self._event = self._event or offer.event(self._by, self._frame)
        elif not picks:
            self._found[Pick(offer.label, None)] = None
        elif picks == (Pick(offer.label, None),):
            self._event = self._event or offer.event(self._by, self._frame)

    def _more(self, offer: Offer, index: int, held: tuple[int, ...]) -> None:
        """Notes what can be added to a chosen set, and whether it can be enough."""
        param = offer.choices[index].param
        for taken in selections_with(param, held, self._frame):
            self._left -= 1
            added = [Pick(offer.label, param.arg, one) for one in dict.fromkeys(_beyond(taken, held))]
            if added and all(one in self._found for one in added) and self._left > 0:
                continue
            self._frame.env[param.name] = taken
            if self._completes(offer, index + 1):
                self._found.update(dict.fromkeys(added or [Pick(offer.label, param.arg)]))
            if self._left <= 0:
                self._found.update(dict.fromkeys(added))
                return

    def _completes(self, offer: Offer, index: int) -> bool:
        """Whether values for the rest of the arguments make a legal event; taken to be so once too many were tried."""
        self._left -= 1
        if self._left <= 0:
            return True
        if not offer.holds(index, self._frame):
            return False
        if index == len(offer.params):
            return True
        param: Param = offer.choices[index].param
        for value in offer.choices[index].values(self._frame):
            self._frame.env[param.name] = value
            if self._completes(offer, index + 1):
                return True
        return False


def _beyond(taken: Sequence[int], held: Sequence[int]) -> list[int]:
    """What is taken and not held."""
    left = list(taken)
    for one in held:
        left.remove(one)
    return left
