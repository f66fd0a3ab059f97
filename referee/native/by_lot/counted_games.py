"""Many games by lot, played by machine code in one call and counted: how long they were, and who won."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

from referee.core.flow import Flow, offers
from referee.game.state import Layout, State
from referee.native.by_lot.counted_games_ir import MOVES, WINS
from referee.native.compiled_module import GAMES, CompiledModule
from referee.native.point_ir import MOST_ROWS
from referee.native.value_forms import NotNative
from referee.native.ways.way_rows import row_width


@dataclass(frozen=True, slots=True)
class CountedPlay:
    """What games came to. `games`: so many are over; if it is fewer than were asked for, the next one is not, because
    another engine has to go on with it, or because it is too long. `moves`: their events; `won`: by seat."""

    games: int
    moves: int
    won: tuple[int, ...]


class CountedGames:
    """Plays games of a flow. Raises `NotNative` if machine code is not made of it."""

    def __init__(self, flow: Flow, layout: Layout) -> None:
        self._compiled = CompiledModule(flow, layout, (GAMES,))
        if GAMES in self._compiled.left:
            raise NotNative(self._compiled.left[GAMES])
        memory, self._seats = self._compiled.memory, flow.core.seats.number
        widest = max((row_width(node) for one in flow.nodes if (node := offers(one)) is not None), default=1)
        self._state = (ctypes.c_char * max(memory.size, 1))()
        self._rows = (ctypes.c_int64 * (MOST_ROWS * widest))()
        self._lot = ctypes.c_uint64()
        self._counted = (ctypes.c_int64 * (WINS + self._seats))()

    def play(self, start: State, seed: int, games: int, most: int) -> CountedPlay:
        """Games from a position on, each of so many events at most. `seed`: any number but 0; the same one gives the
        same games. `NotNative` for a position that is none for machine code."""
        memory, self._lot.value = self._compiled.memory, seed
        image = ctypes.create_string_buffer(bytes(memory.written(start.slots)), max(memory.size, 1))
        fixed = ctypes.create_string_buffer(bytes(memory.written_once(start.slots)), max(memory.fixed_size, 1))
        ctypes.memset(self._counted, 0, ctypes.sizeof(self._counted))
        over: int = self._compiled.functions[GAMES](
            ctypes.addressof(self._state), ctypes.addressof(fixed), start.at, ctypes.addressof(image),
            ctypes.addressof(self._lot), games, most, ctypes.addressof(self._rows), ctypes.addressof(self._counted))
        return CountedPlay(over, self._counted[MOVES], tuple(self._counted[WINS:WINS + self._seats]))
