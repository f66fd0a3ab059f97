"""A walker that remembers what it looks at: which entries of positions, and which nodes of the flow.

It shares the functions of the walker that it is made of, so that making one costs nothing.
"""

from __future__ import annotations

from referee.core.flow import PointNode
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.closures.closure_types import Slots
from referee.interpreter.closures.frame import Frame
from referee.interpreter.course import FlowCourse
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.walker import Walker


class RecordingCourse(FlowCourse):
    """The course of a walker whose frames remember what is read in `read`, and whose nodes are noted in `passed`."""

    def __init__(self, course: FlowCourse) -> None:
        vars(self).update(vars(course))
        self.read: set[int] = set()
        self.passed: set[int] = set()
        self._passing = lambda at, _: self.passed.add(at)

    def recorded(self, slots: Slots) -> RecordingSlots:
        """Entries of which it is remembered which are read."""
        made = RecordingSlots(slots)
        made.read = self.read
        return made

    def frame(self, state: State) -> Frame:
        """A frame of its own for a position."""
        return Frame(self.code, self.recorded(list(state.slots)))

    def point(self, at: int) -> PointNode:
        """The point at a node. `TypeError` if there is none."""
        self.passed.add(at)
        return super().point(at)


class RecordingWalker(Walker):
    """Answers as the reference engine does. `read`: the entries (their index in the layout) that were looked at since
    `begin_log`; `passed`: the nodes of the flow that were passed or asked about."""

    def __init__(self, walker: Walker) -> None:
        vars(self).update(vars(walker))
        self._recorded = RecordingCourse(walker.course)
        self.course = self._recorded
        self._accepted = None

    @property
    def read(self) -> set[int]:
        return self._recorded.read

    @property
    def passed(self) -> set[int]:
        return self._recorded.passed

    def begin_log(self) -> None:
        """Forgets what was looked at."""
        self.read.clear()
        self.passed.clear()

    def entries(self, setting: Setting) -> Slots:
        """The entries of a game before set-up. Raises `Fault` (RT03) if a home cannot hold its components."""
        return self._recorded.recorded(super().entries(setting))
