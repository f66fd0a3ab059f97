"""What an action costs: whether it is paid, or only has to be there, and whether that is one number."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from referee.core.expr import Const, Expr, Get, If, Local, Op, Operator
from referee.core.ruleset import Core, Role
from referee.core.stmt import Action, Branch, Put
from referee.core.traverse import itself, rewrite_each, statements, walk
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers

PRICE, ONLY_NEEDED = "price", "only_needed"
AS_REQUIRED, AS_PAID = "takes_what_it_requires", "requires_what_it_takes"
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


def with_one_number(core: Core, others: OtherAnswers) -> Core:
    """The rules with each action that requires one number of what somebody has and takes another one away; for another
    answer it takes as many as it requires, or requires as many as it takes."""
    return replace(core, actions={name: _of_one_number(core, one, others) for name, one in core.actions.items()})


def _of_one_number(core: Core, action: Action, others: OtherAnswers) -> Action:
    for guard, put in ((guard, put) for guard in action.guards for put in statements(action.body, Put)):
        found = _two_numbers(core, guard.cond, put)
        if found is None:
            continue
        required, kept, needed, paid = found
        tests = [others.test(PRICE, name, put.origin, alone=True, act=action.label, needed=_number(needed),
                             paid=_number(paid)) for name in (AS_REQUIRED, AS_PAID)]  # fmt: skip
        if tests[0] is None or tests[1] is None:
            continue
        less = typed_operators.arithmetic(Operator.SUB, kept, _either(tests[0], needed, paid))
        enough = replace(guard, cond=replace(required, args=(kept, _either(tests[1], paid, needed))))
        return replace(action, guards=tuple(enough if one is guard else one for one in action.guards),
                       body=rewrite_each(action.body, Put, partial(_instead, put, replace(put, value=less)),
                                         lambda _: False))  # fmt: skip
    return action


def _two_numbers(core: Core, cond: Expr, put: Put) -> tuple[Op, Get, Expr, Expr] | None:
    """Of a condition that so many are there, and a statement that takes so many of them away, the comparison, what is
    looked at, and both numbers, if they are not the same."""
    if put.more or not _is_own(put) or not _takes_away(core, put):
        return None
    for required in (one for one in itself(cond, Op) if one.op is Operator.GE):
        for kept in itself(required.args[0], Get):
            for less in (one for one in itself(put.value, Op) if one.op is Operator.SUB):
                needed, paid = required.args[1], less.args[1]
                if (kept.var, kept.keys) == (put.var, put.keys) and needed != paid:
                    return required, kept, needed, paid
    return None


def _instead(of: Put, made: Put, one: Put) -> Put | None:
    return made if one is of else None


def _either(test: Expr, one: Expr, other: Expr) -> Expr:
    kind = typed_operators.join(one.type, other.type)
    assert kind is not None
    return If(test, one, other, kind)


def _number(value: Expr) -> str:
    """A number that is written; empty for one that is worked out."""
    return next((str(one.value) for one in itself(value, Const)), "")
