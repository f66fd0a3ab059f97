"""Carries out one step of a game once more and records what it did: `StepReplay.step` gives a `Trace`.

The walker carries the step out as ever. Beside it each node is carried out a second time on a copy of the entries,
statement by statement, with the walker's own functions: that is what is recorded. Nothing of this is there where nobody
asks for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from itertools import islice
from typing import Any, assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Or,
    Split,
    Where,
)
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, PointNode, Rule, Run, asks, offered, offers, ways_on
from referee.core.member_types import member_type
from referee.core.read_write_sets import block_writes, changes
from referee.core.ruleset import WINNERS, Key, Role
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Merge,
    Move,
    Origin,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.core.traverse import statements, walk
from referee.core.types import Bool
from referee.game.event import FATE, Event
from referee.game.setting import Setting
from referee.game.state import Failed, State, Step
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.closures.frame import Frame
from referee.interpreter.closures.source_closures import counts_once
from referee.interpreter.closures.statement_closures import block, step
from referee.interpreter.course import FlowCourse
from referee.interpreter.deciding_parts import DecidingParts
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.trace import (
    NOTHING_READ,
    DecidingPart,
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
from referee.interpreter.walker import Walker

MOST_ENTRIES = 10_000
"""So many entries of a step are recorded; the others are counted."""
MOST_ROUNDS = 12
"""So many rounds of a loop in which something was done are told one by one."""
MOST_STATEMENTS = 20_000
"""After so many statements in one loop its other rounds are only carried out, and what they changed is counted."""
MOST_CROSSINGS = 400
"""The last forks and points of a step of which the position is kept."""

Entries = tuple[Any, ...]
Crossing = tuple[int, int | None, Entries]
"""A node that is no run, where the game went on from it (None: by an event), and the entries before it."""


class StepReplay:
    """Replays steps of one flow. `crossings`: the forks and silent points of the step that was replayed last, in order,
    each with the position there, so that it can be asked where another way would have led. `worked_out`: the numbers
    that registers were set to in that step, with what they were worked out from. `plain`: a walker that records
    nothing."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.plain = Walker(flow)
        self._plain = self.plain.course
        self.course = FlowCourse(flow, self._passed, self._left)
        self._recorded = copy(self.plain)
        self._recorded.course = self.course
        self.crossings: deque[Crossing] = deque(maxlen=MOST_CROSSINGS)
        self.worked_out: dict[str, tuple[KnownValue, Origin]] = {}
        self._chosen: dict[str, TracedFork] = {}
        self._slots = RecordingSlots(())
        self._deciding = DecidingParts(self._plain.code, self._slots)
        self._found: list[TraceEntry] = []
        self._number = self._dropped = self._carried_out = 0
        self._names = _entry_names(self.course)
        self._written: dict[int, frozenset[str]] = {}
        self._acts: dict[int, tuple[Stmt, Callable[[list[Any], Env], Any]]] = {}
        self._bodies: dict[int, tuple[Each, Callable[[list[Any], Env], Any]]] = {}

    def step(self, state: State, event: Event) -> Trace:
        """The step of an event that is legal at a position, up to where somebody is really asked next.

        Raises `ValueError` if it is not legal there, and `Unsettled` if a value that nobody stated decides.
        """
        self._clear()
        if self._recorded.check(state, event) is not None:
            raise ValueError(f"{event} is not legal here")
        self._note_event(state.at, event, asked=True)
        return self._trace(self._recorded.advance(state, event))

    def start(self, setting: Setting) -> Trace:
        """The set-up up to the first point. Raises `Unsettled` if a value that nobody stated decides."""
        self._clear()
        return self._trace(self._recorded.begin(setting))

    def otherwise(self, at: int, slots: Entries) -> Step:
        """Where the game would go from a node with these entries. Raises `Unsettled` as `step` does."""
        return self._plain.go(at, Frame(self._plain.code, list(slots)), None)

    def way(self, at: int, slots: Entries) -> Trace:
        """What would be done from a node with these entries. Raises `Unsettled` and `Fault` as `step` does."""
        self._clear()
        return self._trace(self.course.go(at, Frame(self.course.code, list(slots)), None))

    def name_of(self, index: int) -> tuple[str, Key]:
        """The variable or zone and the key of an entry; of a ruling its point, without a key."""
        return self._names[index]

    def reads_state(self, fork: TracedFork, *roles: Role) -> bool:
        """Whether a condition read what rules write, or a variable of some roles."""
        for index in fork.reads:
            var = self._plain.layout.defs.get(self._names[index][0])
            if var is None or var.role in (Role.STATE, Role.RESULT, *roles):
                return True
        return False

    def deciding(self, state: State) -> DecidingParts:
        """What decides conditions at a position, for those who ask about guards and claims."""
        return DecidingParts(self._plain.code, RecordingSlots(state.slots))

    def _clear(self) -> None:
        self._found, self._number, self._dropped, self._carried_out = [], 0, 0, 0
        self.crossings.clear()
        self.worked_out = {}
        self._chosen.clear()

    def _trace(self, led: Step) -> Trace:
        if isinstance(led, Failed) and self._room():
            self._found.append(TracedFault(led.code, led.message, led.span))
        return Trace(tuple(self._found), led, max(self._number - MOST_ENTRIES, 0) + self._dropped)

    def _room(self) -> bool:
        """Whether one entry more is recorded; it is counted."""
        self._number += 1
        return self._number <= MOST_ENTRIES

    def _note(self, entry: TraceEntry) -> None:
        if self._room():
            self._found.append(entry)

    # ---------------------------------------------------------------------- what the course tells
    def _passed(self, at: int, slots: Sequence[Any]) -> None:
        node = self.flow.nodes[at]
        match node:
            case Run():
                self._copy(slots)
                try:
                    self._block(node.body, {})
                except (Fault, Unsettled):
                    return  # the walker comes upon it as well, and tells it
            case Fork():
                self._copy(slots)
                try:
                    held, parts, reads = self._tested(node.cond, {})
                except (Fault, Unsettled):
                    return
                self.crossings.append((at, node.yes if held else node.no, tuple(slots)))
                taken, other = (node.yes, node.no) if held else (node.no, node.yes)
                away = self._written_from(other) - self._written_from(taken)
                after = self._tested_before(node.cond)
                self._note(TracedFork(node.cond, held, parts, reads, node.origin, at, (), away, after=after))
            case Ask() | Gather() | Draw() | Rule():
                raise TypeError("a point is not passed as what asks nobody")
            case _:
                assert_never(node)

    def _left(self, at: int, event: Event | None, slots: Sequence[Any]) -> None:
        self.crossings.append((at, None, tuple(slots)))
        looked = RecordingSlots(slots)
        try:
            only = self._only(at, Frame(self._plain.code, looked))
            reads = looked.taken()
        except (Fault, Unsettled):  # of several who choose at once one has chosen already
            only, reads = False, frozenset(range(len(slots)))
        self._note_event(at, event, asked=False, only=only, reads=reads)

    def _only(self, at: int, frame: Frame) -> bool:
        """Whether there is but one ruling at a point that was left without asking; of any point, looks at what was
        looked at there. Raises `Fault` and `Unsettled`."""
        node = self.course.point(at)
        match node:
            case Rule():
                return len(self._plain.candidates(node, frame)) == 1
            case Ask():
                actors = frozenset((frame.evaluate(node.actor),))
            case Draw():
                actors = frozenset((FATE,))
            case Gather():
                actors = frozenset().union(*(frame.evaluate(actors) for actors, _ in node.parts))
            case _:
                assert_never(node)
        for by in sorted(actors):
            list(islice(self._plain.events(at, by, frame), 2))
        return False

    def _note_event(self, at: int, event: Event | None, *, asked: bool, only: bool = False,
                    reads: Reads = NOTHING_READ) -> None:
        node = self.course.point(at)
        action, origin = _action_of(node, event)
        self._note(TracedEvent(at, node.point, event, asked, action, origin, only, reads))

    def _copy(self, slots: Sequence[Any]) -> None:
        self._slots[:] = slots
        self._slots.taken()

    # ---------------------------------------------------------------------- statements of a run
    def _block(self, block: Block, env: Env) -> bool:
        """Carries statements out; true if the game is over."""
        return any(self._statement(stmt, env) for stmt in block)

    def _statement(self, stmt: Stmt, env: Env) -> bool:
        self._carried_out += 1
        match stmt:
            case Put() | Move() | Merge() | Swap() | Finish():
                return self._simple(stmt, env)
            case Branch():
                return self._branch(stmt, env)
            case Each():
                return self._each(stmt, env)
            case Bind() | Repeat() | Decide() | Commit() | Chance() | Unspecified() | Call():
                raise TypeError(f"{type(stmt).__name__} is no statement of a run")
            case _:
                assert_never(stmt)

    def _simple(self, stmt: Put | Move | Merge | Swap | Finish, env: Env) -> bool:
        """A statement that holds no other: what it replaced is compared with what was there."""
        act = self._act(stmt)
        parts = self._stored(stmt, env)
        self._found_out(stmt, env)
        self._slots.taken()
        self._slots.changed()
        over = act(self._slots, env) is not None
        reads = self._slots.taken()
        told = ""
        for index, old in self._slots.changed():
            name, key = self._names[index]
            if self._told(name):
                new = list.__getitem__(self._slots, index)
                self._note(TracedWrite(name, key, index, old, new, reads, stmt.origin, parts))
                told = name
        if over and told != WINNERS:  # that nobody has won is no change
            index = self._plain.layout.vars[WINNERS].base
            new = list.__getitem__(self._slots, index)
            self._note(TracedWrite(WINNERS, (), index, new, new, reads, stmt.origin))
        return over

    def _stored(self, stmt: Put | Move | Merge | Swap | Finish, env: Env) -> tuple[DecidingPart, ...]:
        """The parts that decide a condition whose value is about to be stored."""
        match stmt:
            case Put(_, _, Op() | And() | Or() | If() | Fold() | Let() as cond) if cond.type == Bool():
                return self._deciding.of(cond, env) if self._number < MOST_ENTRIES else ()
            case Put() | Move() | Merge() | Swap() | Finish():
                return ()
            case _:
                assert_never(stmt)

    def _found_out(self, stmt: Put | Move | Merge | Swap | Finish, env: Env) -> None:
        """Keeps how the value of a register is found: by which condition, or from which numbers."""
        match stmt:
            case Put(var, (), value) if self._plain.layout.defs[var].role is Role.REGISTER:
                pass
            case Put() | Move() | Merge() | Swap() | Finish():
                return
            case _:
                assert_never(stmt)
        before = self._chosen.pop(var, None)
        match value:
            case If(cond, _, _):
                held, parts, reads = self._tested(cond, env)
                after = self._tested_before(cond)
                self._chosen[var] = TracedFork(cond, held, parts, reads, stmt.origin, after=after)
            case Get(other, ()):
                found = before if other == var else self._chosen.get(other)
                if found is not None:
                    self._chosen[var] = found
            case Op():
                known = self._deciding.worked_out(value, env)
                if known is not None and known.made:
                    self.worked_out[var] = known, stmt.origin
            case (Const() | Local() | Look() | Get() | And() | Or() | At() | Fold() | Where() | Connected()
                  | Split() | Let() | Only() | After()):
                return
            case _:
                assert_never(value)

    def _tested_before(self, cond: Expr) -> tuple[TracedFork, ...]:
        """What was tested in this step to find the values of the registers in a condition."""
        found = (self._chosen.get(one.var) for one in walk(cond, Get) if not one.keys)
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def _branch(self, stmt: Branch, env: Env) -> bool:
        held, parts, reads = self._tested(stmt.cond, env)
        after = self._tested_before(stmt.cond)
        room = self._room()
        with self._inside() as inside:
            over = self._block(stmt.yes if held else stmt.no, env)
        if not room:
            return over
        taken, other = (stmt.yes, stmt.no) if held else (stmt.no, stmt.yes)
        away = block_writes(other) - block_writes(taken)
        ends = not over and _may_end(other) and not _may_end(taken)
        self._found.append(TracedFork(
            stmt.cond, held, parts, reads, stmt.origin, None, tuple(inside), away, ends, after))
        return over

    def _each(self, stmt: Each, env: Env) -> bool:
        code, layout = self._plain.code, self._plain.layout
        self._slots.taken()
        members = tuple(code.source(stmt.source)(self._slots, env))
        reads = self._slots.taken()
        members = tuple(dict.fromkeys(members)) if counts_once(stmt.source, layout) else members
        rounds: list[TracedRound] = []
        over, room = False, bool(members) and self._room()
        since = self._carried_out
        for member in members:
            env[stmt.var] = member
            if self._carried_out - since > MOST_STATEMENTS:
                over = self._body(stmt)(self._slots, env) is not None
                self._dropped += len(self._slots.changed())
                if over:
                    break
                continue
            before = self._number
            with self._inside() as inside:
                over = self._block(stmt.body, env)
            if inside and len(rounds) < MOST_ROUNDS:
                rounds.append(TracedRound(member, tuple(inside)))
            else:  # what is not told takes no room
                self._dropped += self._number - before
                self._number = before
            if over:
                break
        if room:
            kind = member_type(layout.core, stmt.source)
            self._found.append(TracedLoop(stmt.var, kind, tuple(rounds), len(members), reads, stmt.origin))
        return over

    @contextmanager
    def _inside(self) -> Iterator[list[TraceEntry]]:
        """What is noted meanwhile, for the entry around it; if the rules fail there, it stands by itself."""
        outside, self._found = self._found, []
        try:
            yield self._found
        except (Fault, Unsettled):
            outside.extend(self._found)
            raise
        finally:
            self._found = outside

    def _tested(self, cond: Any, env: Env) -> tuple[bool, tuple[DecidingPart, ...], Reads]:
        self._slots.taken()
        held = bool(self._plain.code.expr(cond)(self._slots, env))
        reads = self._slots.taken()
        parts = self._deciding.of(cond, env) if self._number < MOST_ENTRIES else ()
        return held, parts, reads

    def _written_from(self, at: int) -> frozenset[str]:
        """What may be written from a node on before somebody is asked."""
        known = self._written.get(at)
        if known is None:
            found: set[str] = set()
            seen, waiting = {at}, [at]
            while waiting:
                node = self.flow.nodes[waiting.pop()]
                if asks(node) is not None:
                    continue
                found |= changes(node)
                waiting.extend(after for after in ways_on(node) if after not in seen)
                seen.update(ways_on(node))
            known = self._written[at] = frozenset(found)
        return known

    def _act(self, stmt: Stmt) -> Callable[[list[Any], Env], Any]:
        known = self._acts.get(id(stmt))
        if known is None:
            known = self._acts[id(stmt)] = (stmt, step(stmt, self._plain.code))
        return known[1]

    def _body(self, stmt: Each) -> Callable[[list[Any], Env], Any]:
        """What carries the body of a loop out without recording it."""
        known = self._bodies.get(id(stmt))
        if known is None:
            known = self._bodies[id(stmt)] = (stmt, block(stmt.body, self._plain.code))
        return known[1]

    def _told(self, name: str) -> bool:
        """Whether it is told that an entry was written: registers are names, which their values explain."""
        found = self._plain.layout.defs.get(name)
        return found is None or found.role not in (Role.REGISTER, Role.COUNTER)


def _action_of(node: PointNode, event: Event | None) -> tuple[str | None, Origin]:
    """What an event carries out, with where that stands; of a ruling and of a point passed the point."""
    found = offers(node)
    for one in () if found is None or event is None else offered(found):
        if event is not None and one.label == event.label:
            return one.action, one.origin
    return None, node.point.origin


def _may_end(block: Block) -> bool:
    return any(True for _ in statements(block, Finish))


def _entry_names(course: FlowCourse) -> list[tuple[str, Key]]:
    """The name and key of every entry of a layout."""
    layout = course.layout
    found: list[tuple[str, Key]] = [("", ())] * layout.size
    for name, entries in (*layout.zones.items(), *layout.vars.items()):
        for offset, key in enumerate(entries.keys()):
            found[entries.base + offset] = (name, key)
    for name, index in layout.rulings.items():
        found[index] = (name, ())
    return found
