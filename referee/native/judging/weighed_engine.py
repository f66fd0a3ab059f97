"""The engine that weighs: generated code, until so much was followed that machine code would have been worth its price.

What was spent is compared with what compiling costs: so it never takes much longer than twice the better of the two,
however many logs are still to come. Where the work is known beforehand it is weighed at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass

from referee.codegen.generated_engine import Generated
from referee.core.flow import Flow
from referee.game.event_table import EventTable, LineMemo
from referee.game.state import State, Step
from referee.game.text_following import Result, TextFollower
from referee.interpreter.walker import Walker
from referee.system.deadline import Stopwatch

FIRST_LOOK = 0.2
"""So many seconds are spent before it is looked whether machine code is kept already: that costs as much."""
AT_LEAST, EACH_NODE = 0.15, 3e-4
"""Seconds that compiling takes, and for each expression and statement of a flow."""
SECONDS_A_BYTE = 1.5e-7
"""So long a byte of a log takes with generated code."""
BY_GENERATED_CODE = "by generated code"


class Weighed(Generated):
    """Runs a flow as `Walker` does, with the same answers. `note` says what ran since the log began."""

    def __init__(self, flow: Flow, work: int = 0) -> None:
        """`work`: of so many bytes of logs it is known that they are to be judged."""
        super().__init__(flow)
        self.note = BY_GENERATED_CODE
        self._spent = work * SECONDS_A_BYTE
        self._next = FIRST_LOOK
        self._faster: Walker | None = None
        self._going = False

    def begin_log(self) -> None:
        super().begin_log()
        self._going = False
        if self._faster is not None:
            self._faster.begin_log()
            self.note = self._faster.note

    def follow_numbers(self, state: State, numbers: Sequence[int], table: EventTable, *,
                       tested: bool) -> tuple[int, Step]:
        """By machine code, once that is worth it."""
        if self._faster is None and self._spent >= self._next:
            self._weigh()
        if self._faster is not None:
            done = self._faster.follow_numbers(state, numbers, table, tested=tested)
            self._told()
            return done
        watch = Stopwatch()
        found = super().follow_numbers(state, numbers, table, tested=tested)
        self._spent += watch.seconds
        self._going = True
        return found

    def result(self, state: State, numbers: Sequence[int], table: EventTable, *, tested: bool) -> Result | None:
        """By machine code, where that is worth it already."""
        if self._faster is not None:
            result = self._faster.result(state, numbers, table, tested=tested)
            self._told()
            return result
        return super().result(state, numbers, table, tested=tested)

    def text_follower(self, state: State, memo: LineMemo, *, tested: bool) -> TextFollower | None:
        """By machine code, where that is worth it already."""
        return None if self._faster is None else self._faster.text_follower(state, memo, tested=tested)

    def _weigh(self) -> None:
        """Goes over to machine code if it is kept, or if compiling it takes no longer than what was spent."""
        try:
            from referee.native.compiled_module import FOR_JUDGES, kept
            from referee.native.native_engine import Native
            from referee.native.value_forms import NotNative
        except ModuleNotFoundError:
            self._stays("llvmlite is not installed: pip install 'referee[native]'")
            return
        price = price_of(self.flow)
        if self._spent < price and not kept(self.flow, FOR_JUDGES):
            self._next = price
            return
        try:
            self._faster = Native(self.flow)
        except NotNative as why:
            self._stays(f"no machine code is made of {why}")
            return
        self._faster.begin_log()

    def _told(self) -> None:
        """What ran since the log began, now that there is machine code."""
        later = "" if self._faster is None else self._faster.note
        if not self._going:
            self.note = later
        elif not later.startswith(BY_GENERATED_CODE):
            self.note = f"{BY_GENERATED_CODE}, then {later}"

    def _stays(self, why: str) -> None:
        self.note = f"{BY_GENERATED_CODE}: {why}"
        self._next = float("inf")


def price_of(flow: Flow) -> float:
    """How many seconds it takes to compile machine code of a flow, about."""
    return AT_LEAST + EACH_NODE * _size(flow)


def _size(flow: Flow) -> int:
    """How many parts the nodes of a flow have."""
    waiting: list[object] = list(flow.nodes)
    found = 0
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting.extend(one)
        elif is_dataclass(one):
            found += 1
            waiting.extend(getattr(one, field.name) for field in fields(one))
    return found
