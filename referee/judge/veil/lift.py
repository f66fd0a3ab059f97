"""Operators on values of which some are hidden."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from referee.core.expr import Operator
from referee.engine.faults import Fault
from referee.engine.unstated import compare
from referee.judge.veil.hidden import Case, Hidden, Sum, Token, members
from referee.judge.veil.trial import Trial

_ORDER = {Operator.EQ, Operator.NE, Operator.LT, Operator.LE, Operator.GT, Operator.GE}


def known(value: Any, trial: Trial) -> Any:
    """A value as it is without anything hidden: what is open is decided. Not for bags and kinds."""
    match value:
        case Token():
            return trial.class_of(value)
        case Sum():
            return trial.number(value)
        case Case():
            found = trial.case(value)
            if isinstance(found, Fault):
                raise found
            return known(found, trial)
        case _:
            return value


def lifted(args: list[Any], trial: Trial, apply: Callable[..., Any]) -> Any:
    """A function of values of which some may hang on a token: then so does the result. Of several tokens all but one
    are decided."""
    if not any(isinstance(arg, Hidden) for arg in args):
        return apply(*args)
    kept: int | None = None
    made: list[Any] = []
    for arg in args:
        token = arg.id if isinstance(arg, Token) else arg.token if isinstance(arg, Case) else None
        if token is None or (kept is not None and token != kept):
            made.append(known(arg, trial))
            continue
        kept = token
        made.append(arg)
    if kept is None:
        return apply(*made)
    mask = trial.store.domains[kept]
    return Case(kept, {one: _caught(apply, [_at(arg, one) for arg in made]) for one in members(mask)})


def _at(arg: Any, one: int) -> Any:
    """A value, if the token is of a class."""
    if isinstance(arg, Token):
        return one
    return arg.values[one] if isinstance(arg, Case) else arg


def _caught(apply: Callable[..., Any], args: list[Any]) -> Any:
    for arg in args:
        if isinstance(arg, Fault):
            return arg
    try:
        return apply(*args)
    except Fault as fault:
        return fault


def as_sum(value: Any, trial: Trial) -> Sum:
    """A number as a sum."""
    if isinstance(value, Sum):
        return value
    if isinstance(value, Case) and all(type(one) is int for one in value.values.values()):
        return Sum(0, {value.token: value.values})
    return Sum(known(value, trial), {})


def operated(op: Operator, args: list[Any], trial: Trial) -> Any:
    """An operator applied to values."""
    if any(isinstance(arg, Sum) for arg in args):
        if op in _ORDER:
            return _compared(op, as_sum(args[0], trial).plus(as_sum(args[1], trial), -1), trial)
        if op in (Operator.ADD, Operator.SUB):
            return as_sum(args[0], trial).plus(as_sum(args[1], trial), 1 if op is Operator.ADD else -1)
        if op is Operator.NEG:
            return as_sum(args[0], trial).times(-1)
        args = [known(arg, trial) for arg in args]
    return lifted(args, trial, lambda *values: applied(op, values))


def _compared(op: Operator, difference: Sum, trial: Trial) -> bool:
    match op:
        case Operator.GE:
            return trial.decide(difference)
        case Operator.GT:
            return trial.decide(difference.plus(-1))
        case Operator.LE:
            return trial.decide(difference.times(-1))
        case Operator.LT:
            return trial.decide(difference.times(-1).plus(-1))
        case _:
            same = trial.decide(difference) and trial.decide(difference.times(-1))
            return same if op is Operator.EQ else not same


def applied(op: Operator, values: tuple[Any, ...]) -> Any:
    """An operator applied to known values."""
    match op, values:
        case Operator.NOT, (one,):
            return not one
        case Operator.NEG, (one,):
            return -one
        case Operator.SIZE, (one,):
            return len(one)
        case Operator.SET, _:
            return frozenset(values)
        case Operator.LOWER, _:
            return min(values)
        case Operator.HIGHER, _:
            return max(values)
        case Operator.ADD, (one, other):
            return one + other
        case (Operator.SUB | Operator.MINUS), (one, other):
            return one - other
        case Operator.MUL, (one, other):
            return one * other
        case Operator.UNION, (one, other):
            return one | other
        case Operator.BETWEEN, (one, other):
            return abs(one - other)
        case _:
            return compare(op, *values)
