"""Which single lines of an illegal log, if what they state were something else, would make it possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from referee.game.log.log_lines import EventLine, Line
from referee.game.player_views import HIDDEN
from referee.system.deadline import Deadline

MOST_SECONDS = 10.0
"""How long the lines are tried."""


def mending(lines: Sequence[Line], suspects: Sequence[int], stands: Callable[[Sequence[Line]], bool],
            deadline: Deadline) -> Iterator[int]:
    """The numbers of those lines among some, with whose arguments unknown a log stands; no more once it is late."""
    for index, line in enumerate(lines):
        if line.number in suspects and isinstance(line, EventLine) and line.args and not deadline.passed:
            if stands([*lines[:index], blank(line), *lines[index + 1:]]):
                yield line.number


def blank(line: EventLine) -> EventLine:
    """A line that states who did what, and nothing else."""
    return replace(line, args=dict.fromkeys(line.args, HIDDEN), holes=tuple(line.args), text="")
