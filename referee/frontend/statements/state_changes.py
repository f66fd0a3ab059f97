"""Statements that change the state: moves, counters, names; and the blocks they stand in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from referee.core.expr import At, Const, End, Expr, Fold, FoldKind, Get, If, Local, Only, Operator, Place, Where, Within
from referee.core.ruleset import Form, Role, Zone
from referee.core.stmt import Bind, Block, Branch, Each, Merge, Move, Origin, Put, Stmt, Swap, origin_of
from referee.core.traverse import walk
from referee.core.types import COMPONENT, PLAYER, Elem, Int, Many, Maybe, Scalar, SetOf
from referee.diagnostics.source import Span
from referee.frontend.desugaring.swapped_effects import one_after_the_other, with_swaps
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import MemberSource
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import LOST, Bound, Noun, PlaceOf, Scope
from referee.frontend.names.timed_modifiers import Duration, base_of, known_duration, leaving, modified, modified_kinds
from referee.frontend.names.tree_access import ErrorReported, cites, ids, node, nodes, word, words
from referee.frontend.names.tree_building import for_everybody
from referee.syntax.syntax_tree import Node, Part, Word

MOST_NAMES = 500
"""Names that are known at one place of the rules: more are refused."""
_OF_EVERYBODY = frozenset(
    {"set", "raise_", "lower_", "clear", "move", "move_at_most", "move_all", "deal", "deal_in_order", "shuffle"})
"""What may be said `of each player` in one line."""
AT_ONCE = ("commit", "draw", "roll", "roll_dice")
"""What stands in `simultaneously` and gives names."""
SURPLUS, NOT_AT_ALL, NO_LIMIT = "surplus", "not_at_all", "no_limit"
SCOPE, FOR_GOOD = "scope", "for_good"
"""What other answers are about where a number stops at a limit or is changed for a while, and what they are called."""

Rule = Callable[[Node, Scope, Origin], tuple[list[Stmt], Scope]]


class Statements:
    """Lowering of blocks, and of what changes the state.

    `rules`: what lowers each construct, by the kind of its node; the modules beside this one add theirs.
    """

    def __init__(self, values: ExpressionLowering) -> None:
        self.symbols = values.symbols
        self.terms = values.terms
        self.sources = values.sources
        self.conditions = values.conditions
        self._full = False
        self.at_once = False
        self.repeated = False
        self.neighbours: tuple[Node | None, Node | None] = (None, None)
        self.rules: dict[str, Rule] = {
            "move": self._move,
            "move_at_most": self._move,
            "shuffle": self._shuffle,
            "swap": self._swap,
            "set": self._set,
            "raise_": self._change,
            "lower_": self._change,
            "let": self._let,
            "nothing": self._nothing,
            "together": self._together,
            "move_all": self._move_all,
        }

    # ------------------------------------------------------------------ blocks
    @contextmanager
    def in_rounds(self) -> Iterator[None]:
        """What is lowered in here is carried out again and again."""
        around, self.repeated = self.repeated, True
        try:
            yield
        finally:
            self.repeated = around

    def block(self, parent: Node, scope: Scope) -> Block:
        """The statements in a node, in order; what one binds the later ones know."""
        lines: list[Block] = []
        found: list[tuple[Node, tuple[str, ...]]] = []
        for child in self._children(parent):
            extra = cites(child) if child.kind == "line" else _beside(parent)
            inner = [n for n in nodes(child) if n.kind != "cite"] if child.kind == "line" else [child]
            found.extend((stmt, extra) for stmt in inner)
        alone = [stmt for stmt, _ in found]
        for (stmt, extra), before, after in zip(found, [None, *alone], [*alone[1:], None], strict=False):
            self.neighbours = (before, after)
            line: list[Stmt] = []
            scope = self._one(stmt, scope, extra, line)
            lines.append(tuple(line))
        return with_swaps(self.symbols, lines) if not self.at_once else tuple(s for line in lines for s in line)

    def _children(self, parent: Node) -> Iterable[Node]:
        return [n for n in nodes(parent) if n.kind == "line" or n.kind in self.rules]

    def _one(self, stmt: Node, scope: Scope, extra: tuple[str, ...], done: list[Stmt]) -> Scope:
        hoisted: list[Stmt] = []
        body = [i for b in nodes(stmt, "body") for c in nodes(b, "cite") for i in ids(c)]
        own = tuple(i for c in nodes(stmt, "cite") for i in ids(c))
        where = Origin(stmt.span if stmt.span.line == stmt.span.end_line else first_line(stmt), (*own, *body, *extra))
        everybody = for_everybody(stmt, not self.at_once) if stmt.kind in _OF_EVERYBODY else None
        stmt = stmt if everybody is None else everybody
        try:
            made, after = self.rules[stmt.kind](stmt, replace(scope, hoist=hoisted, cites=where.cites), where)
            if len(after.names) > max(MOST_NAMES, len(scope.names)):
                raise self._crowded(where)
        except ErrorReported:
            return self._without(stmt, scope)
        done.extend(hoisted)
        done.extend(made)
        return replace(after, hoist=scope.hoist)

    def _crowded(self, where: Origin) -> ErrorReported:
        """Too many names at once, reported for the first that is too many."""
        if not self._full:
            self._full = True
            self.symbols.wrong("NM10", f"more than {MOST_NAMES} names are known here", where.span)
        return ErrorReported()

    def _without(self, stmt: Node, scope: Scope) -> Scope:
        """The scope after a statement with an error: nobody is told that the names it gives are not known."""
        lines = [line for n in nodes(stmt, "body") for line in (n, *nodes(n, "line"))]
        commits = [c for line in lines for c in nodes(line, *AT_ONCE)]
        self.symbols.broken.update(w.text for c in commits for w in words(c, "NAME"))
        given = [w for part in (stmt, *commits) for w in words(part, "NAME")]
        for name in given if len(scope.names) < MOST_NAMES else ():
            if not self.symbols.declared(name.text) and name.text not in scope.names:
                scope = scope.bind(name.text, LOST)
        return scope

    def body(self, part: Part, scope: Scope, after: int = 0) -> Block:
        """The block of a `body`. One that comes after others (`else`) lies `after` levels deeper in the core."""
        inner = node(part)
        with self.terms.deeper(1 + after, inner.span):
            return self.block(inner, replace(scope, hoist=None))

    # ------------------------------------------------------------------ components
    def _move(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        capped = stmt.kind == "move_at_most"
        what, given, to = node(stmt.parts[-3]), stmt.parts[-2], node(stmt.parts[-1])
        number, expr, at = self._moved(what, scope)
        if self.symbols.lasting:
            expr = self.sources.kept("moved", expr, scope, stmt)
        source = self.terms.place(node(given), scope).place if given is not None else at
        if source is None:
            raise self.symbols.wrong(
                "MV01",
                f"from where does `{self.symbols.text(what.span)}` move?",
                what.span,
                hint=f"write `move {self.symbols.text(what.span)} from ZONE to ...`",
            )
        to_place = self._dest(to, scope, expr)
        if capped:
            number = self.sources.kept("number", self._capped(number, expr, source, to_place, what), scope, stmt)
        before, gone = leaving(self.symbols, expr, source, to_place, self.sources.fresh("elsewhere"), where)
        if gone and number is not None and not typed_operators.simple(number):
            number = self.sources.kept("number", number, scope, stmt)
        if gone and number is not None:
            gone = (Branch(typed_operators.compare(Operator.LT, typed_operators.number(0), number), gone, (), where),)
        return [*before, Move(expr, number, source, to_place, where), *gone], scope

    def _capped(self, number: Expr | None, like: Expr, source: Place, to: Place, what: Node) -> Expr:
        """`move at most 3 K from A to B`: as many as lie there, and as many as there is room for."""
        if number is None:
            raise self.symbols.wrong("MV04", f"at most how many: `{self.symbols.text(what.span)}` is one", what.span,
                                     hint="`move at most 3 KIND from ZONE to ZONE`")
        one, zone = self.sources.fresh("it"), self.symbols.zones[to.zone]
        kind = self.terms.component_type(self.symbols.zones[source.zone])
        same = typed_operators.equal(Local(one, kind), like)
        there = Fold(FoldKind.COUNT, one, Within(source), same, None, Int(0, self.symbols.zones[source.zone].capacity))
        number = typed_operators.arithmetic(Operator.LOWER, number, there, what.span)
        if zone.limit is None:
            return number
        lying = Fold(FoldKind.COUNT, one, Within(replace(to, end=None)), None, None, Int(0, zone.capacity))
        room = typed_operators.arithmetic(Operator.SUB, self.terms.as_number(zone.limit, what.span), lying)
        room = typed_operators.arithmetic(Operator.HIGHER, room, typed_operators.number(0))
        return typed_operators.arithmetic(Operator.LOWER, number, room, what.span)

    def _moved(self, what: Node, scope: Scope) -> tuple[Expr | None, Expr, Place | None]:
        """Number, class and (if it shows) the place of what a phrase says is moved."""
        number, whole = None, Elem(COMPONENT, 0, max(0, len(self.symbols.components) - 1))
        if what.kind == "some_of":
            number = self.conditions.quantity(what.parts[0], scope)
            what = node(what.parts[1])
        found = self.terms.meaning(what, scope)
        if what.kind == "end_card" and not isinstance(found, At):
            lying = self.terms.place(node(what.parts[1]), scope).place
            end = End.TOP if "top" in word(what.parts[0]).text else End.BOTTOM
            return None, self.terms.value(what, scope, whole), replace(lying, end=end)
        if isinstance(found, PlaceOf) and found.place.spot is not None:
            content = self.terms.value(what, scope)
            assert isinstance(content.type, Maybe)
            return None, Only(content, content.type.of, what.span), found.place
        if isinstance(found, At):
            return None, Only(found, found.type.of, what.span), _position(found)
        if isinstance(found, Noun) and found.one is None:
            raise self.symbols.wrong("TY04", f"which `{self.symbols.text(what.span)}` is moved?", what.span)
        expr = self.terms.value(what, scope)
        if not isinstance(expr.type, Many):
            expr = self.terms.fit(expr, whole, what.span)
        if what.kind == "name" and word(what.parts[0]).text in scope.names:
            return number, expr, scope.names[word(what.parts[0]).text].at
        return number, expr, self._said_to_lie(what, scope)

    def _said_to_lie(self, what: Node, scope: Scope) -> Place | None:
        """The place that a phrase like `the Card in hand of p` names itself, with or without a condition."""
        while what.kind == "group":
            what = node(what.parts[0])
        if what.kind not in ("the", "best"):
            return None
        there = self.terms.meaning(node(what.parts[1]), scope.pure())
        return there.place if isinstance(there, PlaceOf) else None

    def _dest(self, to: Node, scope: Scope, what: Expr) -> Place:
        target, end = node(to.parts[-1]), None
        if to.kind == "pile_end":
            end = End.TOP if "top" in word(to.parts[0]).text else End.BOTTOM
        found = self.landing_on(target, scope)
        zone = self.symbols.zones[found.place.zone]
        if zone.form is Form.SLOTS and found.place.spot is None:
            raise self.symbols.wrong(
                "MV02", f"to which spot of {zone.name}?", target.span, hint="write `to ZONE at SPOT`"
            )
        if zone.form is Form.PILE and end is None:
            raise self.symbols.wrong(
                "MV03",
                f"to the top or to the bottom of {zone.name}?",
                target.span,
                expected=(f"`the top of {zone.name}`", f"`the bottom of {zone.name}`"),
            )
        self._admits(found, what, target.span)
        return replace(found.place, end=end)

    def landing_on(self, target: Node, scope: Scope) -> PlaceOf:
        """Where something comes to lie: a zone, a spot of it, or a position of a line."""
        said = self.terms.meaning(target, scope)
        return PlaceOf(_position(said), target.span) if isinstance(said, At) else self.terms.place(target, scope)

    def _admits(self, found: PlaceOf, what: Expr, span: Span) -> None:
        zone = self.symbols.zones[found.place.zone]
        kind = what.type.of if isinstance(what.type, Maybe | Many) else what.type
        kinds = [self.symbols.kinds[k] for k in zone.kinds]
        if isinstance(kind, Elem) and not any(k.lo <= kind.hi and kind.lo <= k.hi for k in kinds):
            raise self.symbols.wrong("ZN04", f"{zone.name} is for {', '.join(zone.kinds)} only", span)
        if isinstance(what.type, Many):
            self.one_by_one(found.place, span)

    def one_by_one(self, to: Place, span: Span) -> None:
        """Refuses to lay several at once where they lie in an order: nobody says in which. Raises Wrong."""
        if self.symbols.zones[to.zone].form is Form.LINE:
            raise self.symbols.wrong(
                "DR02",
                f"in which order do they come to lie in {to.zone}?",
                span,
                hint="let them come one by one: `for each n in 1..5: deal 1 from PILE to LINE`; from a bag `for each c "
                "in KIND, as listed`, below it `repeat until number of c in BAG = 0, at most 5 times: move c from BAG "
                "to LINE`",
            )

    def _shuffle(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        what, to = node(stmt.parts[0]), stmt.parts[1]
        if what.kind == "in_place":
            if to is None:
                raise self.symbols.wrong(
                    "PL02", "into which pile are they shuffled?", what.span, hint="`shuffle X in Y into Z`"
                )
            into = self._pile(node(to), scope)
            back = self._all_of(what, scope, replace(into.place, end=End.BOTTOM), where)
            return [*back, Merge(into.place, (), where)], scope
        found = self.terms.place(what, scope)
        into = self._pile(node(to), scope) if to is not None else self._pile(what, scope)
        if to is None:
            return [Merge(into.place, (), where)], scope
        kind = self.terms.component_type(self.symbols.zones[found.place.zone])
        source = MemberSource(Within(found.place), kind, None, found.place)
        before, after = self._leaving(source, into.place, self.sources.fresh("class"), where)
        return [*before, Merge(into.place, (found.place,), where), *after], scope

    def _pile(self, term: Node, scope: Scope) -> PlaceOf:
        found = self.terms.place(term, scope)
        if self.terms.form(found.place) is not Form.PILE:
            zone = self.symbols.zones[found.place.zone]
            raise self.symbols.wrong(
                "PL01", f"only a pile is shuffled, {zone.name} is declared as `{zone.form.value} of`", term.span
            )
        return found

    def _swap(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        one, other = (self._whole_place(part, scope) for part in nodes(stmt))
        if one.zone != other.zone:
            self._exchangeable(self.symbols.zones[one.zone], self.symbols.zones[other.zone], node(stmt.parts[1]).span)
        before: list[Stmt] = []
        after: list[Stmt] = []
        for source, to in ((one, other), (other, one)):
            kind = self.terms.component_type(self.symbols.zones[source.zone])
            found = MemberSource(Within(source), kind, None, source)
            first, then = self._leaving(found, to, self.sources.fresh("class"), where)
            before.extend(first)
            after.extend(then)
        return [*before, Swap(one, other, where), *after], scope

    def _whole_place(self, term: Node, scope: Scope) -> Place:
        found = self.terms.place(term, scope)
        if found.place.spot is not None or found.place.end is not None:
            raise self.symbols.wrong(
                "SW02",
                f"`{self.symbols.text(term.span)}` is only a part of {found.place.zone}",
                term.span,
                expected=(f"`{found.place.zone}`",),
                hint="`move` takes what lies there to another place",
            )
        return found.place

    def _exchangeable(self, one: Zone, other: Zone, span: Span) -> None:
        """Refuses to exchange zones of which one could not hold what lies in the other. Raises Wrong."""
        if one.form is not other.form:
            why = f"{other.name} is a {other.form.value}, {one.name} a {one.form.value}"
        elif set(one.kinds) != set(other.kinds):
            why = f"{other.name} is for {' or '.join(other.kinds)}, {one.name} for {' or '.join(one.kinds)}"
        elif one.spots != other.spots:
            why = f"{other.name} does not lie on the spots of {one.name}"
        elif one.capacity != other.capacity:
            why = f"{other.name} has room for {other.capacity}, {one.name} for {one.capacity}"
        else:
            return
        like = [zone for zone in self.symbols.zones.values() if _exchanged_with(zone) == _exchanged_with(one)]
        fitting = [zone.name for zone in like if zone.keys or zone.name != one.name]
        raise self.symbols.wrong(
            "SW01",
            f"what lies in {one.name} cannot be exchanged with this: {why}",
            span,
            expected=tuple(f"`{name}`" for name in sorted(fitting)[:6]),
            hint="declare both in the same form, for the same kinds and with the same room, or `move` what lies there",
        )

    def _move_all(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        whole = Elem(COMPONENT, 0, max(0, len(self.symbols.components) - 1))
        to = self._dest(node(stmt.parts[1]), scope, Local("each of them", whole))
        self.one_by_one(to, node(stmt.parts[1]).span)
        return self._all_of(node(stmt.parts[0]), scope, to, where), scope

    def _all_of(self, sel: Node, scope: Scope, to: Place, where: Origin) -> list[Stmt]:
        """Moves every component of a selection, class by class."""
        name = self.sources.fresh("class")
        source = self.sources.source(sel, scope.pure(), name)
        if source.at is None:
            raise self.symbols.wrong("TY03", f"`{self.symbols.text(sel.span)}` is no zone", sel.span)
        before, after = self._leaving(source, to, name, where)
        if self.symbols.zones[to.zone].form is Form.PILE and self._one_each(source.type):
            found = Where(name, source.domain, source.where, SetOf(source.type), sel.span)
            one_block = Move(found, None, source.at, to, where)  # nobody says in which order they lie
            return [*before, one_block, *after]
        over = self.sources.domain_with(source, name, sel.span)
        same = typed_operators.equal(Local("it", source.type), Local(name, source.type), sel.span)
        most = self.symbols.zones[source.at.zone].capacity
        there = Fold(FoldKind.COUNT, "it", Within(source.at), same, None, Int(0, most), None, sel.span)
        move = Move(Local(name, source.type), there, source.at, to, where)
        return [*before, Each(name, over, (move,), where), *after]

    def _leaving(self, source: MemberSource, to: Place, var: str, where: Origin) -> tuple[Block, Block]:
        """Before and after all of a source have moved: what lasts for them is gone, in another zone. `var`: of its
        filter."""
        if not modified_kinds(self.symbols, source.type) or source.at is None:
            return (), ()
        name = self.sources.fresh("left")
        them = Where(var, source.domain, source.where, SetOf(source.type), where.span)
        found, said = Local(name, them.type), self.sources.fresh("elsewhere")
        before, after = leaving(self.symbols, found, source.at, to, said, where)
        return ((Bind(name, them, where), *before), after) if after else ((), ())

    def _one_each(self, kind: Scalar) -> bool:
        """True for classes of one component each."""
        return all(one.number == 1 for one in self.symbols.components[kind.lo : kind.hi + 1])

    # ------------------------------------------------------------------ variables
    def _set(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        var = self._variable(node(stmt.parts[0]), scope)
        value = self.terms.value(node(stmt.parts[1]), scope, var.type)
        return [Put(var.var, var.keys, value, where)], scope

    def _change(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        var = self._variable(node(stmt.parts[0]), scope)
        if not isinstance(var.type, Int):
            raise self.symbols.wrong(
                "TY02",
                f"only a number is raised or lowered, this is {self.symbols.describe(var.type)}",
                node(stmt.parts[0]).span,
            )
        amount = self.terms.number(node(stmt.parts[1]), scope)
        op = Operator.ADD if stmt.kind == "raise_" else Operator.SUB
        lasting = next((i for i, w in enumerate(stmt.parts) if isinstance(w, Word) and w.type == "DURATION"), None)
        if lasting is not None:
            duration = known_duration(self.symbols, word(stmt.parts[lasting]))
            owner = self._whose(duration, stmt.parts[lasting + 1 :], scope)
            made = modified(self.symbols, duration, var, op, amount, scope, where, owner)
            for_good = Put(var.var, var.keys, typed_operators.arithmetic(op, var, amount), where)
            return [self._for_good(made, for_good)], scope
        value = typed_operators.arithmetic(op, var, amount, stmt.span)
        bound = next((i for i, p in enumerate(stmt.parts) if isinstance(p, Word) and p.type == "NOT_PAST"), None)
        if bound is not None:
            limit = self.terms.number(node(stmt.parts[bound + 1]), scope)
            stop = Operator.HIGHER if stmt.kind == "lower_" else Operator.LOWER
            value = self._stopped(var, value, limit, stop, where)
        return [Put(var.var, var.keys, value, where)], scope

    def _for_good(self, lasting: Stmt, changed: Put) -> Stmt:
        """What lasts for a while; for another answer it stays."""
        test = self.symbols.others.test(SCOPE, FOR_GOOD, changed.origin)
        return lasting if test is None else Branch(test, (changed,), (lasting,), changed.origin)

    def _stopped(self, var: Get, value: Expr, limit: Expr, stop: Operator, where: Origin) -> Expr:
        """A number that stops at a limit; for other answers it is not changed at all where it would pass it, or there
        is none. Of what components have, and of what falls to nothing, it is always clear that the rest is lost."""
        made = self._unbounded(var, typed_operators.arithmetic(stop, value, limit, where.span), value, stop, where)
        mine = any(one.domain == PLAYER for key in var.keys for one in walk(key.type, Elem))
        test = self.symbols.others.test(SURPLUS, NOT_AT_ALL, where) if mine or not var.keys else None
        if test is None:
            return made
        past = typed_operators.compare(Operator.LT if stop is Operator.HIGHER else Operator.GT, value, limit)
        kind = typed_operators.join(made.type, var.type)
        assert kind is not None
        return If(typed_operators.both((test, past)), var, made, kind, where.span)

    def _unbounded(self, var: Get, made: Expr, value: Expr, stop: Operator, where: Origin) -> Expr:
        """A number that stops at a limit; for another answer only at the end of its range."""
        kind = var.type
        assert isinstance(kind, Int)
        test = self.symbols.others.test(SURPLUS, NO_LIMIT, where) if stop is Operator.LOWER else None
        if test is None:
            return made
        most = typed_operators.arithmetic(Operator.LOWER, value, typed_operators.number(kind.hi), where.span)
        both = typed_operators.join(made.type, most.type)
        assert both is not None
        return If(test, most, made, both, where.span)

    def _whose(self, duration: Duration, said: tuple[Part, ...], scope: Scope) -> Expr | None:
        """The player after `for the next X of`, if one is named."""
        who = next((part for part in said if isinstance(part, Node)), None)
        if who is None:
            return None
        if not duration.next:
            raise self.symbols.wrong("DU01", f"`{duration}` is the same for all: it is nobody's", who.span)
        return self.terms.value(who, scope, self.symbols.player)

    def _variable(self, term: Node, scope: Scope) -> Get:
        found = base_of(self.terms.meaning(term, scope))
        if not isinstance(found, Get) or self.symbols.vars[found.var].role is not Role.STATE:
            raise self.symbols.wrong(
                "VR01",
                f"`{self.symbols.text(term.span)}` cannot be set: it is no counter",
                term.span,
                expected=tuple(
                    f"`{v.name}`" for v in self.symbols.vars.values() if v.role is Role.STATE and " " not in v.name
                )[:6],
            )
        return found

    def _let(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        name = word(stmt.parts[0])
        if name.text in scope.names:
            raise self.symbols.wrong("NM02", f"the name {name.text} is used already here", name.span)
        if name.text in self.symbols.told.get(scope.owner, ()):
            flag = typed_operators.as_flag(self.terms.condition(node(stmt.parts[1]), scope), stmt.span)
            known = typed_operators.from_flag(Local(name.text, flag.type), name.span)
            return [Bind(name.text, flag, where)], scope.bind(name.text, Bound(known))
        value = self.terms.value(node(stmt.parts[1]), scope, self._given(scope.owner, name.text))
        return [Bind(name.text, value, where)], scope.bind(name.text, Bound(Local(name.text, value.type)))

    def _given(self, owner: str, name: str) -> Scalar | None:
        """The type of what a procedure gives by this name."""
        procedure = self.symbols.procedures.get(owner)
        return dict(procedure.results).get(name) if procedure is not None else None

    def _together(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """Every value is read before the first is written."""
        around, self.at_once = self.at_once, True
        inner = self.body(stmt.parts[0], scope)
        self.at_once = around
        first: list[Stmt] = []
        then: list[Put | Swap] = []
        gone: list[Stmt] = []
        written: list[tuple[Put, bool]] = []
        swapped: list[Place] = []
        waiting: list[tuple[Expr | None, Stmt]] = [(None, part) for part in reversed(inner)]
        while waiting:
            meant, part = waiting.pop()
            if isinstance(part, Bind):
                first.append(part)
            elif isinstance(part, Branch) and not part.no:
                test = part.cond if meant is None else typed_operators.both((meant, part.cond))
                waiting += [(test, inside) for inside in reversed(part.yes)]
            elif isinstance(part, Put):
                self._written_once(part, meant is not None, written)
                keys = tuple(self._read(key, part.origin, first) for key in part.keys)
                value = part.value
                if meant is not None:
                    kept = Get(part.var, keys, self.symbols.vars[part.var].type, part.origin.span)
                    value = If(meant, value, kept, kept.type, part.origin.span)
                then.append(replace(part, keys=keys, value=self._read(value, part.origin, first), more=True))
            elif isinstance(part, Swap) and meant is None:
                if any(_may_be_one(a, b) for a in swapped for b in (part.one, part.other)):
                    said = "a place may be swapped twice at once, and it matters which swap comes first"
                    raise self.symbols.wrong("TG02", said, part.origin.span)
                swapped += (part.one, part.other)
                one, other = (self._known_place(place, part.origin, first) for place in (part.one, part.other))
                then.append(replace(part, one=one, other=other, more=True))
            elif any(isinstance(swap, Swap) and swap.origin is origin_of(part) for swap in then):
                gone.append(part)  # what lasted for something that was swapped
            else:
                where = origin_of(part)
                said = "`together` holds `set`, `raise`, `lower` and `swap` only"
                if meant is not None:
                    said = "at once, what happens under a condition or to some only is `set`, `raise` or `lower`"
                raise self.symbols.wrong("TG01", said, where.span)
        at_once = (*first, *then[:-1], *(replace(last, more=False) for last in then[-1:]), *gone)
        return list(one_after_the_other(self.symbols, at_once, inner)), scope

    def _written_once(self, part: Put, maybe: bool, written: list[tuple[Put, bool]]) -> None:
        """Notes what is written at once. Raises ErrorReported if two parts write the same entry, or if one of them is
        not carried out in any case and they may: it would write what was there."""
        for other, perhaps in written:
            if other.var == part.var and (other.keys == part.keys or (
                (maybe or perhaps) and not _surely_differ(other.keys, part.keys))):
                raise self.symbols.wrong("TG02", f"{part.var} is written twice at once", part.origin.span)
        written.append((part, maybe))

    def _known_place(self, place: Place, where: Origin, before: list[Stmt]) -> Place:
        """The place with keys that are read before anything is written."""
        return replace(place, keys=tuple(self._read(key, where, before) for key in place.keys))

    def _read(self, value: Expr, where: Origin, before: list[Stmt]) -> Expr:
        """The value under a name, read before anything is written."""
        if isinstance(value, Const | Local):
            return value
        name = self.sources.fresh("value")
        before.append(Bind(name, value, where))
        return Local(name, value.type)

    def _nothing(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        return [], scope


def _beside(parent: Node) -> tuple[str, ...]:
    """What a body on the line of its head cites: it speaks for the statement there too."""
    return cites(parent) if parent.kind == "body" and parent.span.line == parent.span.end_line else ()


def _position(at: At) -> Place:
    """A position of a line as a place to take from or to lay into."""
    return replace(at.place, spot=at.spot)


def _may_be_one(one: Place, other: Place) -> bool:
    """False if two places are surely not the same."""
    return one.zone == other.zone and not _surely_differ(one.keys, other.keys)


def _surely_differ(one: tuple[Expr, ...], other: tuple[Expr, ...]) -> bool:
    """Whether some key is another one in any case."""
    pairs = zip(one, other, strict=False)
    return any(isinstance(a, Const) and isinstance(b, Const) and a.value != b.value for a, b in pairs)


def _exchanged_with(zone: Zone) -> tuple[object, ...]:
    """What two zones have in common if all that lies in one may lie in the other just as it lies."""
    return zone.form, set(zone.kinds), zone.spots, zone.capacity


def first_line(stmt: Node) -> Span:
    """The first line of a compound statement."""
    span = stmt.span
    ends = [
        p.span.end_column
        for p in stmt.parts
        if p is not None and p.span.line == span.line and p.span.end_line == span.line
    ]
    return Span(span.path, span.line, span.column, span.line, max(ends, default=span.column + len(stmt.kind)))
