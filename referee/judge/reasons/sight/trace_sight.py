"""What one player may be told of a step: it ends where something that he does not see decides how it goes on.

What is told must be the same in two games that are the same to him. So a condition, a loop, a value or a point that was
left without asking anybody is told if all that it read lies open to him, or he knows how many lie there and no more was
asked; after the first that does not, nothing is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from referee.core.expr import Expr, Place
from referee.core.flow import Flow
from referee.core.secrecy import counted_places, secret_variables
from referee.core.traverse import walk
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
        self._layout = layout
        self._counted: dict[int, tuple[Expr, Reads]] = {}
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

    def sees(self, reads: Reads, expr: Expr | None = None) -> bool:
        """Whether all that was read lies open. `expr`: what read it; of places of which it only asks how many lie
        there everybody knows that."""
        hidden = reads - self._open
        return not hidden or (expr is not None and hidden <= self._only_counted(expr))

    def opened(self, reads: Reads) -> Reads:
        """Those of some entries that lie open."""
        return reads & self._open

    def _only_counted(self, expr: Expr) -> Reads:
        """The entries of the zones of which an expression only asks how many lie there."""
        known = self._counted.get(id(expr))
        if known is None:
            counted = counted_places(expr)
            zones = {place.zone for place in walk(expr, Place)}
            zones -= {place.zone for place in walk(expr, Place) if id(place) not in counted}
            entries = frozenset(index for name in zones for index in self._layout.zones[name].entries)
            known = self._counted[id(expr)] = (expr, entries)
        return known[1]

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
                    if not self.sees(entry.reads, entry.cond):
                        self.cut = True
                        return
                    parts = tuple(map(self._part, entry.parts))
                    yield replace(entry, parts=parts, inside=tuple(self._entries(entry.inside)), after=())
                case TracedWrite():
                    if self.sees(entry.reads) and entry.index in self._open:
                        yield replace(entry, parts=tuple(map(self._part, entry.parts)))
                case TracedLoop():
                    if not self.sees(entry.reads):
                        self.cut = True
                        return
                    yield self._loop(entry)
                case TracedEvent():
                    if not self.sees(entry.reads):
                        self.cut = True
                        return
                    yield replace(entry, event=None) if entry.asked else entry  # its line says what he may know of it
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
        values = tuple(self._value(one) for one in part.values if self.sees(one.reads, one.expr))
        through = tuple(self._value(one) for one in part.through)
        return replace(part, values=values, names=self._names(part.names), through=through,
                       given=tuple(self._value(one) for one in part.given if self.sees(one.reads)),
                       below=tuple(map(self._part, part.below)), closest=tuple(map(self._part, part.closest)))

    def _value(self, value: KnownValue) -> KnownValue:
        made = tuple(self._value(one) for one in value.made if self.sees(one.reads))
        return replace(value, names=self._names(value.names), made=made)

    def _names(self, names: tuple[KnownName, ...]) -> tuple[KnownName, ...]:
        return tuple(one for one in names if one.name not in self._registers)
