"""Offers: the alternatives of a point, and every way in which one of them can be taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.flow import Alternative
from referee.core.reads import locals_of
from referee.core.stmt import Guard, Param
from referee.core.types import Value
from referee.engine.evaluate import distinct, evaluate, members
from referee.engine.faults import Fault
from referee.engine.frame import Frame
from referee.engine.selection import is_selection, selections
from referee.game.event import Event

ME = "me"


class Offer:
    """An alternative with its guards sorted by when they can be tested: `stages[n]` once n parameters are bound.

    Guards keep their order: none is tested before those that stand above it.
    """

    def __init__(self, alternative: Alternative) -> None:
        self.alternative = alternative
        self.label = alternative.label
        self.params = alternative.params
        self.args = frozenset(param.arg for param in alternative.params if param.arg is not None)
        self.names = tuple((param.arg, param.name) for param in alternative.params if param.arg is not None)
        self.told = len(self.names) == len(alternative.params)
        self.stages = _stages(alternative)

    def enter(self, by: int, frame: Frame) -> None:
        """Binds the actor and what the point fixes."""
        frame.env = {ME: by}
        for name, value in self.alternative.fixed:
            frame.env[name] = evaluate(value, frame)

    def event(self, by: int, frame: Frame) -> Event:
        """The event of what is bound."""
        return Event(by, self.label, tuple((arg, frame.env[name]) for arg, name in self.names))

    def ways(self, by: int, frame: Frame) -> Iterator[None]:
        """Binds every combination of parameters that is legal, one after the other, in a fixed order."""
        self.enter(by, frame)
        return self._ways(0, frame)

    def _ways(self, index: int, frame: Frame) -> Iterator[None]:
        if not holds(self.stages[index], frame):
            return
        if index == len(self.params):
            yield
            return
        param = self.params[index]
        for value in values(param, frame):
            frame.env[param.name] = value
            yield from self._ways(index + 1, frame)

    def fits(self, event: Event, frame: Frame) -> bool:
        """True if an event takes this offer; then its parameters are bound."""
        given = dict(event.args)
        if given.keys() != self.args:
            return False
        self.enter(event.by, frame)
        return self._fits(0, given, frame)

    def _fits(self, index: int, given: dict[str, Value], frame: Frame) -> bool:
        if not holds(self.stages[index], frame):
            return False
        if index == len(self.params):
            return True
        param = self.params[index]
        if param.arg is None:
            for value in values(param, frame):
                frame.env[param.name] = value
                if self._fits(index + 1, given, frame):
                    return True
            return False
        value = given[param.arg]
        if not allows(param, value, frame):
            return False
        frame.env[param.name] = value
        return self._fits(index + 1, given, frame)


def _stages(alternative: Alternative) -> tuple[tuple[Guard, ...], ...]:
    stages: list[list[Guard]] = [[] for _ in range(len(alternative.params) + 1)]
    reached = 0
    for guard in alternative.guards:
        read = locals_of(guard.cond)
        needed = [index + 1 for index, param in enumerate(alternative.params) if param.name in read]
        reached = max([reached, *needed])
        stages[reached].append(guard)
    return tuple(tuple(stage) for stage in stages)


def holds(guards: Sequence[Guard], frame: Frame) -> bool:
    """True if all guards hold; one that cannot be evaluated does not."""
    try:
        for guard in guards:
            if not evaluate(guard.cond, frame):
                return False
    except Fault:
        return False
    return True


def values(param: Param, frame: Frame) -> Iterator[Value]:
    """The values that a parameter can take from its source, each once, in a fixed order; none if that is an error."""
    try:
        if param.count is None:
            yield from dict.fromkeys(distinct(param.source, frame))
        else:
            yield from selections(param, frame)
    except Fault:
        return


def allows(param: Param, value: Value, frame: Frame) -> bool:
    """True if a parameter can take a value from its source; if that is an error, it cannot."""
    try:
        if param.count is not None:
            return is_selection(param, value, frame)
        return value in members(param.source, frame)
    except Fault:
        return False
