"""A second interpreter, of structured core: recursive, without flow; what it asks must be what the walker asks."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

from referee.core.flow import Flow
from referee.core.ruleset import Core
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
    Merge,
    Move,
    Point,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.game.event import FATE, TABLE, Event
from referee.game.setting import Setting
from referee.game.state import Layout
from referee.interpreter.initial_state import home, stated
from referee.interpreter.interruptions import TOO_LONG, Fault
from tests.twin.plain_evaluate import distinct, evaluate
from tests.twin.plain_frame import Frame
from tests.twin.plain_perform import step
from tests.twin.plain_selection import selections

Winners = frozenset[int]


@dataclass
class Names:
    """The locals of a body: `here` until the end of the block, `results` of the procedure for as long as it runs."""

    here: dict[str, Any] = field(default_factory=dict)
    results: dict[str, Any] = field(default_factory=dict)
    gives: frozenset[str] = frozenset()

    def block(self) -> Names:
        return Names(dict(self.here), self.results, self.gives)

    def bind(self, name: str, value: Any) -> None:
        (self.results if name in self.gives else self.here)[name] = value

    def all(self) -> dict[str, Any]:
        return {**self.results, **self.here}


@dataclass(frozen=True)
class Question:
    """What the game waits for: the point, who can act, and every legal event."""

    point: Point
    by: frozenset[int]
    events: tuple[Event, ...]


class Halt(Exception):
    """The rules do not say how the game goes on."""

    def __init__(self, point: Point) -> None:
        super().__init__(point.name)
        self.point = point


Play = Generator[Question, Event, Winners | None]
Way = tuple[Event, Action, dict[str, Any]]


class Twin:
    """One game. `question` is what it waits for; `winners`, `halted` or `fault` say how it came to its end."""

    def __init__(self, core: Core, setting: Setting) -> None:
        self.core = core
        self.setting = setting
        self.layout = Layout(Flow(core, (), 0, core.vars))
        self.frame = Frame(self.layout, stated(self.layout, setting, home(self.layout)))
        self.question: Question | None = None
        self.winners: Winners | None = None
        self.halted: Point | None = None
        self.fault: str | None = None
        self._play = self._block(core.main, Names())
        self._next(None)

    def take(self, event: Event) -> None:
        """Goes on after an event."""
        self._next(event)

    def _next(self, event: Event | None) -> None:
        try:
            self.question = next(self._play) if event is None else self._play.send(event)
            return
        except StopIteration as over:
            self.winners = over.value
            self.halted = Point("end of the rules", True, None) if over.value is None else None  # type: ignore[arg-type]
        except Halt as halt:
            self.halted = halt.point
        except Fault as fault:
            self.fault = fault.code
        self.question = None

    # --- statements

    def _block(self, block: Block, names: Names) -> Play:
        inner = names.block()
        for stmt in block:
            winners = yield from self._stmt(stmt, inner)
            if winners is not None:
                return winners
        return None

    def _stmt(self, stmt: Stmt, names: Names) -> Play:
        match stmt:
            case Put() | Move() | Merge() | Swap() | Finish():
                return step(stmt, self._in(names))
            case Bind():
                names.bind(stmt.name, self._value(stmt.value, names))
            case Branch():
                return (yield from self._block(stmt.yes if self._value(stmt.cond, names) else stmt.no, names))
            case Each():
                for member in tuple(distinct(stmt.source, self._in(names))):
                    inner = names.block()
                    inner.here[stmt.var] = member
                    winners = yield from self._block(stmt.body, inner)
                    if winners is not None:
                        return winners
            case Repeat():
                return (yield from self._repeat(stmt, names))
            case Call():
                return (yield from self._call(stmt, names))
            case Decide():
                return (yield from self._decide(stmt, names))
            case Commit():
                return (yield from self._commit(stmt, names))
            case Chance():
                return (yield from self._chance(stmt, names))
            case Unspecified():
                yield from self._rule(stmt, names)
        return None

    def _repeat(self, stmt: Repeat, names: Names) -> Play:
        rounds = 0
        while not self._value(stmt.until, names):
            rounds += 1
            if stmt.limit is not None and rounds > stmt.limit:
                raise Fault(TOO_LONG, "too many rounds", stmt.origin.span)
            winners = yield from self._block(stmt.body, names)
            if winners is not None:
                return winners
        return None

    def _call(self, stmt: Call, names: Names) -> Play:
        made = self.core.procedures[stmt.procedure]
        args = {name: self._value(arg, names) for (name, _), arg in zip(made.params, stmt.args, strict=True)}
        inner = Names(args, {}, frozenset(name for name, _ in made.results))
        winners = yield from self._block(made.body, inner)
        if winners is None:
            for name, (result, _) in zip(stmt.results, made.results, strict=False):
                names.bind(name, inner.results[result])
        return winners

    def _decide(self, stmt: Decide, names: Names) -> Play:
        actor = self._value(stmt.actor, names)
        ways = []
        for index, option in enumerate(stmt.options):
            fixed = {name: self._value(value, names, me=actor) for name, value in option.bound}
            ways += [(way, index) for way in self._ways(self.core.actions[option.action], actor, fixed)]
        if not ways:
            if stmt.otherwise is None:
                raise Halt(stmt.point)
            winners = yield from self._block(stmt.otherwise, names)
            self._took(stmt, len(stmt.options), names)
            return winners
        (event, action, bound), index = yield from self._one(stmt.point, ways)
        assert event.by == actor
        winners = yield from self._block(action.body, Names(bound))
        self._took(stmt, index, names)
        return winners

    def _took(self, stmt: Decide, index: int, names: Names) -> None:
        if stmt.taken is not None and stmt.taken_domain is not None:
            labels = self.core.domains[stmt.taken_domain].size
            names.bind(stmt.taken, index if index < labels else 0)

    def _one(self, point: Point, ways: list[tuple[Way, int]]) -> Generator[Question, Event, tuple[Way, int]]:
        """One of the ways, asked for unless the point is automatic and there is one only."""
        events = tuple(dict.fromkeys(way[0] for way, _ in ways))
        event = events[0]
        if not point.automatic or len(events) > 1:
            event = yield Question(point, frozenset((event.by,)), events)
        return next(way for way in ways if way[0][0] == event)

    def _chance(self, stmt: Chance, names: Names) -> Play:
        fixed = {name: self._value(value, names) for name, value in stmt.bound}
        ways = [(way, 0) for way in self._ways(self.core.actions[stmt.action], FATE, fixed)]
        if not ways:
            raise Halt(stmt.point)
        (_, action, bound), _ = yield from self._one(stmt.point, ways)
        return (yield from self._block(action.body, Names(bound)))

    def _rule(self, stmt: Unspecified, names: Names) -> Generator[Question, Event, None]:
        found = () if stmt.candidates is None else tuple(dict.fromkeys(distinct(stmt.candidates, self._in(names))))
        if not found:
            raise Halt(stmt.point)
        ruled = self.setting.rulings.get(stmt.point.name)
        chosen: Any = found[0] if len(found) == 1 else ruled if ruled in found else None
        if chosen is None:
            events = tuple(Event(TABLE, stmt.point.name, (("choice", one),)) for one in found)
            event = yield Question(stmt.point, frozenset((TABLE,)), events)
            chosen = event.args[0][1]
        if stmt.name is not None:
            names.bind(stmt.name, chosen)

    def _commit(self, stmt: Commit, names: Names) -> Play:
        asked = [sorted(self._value(part.actors, names)) for part in stmt.parts]
        ways: dict[int, list[tuple[Way, int]]] = {}
        for index, part in enumerate(stmt.parts):
            for player in asked[index]:
                found = [(way, index) for way in self._ways(self.core.actions[part.action], player, {})]
                ways.setdefault(player, []).extend(found)
        if not all(ways.values()):
            raise Halt(stmt.point)
        chosen = yield from self._choices(stmt, ways)
        for player in sorted(chosen):
            action, bound = chosen[player]
            winners = yield from self._block(action.body, Names(bound))
            if winners is not None:
                return winners
        return None

    def _choices(self, stmt: Commit, ways: dict[int, list[tuple[Way, int]]]) -> (
            Generator[Question, Event, dict[int, tuple[Action, dict[str, Any]]]]):
        """What each player chose, kept when all have."""
        chosen: dict[int, tuple[Action, dict[str, Any]]] = {}
        kept: list[tuple[str, int, Any]] = []
        pending = set(ways)
        alone = stmt.point.automatic and all(len({way[0] for way, _ in own}) == 1 for own in ways.values())
        while pending:
            if alone:
                event = ways[min(pending)][0][0][0]
            else:
                events = tuple(dict.fromkeys(way[0] for by in sorted(pending) for way, _ in ways[by]))
                event = yield Question(stmt.point, frozenset(pending), events)
            (_, action, bound), index = next(way for way in ways[event.by] if way[0][0] == event)
            chosen[event.by] = action, bound
            kept += [(name, event.by, bound[param.name])
                     for name, param in zip(stmt.parts[index].into, action.params, strict=False)]
            pending.remove(event.by)
        for name, player, value in kept:
            self.frame.slots[self.layout.vars[name].find((player,))] = value
        return chosen

    # --- events and values

    def _ways(self, action: Action, by: int, fixed: dict[str, Any]) -> Iterator[Way]:
        """Every legal way to do an action: all combinations, each tested as a whole."""
        free = [param for param in action.params if param.name not in fixed]
        todo: list[dict[str, Any]] = [{"me": by, **fixed}]
        for param in free:
            todo = [{**bound, param.name: value} for bound in todo for value in self._source(param, bound)]
        for bound in todo:
            self.frame.env = dict(bound)
            given = [param for param in action.params if param.name in fixed and param.arg is not None]
            possible = all(bound[param.name] in self._source(param, bound) for param in given)
            self.frame.env = dict(bound)
            if possible and self._allowed(action):
                args = tuple((param.arg, bound[param.name]) for param in free if param.arg is not None)
                yield Event(by, action.label, args), action, bound

    def _source(self, param: Any, bound: dict[str, Any]) -> tuple[Any, ...]:
        self.frame.env = dict(bound)
        try:
            return tuple(distinct(param.source, self.frame) if param.count is None else selections(param, self.frame))
        except Fault:
            return ()

    def _allowed(self, action: Action) -> bool:
        try:
            return all(evaluate(guard.cond, self.frame) for guard in action.guards)
        except Fault:
            return False

    def _in(self, names: Names, **more: Any) -> Frame:
        self.frame.env = {**more, **names.all()}
        return self.frame

    def _value(self, expr: Any, names: Names, **more: Any) -> Any:
        return evaluate(expr, self._in(names, **more))
