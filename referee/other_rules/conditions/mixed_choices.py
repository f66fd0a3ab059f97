"""What is chosen together or one after the other: whether it may be mixed, or the same twice, is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from referee.core.expr import Expr, Fold, FoldKind, Local, Look, Members, Op, Operator, Or
from referee.core.read_write_sets import locals_of
from referee.core.ruleset import Core, Table
from referee.core.stmt import Action, Guard, Param
from referee.core.traverse import drawn_actions, itself, walk
from referee.core.types import COMPONENT, Bool, Elem, Many
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers

MIXED, ALL_ALIKE, NOT_TWICE_THE_SAME = "mixed", "all_alike", "not_the_same_twice"
ONE, OTHER = "one of them", "other of them"


def with_choices_alike(core: Core, others: OtherAnswers) -> Core:
    """The rules with each choice of several components, for another answer all alike in the column that tells them
    apart least; and with two choices of an action from the same, for another answer not the same twice."""
    drawn = drawn_actions(core)

    def guards(action: Action) -> Iterator[Guard]:
        for param in action.params:
            for column, cond in _alike(core, action, param):
                test = others.test(MIXED, ALL_ALIKE, param.origin, act=action.label, column=column)
                if test is not None:
                    needed = Or((typed_operators.negate(test), cond))
                    yield Guard("they are alike", needed, param.origin)
        for one, other in combinations(action.params, 2):
            if not _are_from_the_same(action, one, other):
                continue
            test = others.test(MIXED, NOT_TWICE_THE_SAME, other.origin, act=action.label)
            if test is not None:
                apart = Op(Operator.NE, (Local(one.name, one.type), Local(other.name, other.type)), Bool())
                yield Guard("they are not the same", Or((typed_operators.negate(test), apart)), other.origin)

    return replace(core, actions={
        name: one if name in drawn else replace(one, guards=(*one.guards, *guards(one)))
        for name, one in core.actions.items()
    })  # fmt: skip


def _alike(core: Core, action: Action, param: Param) -> Iterator[tuple[str, Expr]]:
    """The column in which several components could have to be alike, and that they are; none if a condition or what may
    be chosen speaks of such a column already, or of one chosen alone."""
    several = [one for one in itself(param.type, Many) if one.of.domain == COMPONENT]
    if not several or param.among is not None or several[0].most < 2:
        return
    table = _column(core, several[0].of)
    if table is None or any(param.name in locals_of(one.cond) and _looks_up(one.cond) for one in action.guards):
        return
    if _looks_up(param.source):
        return
    chosen = Members(Local(param.name, param.type))
    one, other = (Look(table.name, (Local(name, several[0].of),), table.type) for name in (ONE, OTHER))
    same = Fold(FoldKind.ALL, OTHER, chosen, None, typed_operators.equal(one, other), Bool())
    yield table.name.partition(" of ")[0], Fold(FoldKind.ALL, ONE, chosen, None, same, Bool())


def _looks_up(node: object) -> bool:
    return any(True for look in walk(node, Look) for key in look.keys for one in walk(key.type, Elem)
               if one.domain == COMPONENT)  # fmt: skip


def _column(core: Core, of: Elem) -> Table | None:
    """What is printed on all of them, by the fewest different values of more than one."""
    found = [(one, key.lo) for one in core.tables.values() if len(one.keys) == 1 and " of " in one.name
             for key in walk(one.keys[0], Elem)
             if key.domain == COMPONENT and key.lo <= of.lo and of.hi <= key.hi]  # fmt: skip
    told = [(len({one.values[at - lo] for at in range(of.lo, of.hi + 1)}), one.name, one) for one, lo in found]
    return min((one for one in told if 1 < one[0] <= of.hi - of.lo), key=lambda one: one[:2], default=(0, "", None))[2]


def _are_from_the_same(action: Action, one: Param, other: Param) -> bool:
    """Whether two are chosen from the same players, cells or values, and nothing says of both how they go together."""
    kinds = [kind for kind in itself(one.type, Elem) if kind.domain != COMPONENT]
    if not kinds or one.type != other.type or one.source != other.source or None in (one.arg, other.arg):
        return False
    return not any({one.name, other.name} <= locals_of(guard.cond) for guard in action.guards)
