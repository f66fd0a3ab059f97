"""Folds and filters over what is not all known."""

from __future__ import annotations

from typing import Any, Protocol, assert_never

from referee.core.expr import Connected, Domainlike, Expr, Fold, FoldKind, Split, Where
from referee.core.splits import TOO_MANY_LEFT, Members, what_is_left
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.interruptions import TOO_LONG, Fault, none_best
from referee.judge.partial.constraints.hidden_values import Case, HiddenValueAsked, Sum, Token, weighed
from referee.judge.partial.lifted.choice_points import Trial
from referee.judge.partial.lifted.hidden_pools import HiddenPool, Kinds
from referee.judge.partial.lifted.lifted_operators import as_sum, known

Gone = list[Any] | HiddenPool
"""What a source goes through: members one by one, or components of which not all are known."""


class Viewpoint(Protocol):
    """A position at which expressions have values."""

    trial: Trial
    code: ExpressionClosures
    slots: list[Any]
    env: dict[Any, Any]

    def gone(self, source: Domainlike) -> Gone:
        """What a source goes through."""

    def value(self, expr: Expr) -> Any:
        """The value of an expression."""

    def bound(self, name: str, value: Any, expr: Expr) -> Any:
        """The value of an expression in which a name stands for a value."""


def folded(view: Viewpoint, expr: Fold) -> Any:
    """The value of a fold. Raises `OutOfTime`."""
    view.trial.store.deadline.check()
    gone = view.gone(expr.source)
    return _over_pool(view, expr, gone) if isinstance(gone, HiddenPool) else _over_list(view, expr, gone)


def filtered(view: Viewpoint, expr: Where) -> Any:
    """The members of a source for which a condition holds. Raises `OutOfTime`."""
    view.trial.store.deadline.check()
    gone = view.gone(expr.source)
    if isinstance(gone, HiddenPool):
        return Kinds(gone.bag, _passing(view, expr.var, expr.where, gone))
    found = [one for one in gone if expr.where is None or _holds(view, expr.var, one, expr.where)]
    if len(found) == 1 and isinstance(found[0], Token):
        return Kinds(HiddenPool(found).bag, -1)
    return frozenset(known(one, view.trial) for one in found)


def connected(view: Viewpoint, expr: Connected) -> frozenset[int]:
    """What steps lead to from a member; what each of them hangs on is decided. Raises `OutOfTime`."""
    found = [known(view.value(expr.start), view.trial)]
    met = set(found)
    for member in found:
        view.trial.store.deadline.check()
        steps = view.bound(expr.here, member, expr.step)
        next_ones = steps.plain(view.trial) if isinstance(steps, Kinds) else known(steps, view.trial)
        for one in sorted(next_ones):
            if one in met:
                continue
            met.add(one)
            if expr.where is None or _holds(view, expr.var, one, expr.where):
                found.append(one)
    return frozenset(found)


def split(view: Viewpoint, expr: Split, parts: tuple[Members, ...]) -> int:
    """The best of what may be left of a set; what lies in it is decided. Raises `OutOfTime`."""
    view.trial.store.deadline.check()
    of = view.value(expr.of)
    left = what_is_left(of.plain(view.trial) if isinstance(of, Kinds) else known(of, view.trial), parts)
    if left is None:
        raise Fault(TOO_LONG, TOO_MANY_LEFT, expr.span)
    values: list[int] = [known(view.bound(expr.rest, rest, expr.body), view.trial) for rest in left]
    return min(values) if expr.kind is FoldKind.MIN else max(values)


def _holds(view: Viewpoint, name: str, member: Any, cond: Expr) -> bool:
    return bool(known(view.bound(name, member, cond), view.trial))


def _passing(view: Viewpoint, name: str, cond: Expr | None, pool: HiddenPool) -> int:
    if cond is None:
        return pool.passing(view.trial, lambda _: True) & pool.mask
    run, slots, env, missing = view.code.expr(cond), view.slots, view.env, object()
    before, plain = env.get(name, missing), True

    def test(one: int) -> bool:
        """As `_holds`, but what nothing hidden is asked for is read off at once."""
        nonlocal plain
        env[name] = one
        if plain:
            try:
                found = run(slots, env)
                return found if type(found) is bool else bool(known(found, view.trial))
            except HiddenValueAsked:
                plain = False  # so it is for the next, mostly
        return bool(known(view.value(cond), view.trial))

    try:
        return pool.passing(view.trial, test) & pool.mask
    finally:
        if before is missing:
            env.pop(name, None)
        else:
            env[name] = before


