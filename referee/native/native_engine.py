"""The native engine: follows games by machine code; whatever is unusual it leaves to the generated code."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import chain, islice
from random import Random
from weakref import WeakKeyDictionary

from referee.codegen.generated_engine import MOST_FOLLOWED, Generated
from referee.codegen.runtime_support import Again, StepError
from referee.core.flow import Flow
from referee.core.read_write_sets import reads
from referee.game.event import Event, Spoken
from referee.game.event_table import EventTable, LineMemo
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.game.text_following import Result, TextFollower
from referee.interpreter.interruptions import Fault
from referee.native.compiled_module import BEGIN, FOR_JUDGES, JUDGE, LEARN, TEXT, CompiledModule
from referee.native.judging.event_rows import EventRows
from referee.native.judging.line_table import LineTable
from referee.native.judging.memory_position import FixedEntries, MemoryPosition
from referee.native.judging.start_images import StartImages
from referee.native.judging.text_judge import Taught, TextJudge, room_for_numbers
from referee.native.machine_playouts import MachinePlay
from referee.native.memory_layout import DOUBTS_AT, ENDED_AT, WINNERS_AT, copied, put_back, word_at
from referee.native.point_ir import END, UNUSUAL
from referee.native.value_forms import NotNative

NOT_KEPT = ", which is not kept: the cache folder is full, or not one that only you can write to"
NOTHING = "by generated code: nothing that came here is for machine code"
_ALL = (1 << 64) - 1
"""A word in which all bits are set."""
_NO_DOUBTS = bytes(8)
assert DOUBTS_AT == 0

LEFT_TO_OTHERS = 256
"""So many events, of which the first is unusual, are left to generated code."""


class Native(Generated):
    """Runs a flow as `Walker` does, with the same answers."""

    def __init__(self, flow: Flow) -> None:
        """Raises `NotNative` if machine code is not made of the flow."""
        super().__init__(flow)
        self.compiled = CompiledModule(flow, self.layout, FOR_JUDGES)
        self.by_machine = f"by machine code{NOT_KEPT}" if self.compiled.lost else "by machine code"
        self.note = self.by_machine
        memory = self.compiled.memory
        self._state = (ctypes.c_char * max(memory.size, 1))()
        self._fixed = (ctypes.c_char * max(memory.fixed_size, 1))()
        self._places = ctypes.addressof(self._state), ctypes.addressof(self._fixed)
        self._held: State | None = None
        self._image = b""
        self._lying = FixedEntries((), b"")
        self._starts: StartImages | None = None
        self._waiting: bytes | None = None
        """A position that has still to be laid into memory."""
        self._reach = array("q", (0,))
        self._reach_at = self._reach.buffer_info()[0]
        self._tables = (EventTable(), EventRows(self.compiled.kinds))
        self._own = EventTable()
        self._laid: tuple[State, MemoryPosition] | None = None
        self._lines: WeakKeyDictionary[LineMemo, LineTable] = WeakKeyDictionary()
        self._room = room_for_numbers()
        self._read_by_score: frozenset[str] | None = None

    def begin_log(self) -> None:
        super().begin_log()
        self.note = NOTHING

    def set_up(self, setting: Setting, *, test_arrival: bool) -> Step:
        """As `Generated` does; where it is unusual, or something is open, that does it."""
        try:
            slots = self.entries(setting)
            if self._starts is None:
                self._starts = StartImages(self.compiled.memory, self.entries(Setting(setting.players)))
            image, fixed = self._starts.of(setting, slots)
        except (Fault, NotNative):
            return super().set_up(setting, test_arrival=test_arrival)
        image[DOUBTS_AT:DOUBTS_AT + 8] = _in_words(self.program.claims.all).to_bytes(8, "little")
        self._lay(None, bytes(image), fixed)
        self._laid_now()
        at = self.compiled.functions[BEGIN](*self._places, int(test_arrival))
        return super().set_up(setting, test_arrival=test_arrival) if at == UNUSUAL else self._reached(at)

    def follow(self, state: State, events: Iterable[Spoken], *, tested: bool) -> tuple[int, Step]:
        """As `Generated` does; where the position or an event is none for machine code that follows it."""
        if not self._load(state):
            return super().follow(state, events, tested=tested)
        if self._own.full:
            self._own = EventTable()
        at, before, done = state.at, self._image, array("i")
        rest = iter(events)
        for said in rest:
            done.append(self._own.number(said))
            followed, after = self._judged(at, done[-1:], self._own, tested=tested)
            if not followed:
                done.pop()
                if after == UNUSUAL:
                    self._restored(state, before, done, self._own, tested=tested)
                    if not done:
                        return super().follow(state, islice(chain((said,), rest), LEFT_TO_OTHERS), tested=tested)
                break
            at = after
            if at == END or len(done) == MOST_FOLLOWED:
                break
        return len(done), self._reached(at) if done else state

    def follow_numbers(self, state: State, numbers: Sequence[int], table: EventTable, *,
                       tested: bool) -> tuple[int, Step]:
        """The same in one call. If something is unusual what comes before it is followed once more."""
        if self._held is not state and not self._load(state):
            return super().follow_numbers(state, numbers, table, tested=tested)
        before = self._image
        listed = numbers if isinstance(numbers, array) and numbers.typecode == "i" else array("i", numbers)
        followed, at = self._judged(state.at, listed, table, tested=tested)
        if at == UNUSUAL:
            at = self._restored(state, before, listed[:followed], table, tested=tested)
            if not followed:  # some at once: to lay a position into memory for each would take longer
                return super().follow_numbers(state, listed[:LEFT_TO_OTHERS], table, tested=tested)
        return followed, self._reached(at) if followed else state

    def result(self, state: State, numbers: Sequence[int], table: EventTable, *, tested: bool) -> Result | None:
        """The same in one call; of the position at the end only what the scores look at is read."""
        begun = self._known(state)
        if begun is not None and self._load(begun):
            listed = numbers if isinstance(numbers, array) and numbers.typecode == "i" else array("i", numbers)
            followed, at = self._judged(begun.at, listed, table, tested=tested)
            self._held = None
            if at == END and followed == len(numbers):
                image = self._copied()
                with suppress(StepError, Again):
                    return _winners(image), self._scores(image)
        return super().result(state, numbers, table, tested=tested)

    def text_follower(self, state: State, memo: LineMemo, *, tested: bool) -> TextFollower | None:
        """Who judges logs that begin at a position by their text; None if machine code is not made of that."""
        begun = None if TEXT in self.compiled.left else self._known(state)
        if begun is None:
            return None
        if memo not in self._lines:
            self._lines[memo] = LineTable(self.compiled.functions[LEARN])
        taught = Taught(self._lines[memo], memo.table, self._rows_of(memo.table))
        return TextJudge(self.compiled.functions[TEXT], self._taken_up, begun, taught, self._room,
                         scores=self.core.seats.number if self.core.score is not None else 0, tested=tested,
                         note=self.by_machine)

    def _taken_up(self, fixed: FixedEntries) -> tuple[int, int]:
        """Memory for somebody who lays a position there himself, but for what never changes in a game: its places."""
        self._held = self._waiting = None
        if fixed is not self._lying:
            self._lay_fixed(fixed)
        return self._places

    def _known(self, state: State) -> MemoryPosition | None:
        """A position as it lies in memory; the one that was asked for last is remembered: many games begin there."""
        if isinstance(state, MemoryPosition):
            return state
        if self._laid is None or self._laid[0] is not state:
            if not self._load(state):
                return None
            self._laid = state, MemoryPosition(state.at, self.compiled.memory, self._image, self._lying)
        return self._laid[1]

    def _scores(self, image: bytes) -> tuple[int, ...] | None:
        """The scores at an end. Raises `StepError` and `Again` where the walker has to be asked."""
        if self.core.score is None:
            return None
        if self._read_by_score is None:
            self._read_by_score = reads(self.core.score.value)
        slots = self.compiled.memory.read(image, self._lying.entries, self._read_by_score)
        score = self.program.function("score")
        return tuple([int(score(slots, player)) for player in range(self.core.seats.number)])

    def play_on(self, state: State, random: Random, most: int, *, rule: bool) -> tuple[list[Event], Step]:
        """By machine code, up to what it leaves to others."""
        if self._playing is None or not self._load(state):
            return [], state
        before, lot, places = self._image, random.getrandbits(64) | 1, self._places
        self._laid_now()
        done, at = self._playing.play(*places, state.at, lot, most, rule=rule)
        if at == UNUSUAL:
            put_back(self._state, before)
            at = state.at
            if done:
                done, at = self._playing.play(*places, at, lot, done, rule=rule)
        if done:
            self.note = self.by_machine
        return (self._playing.told(done), self._reached(at)) if done else ([], state)

    @cached_property
    def _playing(self) -> MachinePlay | None:
        """What plays by lot, once it is wanted; None if it cannot be had."""
        try:
            return MachinePlay(self.flow, self.layout)
        except NotNative:
            return None

    def _judged(self, at: int, numbers: array[int], table: EventTable, *, tested: bool) -> tuple[int, int]:
        """Follows events in memory: how many, and where the game then is."""
        rows = self._rows_of(table)
        if rows.number < len(table.events):
            rows.cover(table)
        image, self._waiting = self._waiting, None
        followed: int = self.compiled.functions[JUDGE](
            *self._places, at, numbers.buffer_info()[0], len(numbers), *rows.places, tested, self._reach_at, image,
            -1 if image is None else len(image))
        if followed:
            self.note = self.by_machine
        return followed, self._reach[0]

    def _rows_of(self, table: EventTable) -> EventRows:
        """What the events of a table say."""
        if self._tables[0] is not table:
            self._tables = (table, EventRows(self.compiled.kinds))
        return self._tables[1]

    def _restored(self, state: State, before: bytes, numbers: array[int], table: EventTable, *, tested: bool) -> int:
        """What lies in memory is what it was after some events: where the game then is."""
        self._waiting = before
        return self._judged(state.at, numbers, table, tested=tested)[1] if numbers else state.at

    def _load(self, state: State) -> bool:
        """Whether the position is one for machine code; then it lies in its memory."""
        if self._held is state:
            return True
        memory = self.compiled.memory
        if isinstance(state, MemoryPosition) and state.memory is memory:
            self._lay(state, state.image, state.fixed)
            return True
        entries = state.short[-1] if state.short is not None else tuple(state.slots[self.layout.fixed:])
        try:
            known = entries is self._lying.entries or (bool(self._lying.block) and entries == self._lying.entries)
            fixed = self._lying if known else FixedEntries(entries, bytes(memory.written_once(state.slots)))
            changing = bytearray(memory.trimmed(memory.written(state.slots)))
        except NotNative:
            return False
        changing[DOUBTS_AT:DOUBTS_AT + 8] = _in_words(self._doubts(state)).to_bytes(8, "little")
        self._lay(state, bytes(changing), fixed)
        return True

    def _lay(self, state: State | None, image: bytes, fixed: FixedEntries) -> None:
        """Lays a position into memory, once somebody follows what lies there."""
        self._waiting = image
        if fixed is not self._lying:
            self._lay_fixed(fixed)
        self._held, self._image = state, image

    def _copied(self) -> bytes:
        """What is in use of memory."""
        return copied(self._state) if self.compiled.memory.tail is not None else self._state.raw

    def _laid_now(self) -> None:
        """Lays a position into memory that has still to be laid there."""
        if self._waiting is not None:
            put_back(self._state, self._waiting)
            self._waiting = None

    def _lay_fixed(self, fixed: FixedEntries) -> None:
        ctypes.memmove(self._fixed, fixed.block, len(fixed.block))
        self._lying = fixed

    def _reached(self, at: int) -> Step:
        """What a game has come to in memory."""
        image = self._copied()
        over = at == END
        here = word_at(image, ENDED_AT) if over else at
        state = MemoryPosition(here, self.compiled.memory, image, self._lying)
        self._held, self._image = None if over else state, image
        self._doubted = (state, 0 if image.startswith(_NO_DOUBTS) else self.program.claims.all)
        if not over:
            return state
        return Ended(state, _winners(image))


def _winners(image: bytes) -> frozenset[int]:
    """Who has won, where the game is over."""
    return _members(image[WINNERS_AT:WINNERS_AT + 8])


@lru_cache(maxsize=256)
def _members(bits: bytes) -> frozenset[int]:
    won = int.from_bytes(bits, "little")
    return frozenset([player for player in range(won.bit_length()) if won >> player & 1])


def _in_words(doubts: int) -> int:
    """Claims in doubt as the machine code has them: those behind the last bit share it."""
    return doubts if doubts <= _ALL else doubts & _ALL | 1 << 63
