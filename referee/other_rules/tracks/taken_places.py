"""Places of a board on which something lies already: whether more may be laid there is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from referee.core.expr import And, At, Const, Expr, Only, Op, Operator, Or, Place
from referee.core.ruleset import Core, Form
from referee.core.stmt import Action, Branch, Guard, Move
from referee.core.traverse import drawn_actions, itself, statements, walk
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.components.destinations import OUTSIDE, outside

TAKEN, REPLACED, REFUSED = "taken_place", "replaced", "refused"


@dataclass(frozen=True, slots=True)
class _Laid:
    """Something that an action lays on a spot, as its statement at a place of its body."""

    at: int
    move: Move


class TakenPlaces:
    """The actions of one core that lay something on a spot. `used`: where used things lie."""

    def __init__(self, core: Core, others: OtherAnswers, used: Sequence[str]) -> None:
        self._core, self._others, self._used = core, others, used
        self._drawn = drawn_actions(core)
        self._boxed = False

    def made(self) -> Core:
        """The rules with both other answers: what lies there gives way, or nothing can be laid there."""
        core = self._core
        actions = {name: one if name in self._drawn else self._asked(one) for name, one in core.actions.items()}
        zones = {OUTSIDE: outside(core), **core.zones} if self._boxed else core.zones
        return replace(core, actions=actions, zones=zones)

    def _asked(self, action: Action) -> Action:
        laid = next(self._laid(action), None)
        if laid is None:
            return action
        for guard in action.guards:
            here = next((at for part in _parts(guard.cond) if (at := _looked_at(part, laid.move.to)) is not None), None)
            if here is not None:
                return self._replacing(action, laid, guard, here)
        return self._refusing(action, laid)

    def _laid(self, action: Action) -> Iterator[_Laid]:
        """What it lays on a spot, in a line of its own, from somewhere else."""
        for at, stmt in enumerate(action.body):
            for move in itself(stmt, Move):
                to = move.to
                if to.spot is not None and self._core.zones[to.zone].form is Form.SLOTS and move.source.zone != to.zone:
                    yield _Laid(at, move)

    def _replacing(self, action: Action, laid: _Laid, guard: Guard, here: At) -> Action:
        """The place must be free; for another answer what lies there goes to where used things lie."""
        test = self._others.test(TAKEN, REPLACED, guard.origin, act=action.label)
        if test is None:
            return action
        place = laid.move.to
        there = next((one for one in self._used if not self._core.zones[one].keys
                      and self._core.zones[one].kinds == self._core.zones[place.zone].kinds), OUTSIDE)  # fmt: skip
        self._boxed |= there == OUTSIDE
        taken = typed_operators.negate(typed_operators.equal(here, typed_operators.nothing(here.type.of)))
        gone = Move(Only(here, here.type.of), None, place, Place(there), guard.origin)
        way = Branch(typed_operators.both((test, taken)), (gone,), (), guard.origin)
        parts = tuple(Or((test, part)) if _looked_at(part, place) == here else part for part in _parts(guard.cond))
        free = replace(guard, cond=parts[0] if len(parts) == 1 else And(parts))
        return replace(action, body=(*action.body[: laid.at], way, *action.body[laid.at :]),
                       guards=tuple(free if one is guard else one for one in action.guards))  # fmt: skip

    def _refusing(self, action: Action, laid: _Laid) -> Action:
        """What lies there is taken away first; for another answer the place must be free."""
        place = laid.move.to
        for stmt in action.body[: laid.at]:
            for branch in (one for one in itself(stmt, Branch) if not one.no):
                free = [one for one in walk(branch.cond, Op) if _looked_at(one, place) is not None]
                away = [one for one in statements(branch.yes, Move) if one.source == place and one.to != place]
                if branch.cond not in [typed_operators.negate(one) for one in free] or not away:
                    continue
                test = self._others.test(TAKEN, REFUSED, branch.origin, act=action.label)
                if test is not None:
                    needed = Or((typed_operators.negate(test), free[0]))
                    guard = Guard("the place is free", needed, branch.origin)
                    return replace(action, guards=(*action.guards, guard))
        return action


def _parts(cond: Expr) -> tuple[Expr, ...]:
    """The conditions that must hold all."""
    return next((one.parts for one in itself(cond, And)), (cond,))


def _looked_at(cond: Expr, place: Place) -> At | None:
    """What a condition looks at that says that nothing lies on a spot; None for any other condition."""
    for test in (one for one in itself(cond, Op) if one.op is Operator.EQ):
        here = next(itself(test.args[0], At), None)
        none = any(given is test.args[1] and given.value is None for given in walk(test.args[1], Const))
        if none and here is not None and here.place == place and here.spot == place.spot:
            return here
    return None
