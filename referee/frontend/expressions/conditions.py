"""Conditions: comparisons, tests of zones, rows on a board, quantifiers."""

from __future__ import annotations

from functools import partial

from referee.core.expr import (
    All,
    At,
    Const,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Local,
    Look,
    Members,
    Op,
    Operator,
    Or,
    Place,
)
from referee.core.ruleset import WINNERS, Form
from referee.core.types import COMPONENT, Bool, Elem, Int, Many, Maybe, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.abilities import able
from referee.frontend.expressions.coercions import Terms
from referee.frontend.expressions.contests import compared
from referee.frontend.expressions.member_sources import MemberSources
from referee.frontend.loading.tricks import FOLLOWS, IS_TRUMPS
from referee.frontend.names import board_geometry
from referee.frontend.names import tree_building as build
from referee.frontend.names.bindings import DomainOf, Meaning, Noun, PlaceOf, Scope
from referee.frontend.names.prices import declared_price, price_args
from referee.frontend.names.tree_access import ErrorReported, all_tried, node, nodes, word
from referee.syntax.syntax_tree import Node, Word

_COMPARE = {"<": Operator.LT, "<=": Operator.LE, ">": Operator.GT, ">=": Operator.GE, "!=": Operator.NE}
_HOW_MANY = {
    "at least": Operator.GE,
    "at most": Operator.LE,
    "exactly": Operator.EQ,
    "more than": Operator.GT,
    "fewer than": Operator.LT,
}


