"""Performs single statements by plain recursion over their nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from referee.core.expr import Place
from referee.core.ruleset import WINNERS, Role, Var
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
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Value
from referee.interpreter.interruptions import NOT_THERE, RANGE, TOO_LONG, Fault
from tests.twin.plain_evaluate import distinct, entry, evaluate
from tests.twin.plain_frame import ABSENT, Frame
from tests.twin.plain_zones import add, clear, take


def perform(block: Block, frame: Frame) -> frozenset[int] | None:
    """Carries out a block; the winners if it ended the game. Raises `Fault` and `Unsettled`."""
    for stmt in block:
        winners = step(stmt, frame)
        if winners is not None:
            return winners
    return None


def step(stmt: Stmt, frame: Frame) -> frozenset[int] | None:
    """Carries out one statement; the winners if it ended the game."""
    match stmt:
        case Put():
            _put(stmt, frame)
        case Move():
            _move(stmt, frame)
        case Merge():
            _merge(stmt, frame)
        case Swap():
            _swap(stmt, frame)
        case Branch():
            return perform(stmt.yes if evaluate(stmt.cond, frame) else stmt.no, frame)
        case Each():
            return _each(stmt, frame)
        case Finish():
            return _finish(stmt, frame)
        case Bind():
            frame.env[stmt.name] = evaluate(stmt.value, frame)
        case Repeat() | Decide() | Commit() | Chance() | Unspecified() | Call():
            raise TypeError(f"{type(stmt).__name__} is no statement of a run")
        case _:
            assert_never(stmt)
    return None


def _put(stmt: Put, frame: Frame) -> None:
    value = evaluate(stmt.value, frame)
    var = frame.layout.defs[stmt.var]
    if not fits(var, value):
        code = TOO_LONG if var.role is Role.COUNTER else RANGE
        raise Fault(code, _misfit(var, value), stmt.origin.span)
    frame.slots[entry(frame.vars[stmt.var], stmt.var, stmt.keys, frame, stmt.origin.span)] = value


def fits(var: Var, value: Any) -> bool:
    """True if a value is one of a variable's type."""
    match var.type:
        case Bool():
            return isinstance(value, bool)
        case Int(lo, hi) | Elem(_, lo, hi):
            return value is not None and lo <= value <= hi
        case Maybe(of):
            return value is None or of.lo <= value <= of.hi
        case SetOf(of):
            return all(of.lo <= member <= of.hi for member in value)
        case Many(of, most):
            return len(value) <= most and all(of.lo <= member <= of.hi for member in value)
        case _:
            assert_never(var.type)


def _misfit(var: Var, value: Value) -> str:
    if var.role is Role.COUNTER:
        said = var.title or var.name
        have, they = ("have", "they") if "rounds" in said else ("has", "it")
        return f"{said} {have} gone on for longer than {they} may"
    bounds = f", which is {var.type.lo}..{var.type.hi}" if isinstance(var.type, (Int, Elem)) else ""
    return f"{var.title or var.name} cannot become {value}{bounds}"


def _move(stmt: Move, frame: Frame) -> None:
    what = evaluate(stmt.what, frame)
    if what is None:
        raise Fault(NOT_THERE, f"there is nothing to move in {stmt.source.zone}", stmt.origin.span)
    number = 1 if stmt.number is None else evaluate(stmt.number, frame)
    if isinstance(what, (tuple, frozenset)):
        moved: Sequence[int] = sorted(what)
    else:
        moved = (what,) * number
    if moved:
        take(moved, stmt.source, frame, stmt.origin.span)
        add(moved, stmt.to, frame, stmt.origin.span)


def _merge(stmt: Merge, frame: Frame) -> None:
    """Everything is taken up before the one block is put down."""
    gathered = [c for place in (stmt.to, *stmt.sources) for c in clear(place, frame)]
    if gathered:
        add(sorted(gathered), Place(stmt.to.zone, stmt.to.keys), frame, stmt.origin.span)


def _swap(stmt: Swap, frame: Frame) -> None:
    first, second = (entry(frame.zones[place.zone], place.zone, place.keys, frame, stmt.origin.span)
                     for place in (stmt.one, stmt.other))
    kept = frame.slots[first]
    frame.slots[first] = frame.slots[second]
    frame.slots[second] = kept


def _each(stmt: Each, frame: Frame) -> frozenset[int] | None:
    before = frame.env.get(stmt.var, ABSENT)
    for member in tuple(distinct(stmt.source, frame)):
        frame.env[stmt.var] = member
        winners = perform(stmt.body, frame)
        if winners is not None:
            return winners
    frame.restore(stmt.var, before)
    return None


def _finish(stmt: Finish, frame: Frame) -> frozenset[int]:
    winners: frozenset[int] = evaluate(stmt.winners, frame)
    if WINNERS in frame.vars:
        frame.slots[frame.vars[WINNERS].base] = winners
    return winners
