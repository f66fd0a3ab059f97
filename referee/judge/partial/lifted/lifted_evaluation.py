"""The value of an expression at a position in which something is hidden: one case for each kind of expression.

What can be read off without looking at anything hidden is left to the functions of the reference engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from referee.codegen.often.value_functions import ValueFunctions
from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    End,
    Expr,
    Fold,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Or,
    Split,
    Where,
    Within,
)
from referee.core.ruleset import Form
from referee.core.splits import parts_of
from referee.core.stmt import Block, Branch, Each, Finish, Merge, Move, Put, Swap
from referee.game.state import ErrorCause, Open
from referee.interpreter.closures.expression_closures import ExpressionClosures
from referee.interpreter.closures.open_comparisons import halves
from referee.interpreter.closures.source_closures import inside_of
from referee.interpreter.closures.statement_closures import Act, block, step
from referee.interpreter.interruptions import RANGE, Fault, Unsettled, not_one
from referee.judge.partial.constraints.hidden_values import UNKNOWN, Bag, Case, Hidden, HiddenValueAsked, Token, Untold
from referee.judge.partial.lifted.choice_points import LeftOpen, Trial
from referee.judge.partial.lifted.dependent.case_diagrams import leaves
from referee.judge.partial.lifted.dependent.class_by_class import by_class
from referee.judge.partial.lifted.hidden_pools import HiddenPool, Kinds, one_of
from referee.judge.partial.lifted.lifted_folds import Gone, connected, filtered, folded, split
from referee.judge.partial.lifted.lifted_operators import Lifted, known, lifted


class HiddenView:
    """One position while something is carried out there. `slots` and `env` change in place, as in an engine; `acts`
    keeps the statements made into functions, `terms` what is known of alternatives and expressions, by their identity;
    `asking`: operators, runs and values to be stored that have asked something hidden: they are taken apart at once;
    `carry` carries blocks out."""

    def __init__(self, code: ExpressionClosures, acts: dict[int, Act], terms: dict[int, Any], slots: list[Any],
                 trial: Trial, carry: Callable[[HiddenView, Block], object], functions: ValueFunctions,
                 asking: set[int]) -> None:
        self.code = code
        self.functions = functions
        self.asking = asking
        self.terms = terms
        self.layout = code.layout
        self.slots = slots
        self.env: dict[Any, Any] = {}
        self.trial = trial
        self._acts = acts
        self._carry = carry

    def act(self, stmt: Put | Move | Merge | Swap | Finish) -> Act:
        """A statement as the reference engine carries it out."""
        known = self._acts.get(id(stmt))
        if known is None:
            known = self._acts[id(stmt)] = step(stmt, self.code)
        return known

    def whole(self, stmt: Branch | Each) -> Act:
        """A statement with all in it, as the reference engine carries it out."""
        known = self._acts.get(id(stmt))
        if known is None:
            known = self._acts[id(stmt)] = block((stmt,), self.code, ())
        return known

    def truth(self, expr: Expr) -> bool:
        """Whether a condition holds."""
        return bool(known(self.value(expr), self.trial))

    def plain(self, expr: Expr) -> Any:
        """The value of an expression with nothing hidden in it."""
        value = self.value(expr)
        if isinstance(value, Kinds):
            return value.plain(self.trial)
        if isinstance(value, Bag):
            return HiddenPool(value).plain(self.trial)
        return known(value, self.trial)

    def value(self, expr: Expr) -> Any:
        """The value of an expression; hidden, where it hangs on what is hidden."""
        if id(expr) not in self.asking:
            try:
                return self.code.expr(expr)(self.slots, self.env)
            except HiddenValueAsked:
                pass
        found = by_class(self, expr)
        return self._value(expr) if found is None else found

    def _value(self, expr: Expr) -> Any:
        match expr:
            case Const(value):
                return value
            case Local(name):
                return self.env[name]
            case Get():
                return self._get(expr)
            case Look():
                return self._look(expr)
            case Op():
                return self._op(expr)
            case And(parts):
                return self._joined(parts, True)
            case Or(parts):
                return self._joined(parts, False)
            case If(cond, yes, no):
                return self.value(yes if self.truth(cond) else no)
            case At():
                return self._at(expr)
            case Fold():
                return folded(self, expr)
            case Where():
                return filtered(self, expr)
            case Connected():
                return connected(self, expr)
            case Split():
                return split(self, expr, parts_of(self.layout.tables[expr.table][1]))
            case Let(var, value, body):
                return self.bound(var, self.value(value), body)
            case Only():
                return self._only(expr, self.value(expr.of))
            case After():
                return self._after(expr)
            case _:
                assert_never(expr)

    def _joined(self, parts: Sequence[Expr], goes_on: bool) -> Any:
        """Whether all parts hold (or some does): what is open is asked of all together, where a later part can be told
        whatever the earlier ones are."""
        found: Any = goes_on
        for part in parts:
            if isinstance(found, Case):
                value = self._quietly(part)
                if value is _OPEN:
                    found = bool(known(found, self.trial))
                else:
                    found = lifted([found, value], self.trial, _both if goes_on else _either)
                    continue
            if found is not goes_on:
                return found
            found = self.value(part)
        return found

    def _quietly(self, expr: Expr) -> Any:
        """The value of a condition, if nothing has to be decided for it and it is no error."""
        before, self.trial.quiet = self.trial.quiet, True
        try:
            value = self.value(expr)
        except (LeftOpen, Fault):
            return _OPEN
        finally:
            self.trial.quiet = before
        return value if isinstance(value, bool) or (isinstance(value, Case) and all(
            isinstance(one, bool) for one in leaves(value))) else _OPEN

    def _after(self, expr: After) -> Any:
        there = HiddenView(self.code, self._acts, self.terms, list(self.slots), self.trial, self._carry,
                           self.functions, self.asking)
        there.env = dict(self.env)
        try:
            self._carry(there, expr.body)
            return there.value(expr.value)
        except Fault:
            if expr.failing is None:
                raise
            return self.value(expr.failing)

    def bound(self, name: str, value: Any, expr: Expr) -> Any:
        """The value of an expression in which a name stands for a value."""
        missing = object()
        before = self.env.get(name, missing)
        self.env[name] = value
        try:
            return self.value(expr)
        finally:
            if before is missing:
                del self.env[name]
            else:
                self.env[name] = before

    def _get(self, expr: Get) -> Any:
        entries, variable = self.layout.vars[expr.var], expr.var

        def at(*key: int) -> Any:
            index = entries.find(key)
            if index < 0:
                raise Fault(RANGE, f"{variable} has no entry {', '.join(map(str, key))}", expr.span)
            found = self.slots[index]
            if isinstance(found, Open):
                raise Unsettled(variable, key, halves(found))
            return found

        return self._flat(lifted([self.value(key) for key in expr.keys], self.trial, at))

    def _flat(self, value: Any) -> Any:
        """A value that hangs on tokens, in which nothing is hidden itself but what hangs on tokens too."""
        if isinstance(value, Case) and any(isinstance(one, Hidden) for one in leaves(value)):
            wrapped = {one: found if isinstance(found, Fault) else _Same(found) for one, found in value.values.items()}
            chosen = self.trial.case(Case(value.token, wrapped))
            if isinstance(chosen, Fault):
                raise chosen
            return chosen.value if isinstance(chosen, _Same) else chosen
        return value

    def _look(self, expr: Look) -> Any:
        entries, table = self.layout.tables[expr.table]

        def at(*key: int) -> Any:
            index = entries.find(key)
            if index < 0:
                raise Fault(RANGE, f"{expr.table} has no entry {', '.join(map(str, key))}", expr.span)
            return table.values[index]

        return lifted([self.value(key) for key in expr.keys], self.trial, at)

    def _op(self, expr: Op) -> Any:
        self.asking.add(id(expr))
        args = [self.value(arg) for arg in expr.args]
        args = [arg.plain(self.trial) if isinstance(arg, Kinds) else arg for arg in args]
        if any(isinstance(arg, Bag) for arg in args):
            if len(args) == 1:
                return len(args[0])
            args = [HiddenPool(arg).plain(self.trial) if isinstance(arg, Bag) else arg for arg in args]
        return Lifted(self.trial).operate(expr, args)

    def _at(self, expr: At) -> Any:
        place, zone = expr.place, self.layout.core.zones[expr.place.zone]
        there, low = self.content(place.zone, place.keys), zone.spots.lo if zone.spots is not None else 0
        index = self.plain(expr.spot) - low
        if 0 <= index < len(there):
            return there[index]
        if zone.form.on_spots:
            raise Fault(RANGE, f"{zone.name} has no spot {index + low}", expr.span)
        return None

    def _only(self, expr: Only, value: Any) -> Any:
        if isinstance(value, Bag):
            value = Kinds(value, -1)
        if isinstance(value, Kinds):
            return one_of(value, self.trial, expr.span, self.layout.core.texts)
        value = value if isinstance(value, Token) else known(value, self.trial)
        if value is None:
            raise not_one(self.layout.core.texts, "there is none", expr.span)
        if isinstance(value, frozenset | tuple):
            if len(value) != 1:
                raise not_one(self.layout.core.texts, f"there are {len(value)}", expr.span, ErrorCause.SEVERAL)
            return next(iter(value))
        return value

    # --- zones and sources

    def where(self, zone: str, keys: tuple[Expr, ...]) -> int:
        """Where a zone instance lies. Raises `Untold` if it is not known what is in it."""
        key = [self.plain(one) for one in keys]
        index = self.layout.zones[zone].find(key)
        if index < 0:
            raise Fault(RANGE, f"{zone} has no entry {', '.join(map(str, key))}", None)
        if self.slots[index] is UNKNOWN:
            raise Untold(zone)
        return index

    def content(self, zone: str, keys: tuple[Expr, ...]) -> Any:
        """What lies in a zone instance."""
        return self.slots[self.where(zone, keys)]

    def options(self, source: Domainlike) -> Gone:
        """What may be chosen from a source, where it is no matter how many there are of what is alike."""
        if isinstance(source, Members) and isinstance(source.of, Where):
            value = self.value(source.of)
            if isinstance(value, Kinds):
                return HiddenPool(value.bag, value.mask)
        return self.gone(source)

    def gone(self, source: Domainlike) -> Gone:
        """What a source goes through."""
        try:
            return list(self.code.source(source)(self.slots, self.env))
        except HiddenValueAsked:
            pass
        match source:
            case Numbers(lo, hi, down):
                numbers = list(range(self.plain(lo), self.plain(hi) + 1))
                return numbers[::-1] if down else numbers
            case All(of, first, down):
                return self._turned(list(range(of.lo, of.hi + 1)), first, down)
            case Members(of, first, down):
                value = self.value(of)
                if isinstance(value, Kinds) and value.single(self.layout.core) and first is None and not down:
                    return HiddenPool(value.bag, value.mask)
                if isinstance(value, Bag):
                    return HiddenPool(value)
                value = value.plain(self.trial) if isinstance(value, Kinds) else known(value, self.trial)
                return self._turned(sorted(value), first, down)
            case Within():
                return self._within(source)
            case _:
                assert_never(source)

    def _turned(self, ascending: list[int], first: Expr | None, down: bool) -> list[Any]:
        values = ascending[::-1] if down else ascending
        if first is None:
            return values
        at = self.plain(first)
        before = [one for one in values if (one > at if down else one < at)]
        return [*[one for one in values if one not in before], *before]

    def _within(self, source: Within) -> Gone:
        place = source.place
        zone, content = self.layout.core.zones[place.zone], self.content(place.zone, place.keys)
        if place.spot is not None:
            low = zone.spots.lo if zone.spots is not None else 0
            index = self.plain(place.spot) - low
            one = content[index] if 0 <= index < len(content) else None
            return [] if one is None else [one]
        match zone.form:
            case Form.BAG:
                return HiddenPool(content)
            case Form.PILE:
                blocks = content if place.end is None else content[:1] if place.end is End.TOP else content[-1:]
                return HiddenPool.of_all(blocks)
            case Form.LINE:
                inside = inside_of(zone.form, place.end)
                return list(content if inside is None else inside(content))
            case Form.SLOTS:
                return [one for one in content if one is not None]
            case _:
                assert_never(zone.form)


_OPEN = object()
"""Stands for a value that is not told."""


def _both(one: bool, other: bool) -> bool:
    return one and other


def _either(one: bool, other: bool) -> bool:
    return one or other


class _Same:
    """A hidden value, to be told from others by what it is, not by what it may be."""

    def __init__(self, value: Any) -> None:
        self.value = value
