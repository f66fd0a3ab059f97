"""Who comes to know what was chosen in secret because he sees it arrive, or lie: cards passed on, or shown later.

Beside the game, statement by statement, it is followed in which place exactly the components of one argument of one
event lie. Whoever sees all of them come from there to another place, or is shown all that lies there, knows that
argument from then on. Where components of several arguments lie together, or only some go on, nothing is concluded: who
is to know less knows less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Or,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.flow import Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, offered
from referee.core.ruleset import Role
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
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.game.event import Event
from referee.game.player_views import Sighting, sees
from referee.game.state import State
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.closures.source_closures import counts_once
from referee.interpreter.closures.statement_closures import Act, step
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.course import FlowCourse
from referee.interpreter.interruptions import RANGE, Fault, Unsettled
from referee.interpreter.walker import Walker

Argument = tuple[int, str]
"""The number of an event, and the name of one of its arguments."""
Spot = tuple[int, int | None]
"""An entry of a position that is a zone instance, and of slots the spot."""


@dataclass(slots=True)
class _Emptying:
    """A loop over all that lies in a place: where what lay there has gone, and whether that was empty before."""

    source: Spot
    held: Argument
    targets: dict[Spot, bool] = field(default_factory=dict)
    mixed: bool = False


@dataclass(frozen=True, slots=True)
class CustodyMoment:
    """What is followed at one moment of a game: where arguments lie, and which registers hold them."""

    state: State
    places: Mapping[Spot, Argument]
    registers: Mapping[int, Argument]


class Custody:
    """Follows the events of one game. `learned`: who has come to know which argument; None among them is somebody who
    sits at no seat."""

    def __init__(self, flow: Flow) -> None:
        self.learned: dict[Argument, set[int | None]] = {}
        self.kept: CustodyMoment | None = None
        self.needed = any(_hides(node) for node in flow.nodes)
        self._flow = flow
        self._walker = Walker(flow)
        self._course = self._walker.course = FlowCourse(flow, self._passed, self._left)
        self._layout = self._course.layout
        self._zones = {entries.base + offset: (self._layout.core.zones[name], key)
                       for name, entries in self._layout.zones.items() for offset, key in enumerate(entries.keys())}
        self._places: dict[Spot, Argument] = {}
        self._registers: dict[int, Argument] = {}
        self._slots: list[Any] = []
        self._loops: list[_Emptying] = []
        self._acts: dict[int, Act] = {}  # by identity: the flow keeps its statements

    def event(self, number: int, state: State, event: Event) -> None:
        """Takes in an event that is legal at a position. `number`: what tells it from the others."""
        if not self.needed:
            return
        self._resume(state)
        try:
            self._looked_at(state, event)
            stores = dict(self._stores(state.at, event, state))
            self._registers.update({index: (number, arg) for index, arg in stores.items() if arg is not None})
            after = self._walker.advance(state, event)
        except (Fault, Unsettled, ValueError):
            self.kept = None
            return
        ended = after if isinstance(after, State) else state
        self.kept = CustodyMoment(ended, dict(self._places), dict(self._registers))

    def known(self, sightings: Mapping[int, Sighting]) -> dict[int, Sighting]:
        """Sightings by the numbers of their events, with what was learned since."""
        return {number: replace(one, seen=tuple(
            self._with(some, (number, name)) for (name, _), some in zip(one.event.args, one.seen, strict=True)))
            for number, one in sightings.items()}

    def _with(self, seen: frozenset[int] | None, argument: Argument) -> frozenset[int] | None:
        more = self.learned.get(argument, set())
        return None if seen is None or None in more else seen | {one for one in more if one is not None}

    def _resume(self, state: State) -> None:
        """What is still so at a position: what lies elsewhere than it was left is not followed any more."""
        kept, self._places, self._registers = self.kept, {}, {}
        if kept is not None:
            same = [one == other for one, other in zip(kept.state.slots, state.slots, strict=True)]
            self._places = {spot: held for spot, held in kept.places.items() if same[spot[0]]}
            self._registers = {index: held for index, held in kept.registers.items() if same[index]}

    def _looked_at(self, state: State, event: Event) -> None:
        """Whoever learns by an event all that lies in a place knows the argument whose components lie there."""
        match self._course.point(state.at):
            case Ask() | Draw():
                pass
            case Gather() | Rule():
                return
        if not self._places:
            return
        frame = self._course.frame(state)
        self._slots, told = list(state.slots), dict(event.args)
        for param in self._course.taken(state.at, event, frame).params:
            place, value = _place(param.source), told.get(param.arg or "")
            spot = None if place is None else self._spot(place, frame.env)
            held = None if spot is None else self._places.get(spot)
            if spot is not None and held is not None and isinstance(value, tuple) and len(value) == self._number(spot):
                everybody = (*range(self._layout.core.seats.number), None)
                self._learn(held, set(everybody if param.seen is None else frame.evaluate(param.seen)))

    def _stores(self, at: int, event: Event, state: State) -> Iterator[tuple[int, str | None]]:
        """The registers that an event fills, each with the name of the argument that it keeps (None: none)."""
        node = self._course.point(at)
        match node:
            case Ask() | Draw():
                key: tuple[int, ...] = ()
            case Gather():
                key = (event.by,)
            case Rule():
                return
            case _:
                assert_never(node)
        alternative = self._course.taken(at, event, self._course.frame(state)).alternative
        names = {param.name: param.arg for param in alternative.params}
        for register, local in alternative.stores:
            yield self._layout.vars[register].find(key), names.get(local)

    # ---------------------------------------------------------------------- what the course tells
    def _passed(self, at: int, slots: Sequence[Any]) -> None:
        self._slots, self._loops = list(slots), []
        node = self._flow.nodes[at]
        match node:
            case Run(body):
                try:
                    self._block(body, {})
                except (Fault, Unsettled):
                    self._places.clear()  # the walker comes upon it as well, and the game is over
            case Fork():
                pass
            case Ask() | Gather() | Draw() | Rule():
                raise TypeError("a point is not passed as what asks nobody")
            case _:
                assert_never(node)

    def _left(self, at: int, event: Event | None, slots: Sequence[Any]) -> None:
        """Nobody is asked, so nobody tells by an event what the registers keep."""
        if event is not None:
            for index, _ in self._stores(at, event, State(at, tuple(slots))):
                self._registers.pop(index, None)

    def _block(self, block: Block, env: Env) -> bool:
        return any(self._statement(stmt, env) for stmt in block)

    def _statement(self, stmt: Stmt, env: Env) -> bool:
        """Carries a statement out; true if the game is over."""
        match stmt:
            case Put(var, keys, value):
                held = self._argument(value, env)
                self._act(stmt, env)
                if self._layout.defs[var].role is Role.REGISTER:
                    index = self._entry(var, keys, env)
                    self._registers.pop(index, None)
                    self._registers.update({} if held is None else {index: held})
                return False
            case Move():
                self._move(stmt, env)
                return False
            case Merge(to, sources):
                spots = [self._spot(place, env) for place in (to, *sources)]
                self._act(stmt, env)
                for spot in spots if sources else ():
                    self._lost(spot)
                return False
            case Swap(one, other):
                self._swap(self._spot(one, env)[0], self._spot(other, env)[0])
                self._act(stmt, env)
                return False
            case Branch(cond, yes, no):
                return self._block(yes if self._value(cond, env) else no, env)
            case Each():
                return self._each(stmt, env)
            case Finish():
                return True
            case Bind() | Repeat() | Decide() | Commit() | Chance() | Unspecified() | Call():
                raise TypeError(f"{type(stmt).__name__} is no statement of a run")
            case _:
                assert_never(stmt)

    def _each(self, stmt: Each, env: Env) -> bool:
        members = tuple(self._course.code.source(stmt.source)(self._slots, env))
        source = _place(stmt.source)
        spot = None if source is None else self._spot(source, env)
        held = None if spot is None else self._places.get(spot)
        loop = None if spot is None or held is None else _Emptying(spot, held)
        self._loops += [] if loop is None else [loop]
        over = False
        for member in dict.fromkeys(members) if counts_once(stmt.source, self._layout) else members:
            env[stmt.var] = member
            over = self._block(stmt.body, env)
            if over:
                break
        if loop is not None:
            self._loops.remove(loop)
            self._emptied(loop)
        return over

    def _emptied(self, loop: _Emptying) -> None:
        if loop.mixed or self._number(loop.source) or not loop.targets:
            return
        onlookers = [self._onlookers(target) for target in loop.targets]
        self._learn(loop.held, set.intersection(*onlookers))
        if len(loop.targets) == 1:
            self._places.update({target: loop.held for target, empty in loop.targets.items() if empty})

    def _move(self, stmt: Move, env: Env) -> None:
        source, to = self._spot(stmt.source, env), self._spot(stmt.to, env)
        held = self._argument(stmt.what, env)
        before, empty = self._number(source), not self._number(to)
        self._act(stmt, env)
        left = self._number(source) if source != to else before
        if left == before:
            return
        if held is None and not left:
            held = self._places.get(source)
        if held is not None:
            self._learn(held, self._onlookers(to))
        self._lost(source)
        self._lost(to)
        if held is not None and empty:
            self._places[to] = held
        for loop in self._loops:
            if source == loop.source:
                loop.targets.setdefault(to, empty)
            loop.mixed |= source != loop.source and to in (loop.source, *loop.targets)

    def _swap(self, one: int, other: int) -> None:
        for here, there in ((one, other), (other, one)):
            for (index, _), held in self._places.items():
                if index == here:
                    self._learn(held, self._onlookers((there, None)))
        places = {(other if index == one else one if index == other else index, spot): held
                  for (index, spot), held in self._places.items()}
        self._places = places
        for loop in self._loops:
            loop.mixed = True

    # ---------------------------------------------------------------------- where things are
    def _learn(self, held: Argument, who: set[int | None]) -> None:
        self.learned.setdefault(held, set()).update(who)

    def _lost(self, spot: Spot) -> None:
        self._places.pop(spot, None)

    def _onlookers(self, spot: Spot) -> set[int | None]:
        zone, key = self._zones[spot[0]]
        seats: list[int | None] = [*range(self._layout.core.seats.number), None]
        return {seat for seat in seats if sees(zone.sight, key, seat)}

    def _number(self, spot: Spot) -> int:
        zone, _ = self._zones[spot[0]]
        content = self._slots[spot[0]]
        if spot[1] is None:
            return amount(zone, content)
        return int(0 <= spot[1] < len(content) and content[spot[1]] is not None)

    def _spot(self, place: Place, env: Env) -> Spot:
        zone = self._layout.core.zones[place.zone]
        index = self._entry(place.zone, place.keys, env)
        if place.spot is None or not zone.form.on_spots or zone.spots is None:
            return index, None
        return index, int(self._value(place.spot, env)) - zone.spots.lo

    def _entry(self, name: str, keys: tuple[Expr, ...], env: Env) -> int:
        entries = self._layout.zones[name] if name in self._layout.zones else self._layout.vars[name]
        index = entries.find(tuple(self._value(key, env) for key in keys))
        if index < 0:
            raise Fault(RANGE, f"there is no such {name}", None)
        return index

    def _value(self, expr: Expr, env: Env) -> Any:
        return self._course.code.expr(expr)(self._slots, env)

    def _argument(self, what: Expr, env: Env) -> Argument | None:
        """The argument that an expression is, whatever its value."""
        match what:
            case Get(var, keys):
                return self._registers.get(self._entry(var, keys, env))
            case Only(of):
                return self._argument(of, env)
            case (Const() | Local() | Look() | Op() | And() | Or() | If() | At() | Fold() | Where() | Connected()
                  | Split() | Let() | After()):
                return None
            case _:
                assert_never(what)

    def _act(self, stmt: Put | Move | Merge | Swap, env: Env) -> None:
        known = self._acts.get(id(stmt))
        if known is None:
            known = self._acts[id(stmt)] = step(stmt, self._course.code)
        known(self._slots, env)


class GameKnowledge:
    """What is known of the events of a game that goes on: asked again it goes on from where it was."""

    def __init__(self, walker: Walker) -> None:
        self._walker = walker
        self._begin()

    def _begin(self) -> None:
        self._custody = Custody(self._walker.flow)
        self._followed: list[tuple[State, Event]] = []
        self._sightings: dict[int, Sighting] = {}

    def sightings(self, past: Sequence[tuple[State, Event]]) -> tuple[Sighting, ...]:
        """Who knows what of events, each with the position before it."""
        if not all(one is other for one, other in zip_longest(self._followed, past[:len(self._followed)])):
            self._begin()  # something was taken back
        for number, (state, event) in enumerate(past[len(self._followed):], len(self._followed)):
            self._custody.event(number, state, event)
            self._sightings[number] = self._walker.sighting(state, event)
        self._followed = list(past)
        return tuple(self._custody.known(self._sightings).values())


def _hides(node: Node) -> bool:
    """Whether not everybody learns what is chosen at a node."""
    match node:
        case Gather():
            return node.hidden or _in_secret(node)
        case Ask() | Draw():
            return _in_secret(node)
        case Run() | Fork() | Rule():
            return False
        case _:
            assert_never(node)


def _in_secret(node: Ask | Gather | Draw) -> bool:
    """Whether something that is chosen there is for some alone to see."""
    return any(param.seen is not None for one in offered(node) for param in one.params)


def _place(source: Domainlike) -> Place | None:
    """The place of which all that lies there is gone through."""
    match source:
        case Within(place):
            return place
        case Numbers() | All() | Members():
            return None
        case _:
            assert_never(source)
