"""Core and flow as an indented outline: one node a line, with its place in the rules and the statements it cites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from referee.core.expr import Expr
from referee.core.ruleset import Component, Core, Home, Invariant, Var, Zone
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
    Guard,
    Merge,
    Move,
    Option,
    Origin,
    Param,
    Point,
    Procedure,
    Put,
    Repeat,
    Stmt,
    Swap,
    Unspecified,
)
from referee.report.text.formula import Formulas
from referee.report.text.printable import printable

Line = tuple[int, str, Origin | None]
"""depth, text, where it comes from"""

_COLUMN = 88
"""The column in which stands where a line comes from."""


def lay_out(lines: Iterable[Line]) -> Iterator[str]:
    """The lines as text: indentation by depth, the origin in a column of its own."""
    for depth, text, origin in lines:
        left = "  " * depth + printable(text)
        yield left if origin is None else f"{left:<{_COLUMN}}  {origin_text(origin)}"


def origin_text(origin: Origin) -> str:
    """`file.rules:12 [ID-1 ID-2]`."""
    file = origin.span.path.replace("\\", "/").rsplit("/", 1)[-1]
    return printable(f"{file}:{origin.span.line}" + (f" [{' '.join(origin.cites)}]" if origin.cites else ""))


def core_outline(core: Core) -> Iterator[str]:
    """The whole core of a ruleset."""
    return lay_out(CoreOutline(core).lines())


class CoreOutline:
    """Writes one core, top to bottom."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self.formulas = Formulas(core)

    def lines(self) -> Iterator[Line]:
        """Every declaration, then the course of the game."""
        core = self._core
        yield 0, f'core {core.name} "{core.title}" {core.version}, {core.seats.number} players', None
        yield from ((1, f"option {name} = {value}", None) for name, value in core.options)
        yield from self._data()
        for action in core.actions.values():
            yield from self._action(action)
        for procedure in core.procedures.values():
            yield from self._procedure(procedure)
        yield 0, "main", None
        yield from self.block(core.main, 1)
        yield from (self._invariant(invariant) for invariant in core.invariants)
        if core.undo:
            yield 0, "undo allowed", None
        yield from ((0, f"such that {self.formulas.text(one.cond)}", one.origin) for one in core.relations)
        if core.score is not None:
            yield 0, f"score of {core.score.player} = {self.formulas.text(core.score.value)}", core.score.origin

    def _data(self) -> Iterator[Line]:
        core = self._core
        for domain in core.domains.values():
            labels = ", ".join(map(str, domain.labels))
            yield 0, f"domain {domain.name} ({domain.kind.value}): {labels}", None
        for table in core.tables.values():
            keys = ", ".join(map(self.formulas.kind, table.keys))
            yield 0, f"table {table.name}[{keys}]: {self.formulas.kind(table.type)}", None
        yield from map(self.variable, core.vars.values())
        yield from map(self._zone, core.zones.values())
        yield from map(self._component, core.components)
        for reading in core.readings.values():
            yield 0, f'reading {reading.name} "{reading.text}"', reading.origin
            for index, choice in enumerate(reading.choices):
                mark = " (default)" if index == reading.default else ""
                yield 1, f'choice {choice.name} "{choice.text}"{mark}', None
        yield from ((0, f'assume {one.name} "{one.text}"', one.origin) for one in core.assumptions.values())

    def variable(self, var: Var) -> Line:
        """A variable with its role, type and start value."""
        keys = f"[{', '.join(map(self.formulas.kind, var.keys))}]" if var.keys else ""
        return 0, f"{var.role.value} {var.name}{keys}: {self.formulas.kind(var.type)}{self._start(var)}", var.origin

    def _start(self, var: Var) -> str:
        if var.keys and isinstance(var.start, tuple):
            return " = " + " ".join(self.formulas.value(value, var.type) for value in var.start)
        return f" = {self.formulas.value(var.start, var.type)}"  # type: ignore[arg-type]

    def _zone(self, zone: Zone) -> Line:
        keys = f"[{', '.join(map(self.formulas.kind, zone.keys))}]" if zone.keys else ""
        spots = "" if zone.spots is None else f" by {self.formulas.kind(zone.spots)}"
        limit = "" if zone.limit is None else f", at most {self.formulas.text(zone.limit)}"
        sight = zone.sight
        seen = "everybody" if sight.everybody else "its player" if sight.owners else "nobody"
        seen = "everybody but its player" if sight.others else seen
        seen += "" if sight.spots else ", its spots too"
        text = f"zone {zone.name}{keys}: {zone.form.value}{spots} of {', '.join(zone.kinds)}, seen by {seen}{limit}"
        return 0, text, zone.origin

    def _component(self, component: Component) -> Line:
        homes = ", ".join(self._home(home) for home in component.homes)
        return 0, f"component {component.number} {component.name} ({component.kind}): {homes}", None

    def _home(self, home: Home) -> str:
        keys = self._core.zones[home.zone].keys
        named = [self.formulas.value(value, kind) for value, kind in zip(home.key, keys, strict=True)]
        zone = home.zone + (f"[{', '.join(named)}]" if named else "")
        return f"{home.number} in {zone}" + ("" if home.spot is None else f" at {home.spot}")

    def _action(self, action: Action) -> Iterator[Line]:
        yield 0, f"action {action.name}, logged as {action.label}", action.origin
        yield from (self.param(param, 1) for param in action.params)
        yield from (self.guard(guard, 1) for guard in action.guards)
        yield from self.block(action.body, 1)

    def param(self, param: Param, depth: int) -> Line:
        """A parameter with where its values come from."""
        logged = "" if param.arg is None else f" (logged as {param.arg})"
        count = "" if param.count is None else f", {' to '.join(map(self.formulas.text, param.count))} of them"
        seen = "" if param.seen is None else f", seen by {self.formulas.text(param.seen)}"
        return depth, f"with {param.name}{logged} in {self.formulas.source(param.source)}{count}{seen}", param.origin

    def guard(self, guard: Guard, depth: int) -> Line:
        """A named condition."""
        return depth, f'needs "{guard.text}": {self.formulas.text(guard.cond)}', guard.origin

    def _procedure(self, procedure: Procedure) -> Iterator[Line]:
        params = ", ".join(name for name, _ in procedure.params)
        results = "".join(f" gives {name}" for name, _ in procedure.results)
        yield 0, f"procedure {procedure.name}({params}){results}", procedure.origin
        yield from self.block(procedure.body, 1)

    def _invariant(self, invariant: Invariant) -> Line:
        kind = "limit" if invariant.is_limit else "always"
        where = " everywhere" if invariant.everywhere else ""
        guard = invariant.guard
        return 0, f"{kind}{where} {invariant.name}: {self.formulas.text(guard.cond)}", guard.origin

    def block(self, block: Block, depth: int) -> Iterator[Line]:
        """Statements in order."""
        for statement in block:
            yield from self._statement(statement, depth)

    def _statement(self, stmt: Stmt, depth: int) -> Iterator[Line]:
        text = self.formulas.text
        match stmt:
            case Put(var, keys, value, origin):
                yield depth, f"set {self.formulas.keyed(var, keys)} to {text(value)}", origin
            case Move():
                yield self._move(stmt, depth)
            case Merge(to, sources, origin):
                merged = "".join(f" with {self.formulas.place(place)}" for place in sources)
                yield depth, f"shuffle {self.formulas.place(to)}{merged}", origin
            case Swap(one, other, origin):
                yield depth, f"swap {self.formulas.place(one)} with {self.formulas.place(other)}", origin
            case Bind(name, value, origin):
                yield depth, f"let {name} = {text(value)}", origin
            case Branch():
                yield from self._branch(stmt, depth)
            case Each(var, source, body, origin):
                yield depth, f"for each {var} in {self.formulas.source(source)}", origin
                yield from self.block(body, depth + 1)
            case Repeat(until, body, limit, origin):
                bound = "" if limit is None else f", at most {limit} times"
                yield depth, f"repeat until {text(until)}{bound}", origin
                yield from self.block(body, depth + 1)
            case Decide():
                yield from self._decide(stmt, depth)
            case Commit():
                yield from self._commit(stmt, depth)
            case Chance(point, action, bound):
                yield depth, f"chance {point_text(point)}: {action}{self.bound(bound)}", point.origin
            case Unspecified():
                yield self._unspecified(stmt, depth)
            case Finish(winners, origin):
                yield depth, f"finish, won by {text(winners)}", origin
            case Call(procedure, args, results, origin):
                named = f"let {', '.join(results)} = " if results else ""
                yield depth, f"{named}call {procedure}({', '.join(map(text, args))})", origin
            case _:
                assert_never(stmt)

    def _move(self, move: Move, depth: int) -> Line:
        number = "" if move.number is None else f"{self.formulas.text(move.number)} "
        places = f"from {self.formulas.place(move.source)} to {self.formulas.place(move.to)}"
        return depth, f"move {number}{self.formulas.text(move.what)} {places}", move.origin

    def _branch(self, branch: Branch, depth: int) -> Iterator[Line]:
        yield depth, f"if {self.formulas.text(branch.cond)}", branch.origin
        yield from self.block(branch.yes, depth + 1)
        if branch.no:
            yield depth, "else", None
            yield from self.block(branch.no, depth + 1)

    def _decide(self, decide: Decide, depth: int) -> Iterator[Line]:
        yield depth, f"decide {point_text(decide.point)} by {self.formulas.text(decide.actor)}", decide.point.origin
        yield from (self._option(option, depth + 1) for option in decide.options)
        if decide.otherwise is not None:
            yield depth, "otherwise", None
            yield from self.block(decide.otherwise, depth + 1)

    def _option(self, option: Option, depth: int) -> Line:
        silent = ", may be left out of a log" if option.silent else ""
        origin = self._core.actions[option.action].origin
        return depth, f"option {option.action}{self.bound(option.bound)}{silent}", origin

    def bound(self, bound: Iterable[tuple[str, Expr]]) -> str:
        """Parameters that a point fixes."""
        fixed = ", ".join(f"{name} = {self.formulas.text(value)}" for name, value in bound)
        return f"({fixed})" if fixed else ""

    def _commit(self, commit: Commit, depth: int) -> Iterator[Line]:
        shown = "" if commit.once is None else f" and {self.formulas.text(commit.once)}"
        secret = ", hidden" + (f" until all have chosen{shown}" if commit.revealed else "") if commit.hidden else ""
        yield depth, f"commit {point_text(commit.point)}{secret}", commit.point.origin
        for part in commit.parts:
            kept = f" into {', '.join(part.into)}" if part.into else ""
            yield depth + 1, f"part {part.action} by each of {self.formulas.text(part.actors)}{kept}", None

    def _unspecified(self, stmt: Unspecified, depth: int) -> Line:
        chosen = "" if stmt.name is None else f" as {stmt.name}"
        among = "" if stmt.candidates is None else f" among {self.formulas.source(stmt.candidates)}"
        return depth, f'unspecified {point_text(stmt.point)} "{stmt.question}"{among}{chosen}', stmt.point.origin


def point_text(point: Point) -> str:
    """The published name of a point, with its marks."""
    marks = [mark for mark, on in (("rest", point.rest), ("automatic", point.automatic)) if on]
    return point.name + (f" ({', '.join(marks)})" if marks else "")
