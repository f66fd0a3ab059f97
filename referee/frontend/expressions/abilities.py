"""`p can NAME`: whether a player has any legal event of an action, as a condition on the position.

It is the action's own head written as one: some value of each argument with which all guards hold. What cannot be
evaluated there does not hold, as where the action is offered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    Get,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Place,
    Within,
)
from referee.core.intervals import most_members, of_type
from referee.core.read_write_sets import locals_of
from referee.core.stmt import Action, Call, Guard, Origin, Param
from referee.core.traverse import itself, statements, walk
from referee.core.types import Bool, Int, Many, Scalar, lies_within, size
from referee.diagnostics.source import Span
from referee.flow.register_names import substitute
from referee.frontend.expressions import typed_operators
from referee.frontend.names.symbol_table import Symbols
from referee.syntax.syntax_tree import Word

ME = "me"
_NO = Const(False, Bool())
_ABLE = "can "
"""Stands before the name of an action in what stands for a condition that cannot be written down yet."""


def able(symbols: Symbols, player: Expr, name: Word, span: Span) -> Expr:
    """Whether a player can take an action; what stands for it while actions are still being read. Raises Wrong."""
    if name.text not in symbols.action_nodes:
        raise symbols.unknown(name, "an action", set(symbols.action_nodes))
    if symbols.actions_read:
        return ability(symbols, symbols.actions[name.text], player, span)
    called = Call(f"{_ABLE}{name.text}", (player,), (), Origin(name.span))
    return After((called,), _NO, Bool(), None, span)


def asked_for(expr: After) -> tuple[str, Expr] | None:
    """The action and the player, of what stands for `p can NAME`."""
    for call in statements(expr.body, Call):
        if call.procedure.startswith(_ABLE):
            return call.procedure.removeprefix(_ABLE), call.args[0]
    return None


def ability(symbols: Symbols, action: Action, player: Expr, span: Span) -> Expr:
    """Some value of each argument, one after the other, with which all guards hold. Raises Wrong."""
    return Let(ME, player, _ActionHead(symbols, action, span).from_(0), Bool(), span)


class _ActionHead:
    """The head of one action as a condition."""

    def __init__(self, symbols: Symbols, action: Action, span: Span) -> None:
        self._symbols = symbols
        self._action = action
        self._span = span
        self._stages: list[list[Guard]] = [[] for _ in range(len(action.params) + 1)]
        for guard in action.guards:
            read = locals_of(guard.cond)
            needed = [index + 1 for index, param in enumerate(action.params) if param.name in read]
            self._stages[max(needed, default=0)].append(guard)

    def from_(self, index: int) -> Expr:
        """That values are left for the arguments from one on."""
        conds = [guard.cond for guard in self._stages[index]]
        if index < len(self._action.params):
            conds.append(self._some(index))
        if not conds:
            return Const(True, Bool())
        cond = conds[0] if len(conds) == 1 else And(tuple(conds), self._span)
        return After((), cond, Bool(), _NO, self._span) if any(map(self._may_fail, conds)) else cond

    def _some(self, index: int) -> Expr:
        param = self._action.params[index]
        if param.count is not None:
            enough = self._enough(param, param.count, *self._of_each(index))
            rest = self.from_(index + 1)
            return enough if rest == Const(True, Bool()) else And((enough, rest), self._span)
        rest = self.from_(index + 1)
        return Fold(FoldKind.ANY, param.name, param.source, None, rest, Bool(), None, self._span)

    def _of_each(self, index: int) -> tuple[list[Expr], list[Expr]]:
        """What is asked of each of several at once, and how many there are to be at least: guards that ask nothing
        else of them are taken out of their stage. Raises Wrong if which are chosen together decides."""
        param, stage = self._action.params[index], self._stages[index + 1]
        name = param.name
        later = (self._action.params[index + 1:], tuple(guard.cond for s in self._stages[index + 2:] for guard in s))
        assert isinstance(param.type, Many)
        chosen, one = Local(name, param.type), Local(name, param.type.of)
        each: list[Expr] = []
        least: list[Expr] = []
        together = param.repeated or any(name in locals_of(one) for one in later)
        for guard in tuple(stage):
            cond = guard.cond
            fold = next(itself(cond, Fold), None)
            bound = next((found for found in itself(cond, Op) if found.op is Operator.GE), None)
            asked = fold.body if fold is not None else None
            if (fold is not None and asked is not None and (fold.kind, fold.where) == (FoldKind.ALL, None)
                    and fold.source == Members(chosen) and name not in locals_of(asked)):
                cond = substitute(asked, {fold.var: one})
                each.append(After((), cond, Bool(), _NO, self._span) if self._may_fail(cond) else cond)
            elif bound is not None and _is_size(bound.args[0], chosen) and name not in locals_of(bound.args[1]):
                least.append(bound.args[1])
            else:
                together = together or name in locals_of(cond)
                continue
            stage.remove(guard)
        if together:
            said = f"whether somebody can {self._action.name} hangs on which {name} are chosen together"
            hint = "write the condition out, or choose one at a time"
            raise self._symbols.wrong("AF02", said, self._span, hint=hint)
        return each, least

    def _enough(self, param: Param, count: tuple[Expr, Expr], each: Sequence[Expr], atleast: Sequence[Expr]) -> Expr:
        """That so many members of the source as are asked for are what `each` asks, and that this is not more than the
        most."""
        least, most = count
        source = _whole(param.source)
        assert isinstance(param.type, Many)
        one = Local(param.name, param.type.of)
        conds = [*([] if param.among is None else [Op(Operator.IN, (one, param.among), Bool())]), *each]
        where = typed_operators.both(conds, self._span) if conds else None
        there = Fold(FoldKind.COUNT, param.name, source, where, None, Int(0, self._most(source)), None, self._span)
        parts = (typed_operators.compare(Operator.LE, bound, one, self._span)
                 for bound in (least, *atleast) for one in (most, there))
        return typed_operators.both(parts, self._span)

    def _most(self, source: Domainlike) -> int:
        match source:
            case Within(place):
                return self._symbols.zones[place.zone].capacity
            case All(of):
                return size(of)
            case Members(of):
                return most_members(of.type)
            case Numbers(_, hi):
                return max(0, of_type(hi.type).hi - of_type(source.lo.type).lo + 1)
            case _:
                assert_never(source)

    def _may_fail(self, expr: Expr) -> bool:
        """Whether an error may come up in a condition; yes, where it is not plain that there can be none."""
        return any(True for _ in _failing(expr)) or any(
            not _inside(keys, kinds) for keys, kinds in self._keyed(expr))

    def _keyed(self, expr: Expr) -> Iterator[tuple[Sequence[Expr], Sequence[Scalar]]]:
        symbols = self._symbols
        for one in walk(expr, Get, Look, Place, At):
            match one:
                case Get(name, keys):
                    yield keys, symbols.vars[name].keys if name in symbols.vars else ()
                case Look(name, keys):
                    yield keys, symbols.tables[name].keys
                case Place(zone, keys):
                    yield keys, symbols.zones[zone].keys
                case At(place, spot):
                    spots = symbols.zones[place.zone].spots
                    yield (spot,), () if spots is None else (spots,)


def _whole(source: Domainlike) -> Domainlike:
    """All that can be taken in the end: of a pile one block after the other is used up."""
    match source:
        case Within(place):
            return Within(replace(place, end=None))
        case Numbers() | All() | Members():
            return source
        case _:
            assert_never(source)


def _is_size(expr: Expr, of: Local) -> bool:
    return any(op is expr and op.op is Operator.SIZE and op.args == (of,) for op in walk(expr, Op))


def _failing(expr: Expr) -> Iterator[object]:
    yield from walk(expr, Only)
    yield from (one for one in walk(expr, Fold) if one.kind in (FoldKind.MIN, FoldKind.MAX) and one.empty is None)
    yield from (one for one in walk(expr, After) if one.failing is None)


def _inside(keys: Sequence[Expr], kinds: Sequence[Scalar]) -> bool:
    return len(keys) == len(kinds) and all(lies_within(key.type, kind) for key, kind in zip(keys, kinds, strict=True))
