"""Rows of components: at which end something is laid, and where a gap is filled."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import At, Const, End, Expr, Fold, FoldKind, Get, Local, Numbers, Operator, Place, Within
from referee.core.ruleset import Core, Form, Role, Var
from referee.core.stmt import Block, Branch, Chance, Move, Put, Stmt
from referee.core.traverse import bodies, itself, rewrite_each, rules_of, statements, walk, with_blocks
from referee.core.types import Elem, Int, Maybe
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers

ROWS, AT_OTHER_END, INTO_GAP = "rows", "at_the_other_end", "into_the_gap"
END_THAT_IS_TAKEN = "at_the_other_end_than_what_is_taken"
GAP, POSITION = "where there is a gap in", "position in it"


class Rows:
    """The moves of one core into rows."""

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others
        self._gaps: dict[str, Var] = {}
        self._taken = {move.source.zone for one in core.actions.values() for move in statements(one.body, Move)
                       if self._is_row(move.source) and move.what in self._named(move)}  # fmt: skip
        rules = rules_of(core)
        looked_at = (*(one.source for one in walk(rules, Move)), *(one.place for one in walk(rules, Within)))
        self._ordered = {at.place.zone for at in walk(rules, At)} | {
            place.zone for place in looked_at if place.spot is not None or place.end is not None}  # fmt: skip
        """The zones of which some rule asks what lies on which place."""
        taken = [move.source for block in bodies(core) for move in statements(block, Move)]
        self._taken_at_ends = {one.zone for one in taken if _is_first(one)} & {
            one.zone for one in taken if _is_last(one)}  # fmt: skip
        """Those from either end of which something is taken."""

    def made(self) -> Core:
        """The rules with both other answers; set-up is left as it is."""
        core = self._core
        setup, play = core.main[: core.setup], core.main[core.setup :]
        begun = {one.action for one in walk(setup, Chance)}
        made = replace(
            core, main=(*setup, *self._laid(play)),
            actions={name: one if name in begun else replace(one, body=self._laid(one.body))
                     for name, one in core.actions.items()},
            procedures={name: replace(one, body=self._laid(one.body)) for name, one in core.procedures.items()},
        )  # fmt: skip
        if not self._gaps:
            return made
        return replace(
            made, vars={**made.vars, **self._gaps}, main=(*setup, *self._noted(made.main[core.setup :])),
            actions={name: replace(one, body=self._noted(one.body)) for name, one in made.actions.items()},
            procedures={name: replace(one, body=self._noted(one.body)) for name, one in made.procedures.items()},
        )  # fmt: skip

    def _is_row(self, place: Place) -> bool:
        return self._core.zones[place.zone].form is Form.LINE and not place.keys

    def _named(self, move: Move) -> list[Local]:
        return list(itself(move.what, Local)) if move.number is None else []

    # ------------------------------------------------------------------ laid
    def _laid(self, block: Block) -> Block:
        return rewrite_each(block, Move, self._instead, lambda _: False)

    def _instead(self, move: Move) -> Stmt | None:
        to = move.to
        if self._core.zones[to.zone].form is not Form.LINE or to.spot is not None or move.source.zone == to.zone:
            return None
        if to.zone not in self._ordered:
            return None  # no rule would notice
        made: Stmt = move
        name = END_THAT_IS_TAKEN if to.zone in self._taken_at_ends else AT_OTHER_END
        test = self._others.test(ROWS, name, move.origin, alone=True, row=to.zone)
        if test is not None:
            end = End.BOTTOM if to.end is not End.BOTTOM else End.TOP
            made = Branch(test, (replace(move, to=replace(to, end=end)),), (made,), move.origin)
        if to.zone in self._taken and not to.keys:
            test = self._others.test(ROWS, INTO_GAP, move.origin, alone=True, row=to.zone)
            if test is not None:
                gap = self._gap(to.zone, move)
                there = replace(move, to=replace(to, end=None, spot=gap))
                made = Branch(test, (self._there(gap, there, move),), (made,), move.origin)
        return None if made is move else made

    def _gap(self, zone: str, move: Move) -> Expr:
        name = f"{GAP} {zone}"
        kind = Int(0, self._core.zones[zone].capacity)
        self._gaps.setdefault(name, Var(name, (), kind, kind.hi, Role.REGISTER, move.origin))
        return Get(name, (), kind)

    def _there(self, gap: Expr, there: Move, move: Move) -> Stmt:
        """Into the gap, if there is one."""
        zone = self._core.zones[move.to.zone]
        number = Fold(FoldKind.COUNT, "it", Within(replace(move.to, end=None)), None, None, Int(0, zone.capacity))
        inside = typed_operators.compare(Operator.LT, gap, number)
        none = Put(f"{GAP} {zone.name}", (), typed_operators.number(zone.capacity), move.origin)
        return Branch(inside, (there, none), (move,), move.origin)

    # ------------------------------------------------------------------ taken
    def _noted(self, block: Block) -> Block:
        """With a note of where something was taken from."""
        found: list[Stmt] = []
        for stmt in block:
            for move in itself(stmt, Move):
                if f"{GAP} {move.source.zone}" in self._gaps and self._named(move):
                    found.append(self._at(move))
            found.append(with_blocks(stmt, self._noted))
        return tuple(found)

    def _at(self, move: Move) -> Stmt:
        name = f"{GAP} {move.source.zone}"
        capacity = self._core.zones[move.source.zone].capacity
        position = Local(POSITION, Int(0, capacity))
        (kind,) = walk(move.what.type, Elem)
        lies = At(replace(move.source, spot=None, end=None), position, Maybe(kind))
        here = typed_operators.equal(lies, move.what)
        none = typed_operators.number(capacity)
        every = Numbers(typed_operators.number(0), none)
        first = Fold(FoldKind.MIN, POSITION, every, here, position, Int(0, capacity), none)
        return Put(name, (), first, move.origin)


def _is_first(place: Place) -> bool:
    return any(one is place.spot and one.value == 0 for one in walk(place.spot, Const))


def _is_last(place: Place) -> bool:
    """Whether a position hangs on how many there are."""
    return any(one.place == replace(place, spot=None) for one in walk(place.spot, Within))
