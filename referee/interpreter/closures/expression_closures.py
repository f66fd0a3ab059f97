"""Evaluates expressions of the core: one case for each kind, in the order of `core/expr.py`."""

from __future__ import annotations

from typing import Any, assert_never

from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Or,
    Split,
    Where,
)
from referee.game.state import ErrorCause, Layout, Open
from referee.interpreter.closures.closure_types import NOTHING, Env, Fn, Many, Scope, Slots
from referee.interpreter.closures.fold_closures import connected, filtered, fold, split
from referee.interpreter.closures.open_comparisons import halves
from referee.interpreter.closures.operator_closures import operate
from referee.interpreter.closures.source_closures import keyed, picked, source_of
from referee.interpreter.closures.statement_closures import block
from referee.interpreter.interruptions import RANGE, Fault, Unsettled, not_one
from referee.interpreter.recording_slots import RecordingSlots


class ExpressionClosures:
    """The expressions and sources of one layout as functions, each made once. `wary`: as a `Compiler` is."""

    def __init__(self, layout: Layout, *, wary: bool = False) -> None:
        self.layout = layout
        self.wary = wary
        self._exprs: dict[int, tuple[Expr, Fn]] = {}
        self._sources: dict[int, tuple[Domainlike, Many]] = {}
        self._locals = 0

    def expr(self, expr: Expr, scope: Scope = NOTHING) -> Fn:
        """An expression as a function. The expression is kept, so that its id stays its own."""
        if scope:
            return self._made(expr, scope)
        known = self._exprs.get(id(expr))
        if known is None:
            known = self._exprs[id(expr)] = (expr, self._made(expr, scope))
        return known[1]

    def source(self, source: Domainlike, scope: Scope = NOTHING) -> Many:
        """A source as a function: its members in order, alike ones as often as they are there."""
        if scope:
            return source_of(source, scope, self)
        known = self._sources.get(id(source))
        if known is None:
            known = self._sources[id(source)] = (source, source_of(source, scope, self))
        return known[1]

    def bind(self, name: str, scope: Scope) -> tuple[int, Scope]:
        """A new number for a local, and the scope with it: nothing that is bound ever hides anything else."""
        self._locals += 1
        return self._locals, {**scope, name: self._locals}

    def _made(self, expr: Expr, scope: Scope) -> Fn:
        match expr:
            case Const(value):
                return lambda slots, env: value
            case Local(name):
                key: int | str = scope.get(name, name)
                return lambda slots, env: env[key]
            case Get():
                return self._get(expr, scope)
            case Look():
                entries, table = self.layout.tables[expr.table]
                return picked(entries, expr.table, expr.keys, scope, self, expr.span, table.values)
            case Op():
                return operate(expr, scope, self)
            case And():
                return _conjunction([self.expr(part, scope) for part in expr.parts])
            case Or():
                return _disjunction([self.expr(part, scope) for part in expr.parts])
            case If():
                cond, yes, no = (self.expr(part, scope) for part in (expr.cond, expr.yes, expr.no))
                return lambda slots, env: yes(slots, env) if cond(slots, env) else no(slots, env)
            case At():
                return self._at(expr, scope)
            case Fold():
                return fold(expr, scope, self)
            case Where():
                return filtered(expr, scope, self)
            case Connected():
                return connected(expr, scope, self)
            case Split():
                return split(expr, scope, self)
            case Let():
                return self._let(expr, scope)
            case Only():
                return self._only(expr, self.expr(expr.of, scope))
            case After():
                return self._after(expr, scope)
            case _:
                assert_never(expr)

    def _only(self, expr: Only, of: Fn) -> Fn:
        nothing: object = None
        wary, texts = self.wary, self.layout.core.texts

        def only(slots: Slots, env: Env) -> Any:
            value = of(slots, env)
            if value is None or (wary and value == nothing):
                raise not_one(texts, "there is none", expr.span)
            if not isinstance(value, (frozenset, tuple)):
                return value
            if len(value) != 1:
                raise not_one(texts, f"there are {len(value)}", expr.span, ErrorCause.SEVERAL)
            return next(iter(value))

        return only

    def _get(self, expr: Get, scope: Scope) -> Fn:
        entries = self.layout.vars[expr.var]
        if not self.layout.may_be_open(expr.var):
            return picked(entries, expr.var, expr.keys, scope, self, expr.span)
        where, name = keyed(entries, expr.var, expr.keys, scope, self, expr.span), expr.var
        keys = [self.expr(key, scope) for key in expr.keys]

        def get(slots: Slots, env: Env) -> Any:
            value = slots[where(slots, env)]
            if type(value) is Open:
                raise Unsettled(name, tuple([key(slots, env) for key in keys]), halves(value))
            return value

        return get

    def _at(self, expr: At, scope: Scope) -> Fn:
        place, zone = expr.place, self.layout.core.zones[expr.place.zone]
        entries = self.layout.zones[zone.name]
        content = picked(entries, zone.name, place.keys, scope, self, expr.span)
        spot, low = self.expr(expr.spot, scope), zone.spots.lo if zone.spots is not None else 0
        slotted, base = zone.form.on_spots, entries.base

        def beyond(index: int) -> None:
            if slotted:
                raise Fault(RANGE, f"{zone.name} has no spot {index + low}", expr.span)

        def at(slots: Slots, env: Env) -> Any:
            there, index = content(slots, env), spot(slots, env) - low
            return there[index] if 0 <= index < len(there) else beyond(index)

        def at_local(slots: Slots, env: Env) -> Any:
            there, index = slots[base], env[key] - low
            return there[index] if 0 <= index < len(there) else beyond(index)

        if place.keys or not isinstance(expr.spot, Local):
            return at
        key: int | str = scope.get(expr.spot.name, expr.spot.name)
        return at_local

    def _let(self, expr: Let, scope: Scope) -> Fn:
        value = self.expr(expr.value, scope)
        key, inner = self.bind(expr.var, scope)
        body = self.expr(expr.body, inner)

        def let(slots: Slots, env: Env) -> Any:
            env[key] = value(slots, env)
            return body(slots, env)

        return let


    def _after(self, expr: After, scope: Scope) -> Fn:
        """Statements know locals by name alone, so those bound around the block get their names back for it."""
        failing = None if expr.failing is None else self.expr(expr.failing, scope)
        act, value = block(expr.body, self), self.expr(expr.value, NOTHING if expr.body else scope)
        bound = tuple(scope.items())

        def after(slots: Slots, env: Env) -> Any:
            inner, names = apart(slots), dict(env)
            for name, key in bound:
                if key in env:
                    names[name] = env[key]
            act(inner, names)
            return value(inner, names)

        made = after if expr.body else value
        if failing is None:
            return made
        otherwise = failing

        def surely(slots: Slots, env: Env) -> Any:
            try:
                return made(slots, env)
            except Fault:
                return otherwise(slots, env)

        return surely


def apart(slots: Slots) -> Slots:
    """The entries of a position, to be changed without changing them; what is read of them is remembered still."""
    return slots.apart() if isinstance(slots, RecordingSlots) else list(slots)


def _conjunction(parts: list[Fn]) -> Fn:
    if len(parts) == 2:
        first, second = parts
        return lambda slots, env: first(slots, env) and second(slots, env)

    def conjunction(slots: Slots, env: Env) -> bool:
        for part in parts:  # noqa: SIM110 - a generator would cost more than the parts
            if not part(slots, env):
                return False
        return True

    return conjunction


def _disjunction(parts: list[Fn]) -> Fn:
    if len(parts) == 2:
        first, second = parts
        return lambda slots, env: first(slots, env) or second(slots, env)

    def disjunction(slots: Slots, env: Env) -> bool:
        for part in parts:  # noqa: SIM110 - a generator would cost more than the parts
            if part(slots, env):
                return True
        return False

    return disjunction
