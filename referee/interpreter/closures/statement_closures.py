"""Performs the statements that ask nobody: one case for each kind, in the order of `core/stmt.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from referee.core.expr import Const, Expr, Get
from referee.core.ruleset import WINNERS, Invariant, Role, Var
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
    is_whole,
)
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.game.state import ErrorCause
from referee.interpreter.closures.closure_types import NOTHING, Compiler, Env, Fn, Slots
from referee.interpreter.closures.source_closures import counts_once, keyed
from referee.interpreter.closures.zone_moves import adder, clearer, taker
from referee.interpreter.interruptions import BROKEN, NOT_THERE, RANGE, TOO_LONG, Fault

Winners = frozenset[int] | None
Act = Callable[[Slots, Env], Winners]
"""A statement carried out: the winners if it ended the game. Raises `Fault` and `Unsettled`."""


def block(statements: Block, code: Compiler, watched: tuple[Invariant, ...] = ()) -> Act:
    """Statements one after the other. `watched`: invariants that are tested after each of them."""
    acts = [_watching(step(stmt, code, watched), watched, code) if watched and is_whole(stmt) else step(stmt, code)
            for stmt in statements]

    def acting(slots: Slots, env: Env) -> Winners:
        for act in acts:
            winners = act(slots, env)
            if winners is not None:
                return winners
        return None

    return acting


def step(stmt: Stmt, code: Compiler, watched: tuple[Invariant, ...] = ()) -> Act:
    """One statement."""
    match stmt:
        case Put():
            return _put(stmt, code)
        case Move():
            return _move(stmt, code)
        case Merge():
            return _merge(stmt, code)
        case Swap():
            return _swap(stmt, code)
        case Branch():
            cond = code.expr(stmt.cond)
            yes, no = block(stmt.yes, code, watched), block(stmt.no, code, watched)
            return lambda slots, env: yes(slots, env) if cond(slots, env) else no(slots, env)
        case Each():
            return _each(stmt, code, watched)
        case Finish():
            return _finish(stmt, code)
        case Bind():
            return _bind(stmt, code)
        case Repeat() | Decide() | Commit() | Chance() | Unspecified() | Call():
            raise TypeError(f"{type(stmt).__name__} is no statement of a run")
        case _:
            assert_never(stmt)


def _watching(act: Act, watched: tuple[Invariant, ...], code: Compiler) -> Act:
    tests = [(one, code.expr(one.guard.cond)) for one in watched]

    def watching(slots: Slots, env: Env) -> Winners:
        winners = act(slots, env)
        for one, holds in tests:
            if not holds(slots, env):
                raise Fault(BROKEN, f"{one.name} does not hold: {one.guard.text}", one.guard.origin.span)
        return winners

    return watching


def _put(stmt: Put, code: Compiler) -> Act:
    var = code.layout.defs[stmt.var]
    value, fits, base = code.expr(stmt.value), fitting(var.type), code.layout.vars[stmt.var].base
    if not stmt.keys and _surely_fits(stmt.value, var, code):
        return _put_surely(base, value)
    where = keyed(code.layout.vars[stmt.var], stmt.var, stmt.keys, NOTHING, code, stmt.origin.span)

    def put(slots: Slots, env: Env) -> Winners:
        stored = value(slots, env)
        if not fits(stored):
            code_of_error = TOO_LONG if var.role is Role.COUNTER else RANGE
            raise Fault(code_of_error, _misfit(var, stored), stmt.origin.span, ErrorCause.MISFIT)
        slots[where(slots, env)] = stored
        return None

    return put


def _put_surely(index: int, value: Fn) -> Act:
    def put(slots: Slots, env: Env) -> Winners:
        slots[index] = value(slots, env)
        return None

    return put


def _surely_fits(value: Expr, var: Var, code: Compiler) -> bool:
    """True if no test is needed: a constant of the type, or the value of a variable of the same type."""
    if isinstance(value, Const):
        return fitting(var.type)(value.value)
    return isinstance(value, Get) and code.layout.defs[value.var].type == var.type


def fitting(kind: Type) -> Callable[[Any], bool]:
    """Whether a value is one of a type."""
    match kind:
        case Bool():
            return lambda value: isinstance(value, bool)
        case Int(lo, hi) | Elem(_, lo, hi):
            return lambda value: value is not None and lo <= value <= hi
        case Maybe(of):
            return lambda value: value is None or of.lo <= value <= of.hi
        case SetOf(of):
            return lambda value: not value or (of.lo <= min(value) and max(value) <= of.hi)
        case Many(of, most):
            return lambda value: not value or (len(value) <= most and of.lo <= min(value) and max(value) <= of.hi)
        case _:
            assert_never(kind)


def _misfit(var: Var, value: Value) -> str:
    if var.role is Role.COUNTER:
        said = var.title or var.name
        have, they = ("have", "they") if "rounds" in said else ("has", "it")
        return f"{said} {have} gone on for longer than {they} may"
    bounds = f", which is {var.type.lo}..{var.type.hi}" if isinstance(var.type, (Int, Elem)) else ""
    return f"{var.title or var.name} cannot become {value}{bounds}"


def _move(stmt: Move, code: Compiler) -> Act:
    what = code.expr(stmt.what)
    number = None if stmt.number is None else code.expr(stmt.number)
    take, add = taker(stmt.source, code, stmt.origin.span), adder(stmt.to, code, stmt.origin.span)

    def move(slots: Slots, env: Env) -> Winners:
        value = what(slots, env)
        if value is None:
            raise Fault(NOT_THERE, f"there is nothing to move in {stmt.source.zone}", stmt.origin.span)
        if isinstance(value, (tuple, frozenset)):
            moved = tuple(sorted(value))
        else:
            moved = (value,) if number is None else (value,) * number(slots, env)
        if moved:
            take(moved, slots, env)
            add(moved, slots, env)
        return None

    return move


def _merge(stmt: Merge, code: Compiler) -> Act:
    """Everything is taken up before the one block is put down."""
    clears = [clearer(place, code) for place in (stmt.to, *stmt.sources)]
    add = adder(stmt.to, code, stmt.origin.span)

    def merge(slots: Slots, env: Env) -> Winners:
        gathered = [one for clear in clears for one in clear(slots, env)]
        if gathered:
            add(tuple(sorted(gathered)), slots, env)
        return None

    return merge


def _swap(stmt: Swap, code: Compiler) -> Act:
    """Contents are shared and never changed in place, so that the two entries change hands as they are."""
    one, other = (
        keyed(code.layout.zones[place.zone], place.zone, place.keys, NOTHING, code, stmt.origin.span)
        for place in (stmt.one, stmt.other)
    )

    def swap(slots: Slots, env: Env) -> Winners:
        here, there = one(slots, env), other(slots, env)
        slots[here], slots[there] = slots[there], slots[here]
        return None

    return swap


def _each(stmt: Each, code: Compiler, watched: tuple[Invariant, ...]) -> Act:
    source, body, name = code.source(stmt.source), block(stmt.body, code, watched), stmt.var
    once = counts_once(stmt.source, code.layout)

    def each(slots: Slots, env: Env) -> Winners:
        members = source(slots, env)
        for member in tuple(dict.fromkeys(members) if once else members):
            env[name] = member
            winners = body(slots, env)
            if winners is not None:
                return winners
        return None

    return each


def _bind(stmt: Bind, code: Compiler) -> Act:
    value, name = code.expr(stmt.value), stmt.name

    def bind(slots: Slots, env: Env) -> Winners:
        env[name] = value(slots, env)
        return None

    return bind


def _finish(stmt: Finish, code: Compiler) -> Act:
    winners = code.expr(stmt.winners)
    result = code.layout.vars.get(WINNERS)

    def finish(slots: Slots, env: Env) -> Winners:
        won: frozenset[int] = winners(slots, env)
        if result is not None:
            slots[result.base] = won
        return won

    return finish
