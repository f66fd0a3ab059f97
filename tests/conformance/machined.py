"""What machine code makes of a known position, compared with the walker: each difference as a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.flow import Flow
from referee.game.event import Event, spoken
from referee.game.state import State, Step
from referee.interpreter.walker import Walker
from referee.native.native_engine import Native
from tests.conformance.known import apart


class Machined:
    """The native engine. `followed`: so many steps it made; `left`: those that it left to others, who tell why."""

    def __init__(self, flow: Flow) -> None:
        self._engine = Native(flow)
        self._walker = Walker(flow)
        self.followed = self.left = 0

    def differs(self, state: State, event: Event, after: Step | None) -> Iterator[str]:
        """How it differs from the step that the walker made, None if that was none."""
        number, found = self._engine.follow(state, [spoken(event)], tested=False)
        if not number:
            self.left += 1
            return
        self.followed += 1
        exact = None if after is None else self._walker.advance(state, event, test_arrival=False)
        yield from (f"machine code: {said}" for said in apart(self._engine.layout, found, exact))
