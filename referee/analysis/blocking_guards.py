"""What somebody could do if no guard stood in his way, and which guards do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from referee.core.flow import Alternative, Ask
from referee.game.event import Event
from referee.game.state import State
from referee.interpreter.offers import Offer
from referee.interpreter.refusals import GUARD, Tested
from referee.interpreter.walker import Walker

MOST_WAYS = 24
"""Of an alternative with more ways only so many are tried, and what forbids the others is left out."""


@dataclass(frozen=True, slots=True)
class Barred:
    """An event that is illegal for its guards alone: the first of them that fails, and the alternative."""

    event: Event
    alternative: Alternative
    failed: Tested


class Bars:
    """Looks for what guards forbid at decisions, with the reference engine. `whole`: it has left out nothing so far."""

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self.whole = True
        self._offers: dict[int, list[Offer]] = {}

    def at(self, state: State) -> Iterator[Barred]:
        """Some events of each alternative that are there to be taken, and are forbidden."""
        node = self._walker.flow.nodes[state.at]
        if not isinstance(node, Ask):
            return
        for offer, alternative in zip(self._open(state.at, node), node.alternatives, strict=True):
            frame = self._walker.course.frame(state)
            by: int = frame.evaluate(node.actor)
            for number, _ in enumerate(islice(offer.ways(by, frame), MOST_WAYS + 1)):
                if number == MOST_WAYS:
                    self.whole = False
                    break
                event = offer.event(by, frame)
                refusal = self._walker.check(state, event)
                if refusal is not None and refusal.kind == GUARD and refusal.failed:
                    yield Barred(event, alternative, refusal.failed[0])

    def _open(self, at: int, node: Ask) -> list[Offer]:
        """The alternatives of a decision without their guards."""
        if at not in self._offers:
            code = self._walker.course.code
            self._offers[at] = [Offer(replace(one, guards=()), code) for one in node.alternatives]
        return self._offers[at]