def _over_pool(view: Viewpoint, expr: Fold, pool: HiddenPool) -> Any:
    trial, body = view.trial, expr.body
    mask = _passing(view, expr.var, expr.where, pool)
    some = HiddenPool(pool.bag, mask)
    match expr.kind:
        case FoldKind.ANY:
            mask = mask if body is None else _passing(view, expr.var, body, some)
            return trial.decide(pool.number(mask).plus(-1))
        case FoldKind.ALL:
            good = 0 if body is None else _passing(view, expr.var, body, some)
            if body is None:  # all pass: none is left out
                out = HiddenPool(pool.bag, pool.mask)
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


def _every(pool: HiddenPool, view: Viewpoint) -> int:
    return sum(1 << one for one in pool.classes(view.trial))


def _said(total: Sum, view: Viewpoint) -> int | Sum:
    lo, hi = view.trial.store.bounds(total)
    return lo if lo == hi else total


def _values(view: Viewpoint, name: str, body: Expr | None, pool: HiddenPool) -> dict[int, int]:
    found: dict[int, int] = {}

    def note(one: int) -> bool:
        found[one] = one if body is None else known(view.bound(name, one, body), view.trial)
        return True

    pool.passing(view.trial, note)
    return found


def _best_in(view: Viewpoint, expr: Fold, pool: HiddenPool) -> Any:
    values = _values(view, expr.var, expr.body, pool)
    for value in sorted(set(values.values()), reverse=expr.kind is FoldKind.MAX):
        mask = sum(1 << one for one, own in values.items() if own == value)
        if view.trial.decide(pool.number(mask).plus(-1)):
            return value
    return _nothing(view, expr)


def _nothing(view: Viewpoint, expr: Fold) -> Any:
    if expr.empty is None:
        raise none_best(view.code.layout.core.texts, expr.span)
    return view.value(expr.empty)


def _over_list(view: Viewpoint, expr: Fold, gone: list[Any]) -> Any:
    match expr.kind:
        case FoldKind.ANY:
            return any(_passes(view, expr, one) and _tested(view, expr, one, True) for one in gone)
        case FoldKind.ALL:
            if expr.body is None:
                return all(_passes(view, expr, one) for one in gone)
            return all(not _passes(view, expr, one) or _tested(view, expr, one, True) for one in gone)
        case FoldKind.COUNT:
            return _said(_total([_counted(view, expr, one) for one in gone], view), view)
        case FoldKind.SUM:
            values = [_inside(view, expr, one) for one in gone if _passes(view, expr, one)]
            return _said(_total(values, view), view)
        case FoldKind.MIN | FoldKind.MAX:
            found = [_inside(view, expr, one) for one in gone if _passes(view, expr, one)]
            return _best_of(found, expr.kind, view.trial) if found else _nothing(view, expr)
        case _:
            assert_never(expr.kind)


def _best_of(found: list[Any], kind: FoldKind, trial: Trial) -> Any:
    """The least or the greatest; a sum stays one: only which of them it is is decided."""
    if not any(isinstance(one, Sum) for one in found):
        values = [known(one, trial) for one in found]
        return min(values) if kind is FoldKind.MIN else max(values)
    sums = [as_sum(one, trial) for one in found]
    best = sums[0]
    for one in sums[1:]:
        better = best.plus(one, -1) if kind is FoldKind.MIN else one.plus(best, -1)
        if trial.decide(better.plus(-1)):
            best = one
    return best


def _passes(view: Viewpoint, expr: Fold, one: Any) -> bool:
    return expr.where is None or _holds(view, expr.var, one, expr.where)


def _tested(view: Viewpoint, expr: Fold, one: Any, empty: bool) -> bool:
    return empty if expr.body is None else _holds(view, expr.var, one, expr.body)


def _inside(view: Viewpoint, expr: Fold, one: Any) -> Any:
    return one if expr.body is None else view.bound(expr.var, one, expr.body)


def _counted(view: Viewpoint, expr: Fold, one: Any) -> Any:
    """1 for a member that passes; a hidden one counts as it is."""
    if expr.where is None:
        return 1
    value = view.bound(expr.var, one, expr.where)
    if isinstance(value, Case) and all(isinstance(each, bool) for each in value.values.values()):
        return Case(value.token, {each: int(held) for each, held in value.values.items()})
    return int(bool(known(value, view.trial)))


def _total(values: list[Any], view: Viewpoint) -> Sum:
    found = Sum(0, {})
    for value in values:
        found = found.plus(as_sum(value, view.trial))
    return found


