"""What one player may be told of a step: it ends where something that he does not see decides how it goes on.

What is told must be the same in two games that are the same to him. So a condition, a loop or a value is told if all
that it read lies open to him; after the first that does not, and after a point that was left without asking anybody
(whether something is possible there may hang on a hidden hand), nothing is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from referee.core.flow import Flow
from referee.core.secrecy import secret_variables
from referee.game.player_views import knows, sees
from referee.game.state import Layout
from referee.interpreter.trace import (
    DecidingPart,
    KnownName,
    KnownValue,
    Reads,
    Trace,
    TracedEvent,
    TracedFault,
    TracedFork,
    TracedLoop,
    TracedRound,
    TracedWrite,
    TraceEntry,
)


class TraceSight:
    """What a player sees of the entries of a position, and so of traces. `cut`: the last trace was not told whole."""

    def __init__(self, flow: Flow, layout: Layout, viewer: int) -> None:
        secret = secret_variables(flow)
        self._registers = frozenset(name for name in flow.vars if name in secret)
        self.cut = False
        self._open: set[int] = set(layout.rulings.values())
        for zone in flow.core.zones.values():
            entries = layout.zones[zone.name]
            self._open.update(entries.find(key) for key in entries.keys() if sees(zone.sight, key, viewer))
        for var in flow.vars.values():
            entries = layout.vars[var.name]
            if var.name not in secret:
                self._open.update(entries.entries)
            elif var.seen_by is not None:
                self._open.update(entries.find(key) for key in entries.keys() if knows(var, key, viewer))

    def sees(self, reads: Reads) -> bool:
        """Whether all that was read lies open."""
        return reads <= self._open

    def of(self, trace: Trace) -> Trace:
        """What may be told of a trace. How much is left out is not told if it was cut."""
        self.cut = False
        entries = tuple(self._entries(trace.entries))
        return Trace(entries, trace.step, 0 if self.cut else trace.left_out)

    def _entries(self, entries: Iterable[TraceEntry]) -> Iterable[TraceEntry]:
        for entry in entries:
            if self.cut:
                return
            match entry:
                case TracedFork():
                    if not self.sees(entry.reads):
                        self.cut = True
                        return
                    parts = tuple(map(self._part, entry.parts))
                    yield replace(entry, parts=parts, inside=tuple(self._entries(entry.inside)))
                case TracedWrite():
                    if self.sees(entry.reads) and entry.index in self._open:
                        yield entry
                case TracedLoop():
                    if not self.sees(entry.reads):
                        self.cut = True
                        return
                    yield self._loop(entry)
                case TracedEvent():
                    if not entry.asked:
                        self.cut = True
                        return
                    yield replace(entry, event=None)  # its line says what he may know of it
                case TracedFault():
                    self.cut = True
                    return
                case _:
                    assert_never(entry)

    def _loop(self, loop: TracedLoop) -> TracedLoop:
        rounds: list[TracedRound] = []
        for one in loop.rounds:
            if self.cut:
                break
            inside = tuple(self._entries(one.inside))
            if inside:
                rounds.append(TracedRound(one.member, inside))
        return replace(loop, rounds=tuple(rounds))

    def _part(self, part: DecidingPart) -> DecidingPart:
        values = tuple(self._value(one) for one in part.values if self.sees(one.reads))
        through = tuple(self._value(one) for one in part.through)
        return replace(part, values=values, names=self._names(part.names), through=through)

    def _value(self, value: KnownValue) -> KnownValue:
        return replace(value, names=self._names(value.names))

    def _names(self, names: tuple[KnownName, ...]) -> tuple[KnownName, ...]:
        return tuple(one for one in names if one.name not in self._registers)
