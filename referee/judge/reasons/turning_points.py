"""The fork that kept a game from where a line would have been asked: the nearest one at which another way leads there.

Backwards from the points that offer the label, as far as no other point lies between; then by going the other way from
the position at each fork passed, the last first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, asks, offered, offers
from referee.core.ruleset import Role
from referee.game.event import FATE, TABLE, Event
from referee.game.state import Failed, State
from referee.interpreter.refusals import Refusal
from referee.interpreter.step_replay import Entries
from referee.interpreter.trace import Trace, TracedEvent, TracedFork
from referee.judge.reasons.past_events import DoneEvent
from referee.judge.reasons.sight.seen_steps import SeenStep, SeenSteps, is_crossing
from referee.system.deadline import Deadline

_SETTINGS = (Role.READING, Role.PARAMETER, Role.GIVEN)
MOST_STEPS = 16
"""So many steps back a fork is looked for."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Where the game went another way than to the line: at a fork; at a point that was passed, by what is refused there
    (`refusal`); or at a point where it was asked, and something else was done (`instead`).

    `step` with its `trace` is the step in which that was; `index`: of its entry among those of the trace; `slots`: the
    entries at a fork.
    """

    step: DoneEvent
    trace: Trace
    index: int
    fork: TracedFork | None = None
    passed: TracedEvent | None = None
    refusal: Refusal | None = None
    instead: bool = False
    slots: Entries | None = None


class TurningPoints:
    """Looks for turning points in one flow."""

    def __init__(self, seen: SeenSteps) -> None:
        self._seen = seen
        self._flow = seen.replay.flow
        self._near: dict[str, frozenset[int]] = {}
        self._asking: dict[str, frozenset[int]] = {}
        self._loosely = False

    def nearest(self, steps: Sequence[DoneEvent], event: Event, until: Deadline, *,
                loosely: bool = False) -> TurningPoint | None:
        """The last turning point of some steps, away from where an event would have been asked, if one is found. It is
        not looked for beyond a step of which is not told how it went on.

        `loosely`: of where anybody is asked for it, or the rules fail on the way there.
        """
        self._loosely = loosely
        near, others = self._near_to(event.label), False
        for step in [*reversed(steps)][:MOST_STEPS]:
            if until.passed:
                return None
            seen = self._seen.of(step)
            found = None if seen is None else next(self._within(seen, event, near, until), None)
            if found is not None or seen is None or seen.cut:
                return found
            others |= step.event.by not in (event.by, FATE, TABLE)
            if self._asks(step.state, event):  # the game was there: what was before has not kept it away
                instead = not others and step.event.label != event.label and step.event.by == event.by
                return TurningPoint(step, seen.trace, 0, instead=True) if instead else None
        return None

    def _within(self, seen: SeenStep, event: Event, near: frozenset[int], until: Deadline) -> Iterator[TurningPoint]:
        """The turning points of one step, the last first."""
        step, trace = seen.step, seen.trace
        passed = [(index, entry) for index, entry in enumerate(trace.entries) if is_crossing(entry)]
        for (index, entry), (at, after, slots) in zip(reversed(passed), reversed(seen.crossings), strict=False):
            if until.passed:
                return
            if isinstance(entry, TracedFork) and entry.node == at and after is not None:
                if entry.parts and self._is_told(entry) and self._leads(at, after, slots, event, near):
                    yield TurningPoint(step, trace, index, fork=entry, slots=slots)
            elif isinstance(entry, TracedEvent) and entry.node == at and at in self._asking[event.label]:
                refusal = self._refused(State(at, slots), event)
                if refusal is not None:
                    yield TurningPoint(step, trace, index, passed=entry, refusal=refusal)

    def _is_told(self, fork: TracedFork) -> bool:
        """Whether a condition says more than by which names the rules have told two cases apart: what is compared is of
        the game, or several were compared with one another."""
        compared = any(isinstance(name.value, frozenset) for part in fork.parts for name in part.names)
        return compared or not fork.reads or self._seen.replay.reads_state(fork, *_SETTINGS)

    def _leads(self, at: int, after: int, slots: Entries, event: Event, near: frozenset[int]) -> bool:
        """Whether the way that was not taken leads to where the event is asked."""
        node = self._flow.nodes[at]
        match node:
            case Fork(_, yes, no):
                other = no if after == yes else yes
            case Run() | Ask() | Gather() | Draw() | Rule():
                return False
        if other not in near:
            return False
        led = self._seen.known(lambda: self._seen.otherwise(other, slots))
        return (self._loosely and isinstance(led, Failed)) or (isinstance(led, State) and self._asks(led, event))

    def _asks(self, state: State, event: Event) -> bool:
        """Whether somebody is asked at a position for an event like this one."""
        if state.at not in self._near_points(event.label):
            return False
        course = self._seen.walker.course

        def asks() -> bool:
            frame = course.frame(state)
            asked = course.who(state.at, frame)
            if event.by not in asked and not self._loosely:
                return False
            if course.point(state.at).point.name == event.label:
                return True
            return any(offer.label == event.label for by in (asked if self._loosely else {event.by})
                       for offer in course.offers(state.at, by, frame))

        return self._seen.known(asks) or False

    def _refused(self, state: State, event: Event) -> Refusal | None:
        """Why an event is not legal at a point that was passed; None if somebody else was to be asked there."""
        walker = self._seen.walker
        return self._seen.known(lambda: walker.check(state, event) if event.by in walker.who(state) else None)

    def _near_points(self, label: str) -> frozenset[int]:
        self._near_to(label)
        return self._asking[label]

    def _near_to(self, label: str) -> frozenset[int]:
        """The nodes from which the game may come to a point that offers a label before it comes to another one."""
        if label not in self._near:
            self._asking[label] = points = frozenset(asking(self._flow, label))
            self._near[label] = leading_to(self._flow, points)
        return self._near[label]


def asking(flow: Flow, label: str) -> Iterator[int]:
    """The points at which a label is offered, or ruled."""
    for index, node in enumerate(flow.nodes):
        found, point = offers(node), asks(node)
        labels = {one.label for one in offered(found)} if found is not None else (
            {point.point.name} if point is not None else set())
        if label in labels:
            yield index


def leading_to(flow: Flow, points: frozenset[int]) -> frozenset[int]:
    """Nodes, and those from which the game may come to one of them before it comes to a point that asks somebody."""
    ways: dict[int, list[int]] = {}
    for index, node in enumerate(flow.nodes):
        for after in _silently(node):
            ways.setdefault(after, []).append(index)
    found, waiting = set(points), list(points)
    while waiting:
        for index in ways.get(waiting.pop(), ()):
            if index not in found:
                found.add(index)
                waiting.append(index)
    return frozenset(found)


def _silently(node: Node) -> tuple[int, ...]:
    """Where the game may go on from a node without asking anybody."""
    match node:
        case Run(next=after):
            return (after,)
        case Fork(yes=yes, no=no):
            return (yes, no)
        case Ask(otherwise=otherwise):
            return () if otherwise is None else (otherwise,)
        case Gather(next=after) | Rule(next=after):
            return (after,)
        case Draw(point=point, alternative=one):
            return (one.next,) if point.automatic else ()
        case _:
            assert_never(node)
