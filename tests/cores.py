"""Small cores made by hand, for tests that need no language."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.expr import (
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    Get,
    Op,
    Operator,
)
from referee.core.ruleset import (
    Component,
    Core,
    Form,
    Home,
    Role,
    Score,
    Seats,
    Sight,
    Table,
    Var,
    Zone,
)
from referee.core.stmt import (
    Action,
    Block,
    Guard,
    Origin,
    Param,
    Point,
    Procedure,
    Put,
)
from referee.core.types import (
    COMPONENT,
    PLAYER,
    Bool,
    Domain,
    DomainKind,
    Elem,
    Int,
    Many,
    SetOf,
    Type,
    Value,
)
from referee.diagnostics.source import Span

SPAN = Span("made.rules", 1, 1, 1, 1)
HERE = Origin(SPAN)
OPEN = Sight(True)
TWO = Elem(PLAYER, 0, 1)
YES = Const(True, Bool())
FOREVER = Const(False, Bool())


def num(value: int) -> Const:
    return Const(value, Int(value, value))


def seat(value: int) -> Const:
    return Const(value, TWO)


def eq(left: Expr, right: Expr) -> Op:
    return Op(Operator.EQ, (left, right), Bool())


def less(left: Expr, right: Expr) -> Op:
    return Op(Operator.LT, (left, right), Bool())


def no(part: Expr) -> Op:
    return Op(Operator.NOT, (part,), Bool())


def add(left: Expr, right: Expr, kind: Type) -> Op:
    return Op(Operator.ADD, (left, right), kind)


def size_of(what: Expr) -> Op:
    return Op(Operator.SIZE, (what,), Int(0, 99))


def count(source: Domainlike) -> Fold:
    return Fold(FoldKind.COUNT, "one", source, None, None, Int(0, 99))


def get(name: str, kind: Type, *keys: Expr) -> Get:
    return Get(name, keys, kind)


def put(name: str, value: Expr, *keys: Expr) -> Put:
    return Put(name, keys, value, HERE)


def guard(text: str, cond: Expr, *shows: tuple[str, Expr]) -> Guard:
    return Guard(text, cond, HERE, shows)


def point(name: str, automatic: bool = False) -> Point:
    return Point(name, True, HERE, automatic)


def param(name: str, kind: Elem | Int | Many, source: Domainlike, **more: object) -> Param:
    return Param(name, str(more.pop("arg", name)), kind, source, HERE, **more)  # type: ignore[arg-type]


def action(name: str, params: Iterable[Param] = (), guards: Iterable[Guard] = (), body: Block = ()) -> Action:
    return Action(name, name, tuple(params), tuple(guards), body, HERE)


def state(name: str, kind: Type, start: Value, *keys: Elem | Int, role: Role = Role.STATE) -> Var:
    return Var(name, keys, kind, start, role, HERE, name)


def zone(name: str, form: Form, *keys: Elem | Int, spots: Elem | None = None, sight: Sight = OPEN,
         capacity: int = 99, limit: Expr | None = None) -> Zone:
    return Zone(name, keys, form, ("thing",), spots, sight, limit, capacity, HERE)


def enum(name: str, *labels: str | int) -> Domain:
    return Domain(name, DomainKind.ENUM, labels)


def made(main: Block, *, domains: Iterable[Domain] = (), variables: Iterable[Var] = (), zones: Iterable[Zone] = (),
         components: tuple[Component, ...] = (), actions: Iterable[Action] = (),
         procedures: Iterable[Procedure] = (), tables: Iterable[Table] = (), score: Score | None = None,
         players: int = 2) -> Core:
    seats = Domain(PLAYER, DomainKind.PLAYER, tuple(f"seat{number + 1}" for number in range(players)))
    classes = Domain(COMPONENT, DomainKind.COMPONENT, tuple(one.name for one in components))
    winners = Var("winners", (), SetOf(seats.whole), frozenset(), Role.RESULT, HERE)
    return Core(
        name="made", title="made by hand", version="1", path="made.rules", seats=Seats(players, ()), options=(),
        domains={one.name: one for one in (seats, classes, *domains)}, tables={one.name: one for one in tables},
        vars={one.name: one for one in (winners, *variables)}, zones={one.name: one for one in zones},
        components=components, actions={one.name: one for one in actions},
        procedures={one.name: one for one in procedures}, main=main, invariants=(), readings={}, score=score,
        statements={}, sources=("made.rules",), origin=SPAN,
    )


def things(home: str, *numbers: int) -> tuple[Component, ...]:
    return tuple(Component(f"T{index + 1}", "thing", (Home(home, (), None, number),))
                 for index, number in enumerate(numbers))
