"""Offers: the alternatives of a point, and every way in which one of them can be taken."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.flow import Alternative
from referee.core.free_ranges import free_range
from referee.core.read_write_sets import locals_of
from referee.core.stmt import Guard, Param
from referee.core.types import Value
from referee.game.event import Event
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.closures.frame import Frame
from referee.interpreter.closures.membership import membership
from referee.interpreter.interruptions import Fault
from referee.interpreter.multisets import is_selection, selections

ME = "me"
InRange = tuple[Event, tuple[tuple[str, int], ...]]
"""A legal event, and the arguments of it that may be any number up to another one: name, and greatest number."""


class ParameterChoice:
    """A parameter with its source."""

    __slots__ = ("_has", "_source", "free", "param")

    def __init__(self, param: Param, code: ExpressionClosures, *, free: bool) -> None:
        """`free`: it may be any number of its range."""
        self.param = param
        self.free = free
        self._source = code.source(param.source)
        self._has = membership(param.source, code)

    def values(self, frame: Frame) -> Iterator[Value]:
        """The values that it can take, each once, in a fixed order; none if the source is in error."""
        try:
            if self.param.count is None:
                yield from dict.fromkeys(self._source(frame.slots, frame.env))
            else:
                yield from selections(self.param, frame)
        except Fault:
            return

    def ends(self, frame: Frame) -> tuple[int, int] | None:
        """The least and the greatest of a range; None if there is nothing in it, or the source is in error."""
        try:
            values = self._source(frame.slots, frame.env)
        except Fault:
            return None
        return (min(values[0], values[-1]), max(values[0], values[-1])) if values else None

    def allows(self, value: Value, frame: Frame) -> bool:
        """True if it can take a value; not if the source is in error."""
        try:
            if self.param.count is not None:
                return is_selection(self.param, value, frame)
            return self._has(value, frame.slots, frame.env)
        except Fault:
            return False


class Offer:
    """An alternative with its guards sorted by when they can be tested: `stages[n]` once n parameters are bound.

    Guards keep their order: none is tested before those that stand above it.
    """

    def __init__(self, alternative: Alternative, code: ExpressionClosures) -> None:
        self.alternative = alternative
        self.label = alternative.label
        self.params = alternative.params
        self.choices = tuple(
            ParameterChoice(param, code, free=free_range(index, alternative.params, alternative.guards) is not None)
            for index, param in enumerate(alternative.params))
        self.args = frozenset(param.arg for param in alternative.params if param.arg is not None)
        self.names = tuple((param.arg, param.name) for param in alternative.params if param.arg is not None)
        self.told = len(self.names) == len(alternative.params)
        self._fixed = [(name, code.expr(value)) for name, value in alternative.fixed]
        self._stages = tuple(tuple(code.expr(guard.cond) for guard in stage) for stage in guards_by_stage(alternative))

    def enter(self, by: int, frame: Frame) -> None:
        """Binds the actor and what the point fixes."""
        frame.env = {ME: by}
        for name, value in self._fixed:
            frame.env[name] = value(frame.slots, frame.env)

    def event(self, by: int, frame: Frame) -> Event:
        """The event of what is bound."""
        return Event(by, self.label, tuple([(arg, frame.env[name]) for arg, name in self.names]))

    def ways(self, by: int, frame: Frame) -> Iterator[None]:
        """Binds every combination of parameters that is legal, one after the other, in a fixed order."""
        self.enter(by, frame)
        return self._ways(0, frame)

    def in_ranges(self, by: int, frame: Frame) -> Iterator[InRange]:
        """Every legal event, where a number that is free in its range stands once: the least of it."""
        self.enter(by, frame)
        return self._in_ranges(0, frame, ())

    def _in_ranges(self, index: int, frame: Frame, most: tuple[tuple[str, int], ...]) -> Iterator[InRange]:
        if not self.holds(index, frame):
            return
        if index == len(self.params):
            yield self.event(frame.env[ME], frame), most
            return
        choice = self.choices[index]
        values = choice.values(frame)
        if choice.free:
            found = choice.ends(frame)
            if found is None:
                return
            values, most = iter(found[:1]), (*most, (self.params[index].arg or "", found[1]))
        for value in values:
            frame.env[choice.param.name] = value
            yield from self._in_ranges(index + 1, frame, most)

    def _ways(self, index: int, frame: Frame) -> Iterator[None]:
        if not self.holds(index, frame):
            return
        if index == len(self.params):
            yield
            return
        choice = self.choices[index]
        for value in choice.values(frame):
            frame.env[choice.param.name] = value
            yield from self._ways(index + 1, frame)

    def fits(self, event: Event, frame: Frame) -> bool:
        """True if an event takes this offer; then its parameters are bound."""
        given = dict(event.args)
        if given.keys() != self.args:
            return False
        self.enter(event.by, frame)
        return self._fits(0, given, frame)

    def _fits(self, index: int, given: dict[str, Value], frame: Frame) -> bool:
        if not self.holds(index, frame):
            return False
        if index == len(self.params):
            return True
        choice = self.choices[index]
        param = choice.param
        if param.arg is None:
            for value in choice.values(frame):
                frame.env[param.name] = value
                if self._fits(index + 1, given, frame):
                    return True
            return False
        value = given[param.arg]
        if not choice.allows(value, frame):
            return False
        frame.env[param.name] = value
        return self._fits(index + 1, given, frame)

    def holds(self, index: int, frame: Frame) -> bool:
        """True if the guards hold that can be tested once so many parameters are bound. One in error does not."""
        try:
            for guard in self._stages[index]:
                if not guard(frame.slots, frame.env):
                    return False
        except Fault:
            return False
        return True


def guards_by_stage(alternative: Alternative) -> tuple[tuple[Guard, ...], ...]:
    """The guards of an alternative by the number of parameters that have to be bound before they can be tested."""
    stages: list[list[Guard]] = [[] for _ in range(len(alternative.params) + 1)]
    reached = 0
    for guard in alternative.guards:
        read = locals_of(guard.cond)
        needed = [index + 1 for index, param in enumerate(alternative.params) if param.name in read]
        reached = max([reached, *needed])
        stages[reached].append(guard)
    return tuple(tuple(stage) for stage in stages)
