"""Steps of a game as they may be told to somebody: all of them, or what one player sees of them.

A player is told of another way that the game could have taken only if all that decides where it leads lies open to him.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from referee.core.stmt import Origin
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.step_replay import Crossing, Entries, StepReplay
from referee.interpreter.trace import KnownValue, Reads, Trace, TracedEvent, TracedFork, TraceEntry
from referee.interpreter.walker import Walker
from referee.judge.defaults.recording_walker import RecordingWalker
from referee.judge.reasons.past_events import DoneEvent
from referee.judge.reasons.sight.trace_sight import TraceSight

_T = TypeVar("_T")
MOST_KEPT = 32
"""So many steps are remembered, because several questions are asked of the last ones."""


@dataclass(frozen=True, slots=True)
class SeenStep:
    """A step with what may be told of it. `crossings`: of the last forks and points that were passed on its way, with
    the entries there; `cut`: how it goes on is not told; `worked_out`: the numbers that registers were set to."""

    step: DoneEvent
    trace: Trace
    crossings: tuple[Crossing, ...]
    cut: bool
    worked_out: Mapping[str, tuple[KnownValue, Origin]] = field(default_factory=dict)


class SeenSteps:
    """The steps of one flow as somebody sees them. `walker` answers about positions (`known`)."""

    def __init__(self, replay: StepReplay, sight: TraceSight | None) -> None:
        """`sight`: of the player who is told, None for somebody who sees everything."""
        self.replay = replay
        self._known: dict[DoneEvent, SeenStep] = {}
        self._sight = sight
        self._recorder = None if sight is None else RecordingWalker(replay.plain)

    @property
    def walker(self) -> Walker:
        return self._recorder or self.replay.plain

    @property
    def all(self) -> bool:
        """Whether everything is told."""
        return self._sight is None

    def start(self, setting: Setting) -> Trace | None:
        """The set-up as far as it is told, None if it cannot be carried out again."""
        try:
            trace = self.replay.start(setting)
        except (Unsettled, Fault):
            return None
        seen = trace if self._sight is None else self._sight.of(trace)
        return None if self._sight is not None and self._sight.cut else seen

    def of(self, step: DoneEvent) -> SeenStep | None:
        """A step, None if it cannot be carried out again. Some are remembered."""
        known = self._known.get(step)
        if known is None:
            known = self._carried_out(step)
            if known is not None:
                if len(self._known) >= MOST_KEPT:
                    self._known.clear()
                self._known[step] = known
        return known

    def _carried_out(self, step: DoneEvent) -> SeenStep | None:
        try:
            trace = self.replay.step(step.state, step.event)
        except (Unsettled, Fault, ValueError):
            return None
        crossings = tuple(self.replay.crossings)
        if self._sight is None:
            return SeenStep(step, trace, crossings, False, self.replay.worked_out)
        seen = self._sight.of(trace)
        hidden = sum(map(is_crossing, trace.entries)) - sum(map(is_crossing, seen.entries))
        return SeenStep(step, seen, crossings[:max(len(crossings) - hidden, 0)], self._sight.cut)

    def known(self, ask: Callable[[], _T]) -> _T | None:
        """The answer to a question that is put to `walker`; None if it hangs on what is not seen, or if there is none.

        The question may raise `Fault` and `Unsettled`.
        """
        if self._recorder is not None:
            self._recorder.begin_log()
        try:
            answer = ask()
        except (Unsettled, Fault):
            return None
        return answer if self._recorder is None or self.sees(frozenset(self._recorder.read)) else None

    def otherwise(self, at: int, slots: Entries) -> Step:
        """Where the game would go from a node with these entries. Raises `Unsettled`.

        For a player it is not looked at whether anything is possible where it would come to rest, which hangs on hands.
        """
        if self._recorder is None:
            return self.replay.otherwise(at, slots)
        course = self._recorder.course
        return course.go(at, course.frame(State(at, slots)), None, test=False)

    def sees(self, reads: Reads) -> bool:
        """Whether all of some entries lie open."""
        return self._sight is None or self._sight.sees(reads)

    def opened(self, reads: Reads) -> Reads:
        """Those of some entries that lie open."""
        return reads if self._sight is None else self._sight.opened(reads)


def is_crossing(entry: TraceEntry) -> bool:
    """Whether an entry of a trace is a fork of the flow or a point that was left without asking anybody."""
    return (isinstance(entry, TracedFork) and entry.node is not None) or (
        isinstance(entry, TracedEvent) and not entry.asked)
