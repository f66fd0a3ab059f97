"""Counts sequences from a position by machine code, as far as that is soon done: the rest is for whoever asks."""

from __future__ import annotations

import ctypes
from array import array

from referee.codegen.generated_engine import Generated
from referee.game.state import State
from referee.native.compiled_module import COUNT, FOR_COUNTS, CompiledModule
from referee.native.exploring.counting_ir import BOOK_WORDS, BY_EVENT, LAST, LEFT, NOBODY, UNTIL, widest
from referee.native.judging.memory_position import MemoryPosition
from referee.native.memory_layout import put_back
from referee.native.point_ir import MOST_ROWS
from referee.native.value_forms import NotNative

MOST_POINTS = 10_000
"""So many points are looked at in one call at most: nobody waits for it much longer than a second."""
DEEPEST = 3
"""So many steps are counted in one call, at most: of those before them it is remembered where they lead."""
LEVELS = 48
"""There is memory for sequences of so many events."""


class NativeCount:
    """Counts steps that are events, or turns. `last`: the nodes at which whatever is done surely ends a turn. Raises
    `NotNative` where that cannot be done."""

    def __init__(self, engine: Generated, last: frozenset[int], *, by_event: bool) -> None:
        self._engine = engine
        self._compiled = CompiledModule(engine.flow, engine.layout, FOR_COUNTS)
        if COUNT in self._compiled.left:
            raise NotNative(self._compiled.left[COUNT])
        memory = self._compiled.memory
        room = LEVELS * (min(memory.size, 1 << 16) + 8 * 64) + 8 * MOST_ROWS * widest(engine.flow)
        self._state = (ctypes.c_char * memory.size)()
        self._fixed = (ctypes.c_char * max(memory.fixed_size, 1))()
        self._free = (ctypes.c_char * room)()
        self._last = array("b", [at in last for at in range(len(engine.flow.nodes))])
        self._book = array("q", [0] * BOOK_WORDS)
        self._book[UNTIL] = ctypes.addressof(self._free) + room
        self._book[BY_EVENT], self._book[LAST] = int(by_event), self._last.buffer_info()[0]
        self._rest: tuple[object, ...] | None = None
        self.deepest = DEEPEST

    def number(self, state: State, by: int | None, depth: int) -> int | None:
        """How many sequences of `depth` steps there are; None if others have to count them."""
        if depth > self.deepest or not self._laid(state):
            return None
        self._book[LEFT] = MOST_POINTS
        found: int = self._compiled.functions[COUNT](
            ctypes.addressof(self._state), ctypes.addressof(self._fixed), state.at, NOBODY if by is None else by,
            depth, ctypes.addressof(self._free), self._book.buffer_info()[0])
        if found >= 0:
            return found
        if self._book[LEFT] <= 0:
            self.deepest = depth - 1  # there are too many ways for so many steps
        return None

    def _laid(self, state: State) -> bool:
        """Whether a position lies in memory now."""
        memory = self._compiled.memory
        rest = tuple(state.slots[self._engine.layout.fixed:])
        try:
            if rest != self._rest:
                block = bytes(memory.written_once(state.slots))
                ctypes.memmove(self._fixed, block, len(block))
                self._rest = rest
            image = state.image if isinstance(state, MemoryPosition) else memory.trimmed(memory.written(state.slots))
        except NotNative:
            return False
        put_back(self._state, image)
        return True
