"""Other answers to what a place must be free of to be empty.

Nothing of another sort may lie there either; or, where the rules look at two sorts, what lies there of the other does
not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.core.expr import At, Const, Expr, Fold, FoldKind, Let, Local, Op, Operator, Or, Place, Within
from referee.core.ruleset import Core, Zone
from referee.core.stmt import Action, Guard
from referee.core.traverse import rewrite, walk
from referee.core.types import COMPONENT, PLAYER, Elem, Int
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.components.moved_piece import WHICH_SET
from referee.other_rules.conditions.guard_answers import zones_laid_into
from referee.other_rules.forms import as_a, with_value

NOTHING_ELSE, SOMETHING_ELSE = "nothing_else_there", "something_else_may_lie_there"


def with_nothing_else_there(core: Core, others: OtherAnswers) -> Core:
    """The rules with conditions that nothing lies at a place; for another answer nothing may lie there either of what
    has places of its own."""
    return replace(core, actions={name: _with(core, one, others) for name, one in core.actions.items()})


def _with(core: Core, action: Action, others: OtherAnswers) -> Action:
    guards = list[Guard]()
    for guard in action.guards:
        conds: list[Expr] = [guard.cond]
        params = frozenset(param.name for param in action.params)
        for name, kind in {name: kind for name, kind, _, _ in _empty(_unnamed(guard.cond, params), params)}.items():
            looked_at = {one.zone for one in walk(guard.cond, Place)}
            for zone in (one for one in core.zones.values() if one.keys == (kind,) and one.name not in looked_at):
                test = others.test(WHICH_SET, NOTHING_ELSE, guard.origin, alone=True, apart=zone.name, act=action.label,
                                   kind=" or ".join(zone.kinds))  # fmt: skip
                if test is not None:
                    conds.append(Or((typed_operators.negate(test), _is_empty(zone, Local(name, kind)))))
        guards.append(guard if len(conds) == 1 else replace(guard, cond=typed_operators.both(conds), shows=()))
    return replace(action, guards=tuple(guards))


def _unnamed(cond: Expr, params: frozenset[str]) -> Expr:
    """A condition in which the arguments stand themselves where definitions have names of their own for them."""
    def spelled(part: object) -> object | None:
        let = as_a(part, Let)
        value = None if let is None else as_a(let.value, Local)
        if let is None or value is None or value.name not in params:
            return None
        return _unnamed(with_value(let.body, let.var, value), params)

    return rewrite(cond, spelled)


def _empty(cond: Expr, params: frozenset[str]) -> Iterator[tuple[str, Elem, str, Op]]:
    """The arguments of which a condition says that nothing lies there, with the zone, and where it says so."""
    for op in (one for one in walk(cond, Op) if one.op is Operator.EQ):
        fold, at, end = as_a(op.args[0], Fold), as_a(op.args[0], At), as_a(op.args[1], Const)
        here = None if fold is None else as_a(fold.source, Within)
        if end is None or end.value not in (0, None):
            continue
        keys = here.place.keys if here is not None and fold is not None and fold.where is None else (
            (at.spot,) if at is not None else ())  # fmt: skip
        zone = here.place.zone if here is not None else at.place.zone if at is not None else ""
        for key in keys:
            name, kind = as_a(key, Local), as_a(key.type, Elem)
            if name is not None and name.name in params and kind is not None and kind.domain not in (PLAYER, COMPONENT):
                yield name.name, kind, zone, op


def _is_empty(zone: Zone, at: Local) -> Expr:
    there = Fold(FoldKind.COUNT, "it", Within(Place(zone.name, (at,))), None, None, Int(0, zone.capacity))
    return typed_operators.equal(there, typed_operators.number(0))


def with_something_else_there(core: Core, others: OtherAnswers) -> Core:
    """The rules with conditions that things of several sorts are not at a place; for another answer only those count of
    which the action lays one there."""
    return replace(core, actions={name: _with_fewer(core, one, others) for name, one in core.actions.items()})


def _with_fewer(core: Core, action: Action, others: OtherAnswers) -> Action:
    laid, params = zones_laid_into(core, action), frozenset(param.name for param in action.params)
    guards = list[Guard]()
    for guard in action.guards:
        plain = made = _unnamed(guard.cond, params)
        found = list(_empty(made, params))
        for name, _, zone, op in found:
            beside = {there for other, _, there, _ in found if other == name}
            if zone in laid or not beside & laid:
                continue
            test = others.test(WHICH_SET, SOMETHING_ELSE, guard.origin, alone=True, apart=zone, act=action.label,
                               kind=" or ".join(core.zones[zone].kinds))  # fmt: skip
            if test is not None:
                made = _where_it_holds(made, op, test)
        guards.append(guard if made is plain else replace(guard, cond=made, shows=()))
    return replace(action, guards=tuple(guards))


def _where_it_holds(cond: Expr, op: Op, test: Expr) -> Expr:
    """A condition in which a part need not be so where a test holds."""
    return rewrite(cond, lambda part: Or((test, op)) if part is op else None)
