"""Which lines of an illegal log cannot all be true, and which alone, stating something else, would make it possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from referee.game.log.log_lines import EventLine, Line
from referee.game.player_views import HIDDEN
from referee.system.deadline import Deadline

MOST_SECONDS = 10.0
"""How long the lines are tried."""


MOST_TOLD = 8
"""A contradiction of more lines is told only if it is known that none can be left out."""


def contradiction(lines: Sequence[Line], wrong: int, guess: Sequence[int],
                  refused: Callable[[Sequence[Line]], bool], deadline: Deadline) -> tuple[int, ...]:
    """Lines that cannot all be true, whatever all the others state, the wrong one last; none of them can be left out,
    unless it grew late. Nothing if the wrong line is so by itself, or if it was not found out in time.

    `guess`: lines that may be enough; `refused`: whether a log is illegal.
    """
    before = [line for line in lines if line.number <= wrong]
    told = [line.number for line in before if isinstance(line, EventLine) and line.args and line.number < wrong]

    def enough(kept: Sequence[int]) -> bool:
        return not deadline.passed and refused(
            [line if line.number in kept or line.number not in told else blank(line)  # type: ignore[arg-type]
             for line in before])

    guessed = [number for number in guess if number in told]
    left = guessed if guessed and enough(guessed) else told
    size = max(1, (len(left) + 1) // 2)
    while left and not deadline.passed:
        for start in range(0, len(left), size):
            rest = [*left[:start], *left[start + size:]]
            if enough(rest):
                left = rest
                break
        else:
            if size == 1:
                break
            size = max(1, size // 2)
        size = min(size, max(1, len(left)))
    return (*left, wrong) if left and (not deadline.passed or len(left) < MOST_TOLD) else ()


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
