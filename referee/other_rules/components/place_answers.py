"""What is counted or gone through in a place: with what lies in a like place, or without what is marked."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from referee.core.expr import Expr, Fold, FoldKind, Get, If, Local, Members, Op, Operator, Or, Place, Where, Within
from referee.core.ruleset import Core, Form, Role, Zone
from referee.core.stmt import Move, Origin, Param
from referee.core.traverse import bodies, itself, rewrite_each, statements, walk
from referee.core.types import COMPONENT, Bool, Elem, Scalar, SetOf, Type
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.components.moved_piece import WHICH_SET

A = TypeVar("A")
IT = "one of them"
BESIDES, UNMARKED = "also_what_lies_beside", "only_the_unmarked"
_SUMS = (FoldKind.COUNT, FoldKind.SUM)


class PlaceAnswers:
    """The folds of one core over what lies in a place."""

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others
        self._beside = {zone.name: other for zone in core.zones.values()
                        if (other := self._like(zone)) is not None}  # fmt: skip
        self._marks = [var for var in core.vars.values() if var.role is Role.STATE and var.type == Bool()
                       and var.start is False and len(var.keys) == 1 and any(
                           key.domain == COMPONENT for key in walk(var.keys[0], Elem))]  # fmt: skip

    def made(self) -> Core:
        """The rules with all these answers; set-up is left as it is."""
        core = self._core
        setup, play = core.main[: core.setup], core.main[core.setup :]
        return replace(
            core, main=(*setup, *self._in(play)),
            actions={n: replace(self._in(one), params=tuple(self._offered(self._in(param)) for param in one.params))
                     for n, one in core.actions.items()},
            procedures={n: self._in(one) for n, one in core.procedures.items()},
        )  # fmt: skip

    def _in(self, node: A) -> A:
        return rewrite_each(node, Fold, self._other, lambda _: False)

    def _offered(self, param: Param) -> Param:
        """What an action takes from a place; for another answer also from the like one."""
        places = [one.place for one in itself(param.source, Within)]
        if not places or param.count is not None or places[0].zone not in self._beside or places[0].spot is not None:
            return param
        test = self._others.test(WHICH_SET, BESIDES, param.origin, alone=True, here=places[0].zone,
                                 beside=self._beside[places[0].zone])  # fmt: skip
        if test is None:
            return param
        (kind,) = walk(param.type, Elem)
        there = replace(places[0], zone=self._beside[places[0].zone])
        here, more = (Where(IT, Within(place), None, SetOf(kind)) for place in (places[0], there))
        both = Op(Operator.UNION, (here, more), SetOf(kind))
        return replace(param, source=Members(If(test, both, here, SetOf(kind))))

    def _like(self, zone: Zone) -> str | None:
        """The only other zone of players with the same components that everybody sees and that is used from, and into
        which nothing goes from here: what lies there is as much in play."""
        core = self._core
        used = {place.zone for one in core.actions.values() for param in one.params
                for place in walk(param.source, Place)}  # fmt: skip
        left = {move.to.zone for body in bodies(core) for move in statements(body, Move)
                if move.source.zone == zone.name}  # fmt: skip
        found = [one.name for one in core.zones.values()
                 if one.name != zone.name and one.name in used - left and one.kinds == zone.kinds
                 and zone.keys and (one.keys, one.sight, one.form) == (zone.keys, zone.sight, zone.form)]  # fmt: skip
        return found[0] if len(found) == 1 and zone.name in used and zone.form is Form.BAG else None

    # ------------------------------------------------------------------ folds
    def _other(self, fold: Fold) -> Expr | None:
        inner = replace(fold, where=fold.where and self._in(fold.where), body=fold.body and self._in(fold.body))
        places = [one for one in itself(fold.source, Within) if one.place.spot is None]
        if fold.span is None or not places or fold.kind not in (*_SUMS, FoldKind.ANY, FoldKind.ALL):
            return inner
        place, where = places[0].place, Origin(fold.span)
        made = self._unmarked(inner, where)
        if place.zone not in self._beside:
            return made
        beside = self._beside[place.zone]
        test = self._others.test(WHICH_SET, BESIDES, where, alone=True, here=place.zone, beside=beside)
        if test is None:
            return made
        there = replace(inner, source=Within(replace(place, zone=self._beside[place.zone])), span=None)
        return If(test, _together(inner, there), made, _type(inner), fold.span)

    def _unmarked(self, fold: Fold, where: Origin) -> Fold:
        """The fold without the members that have a mark of which it says nothing, for another answer."""
        member = next((one for one in walk((fold.where, fold.body), Local) if one.name == fold.var), None)
        read = {one.var for one in walk((fold.where, fold.body), Get)}
        if member is None or not read:
            return fold
        marks = [var for var in self._marks if var.name not in read and _of(var.keys[0], member.type)]
        test = self._others.test(WHICH_SET, UNMARKED, where, alone=True) if marks else None
        if test is None:
            return fold
        none = typed_operators.both(typed_operators.negate(Get(var.name, (member,), Bool())) for var in marks)
        cond: Expr = Or((typed_operators.negate(test), none))
        return replace(fold, where=cond if fold.where is None else typed_operators.both((fold.where, cond)))


def _together(here: Fold, there: Fold) -> Expr:
    match here.kind:
        case FoldKind.ANY:
            return Or((here, there))
        case FoldKind.ALL:
            return typed_operators.both((here, there))
        case _:
            return typed_operators.arithmetic(Operator.ADD, here, there)


def _type(fold: Fold) -> Type:
    return _together(fold, fold).type


def _of(key: Scalar, member: Type) -> bool:
    return any(one.domain == other.domain and one.lo <= other.lo and other.hi <= one.hi
               for one in walk(key, Elem) for other in walk(member, Elem))  # fmt: skip
