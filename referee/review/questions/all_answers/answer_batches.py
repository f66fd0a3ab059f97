"""The cores in which the other answers of one shape stand, so many at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.core.flow import Flow
from referee.core.ruleset import Core
from referee.diagnostics.diagnostic import Problems
from referee.flow.lowering import lower
from referee.frontend.loading.assembly import Loaded
from referee.frontend.names.other_answers import OtherAnswer
from referee.frontend.names.shapes import Shape
from referee.other_rules.every_other_rule import build_with_others

BATCH = 1_000
"""So many other answers stand in one core."""


@dataclass(frozen=True, slots=True)
class AnswerBatch:
    """A core, and the answers that stand in it. `every`: all that there are; `last`: no further ones follow."""

    core: Core
    flow: Flow
    answers: Sequence[OtherAnswer]
    every: Sequence[OtherAnswer]
    last: bool


class AnswerBatches:
    """All of them, fewer at once where so many make the rules too large, or where one of them leaves no rules that can
    be played. `left_out`: so many of these there are."""

    def __init__(self, loaded: Loaded, shape: Shape) -> None:
        self._loaded, self._shape = loaded, shape
        self.left_out = 0
        self._number = 1

    def __iter__(self) -> Iterator[AnswerBatch]:
        first, size = 1, BATCH
        while first <= self._number:
            made = self._made(first, size)
            if made is None:
                self.left_out += 1
                first, size = first + 1, BATCH
                continue
            core, flow, every, size = made
            first += size
            yield AnswerBatch(core, flow, every[first - size - 1 : first - 1], every, first > len(every))
            size = min(BATCH, 2 * size)

    def _made(self, first: int, size: int) -> tuple[Core, Flow, tuple[OtherAnswer, ...], int] | None:
        """A core with answers from one on, and how many; None if the first one leaves no rules."""
        while size:
            try:
                core, every = build_with_others(self._loaded, self._shape, first, size)
                self._number = len(every)
                return core, lower(core), every, size
            except Problems:
                size //= 2
        return None
