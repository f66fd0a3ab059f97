"""Every position that games can come to from some, found by machine code; what is unusual there others go on from."""

from __future__ import annotations

import ctypes
import mmap
from array import array
from collections.abc import Callable, Sequence
from typing import assert_never

from referee.codegen.generated_engine import Generated
from referee.core.flow import offers
from referee.game.event import Event
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.native.compiled_module import KEEP, SEARCH, SEAT, CompiledModule
from referee.native.exploring.searching_ir import (
    BOOK_WORDS,
    COUNT,
    DONE,
    ENDS,
    HEAD,
    MASK,
    NO_PLACE,
    NO_ROOM,
    POSITIONS,
    ROOM,
    ROWS,
    TABLE,
    TESTED,
    UNTIL,
    WAYS,
)
from referee.native.memory_layout import AT_AT, ENDED_AT, WINNERS_AT, word_at
from referee.native.point_ir import END, MOST_ROWS, UNUSUAL
from referee.native.value_forms import NotNative
from referee.native.ways.way_rows import row_width

BATCH = 4_096
"""So many positions are gone on from before anybody looks at a clock."""
LEAST_BYTES = 1 << 16
"""So much memory at least is taken at once, for positions and for their table."""
STOPPED = -16
"""What stands for a node, less its number: the rules do not say how the game goes on there."""
MOST_POSITIONS = (1 << 32) - 2
"""The number of a position, plus one, takes four bytes in the table."""
Met = Callable[[Step, int | None, Event | None], None]
"""Told of a step that was not found by machine code: the number of the position before it, and the event."""


class MemoryBlock:
    """Memory that is zero until something is written there."""

    def __init__(self, size: int) -> None:
        self._mapped = mmap.mmap(-1, max(size, 1))
        self._held = ctypes.c_char.from_buffer(self._mapped)
        self.at = ctypes.addressof(self._held)
        self.size = size

    def bytes_at(self, begin: int, size: int) -> bytes:
        """What is written there."""
        return ctypes.string_at(self.at + begin, size)


