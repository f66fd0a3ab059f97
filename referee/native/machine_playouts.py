"""Games that machine code plays by lot: events stand as numbers on a tape, and are told when it stops."""

from __future__ import annotations

import ctypes
from typing import NamedTuple, assert_never

from referee.codegen.offer_groups import logged
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, offered, offers
from referee.game.event import CHOICE, Event
from referee.game.state import Layout
from referee.native.compiled_module import PLAY, CompiledModule
from referee.native.playing_ir import HEAD, tape_width
from referee.native.point_ir import MOST_ROWS
from referee.native.ways.way_rows import argument_places, row_width, words_of

LONGEST = 512
"""So many events at most are played in one call."""
MOST_KNOWN = 100_000
"""So many events are remembered, each by how it stands on a tape."""


class TapeReading(NamedTuple):
    """How an alternative stands on a tape: so many words in all, the label of its event, where its arguments are;
    of several their number stands there, then they."""

    words: int
    label: str
    args: tuple[tuple[str, int, bool], ...]


class MachinePlay:
    """Plays by lot from positions that lie in memory. Raises `NotNative` for a flow that is too large."""

    def __init__(self, flow: Flow, layout: Layout) -> None:
        self._compiled = CompiledModule(flow, layout, (PLAY,))
        self._width = tape_width(flow)
        widest = max((row_width(node) for one in flow.nodes if (node := offers(one)) is not None), default=1)
        self._rows = (ctypes.c_int64 * (MOST_ROWS * widest))()
        self._tape = (ctypes.c_int64 * (LONGEST * self._width))()
        self._lot, self._reached = ctypes.c_uint64(), (ctypes.c_int64 * 2)()
        self._readings = [_readings(node) for node in flow.nodes]
        self._known: dict[tuple[int, ...], Event] = {}

    def play(self, state: int, fixed: int, at: int, lot: int, most: int, *, rule: bool) -> tuple[int, int]:
        """Plays on from a node, in the memory at two places: how many events were played, and where the game then is.
        If something is unusual (which stands for where it is) memory is of no use, and what comes before it is what the
        same lot gives for so many events. `rule`: the table rules by lot; else that is unusual."""
        self._lot.value = lot
        done: int = self._compiled.functions[PLAY](
            state, fixed, at, ctypes.addressof(self._lot), min(most, LONGEST), ctypes.addressof(self._rows),
            ctypes.addressof(self._reached), ctypes.addressof(self._tape), int(rule))
        return (self._reached[1], done) if done < 0 else (done, self._reached[0])

    def told(self, number: int) -> list[Event]:
        """The first events of those that were played last."""
        width, known, readings, told = self._width, self._known, self._readings, list[Event]()
        words = self._tape[:number * width]
        for begin in range(0, number * width, width):
            found = readings[words[begin]]
            reading = found[words[begin + HEAD]] if len(found) > 1 else found[0]
            row = tuple(words[begin:begin + reading.words])
            event = known.get(row)
            if event is None:
                if len(known) >= MOST_KNOWN:
                    known.clear()
                args = tuple([(name, row[place + 1:place + 1 + row[place]] if several else row[place])
                              for name, place, several in reading.args])
                event = known[row] = Event(row[1], reading.label, args)
            told.append(event)
        return told


def _readings(node: Node) -> list[TapeReading]:
    """How each alternative of a node is read."""
    match node:
        case Run() | Fork():
            return []
        case Rule():
            return [TapeReading(HEAD + 1, node.point.name, ((CHOICE, HEAD, False),))]
        case Ask() | Gather() | Draw():
            return [_reading(one) for one in offered(node)]
        case _:
            assert_never(node)


def _reading(of: Alternative) -> TapeReading:
    args = [(name, HEAD + at, several) for name, (at, several) in zip(logged(of), argument_places(of), strict=True)]
    return TapeReading(HEAD + words_of(of), of.label, tuple(args))
