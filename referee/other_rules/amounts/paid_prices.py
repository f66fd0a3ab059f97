"""What an action costs: whether it is paid, or only has to be there."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import Expr, Get, Local, Op, Operator
from referee.core.ruleset import Core, Role
from referee.core.stmt import Action, Branch, Put
from referee.core.traverse import rewrite_each, walk
from referee.diagnostics.source import Span
from referee.frontend.names.other_answers import OtherAnswers

PRICE, ONLY_NEEDED = "price", "only_needed"
_ENOUGH = (Operator.GE, Operator.LE, Operator.GT, Operator.LT)


def with_prices_only_needed(core: Core, others: OtherAnswers) -> Core:
    """The rules with each price that an action requires of somebody and takes away; for another answer it is only
    required."""

    def free(action: Action) -> Action:
        required = {(one.var, one.keys) for guard in action.guards for op in walk(guard.cond, Op) if op.op in _ENOUGH
                    for one in op.args if isinstance(one, Get)}  # fmt: skip

        def kept(put: Put) -> object | None:
            if (put.var, put.keys) not in required or put.more or not _is_own(put) or not _takes_away(core, put):
                return None
            test = others.test(PRICE, ONLY_NEEDED, put.origin)
            return None if test is None else Branch(test, (), (put,), put.origin)

        return replace(action, body=rewrite_each(action.body, Put, kept, lambda _: False))

    return replace(core, actions={name: free(one) for name, one in core.actions.items()})


def comparisons_with_prices(core: Core) -> frozenset[Span]:
    """Where it is tested whether there is enough for what is then taken away: what is just enough is enough."""
    found = set[Span]()
    for action in core.actions.values():
        taken = {(put.var, put.keys) for put in walk(action.body, Put) if _takes_away(core, put)}
        found |= {op.span for guard in action.guards for op in walk(guard.cond, Op) if op.op in _ENOUGH and op.span
                  and any((one.var, one.keys) in taken for one in walk(op.args[0], Get))}  # fmt: skip
    return frozenset(found)


def _is_own(put: Put) -> bool:
    """Whether it is of who acts: nobody pays with what others have."""
    return any(one.name == "me" for one in walk(put.keys, Local))


def _takes_away(core: Core, put: Put) -> bool:
    """Whether a statement lowers what it stores."""
    value: Expr = put.value
    while isinstance(value, Op) and value.op is Operator.HIGHER:  # not below something
        value = value.args[0]
    return (core.vars[put.var].role is Role.STATE and isinstance(value, Op) and value.op is Operator.SUB
            and isinstance(value.args[0], Get) and (value.args[0].var, value.args[0].keys) == (put.var, put.keys))
