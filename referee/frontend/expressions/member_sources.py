"""What can be gone through, chosen from or counted: sources, filters, quantifiers, counts, the best of."""

from __future__ import annotations

from collections.abc import Callable

from referee.core.expr import (
    All,
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    If,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Where,
)
from referee.core.intervals import fold, of_type
from referee.core.stmt import Bind, Gap, Origin, Point, Unspecified
from referee.core.types import COMPONENT, Bool, Elem, Int, Many, Maybe, Scalar, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import MemberSource, Terms
from referee.frontend.names.bindings import Bound, DomainOf, Meaning, Noun, PlaceOf, Scope
from referee.frontend.names.number_domains import labelled
from referee.frontend.names.tree_access import node, nodes, word, words
from referee.syntax.syntax_tree import Node, Part, Word

Decider = Callable[[Node, Node, Expr, Scalar, Scope], Expr]
"""Lowers a tie rule that asks somebody: (phrase, rule, those tied, their type, scope) -> the one taken."""
DiceShown = Callable[[Node, Scope, str], MemberSource | None]
"""Lowers a phrase that names dice as the numbers that they show; None for one that speaks of something else."""
MOST_RULES = 5
"""Rules behind `ties:`, one after the other: more are refused."""
PICK, NO_TIE_BREAK, TESTED_AFTER = "pick", "no_tie_break", "tested_after"
"""What other answers are about where the best are picked, and what they are called."""
# The best of something is written out several times, so those within each other double in length at every step.
LEVELS_OF_BEST = 8


