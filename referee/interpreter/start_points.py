"""The points from which a game can start: their names, and what has to be told there beside places and counters."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from referee.core.decided_values import decided
from referee.core.flow import (
    Ask,
    Draw,
    Flow,
    Fork,
    Gather,
    Node,
    PointNode,
    Rule,
    Run,
    asks,
    offered,
    point_of,
    ways_on,
)
from referee.core.ruleset import TURN, Key, Role, Var
from referee.core.stmt import IN, Block, Guard, Put, Stmt
from referee.diagnostics.suggestions import did_you_mean
from referee.game.log.strict_json import brief
from referee.game.start_position import BadPosition
from referee.interpreter.liveness import Names, Needs, constant
from referee.system.lazy_dataclasses import dataclass

MOST_LISTED = 12
"""So many points are told where a header names one that is not there, or could be several."""
_NUMBERED = re.compile(r" \d+$")


@dataclass(frozen=True, slots=True)
class Register:
    """A value that the rules keep on the way to a point, by the name that it has there. `needed`: no game can start
    there without it; what is not needed, or has a key of which nothing is told, is as it starts."""

    name: str
    var: Var
    needed: bool


@dataclass(frozen=True, slots=True)
class StartPoint:
    """A rest point at which a game can start.

    `name` is unique among these points. `turn`: it has to be told whose turn it is. `registers`: what can be told,
    `computed`: registers that `entry` fills from the position.
    """

    at: int
    node: PointNode
    name: str
    turn: bool
    registers: tuple[Register, ...]
    computed: tuple[Register, ...]
    entry: Block

    @property
    def needs(self) -> tuple[str, ...]:
        """The names of what has to be told beside places and counters."""
        turn = (TURN,) if self.turn else ()
        return (*turn, *(one.name for one in self.registers if one.needed))

    @property
    def described(self) -> str:
        """The name, and what has to be told."""
        return f"{self.name} (needs {', '.join(self.needs)})" if self.needs else self.name


class StartPoints:
    """The rest points of a flow that games of its shape come to, and what each needs."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self.watched = flow.core.watched
        self._needs = Needs(flow)
        self._reached = _reached(flow)
        self._before: dict[int, list[int]] = {}
        for index, node in enumerate(flow.nodes):
            for after in ways_on(node):
                self._before.setdefault(after, []).append(index)
        self._names = self._named()
        self._made: dict[int, StartPoint] = {}

    def all(self) -> tuple[StartPoint, ...]:
        """Every one, in the order of the course of the game."""
        return tuple(map(self.start, self._names))

    def at(self, node: int) -> StartPoint | None:
        """The one at a node; None if no game can start there."""
        return self.start(node) if node in self._names else None

    def start(self, at: int) -> StartPoint:
        """The one at a node at which a game can start."""
        known = self._made.get(at)
        if known is None:
            known = self._made[at] = self._start(at)
        return known

    def find(self, said: str | None) -> StartPoint:
        """The one that a log names, by its name and as many of the calls that lead to it as it takes; None is the first
        decision after set-up. Raises `BadPosition` (LG26, LG28) if there is none such, or several."""
        if said is None:
            if self._flow.opening is None or self._flow.opening not in self._names:
                raise BadPosition("LG26", "nobody decides anything after set-up", "state")
            return self.start(self._flow.opening)
        name, *calls = said.split(IN)
        found = [at for at, known in self._names.items() if known == said] or [
            at for at in self._names if self._called(at) == name and _within(calls, self._calls(at))]
        if len(found) == 1:
            return self.start(found[0])
        if found:
            names = tuple(self.start(at).described for at in found[:MOST_LISTED])
            raise BadPosition("LG26", f"{brief(said)} may be each of {len(found)} points: say which", said, names)
        raise self._unknown(said, name)

    def _unknown(self, said: str, name: str) -> BadPosition:
        points = [node.point for one in self._flow.nodes if (node := asks(one)) is not None]
        listed = tuple(one.described for one in sorted(self.all(), key=lambda one: len(one.needs))[:MOST_LISTED])
        if not any(point.name == name for point in points):
            names = tuple(self._names.values())
            why = "is no point of this ruleset"
            return BadPosition("LG26", f"{brief(said)} {why}", said, listed, did_you_mean(said, names))
        if any(point.name == name and point.rest for point in points):
            same = [self.start(at).described for at in self._names if self._called(at) == name]
            why = "is not led to in this way" if same else f"is never come to {self._shape()}"
            found = tuple(same[:MOST_LISTED]) or listed
            return BadPosition("LG26" if same else "LG28", f"{brief(said)} {why}", said, found)
        return BadPosition("LG28", f"{brief(said)} lies inside an action: no game starts there", said, listed)

    def _shape(self) -> str:
        core = self._flow.core
        options = "".join(f", {name} {value}" for name, value in core.options)
        return f"by {core.seats.number} players{options}"

    # ------------------------------------------------------------------ names
    def _named(self) -> dict[int, str]:
        """The names by node: of points of one name, with as few calls as tell them apart."""
        found = [at for at in sorted(self._reached) if _can_rest(self._flow.nodes[at])]
        return {at: self._unique(at, found) for at in found}

    def _unique(self, at: int, all_of_them: Sequence[int]) -> str:
        name, own = self._called(at), self._calls(at)
        same = [one for one in all_of_them if self._called(one) == name]
        others = [self._calls(one) for one in same if one != at]
        calls = list(own)
        if any(_within(calls, other) for other in others):  # alike in all calls: counted
            return IN.join((name, *own, f"way {same.index(at) + 1}"))
        for one in reversed(own):
            fewer = [call for call in calls if call is not one]
            if not any(_within(fewer, other) for other in others):
                calls = fewer
        return IN.join((name, *calls))

    def _called(self, at: int) -> str:
        node = asks(self._flow.nodes[at])
        assert node is not None
        return node.point.name

    def _calls(self, at: int) -> tuple[str, ...]:
        """The calls that lead to a node, innermost first."""
        return tuple(reversed(self._flow.calls.get(at, ())))

    # ------------------------------------------------------------------ what has to be told
    def _start(self, at: int) -> StartPoint:
        flow, live = self._flow, self._needs.at(at)
        node = asks(flow.nodes[at])
        assert node is not None
        entry, computed, turn = self._entry(at, live)
        kept = sorted((flow.vars[name] for name in live - {TURN} - flow.core.watched.keys()), key=_place)
        names = _told_apart([_NUMBERED.sub("", var.title or var.name) for var in kept])
        registers = [Register(name, var, var.role is Role.REGISTER) for name, var in zip(names, kept, strict=True)]
        registers += [Register(var.name, var, False) for var in flow.core.vars.values() if _unnamed(var)]
        return StartPoint(at, node, self._names.get(at, node.point.name), turn or TURN in live,
                          tuple(one for one in registers if one.var.name not in computed),
                          tuple(one for one in registers if one.var.name in computed), entry)

    def _entry(self, at: int, live: Names) -> tuple[Block, Names, bool]:
        """The statements right before a point that fill registers from the position; these registers; whether that
        takes whose turn it is."""
        way_in = self._way_in(at)
        written = frozenset(stmt.var for stmt in way_in)
        known = {*(live - written), *self._flow.core.watched, TURN}
        carried_out: list[Stmt] = []
        filled: dict[str, set[Key | None]] = {}
        turn = False
        for stmt in way_in:
            known.discard(stmt.var)
            reads = self._needs.reads((stmt.keys, stmt.value))
            key = constant(stmt.keys)
            if key is None or not reads <= known:
                filled.pop(stmt.var, None)
                continue
            carried_out.append(stmt)
            turn = turn or TURN in reads
            filled.setdefault(stmt.var, set()).add(key)
            if len(filled[stmt.var]) == self._needs.entries(stmt.var):
                known.add(stmt.var)
        computed = live & written & known
        return (tuple(carried_out), computed, turn) if computed else ((), frozenset(), False)

    def _way_in(self, at: int) -> tuple[Put, ...]:
        """The statements right before a point that only fill registers; nothing if several ways lead to it."""
        ways = self._before.get(at, [])
        before = self._flow.nodes[ways[0]] if len(ways) == 1 else None
        if not isinstance(before, Run):
            return ()
        found: list[Put] = []
        for stmt in reversed(before.body):
            if not isinstance(stmt, Put) or not self._needs.told(stmt.var) or stmt.var == TURN:
                break
            found.insert(0, stmt)
        return tuple(found)


