"""Folds and filters over what is not all known."""

from __future__ import annotations

from typing import Any, Protocol, assert_never

from referee.core.expr import Domainlike, Expr, Fold, FoldKind, Where
from referee.engine.faults import NOT_ONE, Fault
from referee.judge.veil.hidden import Case, Sum, Token, weighed
from referee.judge.veil.lift import as_sum, known
from referee.judge.veil.pool import Kinds, Pool
from referee.judge.veil.trial import Trial

Gone = list[Any] | Pool
"""What a source goes through: members one by one, or components of which not all are known."""


class View(Protocol):
    """A position at which expressions have values."""

    trial: Trial

    def gone(self, source: Domainlike) -> Gone:
        """What a source goes through."""

    def value(self, expr: Expr) -> Any:
        """The value of an expression."""

    def bound(self, name: str, value: Any, expr: Expr) -> Any:
        """The value of an expression in which a name stands for a value."""


def folded(view: View, expr: Fold) -> Any:
    """The value of a fold. Raises `OutOfTime`."""
    view.trial.store.deadline.check()
    gone = view.gone(expr.source)
    return _over_pool(view, expr, gone) if isinstance(gone, Pool) else _over_list(view, expr, gone)


def filtered(view: View, expr: Where) -> Any:
    """The members of a source for which a condition holds. Raises `OutOfTime`."""
    view.trial.store.deadline.check()
    gone = view.gone(expr.source)
    if isinstance(gone, Pool):
        return Kinds(gone.bag, _passing(view, expr.var, expr.where, gone))
    found = [one for one in gone if expr.where is None or _holds(view, expr.var, one, expr.where)]
    if len(found) == 1 and isinstance(found[0], Token):
        return Kinds(Pool(found).bag, -1)
    return frozenset(known(one, view.trial) for one in found)


def _holds(view: View, name: str, member: Any, cond: Expr) -> bool:
    return bool(known(view.bound(name, member, cond), view.trial))


def _passing(view: View, name: str, cond: Expr | None, pool: Pool) -> int:
    return pool.passing(view.trial, lambda one: cond is None or _holds(view, name, one, cond)) & pool.mask


def _over_pool(view: View, expr: Fold, pool: Pool) -> Any:
    trial, body = view.trial, expr.body
    mask = _passing(view, expr.var, expr.where, pool)
    some = Pool(pool.bag, mask)
    match expr.kind:
        case FoldKind.ANY:
            mask = mask if body is None else _passing(view, expr.var, body, some)
            return trial.decide(pool.number(mask).plus(-1))
        case FoldKind.ALL:
            good = 0 if body is None else _passing(view, expr.var, body, some)
            if body is None:  # all pass: none is left out
                out = Pool(pool.bag, pool.mask)
                return not trial.decide(out.number(_every(pool, view) & ~mask).plus(-1))
            return not trial.decide(pool.number(mask & ~good).plus(-1))
        case FoldKind.COUNT:
            return _said(pool.number(mask), view)
        case FoldKind.SUM:
            assert body is not None
            weights = _values(view, expr.var, body, some)
            return _said(weighed(pool.bag, weights), view)
        case FoldKind.MIN | FoldKind.MAX:
            return _best_in(view, expr, some)
        case _:
            assert_never(expr.kind)


def _every(pool: Pool, view: View) -> int:
    return sum(1 << one for one in pool.classes(view.trial))


def _said(total: Sum, view: View) -> int | Sum:
    lo, hi = view.trial.store.bounds(total)
    return lo if lo == hi else total


def _values(view: View, name: str, body: Expr | None, pool: Pool) -> dict[int, int]:
    found: dict[int, int] = {}

    def note(one: int) -> bool:
        found[one] = one if body is None else known(view.bound(name, one, body), view.trial)
        return True

    pool.passing(view.trial, note)
    return found


def _best_in(view: View, expr: Fold, pool: Pool) -> Any:
    values = _values(view, expr.var, expr.body, pool)
    for value in sorted(set(values.values()), reverse=expr.kind is FoldKind.MAX):
        mask = sum(1 << one for one, own in values.items() if own == value)
        if view.trial.decide(pool.number(mask).plus(-1)):
            return value
    return _nothing(view, expr)


def _nothing(view: View, expr: Fold) -> Any:
    if expr.empty is None:
        raise Fault(NOT_ONE, "there is none to take the best of", expr.span)
    return view.value(expr.empty)


def _over_list(view: View, expr: Fold, gone: list[Any]) -> Any:
    match expr.kind:
        case FoldKind.ANY:
            return any(_passes(view, expr, one) and _tested(view, expr, one, True) for one in gone)
        case FoldKind.ALL if expr.body is None:
            return all(_passes(view, expr, one) for one in gone)
        case FoldKind.ALL:
            return all(not _passes(view, expr, one) or _tested(view, expr, one, True) for one in gone)
        case FoldKind.COUNT:
            return _said(_total([_counted(view, expr, one) for one in gone], view), view)
        case FoldKind.SUM:
            values = [_inside(view, expr, one) for one in gone if _passes(view, expr, one)]
            return _said(_total(values, view), view)
        case FoldKind.MIN | FoldKind.MAX:
            found = [known(_inside(view, expr, one), view.trial) for one in gone if _passes(view, expr, one)]
            choose: Any = min if expr.kind is FoldKind.MIN else max
            return choose(found) if found else _nothing(view, expr)
        case _:
            assert_never(expr.kind)


def _passes(view: View, expr: Fold, one: Any) -> bool:
    return expr.where is None or _holds(view, expr.var, one, expr.where)


def _tested(view: View, expr: Fold, one: Any, empty: bool) -> bool:
    return empty if expr.body is None else _holds(view, expr.var, one, expr.body)


def _inside(view: View, expr: Fold, one: Any) -> Any:
    return one if expr.body is None else view.bound(expr.var, one, expr.body)


def _counted(view: View, expr: Fold, one: Any) -> Any:
    """1 for a member that passes; a hidden one counts as it is."""
    if expr.where is None:
        return 1
    value = view.bound(expr.var, one, expr.where)
    if isinstance(value, Case) and not any(isinstance(each, Fault) for each in value.values.values()):
        return Case(value.token, {each: int(held) for each, held in value.values.items()})
    return int(bool(known(value, view.trial)))


def _total(values: list[Any], view: View) -> Sum:
    found = Sum(0, {})
    for value in values:
        found = found.plus(as_sum(value, view.trial))
    return found


