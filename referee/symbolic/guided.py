"""Expressions and statements where the unknowns have values: what cannot happen there is not followed."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.expr import Domainlike, Expr, Within
from referee.core.ruleset import Invariant
from referee.core.stmt import Move
from referee.core.types import Value
from referee.symbolic import term
from referee.symbolic.content import Content, Line, Slots
from referee.symbolic.evaluate import Context, Evaluator, Member
from referee.symbolic.guide import Guide
from referee.symbolic.leaves import changed
from referee.symbolic.perform import Performer
from referee.symbolic.term import Cond, Num
from referee.symbolic.value import Bits, Counts, Opt
from referee.symbolic.veil import Veiled


@dataclass
class GuidedContext(Context):
    """A context in a position whose unknowns have values."""

    @property
    def guide(self) -> Guide:
        """What the unknowns are."""
        assert isinstance(self.store, Veiled)
        return self.store.guide

    def sure(self, cond: Cond) -> Cond:
        """Whether a condition holds here."""
        return self.guide.cond(cond)


class GuidedEvaluator(Evaluator):
    """Turns expressions into terms; keys and members are what they are here."""

    def __init__(self, context: GuidedContext) -> None:
        super().__init__(context)
        self.guide = context.guide

    def key(self, expr: Expr) -> Num:
        return self.guide.number(self.number(expr))

    def members(self, source: Domainlike, once: bool) -> list[Member]:
        self.guide.check()
        found = super().members(source, once)
        return [Member(m.there, self.guide.number(m.value), m.number) for m in found if self.guide.cond(m.there)]

    def counted(self, held: Counts, once: bool) -> list[Member]:
        there = [(i, n) for i, n in held.members() if self.guide.number(n) > 0]
        return [Member(term.less(0, n), i, 1 if once else n) for i, n in there]

    def _there(self, source: Within) -> tuple[Content, Cond]:
        found, inside = super()._there(source)
        plain = isinstance(found, Line | Slots)  # or each class would be looked for on each spot
        return (changed(found, self.guide.leaf) if plain else found), inside

    def amount(self, expr: Expr | None) -> int:
        """What a number is here, not below 0; 1 if it is not said."""
        return 1 if expr is None else max(0, self.guide.number(self.number(expr)))

    def decoded(self, expr: Expr) -> Value:
        """The value of an expression here."""
        from referee.symbolic.decode import decode_value

        return decode_value(expr.type, self(expr), self.guide.leaf)


class GuidedPerformer(Performer):
    """Carries statements out where everything is decided."""

    def __init__(self, context: GuidedContext, watched: tuple[Invariant, ...]) -> None:
        super().__init__(context, watched)
        self.evaluate: GuidedEvaluator = GuidedEvaluator(context)

    def _moved(self, stmt: Move) -> Counts:
        what, guide = self.evaluate(stmt.what), self.evaluate.guide
        if isinstance(what, Counts | Bits):
            numbers = what.counts if isinstance(what, Counts) else tuple(map(term.number, what.bits))
            return Counts(what.lo, tuple(guide.number(n) for n in numbers))
        if isinstance(what, Opt):
            if not guide.cond(what.has):
                return super()._moved(stmt)
            what = what.value
        return Counts(guide.number(what), (self.evaluate.amount(stmt.number),))
