"""Groups: what is connected with a member by steps, and how many groups there are."""

from __future__ import annotations

from typing import assert_never

from referee.core.expr import All, Connected, Expr, Fold, FoldKind, Local, Look, Members, Where
from referee.core.types import COMPONENT, Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import MemberSource, Terms
from referee.frontend.expressions.grid_relations import GridRelations
from referee.frontend.expressions.member_sources import MemberSources
from referee.frontend.names.bindings import Meaning, Scope
from referee.frontend.names.tree_access import node, nodes, word
from referee.syntax.syntax_tree import Node


class ConnectedGroups:
    """The lowering of `group of c where C, by sides` and of `number of groups in S where C, by sides`."""

    def __init__(self, terms: Terms, sources: MemberSources, grids: GridRelations) -> None:
        self.terms = terms
        self.sources = sources
        self.grids = grids
        self.symbols = terms.symbols
        terms.rules.update({"connected": self._connected, "groups": self._groups})

    def _connected(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        said, cond = node(term.parts[1]), node(term.parts[2])
        start = self.terms.value(said, scope)
        of = self._whole(start.type, said.span)
        return self._group(self.terms.fit(start, of, said.span), of, term, cond, scope)

    def _groups(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """Each group is counted by its first member: by the one that is the lowest of its group."""
        said, cond = node(term.parts[1]), node(term.parts[2])
        source = self.terms.through(self.terms.meaning(said, scope), said.span)
        of, var, one = self._whole(source.type, said.span), self.sources.fresh("first"), self.sources.fresh("one")
        group = self._group(Local(var, of, said.span), of, term, cond, scope)
        lowest = Fold(FoldKind.MIN, one, Members(group), None, None, of, None, term.span)
        first = typed_operators.equal(Local(var, of, said.span), lowest, term.span)
        inside = self.sources.inside(scope, var, MemberSource(source.domain, of, None, None))
        passes = typed_operators.both((self.terms.condition(cond, inside), first), term.span)
        counted = MemberSource(source.domain, of, passes, source.at)
        return self.sources.counted(counted, var, term.span)

    def _group(self, start: Expr, of: Elem, term: Node, cond: Node, scope: Scope) -> Connected:
        var, here = self.sources.fresh("it"), self.sources.fresh("here")
        inside = self.sources.inside(scope, var, MemberSource(All(of), of, None, None))
        links = next(nodes(term, "links"), None)
        step = self._step(here, of, links, scope, term.span)
        where = self.terms.condition(cond, inside)
        return Connected(start, here, step, var, where, SetOf(of), term.span)

    def _step(self, here: str, of: Elem, links: Node | None, scope: Scope, span: Span) -> Expr:
        """The members next to one: on a board or map, or those for which a relation holds."""
        at = Local(here, of, span)
        if links is not None and len(links.parts) > 1:
            name, other = word(links.parts[1]), self.sources.fresh("other")
            said = self.terms.function(name, [at, Local(other, of, span)], scope, name.span)
            related = self.terms.fit(self.terms.plain(said, name.span), Bool(), name.span)
            return Where(other, All(of), related, SetOf(of), span)
        if of.domain not in self.symbols.grids:
            raise self.symbols.wrong(
                "GR01",
                f"what is {self.symbols.describe(of)} next to?",
                span if links is None else links.span,
                hint="say `, along RELATION`, which is declared for two of them",
            )
        by = None if links is None else word(links.parts[0])
        return Look(self.grids.beside(of, by), (at,), SetOf(of), span)

    def _whole(self, kind: Type, span: Span) -> Elem:
        """The type whose members are gone through: all of a board, map or type. Raises Wrong."""
        match kind:
            case Elem(domain):
                return kind if domain == COMPONENT else self.symbols.domains[domain].whole
            case Maybe(of):
                return self._whole(of, span)
            case Bool() | Int() | SetOf() | Many():
                said = f"{self.symbols.describe(kind)} is connected with nothing"
                raise self.symbols.wrong("GR01", said, span)
            case _:
                assert_never(kind)
