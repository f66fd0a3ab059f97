"""A trace in the words of the rules, folded: what was done, what was tested, what each round of a loop did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from referee.core.ruleset import Core, DeclaredAssumption
from referee.diagnostics.source import Span
from referee.interpreter.trace import Trace, TracedEvent, TracedFault, TracedFork, TracedLoop, TracedWrite, TraceEntry
from referee.judge.display_names import Names
from referee.judge.reasons.line_reasons import LineReasons
from referee.judge.verdict import Reason

MOST_LINES = 400
"""So many lines of a trace are told, those inside others too; the others are counted."""


class TraceKind(Enum):
    """What a line of a trace is about."""

    EVENT = "event"
    CONDITION = "condition"
    WRITE = "write"
    LOOP = "loop"
    ROUND = "round"
    POINT = "point"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One thing that a step did, in words. `inside`: what was done under this condition, in this loop or round."""

    kind: TraceKind
    text: str
    shows: tuple[tuple[str, str], ...] = ()
    cites: tuple[str, ...] = ()
    assumed: tuple[DeclaredAssumption, ...] = ()
    span: Span | None = None
    inside: tuple[TraceLine, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldTrace:
    """A step in words. `left_out`: so many things more it did; `cut`: from somewhere on nothing is told, because it
    hangs on what the player does not see; `courses`: in so many ways the game may have stood there, this is of one (0:
    in more than were counted)."""

    lines: tuple[TraceLine, ...]
    left_out: int = 0
    cut: bool = False
    courses: int = 1


class TraceTeller:
    """Tells traces of one game."""

    def __init__(self, core: Core, names: Names, reasons: LineReasons) -> None:
        self._core = core
        self._names = names
        self._reasons = reasons
        self._left = 0

    def told(self, trace: Trace, courses: int, *, cut: bool) -> ToldTrace:
        """A trace in words."""
        self._left = MOST_LINES
        lines = tuple(self._lines(trace.entries))
        return ToldTrace(lines, trace.left_out + max(-self._left, 0), cut, courses)

    def _lines(self, entries: Iterable[TraceEntry]) -> Iterator[TraceLine]:
        for entry in entries:
            match entry:
                case TracedFork():
                    yield from self._fork(entry)
                case TracedWrite():
                    yield from self._line(TraceKind.WRITE, self._reasons.written(entry, None))
                case TracedLoop():
                    yield from self._loop(entry)
                case TracedEvent():
                    kind = TraceKind.EVENT if entry.asked else TraceKind.POINT
                    if not entry.only and (entry.event is not None or not entry.asked):
                        yield from self._line(kind, self._reasons.passed(entry, None))
                case TracedFault():
                    text = f"{entry.code}: {entry.message}"
                    yield from self._line(TraceKind.FAULT, Reason(text, span=entry.span))
                case _:
                    assert_never(entry)

    def _fork(self, fork: TracedFork) -> Iterator[TraceLine]:
        """A condition with what was done under it; without words for it only that."""
        said = next(self._reasons.fork(fork, None), None)
        if said is None:
            yield from self._lines(fork.inside)
            return
        yield from self._line(TraceKind.CONDITION, said, fork.inside)

    def _loop(self, loop: TracedLoop) -> Iterator[TraceLine]:
        """A loop with its rounds; nothing if it did nothing."""
        if not loop.rounds or not self._room():
            return
        head = self._reasons.words.head(loop.origin.span) or loop.var
        rounds = []
        for one in loop.rounds:
            if self._room():
                member = str(one.member) if loop.type is None else self._names.value(one.member, loop.type)
                rounds.append(TraceLine(TraceKind.ROUND, member, inside=tuple(self._lines(one.inside))))
        cites = loop.origin.cites
        yield TraceLine(
            TraceKind.LOOP, head, (("rounds", str(loop.number)),), self._core.statements_in(cites),
            self._core.assumptions_in(cites), loop.origin.span, tuple(rounds))

    def _line(self, kind: TraceKind, said: Reason, inside: tuple[TraceEntry, ...] = ()) -> Iterator[TraceLine]:
        if self._room():
            yield TraceLine(kind, said.text, said.shows, self._core.statements_in(said.cites),
                            self._core.assumptions_in(said.cites), said.span, tuple(self._lines(inside)))

    def _room(self) -> bool:
        """Whether one line more is told; it is counted."""
        self._left -= 1
        return self._left >= 0
