"""The native engine: follows games by machine code; whatever is unusual it leaves to the generated code."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable
from typing import Any

from referee.codegen.generated_engine import MOST_FOLLOWED, Generated
from referee.core.flow import Flow
from referee.game.event import Event, Spoken
from referee.game.state import Ended, State, Step
from referee.native.compiled_module import CompiledModule
from referee.native.memory_layout import DOUBTS_AT, ENDED_AT, WINNERS_AT
from referee.native.point_ir import END, UNUSUAL
from referee.native.value_forms import NotNative

MOST_REMEMBERED = 65_536
"""So many events are remembered as words."""
_ALL = (1 << 64) - 1


class Native(Generated):
    """Runs a flow as `Walker` does, with the same answers."""

    note = "by machine code"

    def __init__(self, flow: Flow) -> None:
        """Raises `NotNative` if machine code is not made of the flow."""
        super().__init__(flow)
        self.compiled = CompiledModule(flow, self.layout)
        memory = self.compiled.memory
        self._state = (ctypes.c_char * max(memory.size, 1))()
        self._fixed = (ctypes.c_char * max(memory.fixed_size, 1))()
        self._held: tuple[State | None, tuple[Any, ...]] = (None, ())
        self._image: tuple[State | None, bytes] = (None, b"")
        self._lying: tuple[Any, ...] | None = None
        self._words: dict[tuple[int, Event], tuple[int, Any]] = {}

    def follow(self, state: State, events: Iterable[Spoken], *, tested: bool) -> tuple[int, Step]:
        """As `Generated` does; where the position or an event is none for machine code that follows it."""
        if not self._load(state):
            return super().follow(state, events, tested=tested)
        step, words, keys = self.compiled.functions["step"], self._words, self.compiled.keys
        changing, fixed, test = ctypes.addressof(self._state), ctypes.addressof(self._fixed), int(tested)
        at, done, unusual = state.at, list[Event](), False
        for event, key, by, values in events:
            known = words.get((at, event))
            if known is None:
                number = keys.get(key)
                coded = None if number is None else self._coded(at, key, values)
                if number is None or coded is None:
                    break
                if len(words) >= MOST_REMEMBERED:
                    words.clear()
                known = words[at, event] = (number, coded)
            after = step(changing, fixed, at, known[0], by, known[1][0], test)
            if after < 0 and after != END:
                unusual = after == UNUSUAL
                break
            done.append(event)
            at = after
            if at == END or len(done) == MOST_FOLLOWED:
                break
        if unusual:
            self._held = (None, ())
            return len(done), self._again(state, done)
        return len(done), self._reached(at) if done else state

    def _coded(self, at: int, key: tuple[str, ...], values: tuple[Any, ...]) -> tuple[int, Any] | None:
        """The arguments of an event as words: their address, and what keeps them there."""
        widths = self.compiled.widths.get((at, key))
        if widths is None:
            return None
        made = array("q")
        for value, width in zip(values, widths, strict=True):
            if width == 1:
                if value.__class__ is not int:
                    return None
                made.append(value)
            else:
                if value.__class__ is not tuple or len(value) >= width:
                    return None
                made.extend((len(value), *value, *[0] * (width - 1 - len(value))))
        made = made or array("q", (0,))
        return made.buffer_info()[0], made

    def _load(self, state: State) -> bool:
        """Whether the position is one for machine code; then it lies in its memory."""
        if self._held[0] is state:
            return True
        memory = self.compiled.memory
        rest = state.short[-1] if state.short is not None else tuple(state.slots[self.layout.fixed:])
        try:
            if rest is not self._lying:
                fixed = bytes(memory.written_once(state.slots))
                ctypes.memmove(self._fixed, fixed, len(fixed))
                self._lying = rest
            if self._image[0] is not state:
                changing = memory.written(state.slots)
                changing[DOUBTS_AT:DOUBTS_AT + 8] = _in_words(self._doubts(state)).to_bytes(8, "little")
                self._image = (state, bytes(changing))
        except NotNative:
            self._held = (None, ())
            return False
        ctypes.memmove(self._state, self._image[1], len(self._image[1]))
        self._held = (state, rest)
        return True

    def _reached(self, at: int) -> Step:
        """What a game has come to in memory."""
        memory = bytes(self._state)
        over = at == END
        here = int.from_bytes(memory[ENDED_AT:ENDED_AT + 8], "little", signed=True) if over else at
        state = State.of_short(here, tuple(self.compiled.memory.read(memory, self._held[1])))
        self._held = (None, ()) if over else (state, self._held[1])
        doubts = int.from_bytes(memory[DOUBTS_AT:DOUBTS_AT + 8], "little")
        self._doubted = (state, 0 if not doubts else self.program.claims.all)
        if not over:
            return state
        won = int.from_bytes(memory[WINNERS_AT:WINNERS_AT + 8], "little")
        return Ended(state, frozenset(player for player in range(64) if won >> player & 1))


def _in_words(doubts: int) -> int:
    """Claims in doubt as the machine code has them: those behind the last bit share it."""
    return doubts if doubts <= _ALL else doubts & _ALL | 1 << 63