class MemberSources:
    """Lowering of everything with a variable that runs through something."""

    decider: Decider | None = None
    dice: DiceShown | None = None
    several_dice: DiceShown | None = None

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.symbols = terms.symbols
        self._count = 0

    def source(self, term: Node, scope: Scope, var: str) -> MemberSource:
        """What a phrase goes through, with its filter, in which `it` and the variable are the member."""
        if term.kind == "where":
            return self._where(term, scope, var, self.source)
        if term.kind == "in_place":
            *kinds, where = nodes(term)
            several = len(kinds) > 1
            return self._any(kinds, where, scope, var) if several else self.in_place(kinds[0], where, scope, var)
        if term.kind == "range":
            return self._range(term, scope)
        if term.kind == "few":
            least, most = Node("int", term.parts[:1], term.span), node(term.parts[1])
            return self._numbers(least, most, scope, False)
        if term.kind == "down_to":
            return self._numbers(node(term.parts[0]), node(term.parts[2]), scope, True)
        if term.kind == "another":
            member = Local(var, self.symbols.player, term.span)
            other = Op(Operator.NE, (member, self.terms.me(scope, term.span)), Bool(), term.span)
            everybody = self.terms.through(DomainOf(self.symbols.player, term.span), term.span)
            return MemberSource(everybody.domain, everybody.type, other, None)
        shown = self.dice(term, scope, var) if self.dice is not None else None
        return shown if shown is not None else self.terms.through(self.terms.meaning(term, scope), term.span)

    def _where(
        self, term: Node, scope: Scope, var: str, of: Callable[[Node, Scope, str], MemberSource]
    ) -> MemberSource:
        """`S where C`, `square c where C`, `Card c in Z where C`: a name for the member, beside `it`."""
        *what, cond = nodes(term)
        source = of(what[0] if len(what) == 1 else Node("in_place", tuple(what), term.span), scope, var)
        named = next(words(term, "NAME"), None)
        return self._filtered(source, cond, scope, var, None if named is None else named.text)

    def _filtered(
        self, inner: MemberSource, cond: Node, scope: Scope, var: str, named: str | None = None
    ) -> MemberSource:
        within = self.inside(scope, var, inner)
        test = self.terms.condition(cond, within if named is None else within.bind(named, within.names[var]))
        both = test if inner.where is None else typed_operators.both((inner.where, test), cond.span)
        return MemberSource(inner.domain, inner.type, both, inner.at, inner.often)

    def several(self, term: Node, scope: Scope, var: str) -> MemberSource:
        """As `source`, of what several are taken from: of numbers as the members of a domain labelled with them."""
        if term.kind == "where":
            return self._where(term, scope, var, self.several)
        dice = self.several_dice(term, scope, var) if self.several_dice is not None else None
        if dice is not None:
            return dice
        source = self.source(term, scope, var)
        return labelled(self.symbols, source, lambda kind: self.terms.as_number(Local(var, kind), term.span), term.span)

    def inside(self, scope: Scope, var: str, source: MemberSource) -> Scope:
        """The scope in which the variable (also called `it`) is a member of the source."""
        member = Local(var, source.type)
        names = {**scope.names, var: Bound(member, source.at)}
        return Scope(names, scope.me, member, None, scope.owner, seats=scope.seats)

    def in_place(self, what: Node, where: Node, scope: Scope, var: str) -> MemberSource:
        found = self.terms.place(where, scope)
        source = self.terms.through(found, where.span)
        noun = self.noun(what, scope)
        test = self.is_noun(Local(var, source.type, what.span), noun, what.span)
        kind = Elem(COMPONENT, max(source.type.lo, noun.classes.lo), min(source.type.hi, noun.classes.hi))
        if kind.lo > kind.hi:
            raise self.symbols.wrong(
                "TY11", f"{found.place.zone} never holds {self.symbols.text(what.span)}", what.span
            )
        every = kind == source.type and noun.one is None and noun.among is None
        return MemberSource(source.domain, kind, None if every else test, source.at)

    def _any(self, kinds: list[Node], where: Node, scope: Scope, var: str) -> MemberSource:
        """`K or L in Z`: what is of one kind or another."""
        each = [self.in_place(kind, where, scope, var) for kind in kinds]
        hull = Elem(COMPONENT, min(one.type.lo for one in each), max(one.type.hi for one in each))
        nouns = [self.noun(kind, scope) for kind in kinds]
        tests = tuple(self.is_noun(Local(var, hull, k.span), n, k.span) for k, n in zip(kinds, nouns, strict=True))
        return MemberSource(each[0].domain, hull, Or(tests, where.span), each[0].at)

    def noun(self, term: Node, scope: Scope) -> Noun:
        """The phrase as a kind of component; a value that is a component stands for those like it."""
        found = self.terms.meaning(term, scope)
        if isinstance(found, Noun):
            return found
        if not isinstance(found, DomainOf | PlaceOf):
            kind = self.expected_of(found)
            if isinstance(kind, Elem) and kind.domain == COMPONENT:
                return Noun(kind, found, term.span)
        said, kinds = self.symbols.text(term.span), tuple(f"`{k}`" for k in sorted(self.symbols.kinds)[:6])
        raise self.symbols.wrong("TY12", f"`{said}` is no kind of component", term.span, expected=kinds)

    def is_noun(self, expr: Expr, noun: Noun, span: Span) -> Expr:
        """True if a component is of a kind."""
        if noun.one is not None:
            return typed_operators.equal(expr, noun.one, span)
        return Op(Operator.IN, (expr, self.whole(noun)), Bool(), span)

    def whole(self, noun: Noun) -> Expr:
        """Every class that a noun means, as a set."""
        if noun.among is not None:
            return noun.among
        if noun.one is not None:
            return typed_operators.singleton(noun.one)
        every = frozenset(range(noun.classes.lo, noun.classes.hi + 1))
        return Const(every, SetOf(noun.classes), noun.span)

    def _range(self, term: Node, scope: Scope) -> MemberSource:
        lo, hi = (node(p) for p in term.parts)
        return self._numbers(lo, hi, scope, False)

    def _numbers(self, lo: Node, hi: Node, scope: Scope, down: bool) -> MemberSource:
        low, high = self.terms.number(lo, scope), self.terms.number(hi, scope)
        if down:
            low, high = high, low
        assert isinstance(low.type, Int)
        assert isinstance(high.type, Int)
        kind = Int(low.type.lo, max(low.type.lo, high.type.hi))
        return MemberSource(Numbers(low, high, down), kind, None, None)

    # ------------------------------------------------------------------ some, no, every
    def quantified(self, term: Node, scope: Scope, kind: FoldKind) -> Expr:
        """`some x in S where C`, `every x in S where C: D`."""
        name = word(term.parts[0])
        over = node(term.parts[1])
        source = self.source(over, scope, name.text)
        rest = [node(p) for p in term.parts[2:] if p is not None]
        return self._fold(kind, name.text, source, rest, scope, term.span)

    def quantified_players(self, term: Node, scope: Scope, kind: FoldKind) -> Expr:
        """`some player p where C`, `every player p where C: D`."""
        name = word(term.parts[0])
        source = self.terms.through(DomainOf(self.symbols.player, term.span), term.span)
        return self._fold(kind, name.text, source, [node(p) for p in term.parts[1:] if p is not None], scope, term.span)

    def _fold(self, kind: FoldKind, var: str, source: MemberSource, rest: list[Node], scope: Scope, span: Span) -> Expr:
        inside = self.inside(scope, var, source)
        body = self.terms.condition(rest[-1], inside)
        filters = [self.terms.condition(r, inside) for r in rest[:-1]]
        where = (
            typed_operators.both(([source.where] if source.where is not None else []) + filters)
            if source.where or filters
            else None
        )
        return Fold(kind, var, source.domain, where, body, Bool(), None, span)

    # ------------------------------------------------------------------ counting and adding up
    def count(self, term: Node, scope: Scope) -> Expr:
        """`number of X`, `number of K in Z`, `number of x in S where C`."""
        what, where = node(term.parts[1]), term.parts[2]
        cond = node(term.parts[3]) if len(term.parts) > 3 else None
        if where is None:
            var = self.running(scope)
            source = self.source(what, scope, var)
        elif self._binds(what, scope):
            if cond is None:
                capital = "a kind begins with a capital; " if self.symbols.kinds else ""
                hint = f"{capital}write `number of {self.symbols.text(node(where).span)}` for all, or add `where ...`"
                said = f"`{self.symbols.text(what.span)}` is no kind of component"
                raise self.symbols.wrong("TY12", said, what.span, hint=hint)
            var = word(what.parts[0]).text
            source = self.source(node(where), scope, var)
        else:
            var = self.running(scope)
            source = self.in_place(what, node(where), scope, var)
        if cond is not None:
            source = self._filtered(source, cond, scope, var)
        return self.counted(source, var, term.span)

    def _binds(self, what: Node, scope: Scope) -> bool:
        """True if the phrase is a fresh name, which then runs through the source."""
        return what.kind == "name" and word(what.parts[0]).text not in scope.names

    def counted(self, source: MemberSource, var: str, span: Span) -> Expr:
        """How many members pass the filter."""
        most = self.most(source)
        if isinstance(source.domain, All) and source.where is None:
            return typed_operators.number(most, span)
        if isinstance(source.domain, Members) and source.where is None:
            return Op(Operator.SIZE, (source.domain.of,), Int(0, most), span)
        return Fold(FoldKind.COUNT, var, source.domain, source.where, None, Int(0, most), None, span)

    def most(self, source: MemberSource) -> int:
        """How many members there can be, counting alike components."""
        if source.at is not None:
            return self.symbols.zones[source.at.zone].capacity
        if isinstance(source.domain, Members) and isinstance(source.domain.of.type, Many):
            return source.domain.of.type.most
        if source.often is not None:
            assert isinstance(source.often.type, Int)
            return source.often.type.hi
        return source.type.hi - source.type.lo + 1

    def as_often(self, source: MemberSource, var: str, most: int, span: Span | None) -> Expr:
        """How many there are of which several are taken: alike components and dice that show the same each count."""
        kind = FoldKind.COUNT if source.often is None else FoldKind.SUM
        return Fold(kind, var, source.domain, source.where, source.often, Int(0, most), None, span)

    def aggregate(self, term: Node, scope: Scope) -> Expr:
        """`sum of att in field of p`: of an attribute, counter or definition of each member."""
        kind = {"sum": FoldKind.SUM, "highest": FoldKind.MAX, "lowest": FoldKind.MIN}[
            word(term.parts[0]).text.split()[0]
        ]
        what, over = node(term.parts[1]), node(term.parts[2])
        var = word(what.parts[0]).text if self._is_new(what, scope) else self.running(scope)
        source = self.source(over, scope, var)
        if len(term.parts) > 3:
            source = self._filtered(source, node(term.parts[3]), scope, var)
        body = self.key(what, self.inside(scope, var, source), Local(var, source.type))
        body = self.terms.as_number(body, what.span)
        assert isinstance(body.type, Int)
        whole = fold(kind, of_type(body.type), None, self.most(source)).type
        return Fold(kind, var, source.domain, source.where, body, whole, None, term.span)

    def _is_new(self, what: Node, scope: Scope) -> bool:
        """True for a name that nothing has: in `highest of n in 1..6 where C` it runs through the source."""
        if what.kind != "name":
            return False
        name, known = word(what.parts[0]).text, {"column", "row", "room", *self.symbols.attributes, *scope.names}
        return name not in known and not self.symbols.declared(name)

    def key(self, what: Node, scope: Scope, member: Expr) -> Expr:
        """The value by which members are compared: of a bare name, that name of the member."""
        if what.kind == "name":
            name = word(what.parts[0])
            if name.text not in scope.names and name.text not in self.symbols.domains:
                return self.terms.plain(self.of(name, member, scope, what.span), what.span)
        return self.terms.value(what, scope)

    def of(self, name: Word, owner: Expr, scope: Scope, span: Span) -> Meaning:
        """`name of owner`, for an owner that is a value already."""
        lane = self._lane(name, owner, span)
        return lane if lane is not None else self.terms.function(name, [owner], scope, span)

    def _lane(self, name: Word, cell: Expr, span: Span) -> Expr | None:
        """`column of c` and `row of c` for a cell of a board."""
        kind = cell.type
        known = ("room",) if isinstance(kind, Elem) and kind.domain in self.symbols.maps else ("column", "row")
        on_board = isinstance(kind, Elem) and kind.domain in {*self.symbols.boards, *self.symbols.maps}
        if name.text not in known or not isinstance(kind, Elem) or not on_board:
            return None
        table = self.symbols.tables[f"{name.text} of {kind.domain}"]
        return Look(table.name, (cell,), table.type, span)

    # ------------------------------------------------------------------ the one, the best
    def _chosen(self, term: Node, scope: Scope) -> tuple[MemberSource, str]:
        """The source and variable of `the x in S ...` or `the K in Z ...`."""
        what, over = term.parts[0], node(term.parts[1])
        if isinstance(what, Word):
            return self.source(over, scope, what.text), what.text
        var = self.running(scope)
        return self.in_place(node(what), over, scope, var), var

    def the(self, term: Node, scope: Scope) -> Expr:
        """`the K in Z`, `the x in S where C`: the only one."""
        source, var = self._chosen(term, scope)
        if len(term.parts) > 2 and term.parts[2] is not None:
            source = self._filtered(source, node(term.parts[2]), scope, var)
        return Only(self.set_of(source, var, term.span), source.type, term.span)

    def set_of(self, source: MemberSource, var: str, span: Span) -> Expr:
        """The members of a source as a set."""
        if isinstance(source.domain, Members) and source.where is None and isinstance(source.domain.of.type, SetOf):
            return source.domain.of
        return Where(var, source.domain, source.where, SetOf(source.type), span)

    def best(self, term: Node, scope: Scope) -> Expr:
        """`the x in S where C with the highest V, ties: ...`; without a tie rule a tie is unspecified."""
        source, var = self._chosen(term, scope)
        every = source
        if term.parts[2] is not None:
            source = self._filtered(source, node(term.parts[2]), scope, var)
        which = word(term.parts[3]).text.split()[-1]
        fold = FoldKind.MAX if which in ("highest", "most") else FoldKind.MIN
        late = self._late(term, scope) if source is not every else None
        among = self.set_of(source, var, term.span)
        if late is not None:
            among = If(late, self.set_of(every, var, term.span), among, among.type, term.span)
        candidates = self.kept("candidates", among, scope, term)
        inside = self.inside(scope, var, source)
        by = self._sortable(self.key(node(term.parts[4]), inside, Local(var, source.type)), term.parts[4])
        top = self._top(fold, var, candidates, by, scope, term)
        best = typed_operators.equal(by, top)
        if late is not None and source.where is not None:
            best = typed_operators.both((best, Or((typed_operators.negate(late), source.where))))
        tied: Expr = Where(var, Members(candidates), best, SetOf(source.type), term.span)
        return self._tie(term, tied, source.type, scope, source, var)

    def _late(self, term: Node, scope: Scope) -> Expr | None:
        """For another answer: the best of all are picked first, and tested then."""
        return self.symbols.others.test(PICK, TESTED_AFTER, Origin(term.span, scope.cites), alone=True)

    def _sortable(self, by: Expr, part: Part) -> Expr:
        span = node(part).span
        if isinstance(by.type, Maybe):
            by = Only(by, by.type.of, span)
        if isinstance(by.type, Int) or (isinstance(by.type, Elem) and self.ordered(by.type)):
            return by
        return self.terms.as_number(by, span)

    def ordered(self, kind: Elem) -> bool:
        if kind.domain == COMPONENT:
            return any(k.ordered and k.lo <= kind.lo and kind.hi <= k.hi for k in self.symbols.kinds.values())
        return self.symbols.domains[kind.domain].ordered

    def _tie(self, term: Node, tied: Expr, kind: Scalar, scope: Scope, source: MemberSource, var: str) -> Expr:
        """What the tie rules make of the best: each narrows what the one before has left."""
        said = list(nodes(node(term.parts[5]))) if term.parts[5] is not None else []
        if len(said) > MOST_RULES:
            raise self.symbols.wrong("TI02", f"a tie has at most {MOST_RULES} rules", said[MOST_RULES].span)
        for rule in said:
            if rule.kind == "tie_all":
                return tied
            if rule.kind == "tie_nobody":
                return self._nobody(tied, kind, term)
            if rule.kind != "tie_by":
                return self._decided(term, rule, tied, kind, scope)
            tied = self._narrowed(term, rule, tied, scope, source, var)
        return self._decided(term, None, tied, kind, scope)

    def _top(self, fold: FoldKind, var: str, members: Expr, by: Expr, scope: Scope, term: Node) -> Expr:
        """The best value among members; of none any value will do: then none of them has it."""
        assert isinstance(by.type, Int | Elem)
        least = Const(by.type.lo, by.type, term.span)
        return self.kept("best", Fold(fold, var, Members(members), None, by, by.type, least, term.span), scope, term)

    def _nobody(self, tied: Expr, kind: Scalar, term: Node) -> Expr:
        size = Op(Operator.SIZE, (tied,), Int(0, self._size(kind)))
        single = typed_operators.compare(Operator.EQ, size, typed_operators.number(1))
        return If(single, tied, Const(frozenset(), SetOf(kind)), SetOf(kind), term.span)

    def _narrowed(self, term: Node, rule: Node, tied: Expr, scope: Scope, source: MemberSource, var: str) -> Expr:
        """Of those tied, those with the most (or least) of something else."""
        which = word(rule.parts[0]).text.split()[-1]
        fold = FoldKind.MAX if which in ("highest", "most") else FoldKind.MIN
        members = self.kept("tied", tied, scope, term)
        inside = self.inside(scope, var, source)
        by = self._sortable(self.key(node(rule.parts[1]), inside, Local(var, source.type)), rule.parts[1])
        top = self._top(fold, var, members, by, scope, term)
        best = typed_operators.equal(by, top)
        test = self.symbols.others.test(PICK, NO_TIE_BREAK, Origin(rule.span, scope.cites), alone=True)
        best = best if test is None else Or((test, best))
        return Where(var, Members(members), best, SetOf(source.type), term.span)

    def _decided(self, term: Node, rule: Node | None, tied: Expr, kind: Scalar, scope: Scope) -> Expr:
        """Somebody takes one of those tied: the table if nobody is named."""
        if scope.hoist is None:
            raise self.symbols.wrong(
                "TI01",
                "several may be the best, and nobody can be asked in the middle of this",
                term.span if rule is None else rule.span,
                expected=("`, ties: all`", "`, ties: nobody`"),
                hint="or name it in a statement of its own: `let best = ...`",
            )
        if rule is None or rule.kind == "tie_unspecified":
            return self._ruled(term, tied, kind, scope)
        assert self.decider is not None, "only the statements of a ruleset can carry out something before a value"
        return self.decider(term, rule, tied, kind, scope)

    def _size(self, kind: Scalar) -> int:
        return kind.hi - kind.lo + 1

    def _ruled(self, term: Node, tied: Expr, kind: Scalar, scope: Scope) -> Expr:
        assert scope.hoist is not None
        name = self.fresh("the")
        question = f"which is {self.symbols.text(term.span)}? There are several, or none"
        point = Point(self.symbols.point(f"{scope.owner}.tie"), False, Origin(term.span, scope.cites))
        scope.hoist.append(Unspecified(point, question, name, kind, Members(tied), Gap.TIE))
        return Local(name, kind, term.span)

    def kept(self, name: str, value: Expr, scope: Scope, term: Node) -> Expr:
        """The value under a name, computed once before the statement, where that is possible."""
        if scope.hoist is None or typed_operators.simple(value):
            return value
        local = self.fresh(name)
        scope.hoist.append(Bind(local, value, Origin(term.span)))
        return Local(local, value.type, term.span)

    def running(self, scope: Scope) -> str:
        """The name of what runs through a source: within a filter not the `it` of that filter."""
        return "it" if scope.it is None else self.fresh("it")

    def fresh(self, name: str) -> str:
        """A local name that no rules text can spell."""
        self._count = getattr(self, "_count", 0) + 1
        return f"{name} {self._count}"

    def domain_with(self, source: MemberSource, var: str, span: Span) -> Domainlike:
        """The source with its filter as one thing to go through."""
        if source.where is None:
            return source.domain
        return Members(Where(var, source.domain, source.where, SetOf(source.type), span))

    def expected_of(self, expr: Expr) -> Type:
        """The type in which a word beside this value is looked up."""
        return expr.type.of if isinstance(expr.type, Maybe) else expr.type