def _reached(flow: Flow) -> frozenset[int]:
    """The nodes that games of this shape come to, as far as constants decide it."""
    found, waiting = {flow.start}, [flow.start]
    while waiting:
        for after in _ways(flow.nodes[waiting.pop()]):
            if after not in found:
                found.add(after)
                waiting.append(after)
    return frozenset(found)


def _ways(node: Node) -> Iterable[int]:
    """The nodes at which games of this shape may go on after one."""
    match node:
        case Fork(cond, yes, no):
            test = decided(cond, {})
            return (yes, no) if test is None else (yes if test.value else no,)
        case Run() | Rule():
            return ways_on(node) if _goes_on(node) else ()
        case Ask() | Gather() | Draw():
            shut = {one.next for one in offered(node) if any(map(_never, one.guards))}
            open_ = {one.next for one in offered(node) if not any(map(_never, one.guards))}
            return [after for after in ways_on(node) if after not in shut - open_]
        case _:
            assert_never(node)


def _never(guard: Guard) -> bool:
    """Whether a condition fails in every game of this shape."""
    test = decided(guard.cond, {})
    return test is not None and not test.value


def _can_rest(node: Node) -> bool:
    """Whether a game can rest at a node and go on from it."""
    point = point_of(node)
    return point is not None and point.rest and _goes_on(node)


def _goes_on(node: Node) -> bool:
    """False where the rules do not say how the game goes on."""
    match node:
        case Rule():
            return node.candidates is not None
        case Run() | Fork() | Ask() | Gather() | Draw():
            return True
        case _:
            assert_never(node)


def _within(calls: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether some calls stand in others in their order."""
    rest = iter(whole)
    return all(call in rest for call in calls)


def _unnamed(var: Var) -> bool:
    """Whether a variable belongs to a counter, and has no name of its own in the rules: what lasts for a while."""
    return var.role is Role.STATE and " " in var.name and var.name != TURN


def _place(var: Var) -> tuple[str, int, int, str]:
    span = var.origin.span
    return span.path, span.line, span.column, var.name


def _told_apart(names: Sequence[str]) -> Iterator[str]:
    """The names, numbered from the second of one name on."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name} {seen[name]}"
