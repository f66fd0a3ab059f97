"""What a step of the game did on its way from one point to the next: the forks taken, what was written, by which rules.

`referee.interpreter.step_replay` makes it. Values are those of the core, entries are named by variable or zone and key;
`referee.judge.trace_words` says them in the words of the rules. `reads` are the entries of the position (their index in
the layout of `referee.game.state`) that were looked at: of a fork everything that its condition read, so that which
readings, parameters, givens and rulings were consulted follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.core.expr import Expr
from referee.core.ruleset import Key
from referee.core.stmt import Origin, Point
from referee.core.types import Type, Value
from referee.diagnostics.source import Span
from referee.game.event import Event
from referee.game.state import Slot, Step

Reads = frozenset[int]
"""Entries of a position, by their index in the layout."""
NOTHING_READ: Reads = frozenset()


@dataclass(frozen=True, slots=True)
class KnownName:
    """What a name stands for where a part of the rules was evaluated: `span` is where the name stands."""

    name: str
    span: Span | None
    value: Value
    type: Type


@dataclass(frozen=True, slots=True)
class KnownValue:
    """The value that a part of the rules had. `names`: what the names in it stood for; `reads`: what it looked at.

    `label` is said in place of the part, where it is a name that the rules give (the member that decides a quantifier).
    `keys`: of an entry of a table, of what it is; `made`: what it was worked out from, through definitions and keys.
    """

    expr: Expr
    value: Value
    names: tuple[KnownName, ...]
    reads: Reads
    label: str = ""
    keys: tuple[Value, ...] = ()
    made: tuple[KnownValue, ...] = ()


@dataclass(frozen=True, slots=True)
class DecidingPart:
    """A part of a condition that decides it: whether it holds, the values compared, what the names in it stood for.

    `through`: the parts around it in which it stands, outermost first, as far as they are uses of definitions; `given`:
    what these were given, as far as it had to be worked out. `below`: of a quantifier, what decides for the member that
    decides, which is the first of `values`. `chose`: it chose the case that holds or fails, or that a value was.
    `closest`: of a quantifier that no member fulfils, the one that comes closest, as `below` has one that decides.
    `later`: of the position that a block leads to.
    """

    expr: Expr
    held: bool
    values: tuple[KnownValue, ...]
    names: tuple[KnownName, ...]
    through: tuple[KnownValue, ...] = ()
    given: tuple[KnownValue, ...] = ()
    below: tuple[DecidingPart, ...] = ()
    chose: bool = False
    closest: tuple[DecidingPart, ...] = ()
    later: bool = False


@dataclass(frozen=True, slots=True)
class TracedFork:
    """A condition that was tested. `node`: the node of the flow, None inside a run; `inside`: what was done then, of
    a condition inside a run; `kept_away`: the variables and zones that only the way not taken may write, up to the next
    point; `kept_on`, of a condition inside a run: only the way not taken would have ended the game; `after`: what was
    tested to find the values of the names that are compared."""

    cond: Expr
    held: bool
    parts: tuple[DecidingPart, ...]
    reads: Reads
    origin: Origin
    node: int | None = None
    inside: tuple[TraceEntry, ...] = ()
    kept_away: frozenset[str] = frozenset()
    kept_on: bool = False
    after: tuple[TracedFork, ...] = ()


@dataclass(frozen=True, slots=True)
class TracedWrite:
    """An entry that was written. `index`: its index in the layout; `reads`: what the new value was made of; `parts`: of
    a condition that was stored, those that decided it."""

    name: str
    key: Key
    index: int
    old: Slot
    new: Slot
    reads: Reads
    origin: Origin
    parts: tuple[DecidingPart, ...] = ()


@dataclass(frozen=True, slots=True)
class TracedRound:
    """What a loop did for one member."""

    member: int
    inside: tuple[TraceEntry, ...]


@dataclass(frozen=True, slots=True)
class TracedLoop:
    """A loop over members. `rounds`: those in which something was done, at most so many; `number`: of all rounds."""

    var: str
    type: Type | None
    rounds: tuple[TracedRound, ...]
    number: int
    reads: Reads
    origin: Origin


@dataclass(frozen=True, slots=True)
class TracedEvent:
    """A point that was left: by the event that the step begins with (`asked`), or without asking anybody.

    `event` None: nothing was possible there, or nobody had to choose. `action`: what was carried out, None of a ruling.
    `only`: of a ruling, whether there was nothing else to be ruled. `reads`: of a point left without asking, what was
    looked at to find that out.
    """

    node: int
    point: Point
    event: Event | None
    asked: bool
    action: str | None
    origin: Origin
    only: bool = False
    reads: Reads = NOTHING_READ


@dataclass(frozen=True, slots=True)
class TracedFault:
    """The rules failed here."""

    code: str
    message: str
    span: Span | None


TraceEntry = TracedFork | TracedWrite | TracedLoop | TracedEvent | TracedFault


@dataclass(frozen=True, slots=True)
class Trace:
    """A step with everything that it did, in order. `step`: where it led, as the walker says; `left_out`: so many
    entries more there are."""

    entries: tuple[TraceEntry, ...]
    step: Step
    left_out: int = 0


def flat(entries: tuple[TraceEntry, ...]) -> Iterator[TraceEntry]:
    """Every entry, those inside another after it."""
    for entry in entries:
        yield entry
        match entry:
            case TracedFork():
                yield from flat(entry.inside)
            case TracedLoop():
                for one in entry.rounds:
                    yield from flat(one.inside)
            case TracedWrite() | TracedEvent() | TracedFault():
                pass
