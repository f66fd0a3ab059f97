"""Supplies that run out: what is taken from them is as much as is there, or none; what needs all of it, or makes do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from referee.core.expr import Const, Expr, Fold, FoldKind, If, Local, Op, Operator, Or, Within
from referee.core.ruleset import Core
from referee.core.stmt import Action, Bind, Block, Chance, Decide, Guard, Move, Origin, Stmt
from referee.core.traverse import drawn_actions, in_play, statements, walk, with_blocks
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.statements.decisions import ALL_THERE_ARE, SHORTAGE
from referee.frontend.statements.draws import NONE_THEN
from referee.other_rules.forms import as_a


def with_none_from_a_supply(core: Core, others: OtherAnswers) -> Core:
    """The rules with each move of at most so many out of what is nobody's; for another answer none are moved, if there
    are not so many."""

    def inside(block: Block) -> Block:
        found = [with_blocks(stmt, inside) for stmt in block]
        for at, (named, move) in enumerate(pairwise(found)):
            kept, taken = as_a(named, Bind), as_a(move, Move)
            if kept is not None and taken is not None and taken.number == Local(kept.name, kept.value.type):
                found[at] = _or_none(core, kept, taken, others)
        return tuple(found)

    return in_play(core, inside)


def _or_none(core: Core, kept: Bind, move: Move, others: OtherAnswers) -> Stmt:
    capped = as_a(kept.value, Op)
    if capped is None or capped.op is not Operator.LOWER or move.source.keys or not core.statements_in(
        move.origin.cites):  # fmt: skip
        return kept
    counted = (one for one in map(_counted, capped.args) if one is not None)
    there = next((one for one in counted if _zone(one) == move.source.zone), None)
    wanted = next((one for one in capped.args if one != there), None)
    test = None if there is None or wanted is None else others.test(SHORTAGE, NONE_THEN, move.origin)
    if test is None or there is None or wanted is None:
        return kept
    few = typed_operators.both((test, typed_operators.compare(Operator.LT, there, wanted)))
    kind = typed_operators.join(capped.type, typed_operators.number(0).type)
    assert kind is not None
    return replace(kept, value=If(few, typed_operators.number(0), kept.value, kind))


def with_draws_of_what_is_left(core: Core, others: OtherAnswers) -> Core:
    """The rules with each action that requires as much to lie in a zone as it takes from there; where another answer is
    that all there are are taken, that is no condition any more, if only one is there."""
    drawn = drawn_actions(core)
    made = {name: _unguarded(core, one, others) for name, one in core.actions.items() if name not in drawn}
    return replace(core, actions={**core.actions, **made})


def _unguarded(core: Core, action: Action, others: OtherAnswers) -> Action:
    return replace(action, guards=tuple(_free(core, action, guard, others) for guard in action.guards))


def _free(core: Core, action: Action, guard: Guard, others: OtherAnswers) -> Guard:
    compared = as_a(guard.cond, Op)
    if compared is None or compared.op not in (Operator.GE, Operator.GT):
        return guard
    there, least = _counted(compared.args[0]), as_a(compared.args[1], Const)
    if there is None or least is None or there.where is not None:
        return guard
    number = int(str(least.value)) + (compared.op is Operator.GT)
    for where in _takes(core, action.body, _zone(there), number) if number > 1 else ():
        test = others.test(SHORTAGE, ALL_THERE_ARE, where)
        if test is not None:
            some = typed_operators.compare(Operator.GT, there, typed_operators.number(0))
            return replace(guard, cond=Or((typed_operators.both((test, some)), guard.cond)))
    return guard


def _takes(core: Core, block: Block, zone: str, number: int) -> Iterator[Origin]:
    """Where a block has exactly so many drawn or chosen from a zone."""
    for asked in statements(block, Chance, Decide):
        chance = as_a(asked, Chance)
        names = [chance.action] if chance is not None else [
            one.action for each in walk(asked, Decide) for one in each.options]  # fmt: skip
        for param in (param for name in names for param in core.actions[name].params if param.count is not None):
            source = as_a(param.source, Within)
            numbers = [one.value for end in param.count or () for one in walk(end, Const)]
            if source is not None and source.place.zone == zone and number in numbers:
                yield asked.point.origin


def _counted(value: Expr) -> Fold | None:
    """A number of what lies in a zone."""
    found = as_a(value, Fold)
    return found if found is not None and found.kind is FoldKind.COUNT and _zone(found) else None


def _zone(fold: Fold) -> str:
    source = as_a(fold.source, Within)
    return "" if source is None else source.place.zone
