"""Splits: what is left of several when sets that a definition means are taken out of them."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from referee.core.condition_members import MOST_SETS, NotFixed, TooManySets, sets_where
from referee.core.expr import Expr, FoldKind, Local, Split
from referee.core.types import COMPONENT, Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions.coercions import Terms
from referee.frontend.expressions.definitions import Definitions
from referee.frontend.expressions.member_sources import MemberSources
from referee.frontend.names.bindings import Define, Meaning, Scope
from referee.frontend.names.tree_access import node, word
from referee.syntax.syntax_tree import Node, Word


class SplitLowering:
    """The lowering of `lowest of V in splits of Z into D`. The sets that a definition means become a table."""

    def __init__(self, terms: Terms, sources: MemberSources, definitions: Definitions) -> None:
        self.terms = terms
        self.sources = sources
        self.definitions = definitions
        self.symbols = terms.symbols
        terms.rules["splits"] = self._splits

    def _splits(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        which, what, over, into = word(term.parts[0]), node(term.parts[1]), node(term.parts[3]), word(term.parts[4])
        if which.text.startswith("sum"):
            said = "of what is left each time the lowest or the highest value is taken, not the sum"
            raise self.symbols.wrong("SP01", said, which.span)
        define, of = self._sets(into)
        whole = self.terms.as_set(self.terms.meaning(over, scope), SetOf(of), over.span)
        table = self._table(define, of, into.span)
        assert isinstance(whole.type, SetOf)
        if of.domain == COMPONENT and any(one.number > 1 for one in self.symbols.components[of.lo : of.hi + 1]):
            raise self.symbols.wrong("SP04", f"of {self.symbols.describe(of)} there are several alike", over.span)
        rest = self.sources.running(scope)
        left = Local(rest, whole.type, over.span)
        body = self.terms.as_number(self.sources.key(what, replace(scope.pure(), it=left), left), what.span)
        assert isinstance(body.type, Int)
        kind = FoldKind.MIN if which.text.startswith("lowest") else FoldKind.MAX
        return Split(kind, whole, table, rest, body, body.type, term.span)

    def _sets(self, name: Word) -> tuple[Define, Elem]:
        """The definition of that name, and the type of the members of its sets. Raises Wrong."""
        define = self.symbols.defines.get(name.text)
        of = None if define is None or len(define.params) != 1 else _several(define.params[0][1])
        if define is None or of is None:
            said = f"{name.text} is no definition `of several` of a type"
            raise self.symbols.wrong("SP01", said, name.span, hint=f"`define {name.text} of several TYPE s = ...`")
        return define, of

    def _table(self, define: Define, of: Elem, span: Span) -> str:
        """The table of the sets that a definition means. Raises Wrong."""
        name = f"sets of {define.name}"
        if name not in self.symbols.tables:
            several = Local(f"{define.params[0][0]} of {define.name}", SetOf(of), span)
            sets = self._listed(define, self.definitions.value_of(define, [several], span), several.name, of, span)
            self.symbols.table(name, (Int(1, max(1, len(sets))),), SetOf(of), sets or (frozenset(),))
        return name

    def _listed(self, define: Define, cond: Expr, name: str, of: Elem, span: Span) -> tuple[frozenset[int], ...]:
        cond = self.terms.fit(cond, Bool(), span)
        try:
            return sets_where(cond, name, of, self.symbols.tables)
        except NotFixed as hangs:
            where = hangs.span or define.node.span
            raise self.symbols.wrong("SP02", "this is known in play only", where,
                                     hint=f"sets of {define.name} are listed before a game begins") from None
        except TooManySets:
            said = f"there are too many sets of {define.name}, or too many have to be tried"
            raise self.symbols.wrong("SP03", said, define.node.span,
                                     hint=f"at most {MOST_SETS:,}; say what holds for any two of them") from None


def _several(kind: Type) -> Elem | None:
    """The type of the members, if it is of several of them."""
    match kind:
        case SetOf(of):
            assert isinstance(of, Elem)
            return of
        case Bool() | Int() | Elem() | Maybe() | Many():
            return None
        case _:
            assert_never(kind)
