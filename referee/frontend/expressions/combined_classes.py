"""Components of a kind with a class for each combination: one by its members, those with one of them."""

from __future__ import annotations

from typing import assert_never

from referee.core.decided_values import decided
from referee.core.expr import Const, Expr
from referee.core.types import COMPONENT, Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions.coercions import Terms
from referee.frontend.names.bindings import ComponentKind, Meaning, Noun, Scope
from referee.frontend.names.tree_access import node, word
from referee.syntax.syntax_tree import Node, Word

Column = tuple[str, Elem]


class CombinedKinds:
    """The lowering of `Card(queen, clubs)` and `Card of clubs`."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.symbols = terms.symbols

    def combination(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """The one class with these members, in whatever order they stand."""
        name, said = word(term.parts[0]), [node(part) for part in node(term.parts[1]).parts]
        kind = self._kind(name)
        kinds = tuple(of for _, of in kind.columns)
        if len(said) != len(kinds):
            raise self.terms.miscounted(name, kinds, len(said), called=True)
        found: dict[str, Expr] = {}
        for one in said:
            column, value = self._member(kind, one, scope, tuple(c for c in kind.columns if c[0] not in found))
            found[column] = value
        table = self.symbols.tables[kind.by_columns]
        one_of = self.terms.looked_up(table, tuple(found[column] for column, _ in kind.columns), term.span)
        known = decided(one_of, {})
        if known is not None:
            assert isinstance(known.value, int)
            return Const(known.value, Elem(COMPONENT, known.value, known.value), term.span)
        return one_of

    def having(self, kind: ComponentKind, said: Node, scope: Scope, span: Span) -> Noun:
        """`Card of clubs`: every class of the kind with this member."""
        column, value = self._member(kind, said, scope, kind.columns)
        table = self.symbols.tables[kind.by_column(column)]
        among = self.terms.looked_up(table, (value,), span)
        known = decided(among, {})
        if known is None:
            return Noun(kind.type, None, span, among)
        assert isinstance(known.value, frozenset)
        classes = Elem(COMPONENT, min(known.value), max(known.value))
        together = classes.hi - classes.lo + 1 == len(known.value)
        one = Const(classes.lo, classes, span) if classes.lo == classes.hi else None
        return Noun(classes, one, span, None if together else among)

    def _kind(self, name: Word) -> ComponentKind:
        kind = self.symbols.kinds.get(name.text)
        if kind is None or not kind.columns:
            known = {k.name for k in self.symbols.kinds.values() if k.columns}
            if kind is None:
                raise self.symbols.unknown(name, "a kind that is each of several types", known)
            raise self.symbols.wrong("KD02", f"{name.text} is not `each of` several types", name.span)
        return kind

    def _member(self, kind: ComponentKind, said: Node, scope: Scope, columns: tuple[Column, ...]) -> tuple[str, Expr]:
        """The column that a value is of, and the value."""
        for column, of in columns if self._bare(said, scope) else ():
            if self.symbols.labelled(of, _label(said)) is not None:
                return column, self.terms.value(said, scope, of)
        value = self.terms.value(said, scope)
        for column, of in columns:
            if _domain(value.type) == of.domain:
                return column, self.terms.fit(value, of, said.span)
        expected = tuple(self.symbols.describe(of) for _, of in columns)
        shown = self.symbols.text(said.span)
        raise self.symbols.wrong("KD02", f"`{shown}` is no column of {kind.name}", said.span, expected=expected)

    def _bare(self, said: Node, scope: Scope) -> bool:
        return said.kind == "int" or (said.kind == "name" and word(said.parts[0]).text not in scope.names)


def _domain(kind: Type) -> str | None:
    """The name of the type whose member a value is."""
    match kind:
        case Elem(domain):
            return domain
        case Maybe(of):
            return _domain(of)
        case Bool() | Int() | SetOf() | Many():
            return None
        case _:
            assert_never(kind)


def _label(said: Node) -> str | int:
    text = word(said.parts[0]).text
    return int(text) if said.kind == "int" and len(text) < 10 else text
