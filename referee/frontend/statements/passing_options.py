"""`if able`: the option of doing nothing, legal only if nothing else of what was offered is."""

from __future__ import annotations

from referee.core.expr import Expr, Fold, FoldKind, Let, Local, Members, Or
from referee.core.stmt import Action, Guard, Option, Origin, Param
from referee.core.types import Bool, Elem, Int
from referee.frontend.expressions import typed_operators
from referee.frontend.names.bindings import Idle
from referee.frontend.names.symbol_table import Symbols

LABEL = "pass"
GUARD = "there is nothing else that he could do"


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
            hint = "offer an action that `needs` what is missing instead of `if able`"
            symbols.reporter.error("AB01", said, idle.origin.span, hint=hint)
            continue
        action = symbols.actions[idle.action]
        guarded = (Guard(GUARD, _needed(symbols, idle, several is not None), idle.origin),)
        symbols.actions[idle.action] = Action(action.name, LABEL, action.params, guarded, (), action.origin)


def _needed(symbols: Symbols, idle: Idle, unknown: bool) -> Expr:
    """When the way out is open. `unknown`: whether somebody can take one of the others is."""
    if unknown and idle.also is not None:
        return idle.also
    able = [_possible(symbols.actions[o.action], index, o) for index, o in enumerate(idle.options)]
    unable = typed_operators.negate(able[0] if len(able) == 1 else Or(tuple(able)), idle.origin.span)
    return unable if idle.also is None else Or((idle.also, unable), idle.origin.span)


def _takes_several(action: Action, option: Option) -> bool:
    return any(param.count is not None for param in action.params if param.name not in dict(option.bound))


def _possible(action: Action, index: int, option: Option) -> Expr:
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
