"""Cells of boards and maps: next to each other, steps and rays in a direction, lines, distances, sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from referee.core.expr import (
    All,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Where,
)
from referee.core.stmt import Origin
from referee.core.types import Bool, Elem, Maybe, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import Terms
from referee.frontend.expressions.member_sources import MemberSources
from referee.frontend.names.bindings import Bound, DomainOf, Meaning, Scope
from referee.frontend.names.grid_tables import GridTables
from referee.frontend.names.grids import Grid
from referee.frontend.names.tree_access import node, word, words
from referee.syntax.syntax_tree import Node, Part, Word

MAPS, CORNERS_TOO, SIDES_ONLY = "maps", "corners_too", "sides_only"
_MAP_WAYS = "moves on a map go through doors and not through walls: leave `by` out"
_HEXAGON_WAYS = "hexagons meet at their sides only: say `by sides`"


def ray_of(source: Node) -> Node | None:
    """The ray that a source, maybe with a filter, goes along; None for any other source."""
    inner = node(source.parts[0]) if source.kind == "where" else source
    return inner if inner.kind == "ray" else None


@dataclass(frozen=True, slots=True)
class Along:
    """A ray that is gone through: its tables, where it begins, its direction; both are read before."""

    tables: GridTables
    cell: Expr
    way: Expr

    def nth(self, place: Expr, span: Span) -> Look:
        """The cell at a place of the ray, counted from 1; none at 0."""
        kind = Maybe(self.tables.cell)
        return Look(self.tables.along(span), (self.cell, self.way, place), kind, span)

    def places(self, span: Span) -> Numbers:
        """The places of its cells, from the nearest on."""
        length = Look(self.tables.length(), (self.cell, self.way), self.tables.nth(), span)
        return Numbers(typed_operators.number(1), length)


class GridRelations:
    """The lowering of what cells are to each other: constant tables, made where they are asked for."""

    def __init__(self, terms: Terms, sources: MemberSources) -> None:
        self.terms = terms
        self.sources = sources
        self.symbols = terms.symbols
        terms.towards = self.towards
        terms.rules.update(
            {
                "next_to": self._next_to,
                "distance": self._distance,
                "sees": self._sees,
                "step": self._step,
                "ray": self._ray,
                "heading": self._heading,
                "cells_between": self._between,
                "in_line": self._in_line,
                "first_in": self._first_in,
            }
        )

    # ------------------------------------------------------------------ cells and directions
    def _maybe_cell(self, term: Node, scope: Scope) -> tuple[Expr, GridTables]:
        """A cell, or maybe none, and the tables of its board. Raises Wrong."""
        grids = self.symbols.grids
        hint = self.symbols.domains[next(iter(grids))].whole if len(grids) == 1 else None
        found = self.terms.plain(self.terms.meaning(term, scope, hint), term.span)
        return found, self._tables(found, term.span)

    def _tables(self, cell: Expr, span: Span) -> GridTables:
        grid = self._grid_of(cell)
        if grid is None:
            said = f"`{self.symbols.text(span)}` is no cell of a board or map, but {self.symbols.describe(cell.type)}"
            raise self.symbols.wrong("BD05", said, span)
        return GridTables(self.symbols, grid)

    def _grid_of(self, cell: Expr) -> Grid | None:
        """The board or map that a value is a cell of, or none."""
        kind = self.sources.expected_of(cell)
        return self.symbols.grids.get(kind.domain) if isinstance(kind, Elem) else None

    def _cell(self, term: Node, scope: Scope) -> tuple[Expr, GridTables]:
        """A cell; where there is none, error RT05."""
        found, tables = self._maybe_cell(term, scope)
        return self.terms.fit(found, tables.cell, term.span), tables

    def _pair(self, one: Node, other: Node, scope: Scope) -> tuple[tuple[Expr, Expr], GridTables]:
        """Two cells of one board. Raises Wrong."""
        first, tables = self._cell(one, scope)
        return (first, self.terms.value(other, scope, tables.cell)), tables

    def _way(self, tables: GridTables, term: Node | Expr, scope: Scope, span: Span) -> Expr:
        return self.terms.argument(term, scope, tables.way, span)

    def _by(self, said: Part, tables: GridTables) -> str:
        """`sides`, `corners` or `all` as it is said. Raises Wrong where a board has no such neighbours."""
        by = word(said)
        if tables.grid.walked:
            raise self.symbols.wrong("BD06", f"{tables.grid.name} is a map", by.span, hint=_MAP_WAYS)
        kind = by.text.split()[-1]
        if kind == "corners" and not tables.grid.corners:
            said_of = f"no cells of {tables.grid.name} meet at a corner only"
            raise self.symbols.wrong("BD06", said_of, by.span, hint=_HEXAGON_WAYS)
        return kind

    # ------------------------------------------------------------------ steps and rays
    def _step(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`step from c toward d`: the next cell, or none; from none there is none."""
        cell, tables = self._maybe_cell(node(term.parts[1]), scope)
        return self._stepped(cell, tables, node(term.parts[2]), scope, term.span)

    def _stepped(self, cell: Expr, tables: GridTables, toward: Node | Expr, scope: Scope, span: Span) -> Expr:
        way, table, kind = self._way(tables, toward, scope, span), tables.step(), Maybe(tables.cell)
        if not isinstance(cell.type, Maybe):
            return Look(table, (cell, way), kind, span)
        plain = typed_operators.simple(cell) or isinstance(cell, Get)  # a name in between would hide it from proofs
        name = self.sources.fresh("cell")
        known: Expr = cell if plain else Local(name, cell.type, span)
        nowhere = typed_operators.nothing(tables.cell, span)
        on = Look(table, (Only(known, tables.cell, span), way), kind, span)
        found = If(typed_operators.equal(known, nowhere, span), nowhere, on, kind, span)
        return found if plain else Let(name, cell, found, kind, span)

    def towards(self, name: Word, args: Sequence[Node | Expr], scope: Scope, span: Span) -> Expr:
        """`step(c, d)` says the same; `straight(c, d)`: all cells of a map that lie there, walls or not."""
        first = args[0]
        cell, tables = self._maybe_cell(first, scope) if isinstance(first, Node) else (first, self._tables(first, span))
        if name.text == "step":
            return self._stepped(cell, tables, args[1], scope, span)
        table = self.symbols.tables.get(f"straight on {tables.grid.name}")
        if table is None:
            hint = "say `ray from CELL toward DIRECTION`"
            raise self.symbols.wrong("MP03", "only a map has walls to look past", span, hint=hint)
        way = self._way(tables, args[1], scope, span)
        return Look(table.name, (self.terms.fit(cell, tables.cell, span), way), table.type, span)

    def _along(self, cell: Node, way: Node, scope: Scope) -> Along:
        start, tables = self._cell(cell, scope)
        return Along(tables, start, self._way(tables, way, scope, way.span))

    def _ray(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`ray from c toward d`: the cells there, c not among them."""
        ray = self._along(node(term.parts[1]), node(term.parts[2]), scope)
        return Look(ray.tables.ray(), (ray.cell, ray.way), SetOf(ray.tables.cell), term.span)

    def _first_in(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`the first e in ray from c toward d where C`: the nearest such cell, or none."""
        name, cond = word(term.parts[1]), term.parts[5]
        ray = self._along(node(term.parts[3]), node(term.parts[4]), scope)
        place, count = self.sources.fresh("place"), ray.tables.nth()
        local, where = Local(place, count, term.span), None
        if cond is not None:
            found = Only(ray.nth(local, name.span), ray.tables.cell, name.span)
            inside = scope.pure().bind(name.text, Bound(Local(name.text, ray.tables.cell)))
            test = self.terms.condition(node(cond), inside)
            where = Let(name.text, found, test, Bool(), node(cond).span)
        places, none = ray.places(term.span), typed_operators.number(0)
        return ray.nth(Fold(FoldKind.MIN, place, places, where, local, count, none, term.span), term.span)

    def ordered(self, source: Node, name: str, scope: Scope) -> tuple[Domainlike, str, Expr]:
        """A ray (with a filter) as the places to go through, what runs through them, and the cell at each: the nearest
        first. Where it begins and its direction are read once, before. Raises Wrong."""
        term = ray_of(source)
        assert term is not None
        found = self._along(node(term.parts[1]), node(term.parts[2]), scope)
        start, way = (self.sources.kept("ray", one, scope, term) for one in (found.cell, found.way))
        ray, place, count = Along(found.tables, start, way), self.sources.fresh("place"), found.tables.nth()
        cell = Only(ray.nth(Local(place, count), term.span), ray.tables.cell, term.span)
        if source is term:
            return ray.places(term.span), place, cell
        here = Local(name, ray.tables.cell)
        inside = replace(scope.pure().bind(name, Bound(here)), it=here)
        cond = node(source.parts[1])
        test = Let(name, cell, self.terms.condition(cond, inside), Bool(), cond.span)
        return Members(Where(place, ray.places(term.span), test, SetOf(count), source.span)), place, cell

    # ------------------------------------------------------------------ two cells
    def _heading(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`direction from a to b`: the one in which the ray from a comes to b, or none."""
        pair, tables = self._pair(node(term.parts[1]), node(term.parts[2]), scope)
        self._one_way_only(tables, term.span)
        return Look(tables.heading(term.span), pair, Maybe(tables.way), term.span)

    def _between(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`between a and b`: the cells of the line from a to b without these two; none if they are not in line."""
        pair, tables = self._pair(node(term.parts[1]), node(term.parts[2]), scope)
        self._one_way_only(tables, term.span)
        return Look(tables.between(term.span), pair, SetOf(tables.cell), term.span)

    def _one_way_only(self, tables: GridTables, span: Span) -> None:
        if tables.grid.round:
            said = f"{tables.grid.name} goes round: more than one line may lead from cell to cell"
            raise self.symbols.wrong("BD06", said, span, hint="say which way: `ray from ... toward ...`")

    def _in_line(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`a is in line with b`: some ray from the one comes to the other; `by sides`, `by corners`: such a ray."""
        said, by = word(term.parts[1]), term.parts[3]
        pair, tables = self._pair(node(term.parts[0]), node(term.parts[2]), scope)
        way = "all" if by is None else self._by(by, tables)
        found = self._by_another_way(
            Look(tables.in_line(way, term.span), pair, Bool(), term.span), way, tables,
            partial(tables.in_line, span=term.span))  # fmt: skip
        return typed_operators.negate(found, term.span) if "not" in said.text.split() else found

    def _distance(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """Of two cells the number of steps; of two numbers their difference."""
        one, other, said = node(term.parts[1]), node(term.parts[2]), next(words(term, "BY_WAY"), None)
        first = self.terms.value(one, scope)
        if said is not None or self._grid_of(first) is not None:
            pair, tables = self._pair(one, other, scope)
            table = f"distance on {tables.grid.name}" if said is None else self._far(said, tables, term.span)
            if table not in self.symbols.tables:
                hint = "say `by sides`, or `by corners`, where a step may go over a corner as well"
                raise self.symbols.wrong("BD06", "which steps count from cell to cell?", term.span, hint=hint)
            found = Look(table, pair, self.symbols.tables[table].type, term.span)
            way = "sides" if said is None or self._by(said, tables) == "sides" else "all"
            return self._by_another_way(found, way, tables, partial(tables.far, span=term.span))
        left, right = self.terms.as_number(first, one.span), self.terms.number(other, scope)
        return typed_operators.arithmetic(Operator.BETWEEN, left, right, term.span)

    def _far(self, said: Word, tables: GridTables, span: Span) -> str:
        by = self._by(said, tables)
        if by == "all":
            hint = "`by corners` counts steps over sides and corners"
            raise self.symbols.wrong("BD06", "a distance is `by sides` or `by corners`", said.span, hint=hint)
        return tables.far("all" if by == "corners" else by, span)

    def _next_to(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        found, said = self.terms.meaning(node(term.parts[0]), scope), term.parts[3]
        if not isinstance(found, DomainOf) or found.type.domain not in self.symbols.grids:
            raise self.symbols.wrong(
                "BD03",
                "only the cells of a board lie next to each other",
                term.span,
                expected=tuple(f"`{b}`" for b in sorted(self.symbols.boards)[:6]),
            )
        table, of = self.beside(found.type, said), node(term.parts[2])
        cell = self.terms.plain(self.terms.meaning(of, scope, found.type), of.span)
        if typed_operators.join(cell.type, SetOf(found.type)) == SetOf(found.type):
            return self._touching(cell, table, found.type, term.span)
        tables = GridTables(self.symbols, self.symbols.grids[found.type.domain])
        looked = Look(table, (self.terms.fit(cell, found.type, of.span),), SetOf(found.type), term.span)
        way = "all" if said is None else self._by(said, tables)
        return self._by_another_way(looked, way, tables, tables.beside)

    def _by_another_way(self, found: Look, by: str, tables: GridTables, table: Callable[[str], str]) -> Expr:
        """What rules look up `by sides`, for another answer as if corners counted too; or the other way round."""
        if by == "corners" or not tables.grid.corners or tables.grid.walked or found.span is None:
            return found
        name, way = (CORNERS_TOO, "all") if by == "sides" else (SIDES_ONLY, "sides")
        test = self.symbols.others.test(MAPS, name, Origin(found.span), alone=True)
        return found if test is None else If(test, replace(found, table=table(way)), found, found.type, found.span)

    def beside(self, cells: Elem, said: Part) -> str:
        """The table of what lies next to a cell of a board or map, by what it is said to be next to. Raises Wrong."""
        if said is None:
            return f"next to on {cells.domain}"
        tables = GridTables(self.symbols, self.symbols.grids[cells.domain])
        return tables.beside(self._by(said, tables))

    def _touching(self, group: Expr, table: str, cells: Elem, span: Span) -> Expr:
        """The cells next to one of several, less these."""
        names = tuple(self.sources.fresh(name) for name in ("group", "cell", "beside"))
        several = Local(names[0], SetOf(cells), span)
        one, other = Local(names[1], cells, span), Local(names[2], cells, span)
        beside = Look(table, (one,), SetOf(cells), span)
        outside = typed_operators.negate(Op(Operator.IN, (one, several), Bool(), span), span)
        member = Op(Operator.IN, (other, several), Bool(), span)
        touches = Fold(FoldKind.ANY, names[2], Members(beside), None, member, Bool(), None, span)
        found = Where(names[1], All(cells), typed_operators.both((outside, touches), span), SetOf(cells), span)
        return Let(names[0], group, found, SetOf(cells), span)

    def _sees(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`a sees b`, for cells of a map."""
        one = self.terms.value(node(term.parts[0]), scope)
        grid = self._grid_of(one)
        if grid is None or not grid.walked:
            raise self.symbols.wrong("MP03", "only a cell of a map sees another", term.span)
        cell = self.symbols.domains[grid.name].whole
        other = self.terms.value(node(term.parts[1]), scope, cell)
        return Look(f"sees on {grid.name}", (self.terms.fit(one, cell, term.span), other), Bool(), term.span)
