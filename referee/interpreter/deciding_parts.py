"""Which parts of a condition decide it, with the values that they compare.

Of what is joined by `and` the first part that fails, of what is joined by `or` the part that holds; of a quantifier the
member that decides; of a definition what stands in it. `DecidingParts.of` is for forks, guards and claims alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, assert_never

from referee.core.expr import (
    And,
    At,
    Const,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Only,
    Op,
    Operator,
    Or,
    Where,
)
from referee.core.member_types import member_type
from referee.core.ruleset import Role
from referee.core.traverse import walk
from referee.core.types import Value
from referee.interpreter.closures.closure_types import Env
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.recording_slots import RecordingSlots
from referee.interpreter.trace import NOTHING_READ, DecidingPart, KnownName, KnownValue

MOST_PARTS = 6
MOST_MEMBERS = 4
MOST_DEPTH = 24
GIVEN = " of "
"""Stands in the names of what definitions are given, and in no other."""


@dataclass(frozen=True, slots=True)
class _Way:
    """The uses of definitions on the way to a part, outermost first, and what these were given."""

    uses: tuple[KnownValue, ...] = ()
    given: tuple[KnownValue, ...] = ()


_DIRECT = _Way()


class DecidingParts:
    """Looks into conditions at one position. `slots` are its entries: what was read of them is in the answers."""

    def __init__(self, code: ExpressionClosures, slots: RecordingSlots) -> None:
        self._code = code
        self._slots = slots

    def of(self, cond: Expr, env: Env) -> tuple[DecidingPart, ...]:
        """The parts that decide a condition where the locals have the values in `env`; none if it has no value.

        What has an error or hangs on what nobody stated is left out.
        """
        try:
            held = bool(self._value(cond, env))
            return tuple(part for part, _ in zip(self._parts(cond, held, dict(env), _DIRECT, 0), range(MOST_PARTS),
                                                 strict=False))
        except (Fault, Unsettled):
            return ()

    def known(self, expr: Expr, env: Env, label: str = "") -> KnownValue | None:
        """A value with what it read; None if it has none."""
        self._slots.taken()
        try:
            value = self._value(expr, env)
        except (Fault, Unsettled):
            return None
        reads = self._slots.taken()
        return KnownValue(expr, value, self.names(expr, env), reads, label)

    def names(self, expr: Expr, env: Env) -> tuple[KnownName, ...]:
        """What the names in an expression stand for, as far as they come from around it."""
        found: dict[tuple[str, object], KnownName] = {}
        for local in walk(expr, Local):
            if local.name in env:
                name = KnownName(local.name, local.span, env[local.name], local.type)
                found.setdefault((local.name, local.span), name)
        for one in walk(expr, Get):
            if not one.keys and self._code.layout.defs[one.var].role is Role.REGISTER:
                value: Value = list.__getitem__(self._slots, self._code.layout.vars[one.var].base)
                found.setdefault((one.var, one.span), KnownName(one.var, one.span, value, one.type))
        return tuple(found.values())

    def _value(self, expr: Expr, env: Env) -> Any:
        return self._code.expr(expr)(self._slots, env)

    def _parts(self, expr: Expr, held: bool, env: Env, way: _Way, depth: int) -> Iterator[DecidingPart]:
        """The parts that make `expr` be `held`."""
        if depth > MOST_DEPTH:
            yield self._leaf(expr, held, (), env, way)
            return
        if expr.span is not None and expr.span.use is not None:
            used = KnownValue(expr, held, self.names(expr, env), NOTHING_READ)
            way = _Way((*way.uses, used), way.given)
        match expr:
            case And(parts):
                yield from self._joined(parts, held, env, way, depth, every=held)
            case Or(parts):
                yield from self._joined(parts, held, env, way, depth, every=not held)
            case Op(op, args):
                yield from self._operator(expr, op, args, held, env, way, depth)
            case If(cond, yes, no):
                first = bool(self._value(cond, env))
                yield from self._parts(yes if first else no, held, env, way, depth + 1)
                for part in self._parts(cond, first, env, way, depth + 1):
                    yield replace(part, chose=True)
            case Let(var, value, body):
                inner = {**env, var: self._value(value, env)}
                given = self.known(value, env) if GIVEN in var else None
                if given is not None and (given.reads or given.names):
                    way = _Way(way.uses, (*way.given, given))
                yield from self._parts(body, held, inner, way, depth + 1)
            case Fold():
                yield from self._fold(expr, held, env, way, depth)
            case Const():
                return
            case Local() | Get() | Look() | At() | Where() | Only():
                yield self._leaf(expr, held, (expr,), env, way)
            case _:
                assert_never(expr)

    def _joined(self, parts: tuple[Expr, ...], held: bool, env: Env, way: _Way, depth: int, *,
                every: bool) -> Iterator[DecidingPart]:
        """Of `and` that fails the first part that does, of `or` that holds the first that does; else all of them."""
        if every:
            for part in parts:
                yield from self._parts(part, held, env, way, depth + 1)
            return
        for part in parts:
            if bool(self._value(part, env)) is held:
                yield from self._parts(part, held, env, way, depth + 1)
                return

    def _operator(self, expr: Op, op: Operator, args: tuple[Expr, ...], held: bool, env: Env, way: _Way,
                  depth: int) -> Iterator[DecidingPart]:
        match op:
            case Operator.NOT:
                inner = list(self._parts(args[0], not held, env, way, depth + 1))
                if len(inner) == 1 and inner[0].through == way.uses:
                    yield self._told_of(expr, held, inner[0], env)
                else:
                    yield from inner
            case (Operator.EQ | Operator.NE | Operator.LT | Operator.LE | Operator.GT | Operator.GE | Operator.IN
                  | Operator.SET | Operator.UNION | Operator.MINUS | Operator.SIZE | Operator.ADD | Operator.SUB
                  | Operator.MUL | Operator.NEG | Operator.LOWER | Operator.HIGHER | Operator.BETWEEN):
                yield self._leaf(expr, held, args, env, way)
            case _:
                assert_never(op)

    def _told_of(self, expr: Expr, held: bool, part: DecidingPart, env: Env) -> DecidingPart:
        """What denies something is said as the rules say it, with the values of what it denies."""
        return DecidingPart(expr, held, part.values, self.names(expr, env), part.through, part.given, part.below)

    def _fold(self, fold: Fold, held: bool, env: Env, way: _Way, depth: int) -> Iterator[DecidingPart]:
        match fold.kind:
            case FoldKind.ANY:
                wanted = True
            case FoldKind.ALL:
                wanted = False
            case FoldKind.COUNT | FoldKind.SUM | FoldKind.MIN | FoldKind.MAX:
                yield self._leaf(fold, held, (fold,), env, way)
                return
            case _:
                assert_never(fold.kind)
        members = tuple(dict.fromkeys(self._code.source(fold.source)(self._slots, env)))
        kind = member_type(self._code.layout.core, fold.source)
        said = fold.body or fold.where
        if held is wanted:
            for member in members:
                inner = {**env, fold.var: member}
                if self._decides(fold, wanted, inner):
                    one = KnownValue(Local(fold.var, kind), member, (), NOTHING_READ, fold.var)
                    below = () if said is None else tuple(self._parts(said, wanted, inner, _DIRECT, depth + 1))
                    values = tuple(value for part in below[:1] for value in part.values)
                    yield DecidingPart(fold, held, (one, *values), self.names(fold, env), way.uses, way.given, below)
                    return
        few: list[KnownValue] = []
        for member in members[:MOST_MEMBERS] if len(members) <= MOST_MEMBERS else ():
            inner = {**env, fold.var: member}
            if said is not None:
                for part in self._parts(said, bool(self._value(said, inner)), inner, _DIRECT, depth + 1):
                    few.extend(part.values)
        yield DecidingPart(fold, held, tuple(few[:2 * MOST_MEMBERS]), self.names(fold, env), way.uses, way.given)

    def _decides(self, fold: Fold, wanted: bool, env: Env) -> bool:
        where, body = fold.where, fold.body
        if not wanted and body is None:
            where, body = None, fold.where
        if where is not None and not self._value(where, env):
            return False
        return body is None or bool(self._value(body, env)) is wanted

    def _leaf(self, expr: Expr, held: bool, told: tuple[Expr, ...], env: Env, way: _Way) -> DecidingPart:
        found = [self.known(one, env) for one in told]
        values = tuple(one for one in found if one is not None and (one.reads or one.names))
        return DecidingPart(expr, held, values, self.names(expr, env), way.uses, way.given)
