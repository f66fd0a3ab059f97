"""Other answers to what happens where a limit is met of what a player may have.

The rules refuse it; by others it is exchanged, or something is given up first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from referee.core.expr import Const, Expr, Fold, FoldKind, Local, Op, Operator, Or, Place, Within
from referee.core.ruleset import Core, Form
from referee.core.stmt import Action, Block, Branch, Decide, Guard, Move, Option, Origin, Param, Point
from referee.core.traverse import drawn_actions, itself, statements, walk
from referee.core.types import COMPONENT, Elem, Int
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.components.destinations import OUTSIDE, outside

MOST_THINGS = 10_000
"""No more than so many things lie anywhere."""
LIMIT, EXCHANGED, GIVEN_UP_FIRST = "limit", "exchanged", "given_up_first"
GIVEN_UP = "given up"


class MetLimits:
    """The actions of one core that lay something where only so much may lie. `used`: where used things lie."""

    def __init__(self, core: Core, others: OtherAnswers, used: Sequence[str]) -> None:
        self._core, self._others, self._used = core, others, used
        self._drawn = drawn_actions(core)
        self._made: dict[str, Action] = {}

    def made(self) -> Core:
        """The rules with both other answers for each such limit."""
        actions = {name: one if name in self._drawn else self._past(one) for name, one in self._core.actions.items()}
        if not self._made:
            return self._core
        zones = {OUTSIDE: outside(self._core), **self._core.zones}
        return replace(self._core, actions={**actions, **self._made}, zones=zones)

    def _past(self, action: Action) -> Action:
        found = next(self._limits(action), None)
        if found is None:
            return action
        guard, place, most, kind = found
        tests = [self._others.test(LIMIT, name, guard.origin, act=action.label, there=place.zone)
                 for name in (EXCHANGED, GIVEN_UP_FIRST)]  # fmt: skip
        if tests[0] is None or tests[1] is None:
            return action
        full = typed_operators.compare(Operator.GE, _number(place), most)
        over = typed_operators.compare(Operator.GT, _number(place), most)
        before = self._asked(action, place, kind, typed_operators.both((tests[1], full)), guard.origin)
        after = self._asked(action, place, kind, typed_operators.both((tests[0], over)), guard.origin)
        free = replace(guard, cond=Or((tests[0], tests[1], guard.cond)))
        return replace(action, body=(*before, *action.body, *after),
                       guards=tuple(free if one is guard else one for one in action.guards))  # fmt: skip

    def _limits(self, action: Action) -> Iterator[tuple[Guard, Place, Expr, Elem]]:
        """The conditions that only so much lies somewhere, where the action lays something itself."""
        for guard in action.guards:
            for cond in itself(guard.cond, Op):
                if cond.op not in (Operator.LT, Operator.LE) or not any(
                        one is cond.args[1] for one in walk(cond.args[1], Const)):  # fmt: skip
                    continue
                place = _counted(cond.args[0])
                laid = [one for one in statements(action.body, Move) if place is not None and one.number is None
                        and one.to.zone == place.zone and one.to.keys == place.keys]  # fmt: skip
                if place is None or len(laid) != 1 or self._core.zones[place.zone].form is not Form.BAG:
                    continue
                kinds = [one for one in walk(laid[0].what.type, Elem) if one.domain == COMPONENT]
                one = typed_operators.number(1 if cond.op is Operator.LE else 0)
                if kinds and place.keys:
                    yield guard, place, typed_operators.arithmetic(Operator.ADD, cond.args[1], one), kinds[0]

    def _asked(self, action: Action, place: Place, kind: Elem, cond: Expr, where: Origin) -> Block:
        """Who acts gives one of them up, if a condition holds."""
        name = f"{action.name}.give up {len(self._made) + 1}"
        me = next(itself(place.keys[0], Local), None)
        if me is None or me.name != "me":
            return ()
        it = Local(GIVEN_UP, kind)
        there = next((one for one in self._used if one != place.zone
                      and self._core.zones[one].kinds == self._core.zones[place.zone].kinds), OUTSIDE)  # fmt: skip
        to = Place(there) if there == OUTSIDE or not self._core.zones[there].keys else Place(there, (me,))
        self._made[name] = Action(name, "give_up", (Param(it.name, "given_up", kind, Within(place), where),), (),
                                  (Move(it, None, place, to, where),), where)  # fmt: skip
        asked = Decide(Point(name, False, where), me, (Option(name),), None)
        return (Branch(cond, (asked,), (), where),)


def _counted(value: Expr) -> Place | None:
    """The place of which a value is how much lies there."""
    folds = [one for one in itself(value, Fold) if one.kind is FoldKind.COUNT and one.where is None]
    places = [one.place for fold in folds for one in itself(fold.source, Within)]
    return places[0] if places and places[0].spot is None else None


def _number(place: Place) -> Expr:
    return Fold(FoldKind.COUNT, "it", Within(place), None, None, Int(0, MOST_THINGS))
