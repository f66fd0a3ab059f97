"""Values and conditions: one method for each construct of the grammar that stands for one."""

from __future__ import annotations

from collections.abc import Callable

from referee.base.source import Span
from referee.core.expr import At, Const, Expr, Fold, FoldKind, Get, If, Local, Look, Members, Op, Operator, Or, Place
from referee.core.ruleset import WINNERS, Form
from referee.core.types import COMPONENT, Bool, Elem, Int, Maybe, SetOf, Type
from referee.meaning import grid, make
from referee.meaning.entity import DomainOf, Meaning, Noun, PlaceOf, Scope
from referee.meaning.nodes import node, nodes, word
from referee.meaning.sources import Sources
from referee.meaning.symbols import Symbols
from referee.syntax.tree import Node, Word

Rule = Callable[[Node, Scope, "Type | None"], Meaning]

_COMPARE = {"<": Operator.LT, "<=": Operator.LE, ">": Operator.GT, ">=": Operator.GE, "!=": Operator.NE}
_HOW_MANY = {"at least": Operator.GE, "at most": Operator.LE, "exactly": Operator.EQ, "more than": Operator.GT,
             "fewer than": Operator.LT}


class Values(Sources):
    """The lowering of conditions and values."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__(symbols)
        self._rules: dict[str, Rule] = {
            "name": self._name, "noun": self._noun, "int": self._int, "yes": self._yes, "no": self._yes, "none": self._none,
            "nobody": self._none, "me": self._me, "it": self._it, "my": self._my, "opponent": self._opponent,
            "opponent_of": self._opponent_of, "players": self._players, "turn_player": self._turn, "call": self._call,
            "set_of": self._set_of, "group": self._group, "attr_of": self._attr_of, "at": self._at, "next_to": self._next_to,
            "number": self._number, "aggregate": self._aggregate, "minmax": self._minmax, "distance": self._distance,
            "the": self._the, "best": self._best, "either": self._either, "plus": self._sum, "minus": self._sum,
            "times": self._sum, "neg": self._neg, "or_": self._or, "and_": self._and, "not_": self._not,
            "compare": self._compare, "equal": self._equal, "is_": self._equal, "is_not": self._is_not, "is_in": self._is_in,
            "is_not_in": self._is_not_in, "is_state": self._is_state, "has": self._has, "has_none": self._has_none,
            "has_row": self._has_row, "wins_test": self._wins, "some": self._some, "no_one": self._no_one,
            "every": self._every, "some_player": self._some_player, "no_player": self._no_player,
            "every_player": self._every_player,
        }

    def meaning(self, term: Node, scope: Scope, expected: Type | None = None) -> Meaning:
        """What a phrase stands for."""
        rule = self._rules.get(term.kind)
        if rule is None:
            raise self.symbols.wrong("TY13", "this is no value", term.span)
        return rule(term, scope, expected)

    # ------------------------------------------------------------------ words
    def _name(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.name(word(term.parts[0]), scope, expected)

    def _int(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        found = word(term.parts[0])
        if len(found.text) > 9:
            raise self.symbols.wrong("TY09", "a number has at most nine digits", term.span)
        value = int(found.text)
        of = expected.of if isinstance(expected, Maybe | SetOf) else expected
        if isinstance(of, Elem):
            index = self.symbols.labelled(of, value)
            if index is not None:
                return make.member(index, of, term.span)
        return make.number(value, term.span)

    def _yes(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return Const(term.kind == "yes", Bool(), term.span)

    def _none(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        of = expected.of if isinstance(expected, Maybe) else expected
        return make.nothing(of if isinstance(of, Elem | Int) else self.symbols.player, term.span)

    def _me(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.me(scope, term.span)

    def _it(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        if scope.it is None:
            raise self.symbols.wrong("NM09", "`it` is known in a filter (`where ...`) only", term.span)
        return scope.it

    def _my(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.of(word(term.parts[0]), self.me(scope, term.span), scope, term.span)

    def _opponent(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.symbols.opponent(self.me(scope, term.span), term.span)

    def _opponent_of(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.symbols.opponent(self.value(node(term.parts[0]), scope, self.symbols.player), term.span)

    def _players(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return DomainOf(self.symbols.player, term.span)

    def _turn(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.turn_player(term.span)

    def _noun(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        name, owner = word(term.parts[0]), term.parts[1]
        kind = self.symbols.kinds.get(name.text)
        if kind is None:
            return self._named_class(name, owner is not None, term.span)
        if owner is None:
            one = make.member(kind.lo, kind.type, term.span) if kind.lo == kind.hi else None
            return Noun(kind.type, one, term.span)
        if not kind.owned or kind.listed:
            raise self.symbols.wrong("TY14", f"a {kind.name} belongs to nobody", term.span,
                                     hint=f"declare `kind {kind.name} of player`")
        player = self.value(node(owner), scope, self.symbols.player)
        if isinstance(player, Const) and isinstance(player.value, int):
            one = make.member(kind.lo + player.value, kind.type, term.span)
            return Noun(Elem(COMPONENT, kind.lo + player.value, kind.lo + player.value), one, term.span)
        table = self.symbols.table(f"{kind.name} of player", (self.symbols.player,), kind.type,
                                   tuple(range(kind.lo, kind.hi + 1)))
        return Noun(kind.type, Look(table, (player,), kind.type, term.span), term.span)

    def _named_class(self, name: Word, owned: bool, span: Span) -> Noun:
        for kind in self.symbols.kinds.values():
            index = self.symbols.labelled(kind.type, name.text)
            if index is not None and not owned:
                one = Elem(COMPONENT, index, index)
                return Noun(one, Const(index, one, span), span)
        labels = {str(label) for label in self.symbols.domains[COMPONENT].labels}
        raise self.symbols.unknown(name, "a kind or a component", {*self.symbols.kinds, *labels})

    # ------------------------------------------------------------------ links
    def _call(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        args = [node(p) for p in node(term.parts[1]).parts]
        return self.function(word(term.parts[0]), args, scope, term.span)

    def _set_of(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        of = expected.of if isinstance(expected, SetOf) else expected
        members = [self.value(node(p), scope, of) for p in node(term.parts[0]).parts]
        kind: Type = members[0].type
        for member in members[1:]:
            joined = make.join(kind, member.type)
            if joined is None:
                raise self.symbols.wrong("TY01", "the members of a set are of one type", member.span or term.span)
            kind = joined
        if not isinstance(kind, Elem | Int):
            raise self.symbols.wrong("TY10", f"a set cannot hold {make.describe(kind)}", term.span)
        return Op(Operator.SET, tuple(members), SetOf(kind), term.span)

    def _group(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.meaning(node(term.parts[0]), scope, expected)

    def _attr_of(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        name, owner = word(term.parts[0]), node(term.parts[1])
        if name.text in ("column", "row"):
            return self._lane_of(name, owner, scope, term.span)
        return self.function(name, [owner], scope, term.span)

    def _lane_of(self, name: Word, owner: Node, scope: Scope, span: Span) -> Meaning:
        found = self.meaning(owner, scope)
        if isinstance(found, DomainOf) and found.type.domain in self.symbols.boards:
            return DomainOf(self.symbols.domains[f"{name.text} of {found.type.domain}"].whole, span)
        cell = self._plain(found, owner.span)
        return self.of(name, cell, scope, span)

    def _at(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        over, spot = node(term.parts[0]), node(term.parts[1])
        if over.kind == "attr_of" and word(over.parts[0]).text not in self.symbols.zones:
            inner = Node("at", (over.parts[1], spot), term.span)
            return self._attr_of(Node("attr_of", (over.parts[0], inner), term.span), scope, expected)
        found = self.place(over, scope)
        zone = self.symbols.zones[found.place.zone]
        if zone.form is Form.SLOTS and zone.spots is not None:
            where = self.value(spot, scope, zone.spots)
            return PlaceOf(Place(zone.name, found.place.keys, where, span=term.span), term.span)
        if zone.form is Form.LINE:
            position = make.arithmetic(Operator.SUB, self.number(spot, scope), make.number(1), spot.span)
            return At(found.place, position, Maybe(self.component_type(zone)), term.span)
        raise self.symbols.wrong("ZN03", f"{zone.name} is a {zone.form.value}: it has no spots", term.span)

    def _next_to(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        found = self.meaning(node(term.parts[0]), scope)
        if not isinstance(found, DomainOf) or found.type.domain not in self.symbols.boards:
            raise self.symbols.wrong("BD03", "only the cells of a board lie next to each other", term.span,
                                     expected=tuple(self.symbols.boards))
        cell = self.value(node(term.parts[2]), scope, found.type)
        return Look(f"next to on {found.type.domain}", (cell,), SetOf(found.type), term.span)

    # ------------------------------------------------------------------ numbers
    def _number(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.count(term, scope)

    def _aggregate(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.aggregate(term, scope)

    def _minmax(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        op = Operator.LOWER if word(term.parts[0]).text == "lower" else Operator.HIGHER
        return make.arithmetic(op, self.number(node(term.parts[1]), scope), self.number(node(term.parts[2]), scope), term.span)

    def _distance(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        left, right = self.number(node(term.parts[1]), scope), self.number(node(term.parts[2]), scope)
        return make.arithmetic(Operator.BETWEEN, left, right, term.span)

    def _sum(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        op = {"plus": Operator.ADD, "minus": Operator.SUB, "times": Operator.MUL}[term.kind]
        left, right = (self.number(n, scope) for n in nodes(term))
        return make.arithmetic(op, left, right, term.span)

    def _neg(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return make.arithmetic(Operator.SUB, make.number(0), self.number(node(term.parts[0]), scope), term.span)

    def _the(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.the(term, scope)

    def _best(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.best(term, scope)

    def _either(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        test, yes, no = (node(p) for p in term.parts)
        pure = scope.pure()
        left, right = self.value(yes, pure, expected), self.value(no, pure, expected)
        kind = make.join(left.type, right.type)
        if kind is None:
            raise self.symbols.wrong("TY01", f"one is {make.describe(left.type)}, the other {make.describe(right.type)}",
                                     term.span)
        return If(self.condition(test, scope), left, right, kind, term.span)

    # ------------------------------------------------------------------ conditions
    def _or(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return Or(tuple(self.condition(n, scope.pure()) for n in nodes(term)), term.span)

    def _and(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return make.both((self.condition(n, scope.pure()) for n in nodes(term)), term.span)

    def _not(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return make.negate(self.condition(node(term.parts[0]), scope), term.span)

    def _compare(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        op = _COMPARE[word(term.parts[1]).text]
        left, right = self._pair(node(term.parts[0]), node(term.parts[2]), scope)
        if op is Operator.NE:
            return make.negate(self._same(left, right, term), term.span)
        a, b = self.expected_of(left), self.expected_of(right)
        if isinstance(a, Elem) and isinstance(b, Elem) and a.domain == b.domain and self._ordered(a) and self._ordered(b):
            return make.compare(op, self.fit(left, a, term.span), self.fit(right, b, term.span), term.span)
        return make.compare(op, self.as_number(left, node(term.parts[0]).span), self.as_number(right, node(term.parts[2]).span),
                            term.span)

    def _pair(self, left: Node, right: Node, scope: Scope) -> tuple[Expr, Expr]:
        """Both sides of a comparison; a bare word is looked up in the type of the other side."""
        if self._bare(left, scope) and not self._bare(right, scope):
            b = self.value(right, scope)
            return self.value(left, scope, self._hint(left, b)), b
        a = self.value(left, scope)
        found = self.meaning(right, scope, self._hint(right, a))
        return a, self._plain(found, right.span)

    def _hint(self, term: Node, other: Expr) -> Type | None:
        """The type to look a word up in: a number beside a number stays one."""
        kind = self.expected_of(other)
        return None if isinstance(kind, Int | Bool) else kind

    def _bare(self, term: Node, scope: Scope) -> bool:
        return term.kind in ("name", "int", "none", "nobody") and not (
            term.kind == "name" and word(term.parts[0]).text in scope.names)

    def _equal(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        left, right = node(term.parts[0]), node(term.parts[-1])
        if right.kind == "noun":
            return self._is_noun(self._component(left, scope), self.noun(right, scope), term.span)
        return self._same(*self._pair(left, right, scope), term)

    def _component(self, term: Node, scope: Scope) -> Expr:
        found = self.value(term, scope)
        kind = self.expected_of(found)
        if not isinstance(kind, Elem) or kind.domain != COMPONENT:
            raise self.symbols.wrong("TY12", f"{self.symbols.text(term.span)} is no component", term.span)
        return found

    def _same(self, left: Expr, right: Expr, term: Node) -> Expr:
        a, b = self.expected_of(left), self.expected_of(right)
        nothing = (isinstance(left, Const) and left.value is None) or (isinstance(right, Const) and right.value is None)
        if nothing:
            if not (isinstance(left.type, Maybe) and isinstance(right.type, Maybe)):
                raise self.symbols.wrong("TY15", "this is never none", term.span)
            return make.equal(left, right, term.span)
        if isinstance(a, Elem) and isinstance(b, Elem) and a.domain == b.domain:
            if a.domain == COMPONENT and (a.lo > b.hi or b.lo > a.hi):
                raise self.symbols.wrong("TY11", "these are never the same", term.span)
            return make.equal(left, right, term.span)
        if isinstance(a, Bool) and isinstance(b, Bool) or isinstance(a, SetOf) and isinstance(b, SetOf):
            return make.equal(left, right, term.span)
        if isinstance(a, Int) or isinstance(b, Int):
            return make.equal(self.as_number(left, term.span), self.as_number(right, term.span), term.span)
        raise self.symbols.wrong("TY01", f"{make.describe(left.type)} and {make.describe(right.type)} are never the same",
                                 term.span)

    def _is_not(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        found = self._equal(term, scope, expected)
        assert not isinstance(found, PlaceOf | Noun | DomainOf)
        return make.negate(found, term.span)

    def _is_in(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        member = self.value(node(term.parts[0]), scope)
        over = node(term.parts[2])
        if over.kind == "set_of":
            kind = self.expected_of(member)
            group = self.value(over, scope, SetOf(kind) if isinstance(kind, Elem) else None)
            return Op(Operator.IN, (member, group), Bool(), term.span)
        source = self.through(self.meaning(over, scope), over.span)
        if isinstance(source.domain, Members) and source.where is None:
            return Op(Operator.IN, (member, source.domain.of), Bool(), term.span)
        test = make.equal(Local("it", source.type), self.fit(member, source.type, term.span), term.span)
        return Fold(FoldKind.ANY, "it", source.domain, source.where, test, Bool(), None, term.span)

    def _is_not_in(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        found = self._is_in(term, scope, expected)
        assert not isinstance(found, PlaceOf | Noun | DomainOf)
        return make.negate(found, term.span)

    def _is_state(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.state_of(term, scope)

    def _has(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`Z has 3`, `Z has at least 2 K`: the number of components, or the value of a number."""
        over, many = node(term.parts[0]), node(term.parts[2])
        how, quantity, noun = many.parts
        op = _HOW_MANY[" ".join(word(how).text.split())] if how is not None else Operator.EQ
        found = self.meaning(over, scope)
        if noun is not None:
            if not isinstance(found, PlaceOf):
                raise self.symbols.wrong("TY03", f"{self.symbols.text(over.span)} is no zone", over.span)
            total = self.counted(self._in_place(node(noun), over, scope, "it"), "it", term.span)
        elif isinstance(found, PlaceOf | DomainOf | Noun) or isinstance(found.type, SetOf):
            total = self.counted(self.through(found, over.span), "it", term.span)
        else:
            total = self.as_number(self._plain(found, over.span), over.span)
        return make.compare(op, total, self.quantity(quantity, scope), term.span)

    def quantity(self, part: object, scope: Scope) -> Expr:
        """A number, a name for one, or a value in brackets."""
        if isinstance(part, Word):
            kind = "int" if part.type == "INT" else "name"
            return self.number(Node(kind, (part,), part.span), scope)
        assert isinstance(part, Node)
        return self.number(part, scope)

    def _has_none(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        total = self.counted(self._in_place(node(term.parts[2]), node(term.parts[0]), scope, "it"), "it", term.span)
        return make.compare(Operator.EQ, total, make.number(0), term.span)

    def _has_row(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """`Z has 4 K in a row through C`: straight, in any of the eight directions, without a gap."""
        found = self.place(node(term.parts[0]), scope)
        zone = self.symbols.zones[found.place.zone]
        length = self.quantity(term.parts[2], scope)
        if zone.spots is None or not isinstance(zone.spots, Elem) or not isinstance(length, Const):
            raise self.symbols.wrong("BD04", "a row is a fixed number of components on the cells of a board", term.span)
        assert isinstance(length.value, int)
        rows = grid.rows_of(self.symbols, self.symbols.boards[zone.spots.domain], length.value)
        cell = Local("cell", zone.spots)
        here = At(Place(zone.name, found.place.keys, cell), cell, Maybe(self.component_type(zone)))
        full = self._is_noun(here, self.noun(node(term.parts[3]), scope), term.span)
        cells = Look(f"cells of {rows.domain}", (Local("row", rows),), SetOf(zone.spots))
        body = Fold(FoldKind.ALL, "cell", Members(cells), None, full, Bool(), None, term.span)
        through = term.parts[5]
        over = self.through(DomainOf(rows, term.span), term.span).domain
        if through is not None:
            at = self.value(node(through), scope, zone.spots)
            over = Members(Look(f"through a cell {rows.domain}", (at,), SetOf(rows)))
        return Fold(FoldKind.ANY, "row", over, None, body, Bool(), None, term.span)

    def _wins(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        who = node(term.parts[0])
        winners = Get(WINNERS, (), SetOf(self.symbols.player), term.span)
        if who.kind == "nobody":
            size = Op(Operator.SIZE, (winners,), Int(0, self.symbols.seats.number), term.span)
            return make.compare(Operator.EQ, size, make.number(0), term.span)
        return Op(Operator.IN, (self.value(who, scope, self.symbols.player), winners), Bool(), term.span)

    def _some(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.quantified(term, scope, FoldKind.ANY)

    def _no_one(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return make.negate(self.quantified(term, scope, FoldKind.ANY), term.span)

    def _every(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.quantified(term, scope, FoldKind.ALL)

    def _some_player(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.quantified_players(term, scope, FoldKind.ANY)

    def _no_player(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return make.negate(self.quantified_players(term, scope, FoldKind.ANY), term.span)

    def _every_player(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.quantified_players(term, scope, FoldKind.ALL)
