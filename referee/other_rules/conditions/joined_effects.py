"""Two effects of one sentence: another answer is that the player chooses one of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from referee.core.expr import Local, Members
from referee.core.read_write_sets import block_writes, locals_bound_in, locals_of, reads
from referee.core.ruleset import Core
from referee.core.stmt import (
    Action,
    Branch,
    Decide,
    Move,
    Option,
    Origin,
    Param,
    Point,
    Put,
    Stmt,
    is_whole,
    origin_of,
)
from referee.core.traverse import drawn_actions, itself, walk
from referee.core.types import Elem, Int
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers

JOINED, ONE_BY_CHOICE = "joined", "one_by_choice"
FIRST, SECOND = "take_the_first", "take_the_second"


class JoinedEffects:
    """The actions of one core with two effects that cite the same statement, one right behind the other."""

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others
        self._drawn = drawn_actions(core)
        self._made: dict[str, Action] = {}

    def made(self) -> Core:
        """The rules with a choice of one of the two, for another answer."""
        actions = {name: one if name in self._drawn else self._chosen(one) for name, one in self._core.actions.items()}
        return replace(self._core, actions={**actions, **self._made}) if self._made else self._core

    def _chosen(self, action: Action) -> Action:
        for at, (one, other) in enumerate(pairwise(action.body)):
            same = set(self._core.statements_in(origin_of(one).cites)) & set(
                self._core.statements_in(origin_of(other).cites))  # fmt: skip
            if not same or not self._gives(one, action) or not self._gives(other, action):
                continue
            if not _are_apart(one, other) or (at and not is_whole(action.body[at - 1])):
                continue
            where = Origin(origin_of(one).span, tuple(sorted(same)))
            test = self._others.test(JOINED, ONE_BY_CHOICE, where, alone=True, also=origin_of(other),
                                     act=action.label)  # fmt: skip
            if test is not None:
                asked = self._asked(action, one, other, where)
                body = (*action.body[:at], Branch(test, (asked,), (one, other), where), *action.body[at + 2 :])
                return replace(action, body=body)
        return action

    def _gives(self, stmt: Stmt, action: Action) -> bool:
        """Whether a statement gives who acts something, and speaks of nothing but what he has chosen."""
        mine = [one for one in itself(stmt, Put) if is_whole(stmt) and "me" in locals_of(one.keys)]
        mine_too = [one for one in itself(stmt, Move) if "me" in locals_of(one.to.keys)]
        known = {param.name for param in action.params if _is_simple(param)} | {"me"}
        return bool(mine or mine_too) and locals_of(stmt) - locals_bound_in(stmt) <= known

    def _asked(self, action: Action, one: Stmt, other: Stmt, where: Origin) -> Stmt:
        """Who acts is asked which of the two."""
        number = len(self._made) // 2 + 1
        options = []
        for label, stmt in ((FIRST, one), (SECOND, other)):
            name = f"{action.name}.{label} {number}"
            params = tuple(replace(param, arg=None, source=_itself(param)) for param in action.params
                           if param.name in locals_of(stmt))  # fmt: skip
            self._made[name] = Action(name, label, params, (), (stmt,), where)
            options.append(Option(name, tuple((param.name, Local(param.name, param.type)) for param in params)))
        (me,) = {it for it in walk((one,), Local) if it.name == "me"}
        return Decide(Point(f"{action.name}.one of two {number}", False, where), me, tuple(options), None)


def _are_apart(one: Stmt, other: Stmt) -> bool:
    """Whether neither looks at what the other does."""
    ours, theirs = block_writes((one,)), block_writes((other,))
    return not (ours & reads(other) or theirs & reads(one) or ours & theirs)


def _is_simple(param: Param) -> bool:
    return param.count is None and any(True for _ in (*walk(param.type, Elem), *walk(param.type, Int)))


def _itself(param: Param) -> Members:
    return Members(typed_operators.singleton(Local(param.name, param.type)))
