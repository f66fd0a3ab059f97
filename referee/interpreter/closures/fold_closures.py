"""Folds and filters as functions: what is computed over the members of a source."""

from __future__ import annotations

from typing import Any, assert_never

from referee.core.expr import Connected, Fold, FoldKind, Split, Where
from referee.core.splits import TOO_MANY_LEFT, parts_of, what_is_left
from referee.interpreter.closures.closure_types import Compiler, Env, Fn, Many, Scope, Slots
from referee.interpreter.interruptions import TOO_LONG, Fault, none_best

_NONE: Any = object()


def fold(expr: Fold, scope: Scope, code: Compiler) -> Fn:
    """A fold. `any` and `all` go no further than they need to."""
    source = code.source(expr.source, scope)
    key, inner = code.bind(expr.var, scope)
    where = None if expr.where is None else code.expr(expr.where, inner)
    body = None if expr.body is None else code.expr(expr.body, inner)
    match expr.kind:
        case FoldKind.ANY:
            return _exists(key, source, where, body)
        case FoldKind.ALL if body is None:
            return _holds(key, source, None, where)
        case FoldKind.ALL:
            return _holds(key, source, where, body)
        case FoldKind.COUNT:
            passing = _values(key, source, where, None)
            return lambda slots, env: len(passing(slots, env))
        case FoldKind.SUM:
            summands = _values(key, source, where, body)
            return lambda slots, env: sum(summands(slots, env))
        case FoldKind.MIN | FoldKind.MAX:
            return _best(expr, _values(key, source, where, body), scope, code)
        case _:
            assert_never(expr.kind)


def filtered(expr: Where, scope: Scope, code: Compiler) -> Fn:
    """The set of the members for which a condition holds."""
    source = code.source(expr.source, scope)
    key, inner = code.bind(expr.var, scope)
    passing = _values(key, source, None if expr.where is None else code.expr(expr.where, inner), None)
    return lambda slots, env: frozenset(passing(slots, env))


def connected(expr: Connected, scope: Scope, code: Compiler) -> Fn:
    """What steps lead to from a member, those found first being gone from first."""
    start = code.expr(expr.start, scope)
    here, from_here = code.bind(expr.here, scope)
    step = code.expr(expr.step, from_here)
    key, inner = code.bind(expr.var, scope)
    where = None if expr.where is None else code.expr(expr.where, inner)

    def reached(slots: Slots, env: Env) -> frozenset[int]:
        found = [start(slots, env)]
        met = set(found)
        for member in found:
            env[here] = member
            for one in sorted(step(slots, env)):
                if one in met:
                    continue
                met.add(one)
                env[key] = one
                if where is None or where(slots, env):
                    found.append(one)
        return frozenset(found)

    return reached


def split(expr: Split, scope: Scope, code: Compiler) -> Fn:
    """The best of what may be left of a set."""
    whole = code.expr(expr.of, scope)
    parts = parts_of(code.layout.tables[expr.table][1])
    key, inner = code.bind(expr.rest, scope)
    body = code.expr(expr.body, inner)
    choose: Any = min if expr.kind is FoldKind.MIN else max

    def best(slots: Slots, env: Env) -> Any:
        left = what_is_left(whole(slots, env), parts)
        if left is None:
            raise Fault(TOO_LONG, TOO_MANY_LEFT, expr.span)
        values = []
        for rest in left:
            env[key] = rest
            values.append(body(slots, env))
        return choose(values)

    return best


def _exists(key: int, source: Many, where: Fn | None, body: Fn | None) -> Fn:
    """True if the body holds for a member that passes; either left out holds."""
    if where is None or body is None:
        test = where or body
        if test is None:
            return lambda slots, env: len(source(slots, env)) > 0
        return _some(key, source, test)

    def exists(slots: Slots, env: Env) -> bool:
        for member in source(slots, env):
            env[key] = member
            if where(slots, env) and body(slots, env):
                return True
        return False

    return exists


def _some(key: int, source: Many, test: Fn) -> Fn:
    def some(slots: Slots, env: Env) -> bool:
        for member in source(slots, env):
            env[key] = member
            if test(slots, env):
                return True
        return False

    return some


def _holds(key: int, source: Many, where: Fn | None, body: Fn | None) -> Fn:
    """True if the body holds for every member that passes."""
    if where is None and body is not None:
        return _all(key, source, body)

    def holds(slots: Slots, env: Env) -> bool:
        for member in source(slots, env):
            env[key] = member
            if (where is None or where(slots, env)) and not (body is None or body(slots, env)):
                return False
        return True

    return holds


def _all(key: int, source: Many, test: Fn) -> Fn:
    def every(slots: Slots, env: Env) -> bool:
        for member in source(slots, env):
            env[key] = member
            if not test(slots, env):
                return False
        return True

    return every


def _values(key: int, source: Many, where: Fn | None, body: Fn | None) -> Many:
    """The body (left out: the member) for each member that passes."""
    if where is None and body is None:
        return source

    def values(slots: Slots, env: Env) -> list[Any]:
        found = []
        for member in source(slots, env):
            env[key] = member
            if where is None or where(slots, env):
                found.append(member if body is None else body(slots, env))
        return found

    return values


def _best(expr: Fold, values: Many, scope: Scope, code: Compiler) -> Fn:
    choose: Any = min if expr.kind is FoldKind.MIN else max
    empty = _nothing(expr, code) if expr.empty is None else code.expr(expr.empty, scope)

    def best(slots: Slots, env: Env) -> Any:
        found = choose(values(slots, env), default=_NONE)
        return empty(slots, env) if found is _NONE else found

    return best


def _nothing(expr: Fold, code: Compiler) -> Fn:
    texts = code.layout.core.texts

    def nothing(slots: Slots, env: Env) -> Any:
        raise none_best(texts, expr.span)

    return nothing