class Conditions:
    """The lowering of conditions."""

    def __init__(self, terms: Terms, sources: MemberSources) -> None:
        self.terms = terms
        self.sources = sources
        self.symbols = terms.symbols
        terms.rules.update(
            {
                "or_": self._or,
                "and_": self._and,
                "not_": self._not,
                "compare": self._compare,
                "equal": self._equal,
                "is_": self._equal,
                "is_not": self._is_not,
                "is_in": self._is_in,
                "is_not_in": self._is_not_in,
                "is_state": self._is_or_not,
                "has": self._has,
                "has_none": self._has_none,
                "has_only": self._has_only,
                "has_some": self._has_some,
                "has_row": self._has_row,
                "has_text": self._has_text,
                "wins_test": self._wins,
                "can": self._can,
                "can_not": self._can,
                "can_pay": self._can_pay,
                "follows": self._follows,
                IS_TRUMPS: self._equal,
                "all_are": self._all_are,
                "some": self._some,
                "no_one": self._no_one,
                "every": self._every,
                "some_player": self._some_player,
                "no_player": self._no_player,
                "every_player": self._every_player,
            }
        )

    def _or(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return Or(tuple(all_tried(partial(self.terms.condition, n, scope.pure()) for n in nodes(term))), term.span)

    def _and(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return typed_operators.both(
            all_tried(partial(self.terms.condition, n, scope.pure()) for n in nodes(term)), term.span
        )

    def _not(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return typed_operators.negate(self.terms.condition(node(term.parts[0]), scope), term.span)

    def _compare(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        op = _COMPARE[word(term.parts[1]).text]
        left, right = self._pair(node(term.parts[0]), node(term.parts[2]), scope)
        if op is Operator.NE:
            return typed_operators.negate(self._same(left, right, term), term.span)
        a, b = self.sources.expected_of(left), self.sources.expected_of(right)
        if (
            isinstance(a, Elem)
            and isinstance(b, Elem)
            and a.domain == b.domain
            and self.sources.ordered(a)
            and self.sources.ordered(b)
        ):
            return compared(left, right, term.span, lambda one, other: typed_operators.compare(
                op, self.terms.fit(one, a, term.span), self.terms.fit(other, b, term.span), term.span))
        if isinstance(a, Elem) and isinstance(b, Elem) and not self.symbols.has_numbers(a):
            said = f"{self.symbols.describe(a)} has no order: none is more or less than another"
            raise self.symbols.wrong("TY02", said, term.span, hint="kinds and types are ordered by `is A < B < C`")
        spans = node(term.parts[0]).span, node(term.parts[2]).span
        return compared(left, right, term.span, lambda one, other: typed_operators.compare(
            op, self.terms.as_number(one, spans[0]), self.terms.as_number(other, spans[1]), term.span))

    def _pair(self, left: Node, right: Node, scope: Scope) -> tuple[Expr, Expr]:
        """Both sides of a comparison; a bare word is looked up in the type of the other side."""
        if self._bare(left, scope) and not self._bare(right, scope):
            b = self.terms.value(right, scope)
            return self.terms.value(left, scope, self._hint(left, b)), b
        a = self.terms.value(left, scope)
        found = self.terms.meaning(right, scope, self._hint(right, a))
        return a, self.terms.plain(found, right.span)

    def _hint(self, term: Node, other: Expr) -> Type | None:
        """The type to look a word up in: a number beside a number stays one."""
        kind = self.sources.expected_of(other)
        return None if isinstance(kind, Int | Bool) else kind

    def _bare(self, term: Node, scope: Scope) -> bool:
        return term.kind in ("name", "int", "none", "nobody") and not (
            term.kind == "name" and word(term.parts[0]).text in scope.names
        )

    def _equal(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        left, right = node(term.parts[0]), node(term.parts[-1])
        if right.kind == "noun":
            return self._is_of(self._component(left, scope), self.sources.noun(right, scope), term)
        return self._same(*self._pair(left, right, scope), term)

    def _is_of(self, found: Expr, noun: Noun, term: Node) -> Expr:
        kind = self.sources.expected_of(found)
        assert isinstance(kind, Elem)
        if kind.lo > noun.classes.hi or noun.classes.lo > kind.hi:
            one, two = self.symbols.describe(kind), self.symbols.describe(noun.classes)
            raise self.symbols.wrong("TY11", f"{one} is never {two}", term.span)
        return self.sources.is_noun(found, noun, term.span)

    def _component(self, term: Node, scope: Scope) -> Expr:
        found = self.terms.value(term, scope)
        kind = self.sources.expected_of(found)
        if not isinstance(kind, Elem) or kind.domain != COMPONENT:
            raise self.symbols.wrong("TY12", f"`{self.symbols.text(term.span)}` is no component", term.span)
        return found

    def _same(self, left: Expr, right: Expr, term: Node) -> Expr:
        a, b = self.sources.expected_of(left), self.sources.expected_of(right)
        nothing = (isinstance(left, Const) and left.value is None) or (isinstance(right, Const) and right.value is None)
        if nothing:
            if not (isinstance(left.type, Maybe) and isinstance(right.type, Maybe)):
                other = node(term.parts[-1 if isinstance(left.type, Maybe) else 0])
                what = self.symbols.text(other.span)
                hint = f"it is a set: say `{what} is empty`" if SetOf in (type(a), type(b)) else None
                raise self.symbols.wrong("TY15", f"`{what}` is never none", other.span, hint=hint)
            return typed_operators.equal(left, right, term.span)
        if isinstance(a, Elem) and isinstance(b, Elem) and a.domain == b.domain:
            if a.domain == COMPONENT and (a.lo > b.hi or b.lo > a.hi):
                one, two = self.symbols.describe(a), self.symbols.describe(b)
                raise self.symbols.wrong("TY11", f"{one} is never {two}", term.span)
            return typed_operators.equal(left, right, term.span)
        if isinstance(a, Elem) and isinstance(b, Elem) and term.kind == IS_TRUMPS and (
                set(self.symbols.labels(a)) <= set(self.symbols.labels(b))):
            return typed_operators.equal(left, self._suit_called(right, a, b, term.span), term.span)
        if (isinstance(a, Bool) and isinstance(b, Bool)) or (isinstance(a, SetOf) and isinstance(b, SetOf)):
            return typed_operators.equal(left, right, term.span)
        if isinstance(a, Int) or isinstance(b, Int):
            return compared(left, right, term.span, lambda one, other: typed_operators.equal(
                self.terms.as_number(one, term.span), self.terms.as_number(other, term.span), term.span))
        raise self.symbols.wrong(
            "TY01",
            f"{self.symbols.describe(left.type)} and {self.symbols.describe(right.type)} are never the same",
            term.span,
        )

    def _follows(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        if FOLLOWS not in self.symbols.defines:
            raise self.terms.no_trick(term.span)
        return self.terms.function(Word("NAME", FOLLOWS, term.span), [node(term.parts[0])], scope, term.span)

    def _suit_called(self, trumps: Expr, suit: Elem, kind: Elem, span: Span) -> Expr:
        """The suit that is called as a member of another type is, which has each suit by its name; none, if none is."""
        called: Expr = Const(None, Maybe(suit), span)
        for label in self.symbols.domains[suit.domain].labels:
            one, other = self.symbols.labelled(suit, label), self.symbols.labelled(kind, label)
            called = If(typed_operators.equal(trumps, Const(other, kind, span), span), Const(one, suit, span), called,
                        Maybe(suit), span)
        return called

    def _is_not(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        found = self._equal(term, scope, expected)
        assert not isinstance(found, PlaceOf | Noun | DomainOf)
        return typed_operators.negate(found, term.span)

    def _is_in(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        over = node(term.parts[2])
        if over.kind == "set_of":
            member = self.terms.value(node(term.parts[0]), scope)
            kind = self.sources.expected_of(member)
            group = self.terms.value(over, scope, SetOf(kind) if isinstance(kind, Elem) else None)
            return Op(Operator.IN, (member, group), Bool(), term.span)
        source = self.terms.through(self.terms.meaning(over, scope), over.span)
        bare = self._bare(node(term.parts[0]), scope)
        member = self.terms.value(node(term.parts[0]), scope, source.type if bare else None)
        if isinstance(source.domain, Members) and source.where is None:
            return Op(Operator.IN, (member, source.domain.of), Bool(), term.span)
        var = self.sources.fresh("it")
        test = typed_operators.equal(Local(var, source.type), self.terms.fit(member, source.type, term.span), term.span)
        return Fold(FoldKind.ANY, var, source.domain, source.where, test, Bool(), None, term.span)

    def _is_not_in(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        found = self._is_in(term, scope, expected)
        assert not isinstance(found, PlaceOf | Noun | DomainOf)
        return typed_operators.negate(found, term.span)

    def _is_or_not(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`X is empty`, `X is taken`, `X is full`, or is not."""
        found = self._is_state(term, scope)
        return typed_operators.negate(found, term.span) if "not" in word(term.parts[1]).text.split() else found

    def _is_state(self, term: Node, scope: Scope) -> Expr:
        """Whether a zone or a spot is empty, taken or full; a set or several are empty, too."""
        state = word(term.parts[1]).text.split()[-1]
        found = self.terms.meaning(node(term.parts[0]), scope)
        if not isinstance(found, PlaceOf):
            if state == "empty" and not isinstance(found, Noun | DomainOf) and isinstance(found.type, SetOf | Many):
                there = self.sources.counted(self.terms.through(found, term.span), "it", term.span)
                return typed_operators.equal(there, typed_operators.number(0), term.span)
            if state in scope.names or self.symbols.declared(state):  # something that the rules call so
                called = Node("name", (Word("NAME", state, term.span),), term.span)
                return self._same(*self._pair(node(term.parts[0]), called, scope), term)
            what = node(term.parts[0]).span
            said = self.symbols.text(what)
            raise self.symbols.wrong("TY03", f"only a zone or a spot is {state}, `{said}` is none", what)
        if found.place.spot is not None:
            free = typed_operators.equal(
                self.terms.content(found),
                typed_operators.nothing(self.terms.component_type(self.symbols.zones[found.place.zone])),
                term.span,
            )
            return free if state == "empty" else typed_operators.negate(free, term.span)
        source = self.terms.through(found, term.span)
        total = self.sources.counted(source, "it", term.span)
        if state == "full":
            return typed_operators.compare(
                Operator.EQ, total, typed_operators.number(self._room(found.place, term.span)), term.span
            )
        wanted = Operator.EQ if state == "empty" else Operator.NE
        return typed_operators.compare(wanted, total, typed_operators.number(0), term.span)

    def _room(self, place: Place, span: Span) -> int:
        zone = self.symbols.zones[place.zone]
        if zone.form is Form.SLOTS and zone.spots is not None:
            return zone.spots.hi - zone.spots.lo + 1
        if zone.limit is not None and isinstance(zone.limit, Const) and isinstance(zone.limit.value, int):
            return zone.limit.value
        raise self.symbols.wrong("ZN02", f"{zone.name} has no limit, so it is never full", span)

    def _has(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`Z has 3`, `Z has at least 2 K`: the number of components, or the value of a number."""
        over, many = node(term.parts[0]), node(term.parts[2])
        how, quantity, noun = many.parts
        op = _HOW_MANY[" ".join(word(how).text.split())] if how is not None else Operator.EQ
        found = self.terms.meaning(over, scope)
        if noun is not None:
            if not isinstance(found, PlaceOf):
                raise self.symbols.wrong("TY03", f"`{self.symbols.text(over.span)}` is no zone", over.span)
            var = self.sources.running(scope)
            total = self.sources.counted(self.sources.in_place(node(noun), over, scope, var), var, term.span)
        elif isinstance(found, PlaceOf | DomainOf | Noun) or isinstance(found.type, SetOf):
            total = self.sources.counted(self.terms.through(found, over.span), self.sources.running(scope), term.span)
            if how is None:
                self._no_member(over, quantity, scope)
        else:
            total = self.terms.as_number(self.terms.plain(found, over.span), over.span)
        return typed_operators.compare(op, total, self.quantity(quantity, scope), term.span)

    def _no_member(self, over: Node, said: object, scope: Scope) -> None:
        """Refuses `Z has card` of a component called `card`: `has` asks how many lie there. Raises Wrong."""
        named = scope.names.get(said.text) if isinstance(said, Word) else None
        kinds = [] if named is None else [
            kind for kind in self.symbols.kinds.values()
            if typed_operators.within(self.sources.expected_of(named.expr), kind.type)]
        if isinstance(said, Word) and kinds and self.symbols.numbers_of(kinds[0].type) is None:
            where = self.symbols.text(over.span)
            raise self.symbols.wrong("TY02", f"expected a number, this is {self.symbols.describe(kinds[0].type)}",
                                     said.span, hint=f"`{said.text} is in {where}` asks whether it lies there")

    def quantity(self, part: object, scope: Scope) -> Expr:
        """A number, a name for one, or a value in brackets."""
        if isinstance(part, Word):
            kind = "int" if part.type == "INT" else "name"
            return self.terms.number(Node(kind, (part,), part.span), scope)
        assert isinstance(part, Node)
        return self.terms.number(part, scope)

    def _has_none(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return typed_operators.compare(Operator.EQ, self._having(term, scope), typed_operators.number(0), term.span)

    def _has_some(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`Z has K`: at least one, as `Z has no K` says that there is none."""
        return typed_operators.compare(Operator.GE, self._having(term, scope), typed_operators.number(1), term.span)

    def _has_only(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`Z has only K`: nothing else lies there."""
        over = node(term.parts[0])
        whole = self.sources.counted(self.terms.through(self.terms.meaning(over, scope), over.span),
                                     self.sources.running(scope), term.span)
        return typed_operators.compare(Operator.EQ, self._having(term, scope), whole, term.span)

    def _has_text(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`card has a text`: whether there is something to carry out."""
        of = node(term.parts[0])
        found = tuple(self.texts_among(self.terms.value(of, scope), of).values())
        return found[0] if len(found) == 1 else Or(found, term.span)

    def texts_among(self, value: Expr, said: Node) -> dict[str, Expr]:
        """Which component each text is of, as tests, by its name. Raises Wrong where it can be none."""
        among, found = self.sources.expected_of(value), dict[str, Expr]()
        for label in self.symbols.carried:
            index = self.symbols.labelled(self.symbols.domains[COMPONENT].whole, label)
            if index is None:
                raise ErrorReported  # what is wrong with the class is told where it stands
            kind = Elem(COMPONENT, index, index)
            if typed_operators.within(kind, among):
                found[label] = typed_operators.equal(value, Const(index, kind, said.span), said.span)
        if not found:
            described = self.symbols.describe(value.type)
            what = f"no component that may be meant has a text: this is {described}"
            raise self.symbols.wrong("TX01", what, said.span,
                                     hint="write `text:` below a line `class NAME of KIND`, and what it says")
        return found

    def _having(self, term: Node, scope: Scope) -> Expr:
        """How many of the kind that a term ends in lie in the zone that it begins with."""
        var = self.sources.running(scope)
        found = self.sources.in_place(node(term.parts[-1]), node(term.parts[0]), scope, var)
        return self.sources.counted(found, var, term.span)

    def _has_row(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`Z has 4 K in a row through C`: straight, in any direction, without a gap."""
        found = self.terms.place(node(term.parts[0]), scope)
        zone = self.symbols.zones[found.place.zone]
        length = self.quantity(term.parts[2], scope)
        board = self.symbols.boards.get(zone.spots.domain) if isinstance(zone.spots, Elem) else None
        if board is None or not isinstance(zone.spots, Elem):
            raise self.symbols.wrong(
                "BD04", f"{zone.name} lies on no board, so there are no rows", node(term.parts[0]).span
            )
        if not isinstance(length, Const) or not isinstance(length.value, int):
            raise self.symbols.wrong("BD04", "how many in a row is a plain number", length.span or term.span)
        most = min(board_geometry.LONGEST_ROW, max(board.columns, board.rows))
        if not 1 <= length.value <= most:
            raise self.symbols.wrong("BD04", f"a row on {board.name} has 1 to {most} cells", length.span or term.span)
        rows = board_geometry.rows_of(self.symbols, board, length.value)
        if rows.hi < rows.lo:
            raise self.symbols.wrong("BD04", f"no {length.value} cells of {board.name} are in a row", term.span)
        cell = Local("cell", zone.spots)
        here = At(Place(zone.name, found.place.keys, cell), cell, Maybe(self.terms.component_type(zone)))
        full = self.sources.is_noun(here, self.sources.noun(node(term.parts[3]), scope), term.span)
        cells = Look(f"cells of {rows.domain}", (Local("row", rows),), SetOf(zone.spots))
        body = Fold(FoldKind.ALL, "cell", Members(cells), None, full, Bool(), None, term.span)
        through = term.parts[5]
        over = self.terms.through(DomainOf(rows, term.span), term.span).domain
        if through is not None:
            at = self.terms.value(node(through), scope, zone.spots)
            over = Members(Look(f"through a cell {rows.domain}", (at,), SetOf(rows)))
        return Fold(FoldKind.ANY, "row", over, None, body, Bool(), None, term.span)

    def _wins(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        who = node(term.parts[0])
        winners = Get(WINNERS, (), SetOf(self.symbols.player), term.span)
        if who.kind == "nobody":
            size = Op(Operator.SIZE, (winners,), Int(0, self.symbols.seats.number), term.span)
            return typed_operators.compare(Operator.EQ, size, typed_operators.number(0), term.span)
        return Op(Operator.IN, (self.terms.value(who, scope, self.symbols.player), winners), Bool(), term.span)

    def _can(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        kind = self.symbols.player
        player = self.terms.fit(self.terms.value(node(term.parts[0]), scope, kind), kind, term.span)
        found = able(self.symbols, player, word(term.parts[2]), term.span)
        return found if term.kind == "can" else typed_operators.negate(found, term.span)

    def _can_pay(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        args = [node(term.parts[0]), *price_args(self.symbols, term.parts[2])]
        able = declared_price(self.symbols, term).able
        return self.terms.condition(build.call(able, args, term.span), scope)

    def _all_are(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`until all NAME`: what has this name is so of every player; of a zone, that something lies there."""
        name, var = word(term.parts[0]), self.sources.fresh("each")
        if name.text in self.symbols.zones:
            his = build.entry(name.text, build.name(var, term.span), name.span)
            lies = Node("is_state", (his, Word("IS_STATE", "is not empty", term.span)), term.span)
            every = Node("every_player", (Word("NAME", var, term.span), None, lies), term.span)
            return self.terms.condition(every, scope)
        one = Local(var, self.symbols.player, term.span)
        found = self.terms.plain(self.sources.of(name, one, scope.pure(), name.span), name.span)
        body = self.terms.fit(found, Bool(), name.span)
        return Fold(FoldKind.ALL, var, All(self.symbols.player), None, body, Bool(), None, term.span)

    def _some(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.sources.quantified(term, scope, FoldKind.ANY)

    def _no_one(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return typed_operators.negate(self.sources.quantified(term, scope, FoldKind.ANY), term.span)

    def _every(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.sources.quantified(term, scope, FoldKind.ALL)

    def _some_player(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.sources.quantified_players(term, scope, FoldKind.ANY)

    def _no_player(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return typed_operators.negate(self.sources.quantified_players(term, scope, FoldKind.ANY), term.span)

    def _every_player(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.sources.quantified_players(term, scope, FoldKind.ALL)