class NativeSearch:
    """A search from some positions of a game, breadth first. Positions have numbers, in the order in which they are
    found.

    `stops`: at how many of those gone on from the rules do not say how it goes on; `full`: there was no room for more.
    Raises `NotNative` for a position that is none for machine code.
    """

    def __init__(self, engine: Generated, starts: Sequence[State], most_bytes: int, *, tested: bool, met: Met) -> None:
        self._engine, self._met = engine, met
        self._compiled = CompiledModule(engine.flow, engine.layout, (SEARCH, KEEP, SEAT))
        memory = self._compiled.memory
        if SEARCH in self._compiled.left:
            raise NotNative(self._compiled.left[SEARCH])
        self._size = memory.size
        self._rest = tuple(starts[0].slots[engine.layout.fixed:]) if starts else ()
        fixed = bytes(memory.written_once(starts[0].slots)) if starts else b""
        self._fixed = ctypes.create_string_buffer(fixed, max(len(fixed), 1))
        self._state = (ctypes.c_char * self._size)()
        width = max((row_width(node) for one in engine.flow.nodes if (node := offers(one)) is not None), default=1)
        self._rows = array("q", bytes(8 * width * MOST_ROWS))
        self._book = array("Q", [0] * BOOK_WORDS)
        self._most_bytes = most_bytes
        self.full = False
        self.stops = 0
        self._positions = MemoryBlock(0)
        self._table = MemoryBlock(0)
        self._book[ROWS] = self._rows.buffer_info()[0]
        self._book[TESTED] = int(tested)
        self._more_room()
        self._more_places()
        for state in starts:
            if tuple(state.slots[engine.layout.fixed:]) != self._rest:
                raise NotNative("games that differ in what never changes")
            self.keep(state)

    @property
    def count(self) -> int:
        """How many are known."""
        return int(self._book[COUNT])

    @property
    def head(self) -> int:
        """The first that is not gone on from."""
        return int(self._book[HEAD])

    @property
    def ways(self) -> int:
        """How many events lead on from those before it."""
        return int(self._book[WAYS])

    @property
    def ends(self) -> int:
        """At how many of those the game is over."""
        return int(self._book[ENDS])

    @property
    def bytes_used(self) -> int:
        """What positions and table take."""
        return self.count * self._size + self._table.size

    def go_on(self, until: int) -> bool:
        """Goes on from the positions up to a number, a batch of them at most. False if there was no room for more."""
        self._book[UNTIL] = min(until, self.head + BATCH)
        while True:
            said = self._called(SEARCH)
            if said == DONE:
                return True
            if said == UNUSUAL:
                self._by_hand()
                if self.full:
                    return False
            elif not self._made_room(said):
                return False

    def step(self, number: int) -> Step:
        """A position that is kept, or the end of a game there."""
        kept = self._positions.bytes_at(number * self._size, self._size)
        at, over = word_at(kept, AT_AT), word_at(kept, ENDED_AT)
        found = tuple(self._compiled.memory.read(kept, self._rest))
        if at <= STOPPED:
            state = State.of_short(STOPPED - at, found)
            return Stopped(state, self._engine.course.point(state.at).point, "")
        if at != END:
            return State.of_short(at, found)
        won = word_at(kept, WINNERS_AT)
        return Ended(State.of_short(over, found), frozenset(one for one in range(64) if won >> one & 1))

    def before(self, number: int) -> int:
        """The position from which one that is no start was found first."""
        return word_at(self._positions.bytes_at(number * self._size, 8), 0)

    def keep(self, step: State | Ended | Stopped) -> bool:
        """Keeps a position that was found otherwise. False if there is no room."""
        state = step if isinstance(step, State) else step.state
        written = self._compiled.memory.written(state.slots)
        at = state.at
        match step:
            case Ended(winners=winners):
                at = END
                written[ENDED_AT:ENDED_AT + 8] = state.at.to_bytes(8, "little", signed=True)
                written[WINNERS_AT:WINNERS_AT + 8] = sum(1 << seat for seat in winners).to_bytes(8, "little")
            case Stopped():
                at = STOPPED - state.at
            case State():
                pass
            case _:
                assert_never(step)
        while True:
            ctypes.memmove(self._state, bytes(written), self._size)
            said = self._called(KEEP, at)
            if said == DONE:
                return True
            if not self._made_room(said):
                return False

    def _called(self, name: str, *more: int) -> int:
        book = self._book.buffer_info()[0]
        said: int = self._compiled.functions[name](
            ctypes.addressof(self._state), ctypes.addressof(self._fixed), book, *more)
        return said

    def _by_hand(self) -> None:
        """Goes on from the next position as the generated engine does."""
        number, engine, ways = self.head, self._engine, 0
        state = self.step(number)
        if isinstance(state, State):
            for event in engine.legal(state):
                ways += 1
                step = engine.advance(state, event)
                self._met(step, number, event)
                if not isinstance(step, Failed) and not self.keep(step):
                    return
        if not ways:
            self.stops += 1
        self._book[WAYS] += ways
        self._book[HEAD] += 1

    # --- memory

    def _made_room(self, said: int) -> bool:
        if said == NO_ROOM:
            return self._more_room()
        if said == NO_PLACE:
            return self._more_places()
        raise ValueError(f"a search said {said}")

    def _more_room(self) -> bool:
        wanted = max(2 * self._positions.size, LEAST_BYTES, self._size)
        wanted = min(wanted, self._most_bytes - self._table.size)
        if wanted // self._size <= self._positions.size // self._size:
            self.full = True
            return False
        made = MemoryBlock(wanted)
        ctypes.memmove(made.at, self._positions.at, self.count * self._size)
        self._positions = made
        self._book[POSITIONS], self._book[ROOM] = made.at, min(wanted // self._size, MOST_POSITIONS)
        return True

    def _more_places(self) -> bool:
        wanted = max(2 * self._table.size, LEAST_BYTES)
        if wanted + self.count * self._size > self._most_bytes and self._table.size:
            self.full = True
            return False
        self._table = MemoryBlock(wanted)
        self._book[TABLE], self._book[MASK] = self._table.at, wanted // 8 - 1
        return self._called(SEAT) == DONE
