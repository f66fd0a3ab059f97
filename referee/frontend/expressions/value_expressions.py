"""Values: one method for each construct of the grammar that stands for one; conditions are values too."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import All, At, Const, Expr, If, Let, Local, Look, Op, Operator, Place, Where, Within
from referee.core.naming import quoted, unquoted
from referee.core.ruleset import Form
from referee.core.stmt import Origin
from referee.core.types import COMPONENT, Bool, Elem, Int, Maybe, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import Terms
from referee.frontend.expressions.combined_classes import CombinedKinds
from referee.frontend.expressions.conditions import Conditions
from referee.frontend.expressions.dice_pools import DicePools
from referee.frontend.expressions.division import quotient, remainder
from referee.frontend.expressions.member_sources import LEVELS_OF_BEST, MemberSources
from referee.frontend.expressions.positions import occurrences
from referee.frontend.names.bindings import ComponentKind, DomainOf, Group, Meaning, Noun, PlaceOf, Scope
from referee.frontend.names.grid_tables import direction
from referee.frontend.names.grids import DIRECTION
from referee.frontend.names.symbol_table import guess
from referee.frontend.names.tree_access import node, nodes, word
from referee.syntax.syntax_tree import Node, Word

ROUNDING, ROUNDED_UP = "rounding", "rounded_up"
_OPERATIONS = frozenset({"plus", "minus", "times", "divided", "neg"})
"""Kinds of calculations that are written without a word before their first part."""


class ValueExpressions:
    """The lowering of words, sets, places, counts, the best of some, arithmetic."""

    def __init__(self, terms: Terms, sources: MemberSources, conditions: Conditions, pools: DicePools) -> None:
        self.terms = terms
        self.sources = sources
        self.conditions = conditions
        self.pools = pools
        self.symbols = terms.symbols
        self.combined = CombinedKinds(terms)
        terms.rules.update(
            {
                "name": self._name,
                "noun": self._noun,
                "int": self._int,
                "string": self._quoted,
                "yes": self._yes,
                "no": self._yes,
                "none": self._none,
                "nobody": self._none,
                "me": self._me,
                "it": self._it,
                "my": self._my,
                "opponent": self._opponent,
                "opponent_of": self._opponent_of,
                "players": self._players,
                "others": self._others,
                "others_than": self._others_than,
                "turn_player": self._turn,
                "occurrences": self._occurrences,
                "taker": self._taker,
                "call": self._call,
                "combination": self.combined.combination,
                "set_of": self._set_of,
                "group": self._group,
                "attr_of": self._attr_of,
                "at": self._at,
                "number": self._number,
                "aggregate": self._aggregate,
                "of_dice": self._of_dice,
                "struck": self._struck,
                "minmax": self._minmax,
                "the": self._the,
                "best": self._best,
                "either": self._either,
                "where": self._where,
                "plus": self._sum,
                "minus": self._sum,
                "times": self._sum,
                "divided": self._divided,
                "remainder": self._remainder,
                "neg": self._neg,
            }
        )

    # ------------------------------------------------------------------ words
    def _name(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.terms.name(word(term.parts[0]), scope, expected)

    def _quoted(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        said = unquoted(word(term.parts[0]).text)
        if not scope.seats:
            raise self.symbols.wrong("TY13", f"`{self.symbols.text(term.span)}` is no value", term.span)
        if said not in scope.seats:
            hint = guess(said, scope.seats)
            raise self.symbols.wrong("NM01", f"nobody is called {quoted(said)}", term.span, hint=hint)
        return typed_operators.member(scope.seats[said], self.symbols.player, term.span)

    def _int(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        found = word(term.parts[0])
        if len(found.text) > 9:
            raise self.symbols.wrong("TY09", "a number has at most nine digits", term.span)
        value = int(found.text)
        of = expected.of if isinstance(expected, Maybe | SetOf) else expected
        if isinstance(of, Elem):
            index = self.symbols.labelled(of, value)
            if index is not None:
                return typed_operators.member(index, of, term.span)
        return typed_operators.number(value, term.span)

    def _yes(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return Const(term.kind == "yes", Bool(), term.span)

    def _none(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        of = expected.of if isinstance(expected, Maybe) else expected
        return typed_operators.nothing(of if isinstance(of, Elem | Int) else self.symbols.player, term.span)

    def _me(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.terms.me(scope, term.span)

    def _it(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        if scope.it is None:
            raise self.symbols.wrong("NM09", "`it` is known in a filter (`where ...`) only", term.span)
        return scope.it

    def _my(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.sources.of(word(term.parts[0]), self.terms.me(scope, term.span), scope, term.span)

    def _opponent(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.symbols.opponent(self.terms.me(scope, term.span, "opponent"), term.span)

    def _opponent_of(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.symbols.opponent(self.terms.value(node(term.parts[0]), scope, self.symbols.player), term.span)

    def _players(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return DomainOf(self.symbols.player, term.span)

    def _others(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self._all_but(self.terms.me(scope, term.span), "it", term.span)

    def _others_than(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        one = self.terms.value(node(term.parts[1]), scope, self.symbols.player)
        return self._all_but(one, self.sources.running(scope), term.span)

    def _all_but(self, one: Expr, var: str, span: Span) -> Where:
        """The set of all players but one."""
        player = self.symbols.player
        return Where(var, All(player), Op(Operator.NE, (Local(var, player), one), Bool(), span), SetOf(player), span)

    def _occurrences(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return occurrences(self.symbols, term.span)

    def _taker(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """Who takes the trick, as it is declared: whoever asks, nothing that is named here has a part in it."""
        if self.symbols.taker is None:
            raise self.terms.no_trick(term.span)
        return self.terms.meaning(replace(self.symbols.taker, span=term.span), replace(scope, names={}, it=None))

    def _turn(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.terms.turn_player(term.span)

    def _noun(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        name, owner = word(term.parts[0]), term.parts[1]
        if owner is None and name.text in scope.names:  # a player with a capital
            return scope.names[name.text].expr
        kind = self.symbols.kinds.get(name.text)
        if kind is None and name.text in self.symbols.groups:
            group = self.symbols.groups[name.text]
            return Noun(group.type, None, term.span) if owner is None else self._those(group, node(owner), scope, term)
        if kind is None and owner is None and name.text == DIRECTION and self.symbols.grids:
            return DomainOf(direction(self.symbols), term.span)
        if kind is None and owner is None and name.text in self.symbols.domains:
            return DomainOf(self.symbols.domains[name.text].whole, term.span)
        if kind is None:
            return self._named_class(name, owner is not None, scope, term.span)
        if owner is None:
            one = typed_operators.member(kind.lo, kind.type, term.span) if kind.lo == kind.hi else None
            return Noun(kind.type, one, term.span)
        if kind.columns:
            return self.combined.having(kind, node(owner), scope, term.span)
        if not kind.owned or kind.listed:
            raise self.symbols.wrong(
                "TY14", f"a {kind.name} belongs to nobody", term.span, hint=f"declare `kind {kind.name} of player`"
            )
        return self._of_player(kind, self.terms.value(node(owner), scope, self.symbols.player), term.span)

    def _of_player(self, kind: ComponentKind, player: Expr, span: Span) -> Noun:
        """What a player has of a kind of which each has his own."""
        if isinstance(player, Const) and isinstance(player.value, int):
            one = typed_operators.member(kind.lo + player.value, kind.type, span)
            return Noun(Elem(COMPONENT, kind.lo + player.value, kind.lo + player.value), one, span)
        table = self.symbols.table(
            f"{kind.name} of player", (self.symbols.player,), kind.type, tuple(range(kind.lo, kind.hi + 1))
        )
        return Noun(kind.type, Look(table, (player,), kind.type, span), span)

    def _those(self, group: Group, said: Node, scope: Scope, term: Node) -> Noun:
        """`Piece of me`, `Card of clubs` of several kinds under one name: what each of those that can be so said is."""
        each = [kind for kind in group.kinds if kind.columns or (kind.owned and not kind.listed)]
        if not each:
            of = " or ".join(kind.name for kind in group.kinds)
            raise self.symbols.wrong("TY14", f"a {group.name} belongs to nobody", term.span,
                                     hint=f"none of {of} is declared with `of player`")
        sets: list[Expr] = []
        owned = [kind for kind in each if not kind.columns]
        if owned:
            player = self.terms.value(said, scope, self.symbols.player)
            of_each = tuple(frozenset(k.lo + seat for k in owned) for seat in range(self.symbols.seats.number))
            name = self.symbols.table(f"{group.name} of player", (self.symbols.player,), SetOf(group.type), of_each)
            sets.append(self.terms.looked_up(self.symbols.tables[name], (player,), term.span))
        for kind in each:
            if kind.columns:
                sets.append(self.sources.whole(self.combined.having(kind, said, scope, term.span)))
        among = sets[0]
        for other in sets[1:]:
            among = Op(Operator.UNION, (among, other), SetOf(group.type), term.span)
        return Noun(group.type, None, term.span, among)

    def _named_class(self, name: Word, owned: bool, scope: Scope, span: Span) -> Noun:
        for kind in self.symbols.kinds.values():
            index = self.symbols.labelled(kind.type, name.text)
            if index is not None and not owned:
                one = Elem(COMPONENT, index, index)
                return Noun(one, Const(index, one, span), span)
        labels = self.symbols.domains[COMPONENT].labels
        known = {*self.symbols.kinds, *(w for w in scope.names if not w[:1].islower())}
        small = {w for w in (*self.symbols.values(), *scope.names) if w.lower() == name.text.lower()}
        raise self.symbols.unknown(name, "a kind or a component", lambda: {*known, *map(str, labels), *small})

    # ------------------------------------------------------------------ links
    def _call(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        args = [node(p) for p in node(term.parts[1]).parts]
        return self.terms.function(word(term.parts[0]), args, scope, term.span)

    def _set_of(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        of = expected.of if isinstance(expected, SetOf) else expected
        members = [self.terms.value(node(p), scope, of) for p in node(term.parts[0]).parts]
        kind: Type = members[0].type
        for member in members[1:]:
            joined = typed_operators.join(kind, member.type)
            if joined is None:
                raise self.symbols.wrong("TY01", "the members of a set are of one type", member.span or term.span)
            kind = joined
        if not isinstance(kind, Elem | Int):
            raise self.symbols.wrong("TY10", f"a set cannot hold {self.symbols.describe(kind)}", term.span)
        return Op(Operator.SET, tuple(members), SetOf(kind), term.span)

    def _group(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.terms.meaning(node(term.parts[0]), scope, expected)

    def _attr_of(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        name, owner = word(term.parts[0]), node(term.parts[1])
        if name.text in ("column", "row") or (name.text == "room" and self.symbols.maps):
            return self._lane_of(name, owner, scope, term.span)
        score = self.symbols.score
        if name.text == "score" and score is not None and not self.symbols.declared(name.text):
            whose = self.terms.value(owner, scope, self.symbols.player)
            return Let(score.player, whose, score.value, score.value.type, term.span)
        return self.terms.function(name, [owner], scope, term.span)

    def _lane_of(self, name: Word, owner: Node, scope: Scope, span: Span) -> Meaning:
        found = self.terms.meaning(owner, scope)
        if isinstance(found, DomainOf) and found.type.domain in {*self.symbols.boards, *self.symbols.maps}:
            return DomainOf(self.symbols.domains[f"{name.text} of {found.type.domain}"].whole, span)
        cell = self.terms.plain(found, owner.span)
        return self.sources.of(name, cell, scope, span)

    def _at(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        over, spot = node(term.parts[0]), node(term.parts[1])
        if over.kind == "attr_of" and word(over.parts[0]).text not in self.symbols.zones:
            inner = Node("at", (over.parts[1], spot), term.span)
            return self._attr_of(Node("attr_of", (over.parts[0], inner), term.span), scope, expected)
        found = self.terms.place(over, scope)
        zone = self.symbols.zones[found.place.zone]
        if zone.form is Form.SLOTS and zone.spots is not None:
            where = self.terms.value(spot, scope, zone.spots)
            return PlaceOf(Place(zone.name, found.place.keys, where, span=term.span), term.span)
        if zone.form is Form.LINE:
            position = typed_operators.arithmetic(
                Operator.SUB, self.terms.number(spot, scope), typed_operators.number(1), spot.span
            )
            return At(found.place, position, Maybe(self.terms.component_type(zone)), term.span)
        raise self.symbols.wrong("ZN03", f"{zone.name} is a {zone.form.value}: it has no spots", term.span)

    # ------------------------------------------------------------------ numbers
    def _number(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        dice = self.pools.dice(node(term.parts[1]), scope) if term.parts[2] is None else None
        return self.pools.number_of_dice(dice, term.span) if dice is not None else self.sources.count(term, scope)

    def _aggregate(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.sources.aggregate(term, scope)

    def _of_dice(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.pools.of_dice(term, scope)

    def _struck(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.pools.struck(term, scope)

    def _minmax(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        op = Operator.LOWER if word(term.parts[0]).text == "smaller" else Operator.HIGHER
        return typed_operators.arithmetic(
            op, self.terms.number(node(term.parts[1]), scope), self.terms.number(node(term.parts[2]), scope), term.span
        )

    def _sum(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        op = {"plus": Operator.ADD, "minus": Operator.SUB, "times": Operator.MUL}[term.kind]
        self._bracketed(term)
        left, right = (self.terms.number(n, scope) for n in nodes(term))
        return typed_operators.arithmetic(op, left, right, term.span)

    def _divided(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        left, right = self._division(term, scope)
        up = word(term.parts[3]).text.endswith("up")
        where = Origin(term.span, scope.cites)
        test = None if up else self.symbols.others.test(ROUNDING, ROUNDED_UP, where, alone=True)
        if test is not None:
            more = typed_operators.arithmetic(Operator.SUB, typed_operators.arithmetic(Operator.ADD, left, right),
                                              typed_operators.number(1))  # fmt: skip
            kind = typed_operators.join(left.type, more.type)
            assert kind is not None
            left = If(test, more, left, kind, left.span)
        return quotient(left, right, up, self.sources.fresh, term.span)

    def _remainder(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return remainder(*self._division(term, scope), self.sources.fresh, term.span)

    def _bracketed(self, term: Node) -> None:
        """Whoever reads `larger of 0 and a - b` may take it in two ways: which is meant is said in brackets."""
        last = next(iter(nodes(term)))
        while last.kind in _OPERATIONS:
            last = list(nodes(last))[-1]
        if last.kind == "minmax":
            end = term.span
            rest = self.symbols.text(
                Span(end.path, last.span.end_line, last.span.end_column, end.end_line, end.end_column))
            said, second = self.symbols.text(last.span), self.symbols.text(list(nodes(last))[-1].span)
            raise self.symbols.wrong(
                "TY18", f"`{said} {rest}` can be read in two ways", term.span,
                hint=f"`({said}) {rest}`, or `{said[:-len(second)]}({second} {rest})`")

    def _division(self, term: Node, scope: Scope) -> tuple[Expr, Expr]:
        """What is divided, and by what: never by less than one."""
        self._bracketed(term)
        left, right = (self.terms.number(n, scope) for n in nodes(term))
        assert isinstance(right.type, Int)
        if right.type.lo < 1:
            by = list(nodes(term))[1].span
            said = f"`{self.symbols.text(by)}` may be {right.type.lo}, and nothing is divided by less than 1"
            raise self.symbols.wrong("TY17", said, by, hint=f"`(larger of {self.symbols.text(by)} and 1)`")
        return left, right

    def _neg(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return typed_operators.arithmetic(
            Operator.SUB, typed_operators.number(0), self.terms.number(node(term.parts[0]), scope), term.span
        )

    def _the(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        return self.sources.the(term, scope)

    def _best(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        with self.terms.deeper(LEVELS_OF_BEST, term.span):
            return self.sources.best(term, scope)

    def _where(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        """A set of players, cells, names or classes; of what lies in a zone there may be several alike."""
        name = self.sources.running(scope)
        source = self.sources.source(term, scope, name)
        if isinstance(source.domain, Within):
            said = "components are chosen or counted where they lie: several may be alike, which a set does not tell"
            raise self.symbols.wrong("TY10", said, term.span, hint="say this where it is asked, after `in`")
        assert source.where is not None
        return Where(name, source.domain, source.where, SetOf(source.type), term.span)

    def _either(self, term: Node, scope: Scope, expected: Type | None) -> Meaning:
        test, yes, no = (node(p) for p in term.parts)
        pure = scope.pure()
        either = [self.terms.value(part, pure, expected) for part in (yes, no)]
        left, right = self.terms.alike(self.terms.with_nothing(either, (yes, no), pure), (yes.span, no.span))
        kind = typed_operators.join(left.type, right.type)
        if kind is None:
            one, other = self.symbols.describe(left.type), self.symbols.describe(right.type)
            raise self.symbols.wrong("TY01", f"one is {one}, the other {other}", term.span)
        return If(self.terms.condition(test, scope), left, right, kind, term.span)
