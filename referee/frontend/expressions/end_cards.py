"""`the top card of Z`: what lies at an end of a line, or of a pile whose order everybody can see."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import At, End, Expr, If, Only, Op, Operator, Place, Where, Within
from referee.core.ruleset import Form
from referee.core.types import Elem, Int, Maybe, SetOf, Type
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import Terms
from referee.frontend.expressions.member_sources import MemberSources
from referee.frontend.names.bindings import Meaning, PlaceOf, Scope
from referee.frontend.names.tree_access import node, word
from referee.syntax.syntax_tree import Node


class EndCards:
    """The lowering of `the top card of Z` and `the bottom card of Z`: none if nothing lies there."""

    def __init__(self, terms: Terms, sources: MemberSources) -> None:
        self.terms = terms
        self.sources = sources
        self.symbols = terms.symbols
        terms.rules["end_card"] = self._end_card

    def _end_card(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        where = self.terms.place(node(term.parts[1]), scope)
        end = End.TOP if "top" in word(term.parts[0]).text else End.BOTTOM
        zone = self.symbols.zones[where.place.zone]
        if zone.form is Form.LINE:
            return self._of_line(where, end, term)
        if zone.form is not Form.PILE:
            said = f"{zone.name} is a {zone.form.value}: it has no top and no bottom"
            raise self.symbols.wrong("PL03", said, term.span)
        if not zone.sight.everybody:
            raise self.symbols.wrong(
                "PL03",
                f"not everybody sees what lies in {zone.name}, so what lies at its {end.value} is no value",
                term.span,
                hint=f"declare it `open`, or draw it: `draws 1 from {zone.name} as NAME`",
            )
        self.symbols.topped.setdefault(zone.name, term.span)
        return self.of_pile(where.place, end, term)

    def of_pile(self, place: Place, end: End, term: Node) -> Expr:
        """The component at an end of a pile of which each block is one component; none if it is empty."""
        kind = self.terms.component_type(self.symbols.zones[place.zone])
        there = Where(self.sources.fresh("top"), Within(replace(place, end=end)), None, SetOf(kind), term.span)
        size = Op(Operator.SIZE, (there,), Int(0, kind.hi - kind.lo + 1), term.span)
        nothing = typed_operators.equal(size, typed_operators.number(0), term.span)
        one = Only(there, kind, term.span)
        return If(nothing, typed_operators.nothing(kind, term.span), one, Maybe(kind), term.span)

    def _of_line(self, found: PlaceOf, end: End, term: Node) -> Expr:
        source = self.terms.through(found, term.span)
        position: Expr = typed_operators.number(0)
        if end is End.TOP:
            number, one = self.sources.counted(source, self.sources.fresh("one"), term.span), typed_operators.number(1)
            last = typed_operators.arithmetic(Operator.SUB, number, one, term.span)
            position = typed_operators.arithmetic(Operator.HIGHER, last, position, term.span)
        assert isinstance(source.type, Elem)
        return At(found.place, position, Maybe(source.type), term.span)
