"""What players still have when the game is counted up: where other answers to "does it count?" are asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from referee.core.expr import Expr, Fold, FoldKind, If, Operator, Place, Within
from referee.core.ruleset import Core, Form
from referee.core.stmt import Block, Call, Each, Origin, Repeat, Stmt
from referee.core.traverse import bodies, itself, rewrite_each, walk
from referee.frontend.expressions import typed_operators
from referee.frontend.names.other_answers import OtherAnswers
from referee.other_rules.players.player_rounds import asking_procedures, asks

A = TypeVar("A")
LEFT, COUNTS_TOO, COUNTS_AGAINST = "left_over", "counts_too", "counts_against"
_SUMS = (FoldKind.COUNT, FoldKind.SUM)


class ThingsLeft:
    """What one core counts up at the end: its score, and what stands behind everything that somebody decides."""

    def __init__(self, core: Core, others: OtherAnswers) -> None:
        self._core, self._others = core, others
        self._used = {place.zone for one in core.actions.values() for param in one.params
                      for place in walk(param.source, Place)}  # fmt: skip

    def made(self) -> Core:
        """The rules with what players still have counted too, or against them, for other answers."""
        core = self._core
        asking = asking_procedures(core)
        first = max((at + 1 for at, stmt in enumerate(core.main) if self._goes_on(stmt, asking)),
                    default=len(core.main))  # fmt: skip
        last = core.main[first:]
        called = {one.procedure for one in walk(last, Call)} - asking
        called -= {one.procedure for body in (core.main[:first], *bodies(core)[1:]) for one in walk(body, Call)}
        return replace(
            core, main=(*core.main[:first], *self._in(last)),
            score=None if core.score is None else self._in(core.score),
            procedures={name: replace(one, body=self._in(one.body)) if name in called else one
                        for name, one in core.procedures.items()},
        )  # fmt: skip

    def _goes_on(self, stmt: Stmt, asking: frozenset[str]) -> bool:
        looped = any(True for _ in itself(stmt, Repeat, Each))
        block: Block = (stmt,)
        return asks(block, asking) and (looped or any(True for _ in walk(block, Call)))

    def _in(self, node: A) -> A:
        return rewrite_each(node, Fold, self._other, lambda _: False)

    def _other(self, fold: Fold) -> Expr | None:
        inner = replace(fold, where=fold.where and self._in(fold.where), body=fold.body and self._in(fold.body))
        places = [one.place for one in itself(fold.source, Within) if one.place.spot is None]
        beside = self._beside(places[0]) if places and fold.kind in _SUMS and fold.span is not None else None
        if beside is None or fold.span is None:
            return inner
        there = replace(inner, source=Within(replace(places[0], zone=beside, end=None)), span=None)
        made: Expr = inner
        for name, op in ((COUNTS_AGAINST, Operator.SUB), (COUNTS_TOO, Operator.ADD)):
            test = self._others.test(LEFT, name, Origin(fold.span), alone=True, here=places[0].zone, beside=beside)
            if test is not None:
                both = typed_operators.arithmetic(op, inner, there)
                kind = typed_operators.join(both.type, made.type)
                assert kind is not None
                made = If(test, both, made, kind, fold.span)
        return made

    def _beside(self, place: Place) -> str | None:
        """The only other zone of players with the same components, which are used from there."""
        core, zone = self._core, self._core.zones[place.zone]
        if len(place.keys) != 1 or zone.form is not Form.BAG:
            return None
        found = [one.name for one in core.zones.values() if one.name != zone.name and one.name in self._used
                 and one.kinds == zone.kinds and one.keys == zone.keys and one.form is Form.BAG]  # fmt: skip
        return found[0] if len(found) == 1 and zone.name not in self._used else None
