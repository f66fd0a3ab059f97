"""Refuses a core that would run without end: recursion, and loops that pass no decision or chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import assert_never

from referee.core.expr import Const, Expr, Get, Only, Op, Operator, Where
from referee.core.known_operators import PLAIN
from referee.core.operators import comparison
from referee.core.ruleset import Core, Role
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
from referee.core.traverse import nested, statements
from referee.core.types import Value
from referee.diagnostics.diagnostic import Diagnostic, Problems
from referee.diagnostics.source import Span
from referee.flow.expansion_size import Size, deepest, in_order, parts, too_large

ENDLESS = "FL01"
RECURSION = "FL02"
NO_RESULT = "FL03"
TOO_LARGE = "FL04"


def check(core: Core) -> None:
    """Raises `Problems` (FL01 to FL04) for what cannot become a flow."""
    found = list(_recursions(core)) or list(_oversized(core))
    if not found:
        found = [*_endless(core), *_without_result(core)]
    if found:
        raise Problems(tuple(sorted(found, key=lambda one: (one.span, one.code))))


Name = tuple[str, str]


def _bodies(core: Core) -> dict[Name, tuple[Block, Span]]:
    bodies = {("action", name): (action.body, action.origin.span) for name, action in core.actions.items()}
    bodies |= {("procedure", name): (made.body, made.origin.span) for name, made in core.procedures.items()}
    return bodies


def _uses(block: Block) -> Iterator[tuple[Name, int]]:
    """What a block leads to, each with the number of blocks around the place."""
    for stmt, around in nested(block):
        match stmt:
            case Call():
                yield ("procedure", stmt.procedure), around
            case Decide():
                yield from ((("action", option.action), around) for option in stmt.options)
            case Commit():
                yield from ((("action", part.action), around) for part in stmt.parts)
            case Chance():
                yield ("action", stmt.action), around
            case Put() | Move() | Merge() | Swap() | Bind() | Branch() | Each() | Repeat() | Unspecified() | Finish():
                pass
            case _:
                assert_never(stmt)


def _recursions(core: Core) -> Iterator[Diagnostic]:
    """Walks the graph of who carries out whom, without recursion of its own."""
    bodies = _bodies(core)
    uses = {name: sorted({other for other, _ in _uses(block)}) for name, (block, _) in bodies.items()}
    done: set[Name] = set()
    for root in sorted(bodies, key=lambda name: (bodies[name][1], name)):
        path: dict[Name, None] = {}
        todo = [(root, False)]
        while todo:
            name, leaving = todo.pop()
            if leaving:
                path.pop(name)
                done.add(name)
            elif name in path:
                circle = [one for _, one in [*path, name]][list(path).index(name):]
                text = " -> ".join(circle if len(circle) < 8 else [*circle[:3], "...", *circle[-3:]])
                yield Diagnostic(RECURSION, f"{name[1]} carries out itself: {text}", bodies[name][1])
                done.update(path)
            elif name not in done:
                path[name] = None
                todo.append((name, True))
                todo.extend((other, False) for other in reversed(uses[name]))


def _oversized(core: Core) -> Iterator[Diagnostic]:
    """What is used in many places that are used in many places doubles and doubles."""
    main = ("game", core.name)
    bodies = {**_bodies(core), main: (core.main, core.origin)}
    uses = {name: list(_uses(block)) for name, (block, _) in bodies.items()}
    own = {name: Size(parts(block), deepest(block)) for name, (block, _) in bodies.items()}
    found = too_large(uses, own)
    if found is not None:
        name, how = found
        hint = "whatever it uses is written out wherever it is used: use fewer of them, or in fewer places"
        yield Diagnostic(TOO_LARGE, how, bodies[name][1], hint=hint)


def _all_blocks(core: Core) -> Iterator[Block]:
    yield core.main
    for block, _ in _bodies(core).values():
        yield block


def _endless(core: Core) -> Iterator[Diagnostic]:
    asking: dict[str, bool] = {}
    for name in in_order({name: [other for (kind, other), _ in _uses(made.body) if kind == "procedure"]
                          for name, made in core.procedures.items()}):
        asking[name] = _surely(core.procedures[name].body, asking)
    for block in _all_blocks(core):
        for stmt in statements(block, Repeat):
            if not (stmt.limit is not None or _counts(core, stmt) or _round(stmt, asking)):
                hint = "let every round ask somebody or fate, or say how often at most"
                yield Diagnostic(ENDLESS, "this loop can go round without a decision or chance", stmt.origin.span,
                                 hint=hint)


def _surely(block: Block, asking: Mapping[str, bool]) -> bool:
    """True if every path through a block meets a point or ends the game; `asking` says it of procedures.

    A group, and a loop over members, count as having members: whether they do is known only in play.
    """
    if any(_surely_one(stmt, asking) for stmt in block):
        return True
    loops = [(before, loop) for before, loop in pairwise(block) if isinstance(loop, Repeat)]
    return any((_begun(before, loop) and _round(loop, asking))
               or _surely(_of_members(before, loop), asking) for before, loop in loops)


def _of_members(before: Stmt, loop: Repeat) -> Block:
    """A round of a loop over members that are taken from a set kept before it, without the question who is next, where
    the table answers it; fate says it in the round itself. Empty for any other loop."""
    match before, loop.until, loop.body:
        case (
            Put(var=kept, value=Where() | Const()),
            Op(Operator.EQ, (Op(Operator.SIZE, (Get(left, ()),)), Const(0))),
            (Unspecified(), *rest) | rest,
        ) if kept == left:
            return tuple(rest)
        case _:
            return ()


def _counts(core: Core, loop: Repeat) -> bool:
    """True for a loop that raises a register at the end of each round until it is past a number: it has an end."""
    match loop.until:
        case Op(Operator.GT, (Get(counter, ()) as now, _)) if core.vars[counter].role is Role.REGISTER:
            last = loop.body[-1]
            return isinstance(last, Put) and last.var == counter and _is_next(last.value, now)
        case _:
            return False


def _is_next(value: Expr, now: Expr) -> bool:
    match value:
        case Op(Operator.ADD, (before, Const(1))):
            return before == now
        case _:
            return False


def _round(loop: Repeat, asking: Mapping[str, bool]) -> bool:
    """True if every round of a loop meets a point or ends the game."""
    return _surely(loop.body, asking) or any(_going_on(stmt, loop, asking) for stmt in loop.body[:1])


def _going_on(stmt: Stmt, loop: Repeat, asking: Mapping[str, bool]) -> bool:
    """True of the first statement of a round that asks if the loop goes on: it does, or the round had not begun."""
    match stmt:
        case Branch():
            return loop.until == Op(Operator.NOT, (stmt.cond,), loop.until.type) and _surely(stmt.yes, asking)
        case Each():
            return any(_going_on(inner, loop, asking) for inner in stmt.body[:1])
        case _:
            return False


def _begun(before: Stmt, loop: Repeat) -> bool:
    """True if the first round is certain: the statement before sets what the loop waits for to something else."""
    if not (isinstance(before, Put) and not before.keys and isinstance(before.value, Const)):
        return False
    value = before.value.value
    match loop.until:
        case Get(before.var, ()):
            return value is False
        case Op(Operator.NOT, (Get(before.var, ()),)):
            return value is True
        case Op(Operator.NOT, (Op(Operator.LT, (Only(Get(before.var, ())), Op(Operator.SIZE))),)):
            return value == 0
        case Op(Operator.NOT, (Op(_, (Get(before.var, ()) | Only(Get(before.var, ())), Const(other))) as compared,)):
            return _compared(compared, value, other) is True
        case Op(_, (Get(before.var, ()) | Only(Get(before.var, ())), Const(other))) as compared:
            return _compared(compared, value, other) is False
        case _:
            return False


def _compared(one: Op, value: Value, other: Value) -> bool | None:
    """What an operator comes to for two values; None if it compares no such values."""
    if comparison(one.op) is None or (None in (value, other) and one.op not in (Operator.EQ, Operator.NE)):
        return None
    return bool(PLAIN.operate(one, (value, other)))


def _surely_one(stmt: Stmt, asking: Mapping[str, bool]) -> bool:
    match stmt:
        case Decide():
            return stmt.otherwise is None or _surely(stmt.otherwise, asking)
        case Commit() | Chance() | Unspecified() | Finish():
            return True
        case Branch():
            return _surely(stmt.yes, asking) and _surely(stmt.no, asking)
        case Each():
            return _surely(stmt.body, asking)
        case Call():
            return asking[stmt.procedure]
        case Put() | Move() | Merge() | Swap() | Bind() | Repeat():  # of a loop the first round need not come
            return False
        case _:
            assert_never(stmt)


def _without_result(core: Core) -> Iterator[Diagnostic]:
    for procedure in core.procedures.values():
        for name, _ in procedure.results:
            if not _gives(procedure.body, name):
                yield Diagnostic(NO_RESULT, f"{procedure.name} does not always say what {name} is",
                                 procedure.origin.span, hint=f"on every way write `let {name} = ...`")


def _gives(block: Block, name: str) -> bool:
    """True if every path through a block that reaches its end binds a name."""
    return any(_gives_one(stmt, name) for stmt in block)


def _gives_one(stmt: Stmt, name: str) -> bool:
    if isinstance(stmt, Finish) or name in bound_by(stmt):
        return True
    return isinstance(stmt, Branch) and _gives(stmt.yes, name) and _gives(stmt.no, name)


def bound_by(stmt: Stmt) -> tuple[str, ...]:
    """The names that a statement binds until the end of its block."""
    match stmt:
        case Call():
            return stmt.results
        case Decide(taken=name) | Bind(name=name) | Unspecified(name=name):
            return () if name is None else (name,)
        case Put() | Move() | Merge() | Swap() | Branch() | Each() | Repeat() | Commit() | Chance() | Finish():
            return ()
        case _:
            assert_never(stmt)
