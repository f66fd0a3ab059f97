"""`if able`: doing nothing, legal only if nothing else that was offered is, and guards of what nothing else could be.

`needs "...", if able: C` and `forbidden "...", unless forced: C` are written out: the condition holds, or no arguments
that could be taken keep it. What does not speak of an argument stands outside of that, so that "he has none of that
suit" is one condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from referee.core.expr import (
    All,
    And,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    Let,
    Local,
    Members,
    Numbers,
    Op,
    Operator,
    Or,
    Within,
)
from referee.core.read_write_sets import locals_of
from referee.core.stmt import Action, Guard, Option, Origin, Param
from referee.core.traverse import itself
from referee.core.types import Bool, Elem, Int
from referee.diagnostics.source import Span
from referee.flow.register_names import in_source, substitute
from referee.frontend.expressions import typed_operators
from referee.frontend.names.bindings import Idle
from referee.frontend.names.symbol_table import Symbols

LABEL = "pass"
GUARD = "there is nothing else that he could do"
OTHER = "other "
"""Stands before the name of an argument in what stands for another value of it."""



def way_out(symbols: Symbols, options: tuple[Option, ...], name: str, where: Origin,
            also: Expr | None = None) -> Option:
    """The option for whoever can take none of the others, or if `also` holds. What it needs is known when all actions
    are: `settle`."""
    action = symbols.numbered(f"{name}.{LABEL}", symbols.actions)
    params: list[Param] = []
    bound: list[tuple[str, Expr]] = []
    for index, option in enumerate(options):
        for argument, value in option.bound:
            kind, fixed = value.type, _fixed(index, argument)
            assert isinstance(kind, Elem | Int)
            params.append(Param(fixed, None, kind, Members(typed_operators.singleton(Local(fixed, kind))), where))
            bound.append((fixed, value))
    symbols.actions[action] = Action(action, LABEL, tuple(params), (), (), where)
    symbols.idle.append(Idle(action, options, where, also))
    return Option(action, tuple(bound))


def settle(symbols: Symbols) -> None:
    """Gives each way out its guard: none of the other options has arguments that pass all of its guards."""
    for idle in symbols.idle:
        several = next((o.action for o in idle.options if _takes_several(symbols.actions[o.action], o)), None)
        if several is not None and idle.also is None:
            said = f"whether somebody can take {several} is not known here: it takes several at once"
            hint = "leave `if able` out, and offer an action beside it that `needs` that nothing can be taken"
            symbols.reporter.error("AB01", said, idle.origin.span, hint=hint)
            continue
        action = symbols.actions[idle.action]
        guarded = (Guard(GUARD, _needed(symbols, idle, several is not None), idle.origin),)
        symbols.actions[idle.action] = Action(action.name, LABEL, action.params, guarded, (), action.origin)


def _needed(symbols: Symbols, idle: Idle, unknown: bool) -> Expr:
    """When the way out is open. `unknown`: whether somebody can take one of the others is."""
    if unknown and idle.also is not None:
        return idle.also
    able = [possible(symbols.actions[o.action], index, o) for index, o in enumerate(idle.options)]
    unable = typed_operators.negate(able[0] if len(able) == 1 else Or(tuple(able)), idle.origin.span)
    return unable if idle.also is None else Or((idle.also, unable), idle.origin.span)


def _takes_several(action: Action, option: Option) -> bool:
    return any(param.count is not None for param in action.params if param.name not in dict(option.bound))


def possible(action: Action, index: int, option: Option) -> Expr:
    """True if some arguments pass all guards of an action; those that the offer fixes are what it says."""
    fixed = dict(option.bound)
    found = typed_operators.both(guard.cond for guard in action.guards)
    for param in reversed(action.params):
        if param.name in fixed:
            found = Let(param.name, Local(_fixed(index, param.name), fixed[param.name].type), found, Bool())
        else:
            found = Fold(FoldKind.ANY, param.name, param.source, found, None, Bool())
    return found


def _fixed(index: int, argument: str) -> str:
    return f"{argument} of option {index}"


class ForcedChoices:
    """Conditions that hold where nothing else can be chosen."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols

    def can_be(self, cond: Expr, params: Sequence[Param], span: Span) -> Expr:
        """That a condition holds, or that nothing that could be chosen keeps it. Raises Wrong (AF04)."""
        read = locals_of(cond)
        last = max((at for at, param in enumerate(params) if param.name in read), default=-1)
        chosen = params[: last + 1]
        if not chosen or any(param.count is not None for param in chosen):
            said = "this speaks of no argument" if not chosen else "this speaks of several at once"
            raise self._symbols.wrong("AF04", said, span)
        whole, names = _alternatives(cond), {param.name for param in chosen}
        apart = [one for one in whole if not names & set(locals_of(one))]
        asked = tuple(one for one in whole if names & set(locals_of(one)))
        inner = asked[0] if len(asked) == 1 else Or(asked, cond.span)
        return Or((*apart, *asked, self._nothing_keeps(inner, chosen)), cond.span)

    def _nothing_keeps(self, cond: Expr, params: Sequence[Param]) -> Expr:
        """That a condition holds for no values of the arguments."""
        others: dict[str, Expr] = {param.name: Local(f"{OTHER}{param.name}", param.type) for param in params}
        inner = substitute(cond, others)
        for at, param in reversed(list(enumerate(params))):
            known: dict[str, Expr] = {one.name: others[one.name] for one in params[:at]}
            source = in_source(param.source, known)
            if at == 0:
                return self._none_in(source, f"{OTHER}{param.name}", inner)
            inner = Fold(FoldKind.ANY, f"{OTHER}{param.name}", source, inner, None, Bool(), None, cond.span)
        raise AssertionError("there is an argument")

    def _none_in(self, source: Domainlike, var: str, cond: Expr) -> Expr:
        """That no member keeps a condition; of a place said as `Z has no CARD` is, so that it is the same question."""
        match source:
            case Within(place):
                most = Int(0, self._symbols.zones[place.zone].capacity)
                found = Fold(FoldKind.COUNT, var, source, cond, None, most, None, cond.span)
                return typed_operators.equal(found, typed_operators.number(0, cond.span), cond.span)
            case Numbers() | All() | Members():
                return typed_operators.negate(
                    Fold(FoldKind.ANY, var, source, cond, None, Bool(), None, cond.span), cond.span)
            case _:
                assert_never(source)


def _alternatives(cond: Expr) -> tuple[Expr, ...]:
    """Conditions of which one is enough."""
    either = next((one.parts for one in itself(cond, Or)), None)
    if either is not None:
        return either
    barred = next((one.args[0] for one in itself(cond, Op) if one.op is Operator.NOT), None)
    parts = next((one.parts for one in itself(barred, And)), None) if barred is not None else None
    return (cond,) if parts is None else tuple(typed_operators.negate(one, one.span) for one in parts)
