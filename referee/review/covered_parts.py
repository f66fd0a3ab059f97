"""Which parts of the rules games come to: each part marks that it was carried out, in rules made for that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import assert_never

from referee.core.expr import Const, Expr, Get, Numbers, Op, Operator
from referee.core.flow import Rule
from referee.core.ruleset import Core, Role, Var
from referee.core.stmt import (
    Action,
    Bind,
    Block,
    Branch,
    Call,
    Chance,
    Commit,
    Decide,
    Each,
    Finish,
    Gap,
    Merge,
    Move,
    Origin,
    Point,
    Procedure,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
    origin_of,
)
from referee.core.types import Bool, Int
from referee.diagnostics.source import Span
from referee.flow.lowering import lower
from referee.game.event import Event
from referee.game.state import Failed, State, Step
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine
from referee.review.subject import Subject
from referee.simulation.game_samples import Played
from referee.simulation.state_space import StateSpace

MARK = "carried out"
"""The variable that holds which parts were; no rules text can spell it."""
ACTION, PROCEDURE, CASE = "action", "procedure", "case"


@dataclass(frozen=True, slots=True)
class RulePart:
    """A part of the rules that is carried out or not: an action, a procedure, or one way of a condition or a loop.

    `name`: of an action or procedure that the rules name, else empty.
    """

    kind: str
    name: str
    span: Span
    cites: tuple[str, ...]


class Marked:
    """Rules in which each part marks that it was carried out. `parts`: what the entries of the mark stand for.

    `within`: by part those from which the game comes to it at once; None for the course of the game as such.
    `cited`: by statement of the rulebook the parts in which a line cites it, None as there; `lines`: the same by line.
    `asking`: parts (by number) in which the table is asked something, so that a game that comes there rests there.
    """

    def __init__(self, core: Core, asking: frozenset[int] = frozenset()) -> None:
        self._asking = asking
        self.parts: list[RulePart] = []
        self.within: dict[int, set[int | None]] = {}
        self.cited: dict[str, set[int | None]] = {}
        self.lines: dict[tuple[str, int], set[int | None]] = {}
        self._core = core
        self._index: dict[tuple[str, str, Span], int] = {}
        bodies = [(ACTION, name, one.origin) for name, one in core.actions.items()]
        bodies += [(PROCEDURE, name, one.origin) for name, one in core.procedures.items()]
        for kind, name, origin in bodies:
            self._number(kind, name, origin)
        actions = {name: replace(one, body=self._body(ACTION, name, one)) for name, one in core.actions.items()}
        procedures = {name: replace(o, body=self._body(PROCEDURE, name, o)) for name, o in core.procedures.items()}
        setup = tuple(self._block(core.main[: core.setup], None))
        main = tuple(self._block(core.main[core.setup :], None))
        mark = Var(MARK, (Int(0, max(0, len(self.parts) - 1)),), Bool(), False, Role.STATE, Origin(core.origin))
        self.core = replace(
            core, actions=actions, procedures=procedures, main=(*setup, *main), setup=len(setup),
            vars={**core.vars, MARK: mark},
        )  # fmt: skip

    def _number(self, kind: str, name: str, origin: Origin) -> int:
        key = (kind, name, origin.span)
        if key not in self._index:
            self._index[key] = len(self.parts)
            self.parts.append(RulePart(kind, name, origin.span, origin.cites))
        return self._index[key]

    def _body(self, kind: str, name: str, one: Action | Procedure) -> Block:
        at = self._number(kind, name, one.origin)
        return (*self._mark(at, one.origin), *self._block(one.body, at))

    def _block(self, block: Block, above: int | None) -> Iterator[Stmt]:
        for stmt in block:
            self._leads(stmt, above)
            span = origin_of(stmt).span
            self.lines.setdefault((span.path, span.line), set()).add(above)
            for cite in self._core.statements_in(origin_of(stmt).cites):
                self.cited.setdefault(cite, set()).add(above)
            match stmt:
                case Branch():
                    yes, no = (self._way(way, stmt.origin, above) for way in (stmt.yes, stmt.no))
                    yield replace(stmt, yes=yes, no=no)
                case Each() | Repeat():
                    yield replace(stmt, body=self._way(stmt.body, stmt.origin, above))
                case Decide(otherwise=block_):
                    way = None if block_ is None else self._way(block_, stmt.point.origin, above)
                    yield replace(stmt, otherwise=way)
                case (Put() | Move() | Merge() | Swap() | Bind() | Commit() | Chance() | Unspecified()
                      | Finish() | Call()):
                    yield stmt
                case _:
                    assert_never(stmt)

    def _leads(self, stmt: Stmt, above: int | None) -> None:
        """Notes which actions and procedures the game comes to by a statement."""
        match stmt:
            case Decide():
                found = [(ACTION, option.action) for option in stmt.options]
            case Commit():
                found = [(ACTION, part.action) for part in stmt.parts]
            case Chance():
                found = [(ACTION, stmt.action)]
            case Call():
                found = [(PROCEDURE, stmt.procedure)]
            case Put() | Move() | Merge() | Swap() | Bind() | Branch() | Each() | Repeat() | Unspecified() | Finish():
                return
            case _:
                assert_never(stmt)
        for (kind, name, _), index in list(self._index.items()):
            if (kind, name) in found:
                self.within.setdefault(index, set()).add(above)

    def _way(self, block: Block, at: Origin, above: int | None) -> Block:
        origin = _origin(block)
        if origin is None or origin.span == at.span:
            return tuple(self._block(block, above))
        index = self._number(CASE, "", Origin(origin.span, origin.cites or at.cites))
        self.within.setdefault(index, set()).add(above)
        return (*self._mark(index, origin), *self._block(block, index))

    def _mark(self, at: int, origin: Origin) -> Iterator[Stmt]:
        asks = at in self._asking
        yield Put(MARK, (Const(at, Int(at, at)),), Const(True, Bool()), origin, more=not asks)
        if asks:
            two = Int(0, 1)
            point = Point(f"{MARK} {at}", True, origin)
            yield Unspecified(point, MARK, f"{MARK} {at}", two, Numbers(Const(0, two), Const(1, two)))


def never(core: Core, parts: Iterable[int]) -> tuple[Core, list[tuple[str, Expr]]]:
    """Rules and conditions, named after the parts (by number) that no game carries out if they hold at rest points."""
    asked = frozenset(parts)
    marked, kind = Marked(core, asked).core, Bool()
    conditions: list[tuple[str, Expr]] = []
    for at in sorted(asked):
        done = Get(MARK, (Const(at, Int(at, at)),), kind)
        conditions.append((str(at), Op(Operator.NOT, (done,), kind)))
    return marked, conditions


def _origin(block: Block) -> Origin | None:
    """Where a part begins. None for one that says nothing, or only that nothing is said, or only tests again."""
    if not block or (len(block) == 1 and isinstance(block[0], Branch)):
        return None
    for stmt in block:
        if isinstance(stmt, Unspecified) and (stmt.candidates is None or stmt.gap is not Gap.SAID):
            return None
        return origin_of(stmt)
    return None


@dataclass(frozen=True, slots=True)
class PartCoverage:
    """Which parts were carried out, by number. `whole`: in any game; else in those that `seen` speaks of.

    `placed`: parts that only scenarios carry out which begin in the middle: maybe no game comes there.
    """

    parts: tuple[RulePart, ...]
    done: frozenset[int]
    within: Mapping[int, set[int | None]]
    whole: bool
    seen: str
    placed: int = 0

    def missing(self) -> Iterator[tuple[int, RulePart]]:
        """The parts that were not, but for those that the game would come to only from others that were not."""
        for index, part in enumerate(self.parts):
            above = self.within.get(index, set())
            if index not in self.done and (not above or None in above or above & self.done):
                yield index, part


def coverage(subject: Subject) -> PartCoverage:
    """What the games of a subject carry out, or all games if it is small. As long as something is missing, further
    games are played, as many again at most. What a scenario carries out counts, wherever it begins."""
    marked = Marked(subject.core)
    walker = engine(lower(marked.core))
    reader = MarkReader(walker)
    if subject.space.whole:
        space = StateSpace.searched(walker, subject.players, subject.effort.positions, subject.clock, reader.cleaned)
        if space.whole:
            return PartCoverage(tuple(marked.parts), frozenset(reader.done), marked.within, True, subject.seen)
    plays, placed, seen = subject.plays, MarkReader(walker), 0
    for game in plays.placed:
        placed.replay(game)
    for game in chain(plays.games, plays.more(subject.effort.games)):
        seen += 1
        reader.replay(game)
        if len(reader.done) == len(marked.parts):
            break
    told = plays.told + len(plays.placed)
    said = f"{max(0, seen - plays.told)} games" + (f" and {told} scenarios" if told else "")
    done = frozenset(reader.done | placed.done)
    return PartCoverage(tuple(marked.parts), done, marked.within, False, said, len(placed.done - reader.done))


class MarkReader:
    """Reads the marks of positions of a walker. `done`: the parts that were carried out, by number."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker
        entries = walker.layout.vars[MARK]
        self._from, self._to = entries.base, entries.base + entries.count
        self._clean = (False,) * entries.count
        self._ruled: set[Event] = set()
        self.done: set[int] = set()

    def read(self, step: Step) -> None:
        """Notes what was carried out before a step."""
        state = step if isinstance(step, State) else step.state
        if state is not None:
            self.done.update(i for i, mark in enumerate(state.slots[self._from : self._to]) if mark)

    def replay(self, game: Played) -> None:
        """Notes what a game carries out."""
        step = self.walker.begin(game.setting)
        for event in game.events:
            if not isinstance(step, State):
                break
            before = step
            if isinstance(self.walker.flow.nodes[step.at], Rule):
                self._rule(step)
            step = self.walker.advance(step, event)
            if isinstance(step, Failed):
                self.read(before)
        self.read(step)

    def _rule(self, state: State) -> None:
        """Notes what comes of everything that the table could rule: that a game came here is enough for each."""
        for event in self.walker.legal(state):
            if event not in self._ruled:
                self._ruled.add(event)
                self.read(self.walker.advance(state, event))

    def cleaned(self, step: Step) -> Step:
        """Notes it and takes the marks away: positions that differ in nothing else are one."""
        self.read(step)
        match step:
            case State(at, slots):
                return State(at, (*slots[: self._from], *self._clean, *slots[self._to :]))
            case _:
                return step
