"""Lowers what asks nobody: names to registers, calls in line, for the runs of a flow."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from referee.core.expr import Expr
from referee.core.flow import Enclosure
from referee.core.member_types import member_type
from referee.core.ruleset import Core
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
    origin_of,
)
from referee.core.traverse import inner_blocks, statements
from referee.core.types import Scalar, Type
from referee.flow.flow_graph import Graph
from referee.flow.register_names import PutIn, in_place, in_source, without


@dataclass(frozen=True, slots=True)
class FlowScope:
    """The locals in scope (with what reads each), whose body this is, the results it has to give, the calls that led to
    it and what stands around it, both outermost first."""

    names: Mapping[str, Expr] = field(default_factory=dict)
    owner: str = ""
    results: Mapping[str, str] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    around: tuple[Enclosure, ...] = ()

    def inside(self, origin: Origin, *, condition: bool = False) -> FlowScope:
        """This scope within a condition or a loop."""
        return replace(self, around=(*self.around, Enclosure(origin, condition)))

    def with_name(self, name: str, value: Expr) -> FlowScope:
        """This scope and one name more."""
        return replace(self, names={**self.names, name: value})

    def title(self, name: str) -> str:
        """What a register for a name of this body is called."""
        return f"{self.owner}.{name}" if self.owner else name


class FlatLowering:
    """Scopes, registers and the statements that can stand in a run."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.graph = Graph(core)
        self._flat: dict[str, bool] = {}
        self._kept: list[Stmt] = []
        self._calls = _call_names(core)
        self._put_in = PutIn()

    def keep(self, stmt: Stmt) -> None:
        """Lets a statement live as long as the registers that are found by its id."""
        self._kept.append(stmt)

    def put_in(self, expr: Expr, scope: FlowScope) -> Expr:
        """An expression with what its names stand for: the same one wherever they stand for the same."""
        return self._put_in.expr(expr, scope.names)

    def scopes(self, block: Block, scope: FlowScope) -> tuple[list[FlowScope], list[str]]:
        """The scope before each statement, and the registers whose names end with the block."""
        scopes: list[FlowScope] = []
        bound: list[str] = []
        for stmt in block:
            scopes.append(scope)
            for name, kind in self.binds(stmt):
                register = self.target(stmt, name, kind, scope)
                scope = scope.with_name(name, self.graph.read(register))
                if name not in scope.results:
                    bound.append(register)
        return scopes, list(dict.fromkeys(bound))

    def binds(self, stmt: Stmt) -> list[tuple[str, Type]]:
        """The names that a statement binds until the end of its block, with their types."""
        match stmt:
            case Bind():
                return [(stmt.name, stmt.value.type)]
            case Decide():
                if stmt.taken is None or stmt.taken_domain is None:
                    return []
                return [(stmt.taken, self.core.domains[stmt.taken_domain].whole)]
            case Unspecified():
                return [(stmt.name, self.ruled(stmt))] if stmt.name is not None and stmt.candidates is not None else []
            case Call():
                results = self.core.procedures[stmt.procedure].results
                return [(name, kind) for name, (_, kind) in zip(stmt.results, results, strict=True)]
            case Put() | Move() | Merge() | Swap() | Branch() | Each() | Repeat() | Commit() | Chance() | Finish():
                return []
            case _:
                assert_never(stmt)

    def ruled(self, stmt: Unspecified) -> Scalar:
        assert stmt.candidates is not None
        return stmt.type if stmt.type is not None else member_type(self.core, stmt.candidates)

    def target(self, stmt: Stmt, name: str, kind: Type, scope: FlowScope) -> str:
        """The register for a name that a statement binds."""
        if name in scope.results:
            return scope.results[name]
        self.keep(stmt)
        return self.graph.register((id(stmt), name), scope.title(name), kind, origin_of(stmt))

    def is_flat(self, block: Block) -> bool:
        """True if a block meets no point and no loop without members: it can stand in a run."""
        return all(self.is_flat_stmt(stmt) for stmt in block)

    def is_flat_stmt(self, stmt: Stmt) -> bool:
        match stmt:
            case Put() | Move() | Merge() | Swap() | Bind() | Finish():
                return True
            case Branch() | Each():
                return all(self.is_flat(inner) for inner in inner_blocks(stmt))
            case Call():
                if stmt.procedure not in self._flat:
                    self._flat[stmt.procedure] = self.is_flat(self.core.procedures[stmt.procedure].body)
                return self._flat[stmt.procedure]
            case Repeat() | Decide() | Commit() | Chance() | Unspecified():
                return False
            case _:
                assert_never(stmt)

    def flat(self, block: Block, scope: FlowScope) -> Block:
        """A block that can stand in a run, with its names in registers and its calls in line."""
        scopes, bound = self.scopes(block, scope)
        made = tuple(one for stmt, inner in zip(block, scopes, strict=True) for one in self.flat_stmt(stmt, inner))
        return (*made, *self.graph.clear(bound, origin_of(block[-1]))) if bound else made

    def flat_stmt(self, stmt: Stmt, scope: FlowScope) -> Block:
        names = scope.names
        match stmt:
            case Put() if not names:
                return (stmt,)
            case Put():
                keys = tuple(self.put_in(key, scope) for key in stmt.keys)
                return (replace(stmt, keys=keys, value=self.put_in(stmt.value, scope)),)
            case Move():
                number = None if stmt.number is None else self.put_in(stmt.number, scope)
                return (replace(stmt, what=self.put_in(stmt.what, scope), number=number,
                                source=in_place(stmt.source, names), to=in_place(stmt.to, names)),)
            case Merge():
                sources = tuple(in_place(place, names) for place in stmt.sources)
                return (replace(stmt, to=in_place(stmt.to, names), sources=sources),)
            case Swap():
                return (replace(stmt, one=in_place(stmt.one, names), other=in_place(stmt.other, names)),)
            case Bind():
                register = self.target(stmt, stmt.name, stmt.value.type, scope)
                return (self.graph.put(register, self.put_in(stmt.value, scope), stmt.origin),)
            case Branch():
                return (Branch(self.put_in(stmt.cond, scope), self.flat(stmt.yes, scope), self.flat(stmt.no, scope),
                               stmt.origin),)
            case Each():
                inner = replace(scope, names=without(names, stmt.var))
                return (Each(stmt.var, in_source(stmt.source, names), self.flat(stmt.body, inner), stmt.origin),)
            case Finish():
                return (Finish(self.put_in(stmt.winners, scope), stmt.origin),)
            case Call():
                before, inner, leave = self.call(stmt, scope)
                return (*before, *self.flat(self.core.procedures[stmt.procedure].body, inner), *leave)
            case Repeat() | Decide() | Commit() | Chance() | Unspecified():
                raise TypeError(f"{type(stmt).__name__} cannot stand in a run")
            case _:
                assert_never(stmt)

    def call(self, stmt: Call, scope: FlowScope) -> tuple[Block, FlowScope, Block]:
        """Before a procedure's body, the scope in it, and after it."""
        made = self.core.procedures[stmt.procedure]
        where = FlowScope(owner=made.name)
        params = [self.graph.register((made.name, name), where.title(name), kind, made.origin)
                  for name, kind in made.params]
        given = [self.graph.register((made.name, name), where.title(name), kind, made.origin)
                 for name, kind in made.results]
        before = tuple(self.graph.put(register, self.put_in(arg, scope), stmt.origin)
                       for register, arg in zip(params, stmt.args, strict=True))
        names = {name: self.graph.read(register) for (name, _), register in zip(made.params, params, strict=True)}
        results = {name: register for (name, _), register in zip(made.results, given, strict=True)}
        leave = [self.graph.put(self.target(stmt, name, kind, scope), self.graph.read(register), stmt.origin)
                 for (name, kind), register in zip(self.binds(stmt), given, strict=False)]
        around = (*scope.around, Enclosure(stmt.origin, name=made.name, given=tuple(params)))
        inner = FlowScope(names, made.name, results, (*scope.calls, self._calls.get(id(stmt), made.name)), around)
        return before, inner, (*leave, *self.graph.clear((*params, *given), stmt.origin))


def _call_names(core: Core) -> dict[int, str]:
    """What each call is called, by identity: the procedure, with its number where a body calls it several times."""
    named: dict[int, str] = {}
    procedures, actions = core.procedures.values(), core.actions.values()
    for body in (core.main, *(one.body for one in procedures), *(one.body for one in actions)):
        calls: dict[str, list[int]] = {}
        for stmt in statements(body, Call):
            calls.setdefault(stmt.procedure, []).append(id(stmt))
        for procedure, found in calls.items():
            several = len(found) > 1
            named.update((one, f"{procedure}.{n}" if several else procedure) for n, one in enumerate(found, 1))
    return named
