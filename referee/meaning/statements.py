"""Statements that change the state or steer the course of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from referee.base.source import Span
from referee.core.expr import All, Const, End, Expr, Get, Local, Look, Members, Numbers, Only, Operator, Place
from referee.core.ruleset import TURN, Form, Role
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Each,
    Finish,
    Merge,
    Move,
    Origin,
    Point,
    Put,
    Repeat,
    Stmt,
    Unspecified,
)
from referee.core.types import COMPONENT, Elem, Int, Maybe, SetOf
from referee.meaning import make
from referee.meaning.entity import Bound, Noun, PlaceOf, Scope
from referee.meaning.nodes import Wrong, cited, node, nodes, text, word
from referee.meaning.symbols import Symbols
from referee.meaning.values import Values
from referee.syntax.tree import Node, Part

Rule = Callable[[Node, Scope, Origin], tuple[list[Stmt], Scope]]


class Statements:
    """Lowering of blocks. `Asking` adds the statements that ask somebody."""

    def __init__(self, symbols: Symbols, values: Values) -> None:
        self.symbols = symbols
        self.values = values
        self.rules: dict[str, Rule] = {
            "move": self._move,
            "shuffle": self._shuffle,
            "set": self._set,
            "raise_": self._change,
            "lower_": self._change,
            "let": self._let,
            "reveal": self._nothing,
            "wins": self._wins,
            "unspecified": self._unspecified,
            "nothing": self._nothing,
            "do": self._do,
            "if_": self._if,
            "for_each": self._for_each,
            "repeat": self._repeat,
            "rounds": self._rounds,
            "together": self._together,
            "turns": self._turns,
        }

    # ------------------------------------------------------------------ blocks
    def block(self, parent: Node, scope: Scope) -> Block:
        """The statements in a node, in order; what one binds the later ones know."""
        done: list[Stmt] = []
        for child in self._children(parent):
            extra = tuple(i for c in nodes(child, "cite") for i in cited(c)) if child.kind == "line" else ()
            inner = [n for n in nodes(child) if n.kind != "cite"] if child.kind == "line" else [child]
            for stmt in inner:
                scope = self._one(stmt, scope, extra, done)
        return tuple(done)

    def _children(self, parent: Node) -> Iterable[Node]:
        return [n for n in nodes(parent) if n.kind == "line" or n.kind in self.rules]

    def _one(self, stmt: Node, scope: Scope, extra: tuple[str, ...], done: list[Stmt]) -> Scope:
        hoisted: list[Stmt] = []
        body = [i for b in nodes(stmt, "body") for c in nodes(b, "cite") for i in cited(c)]
        own = tuple(i for c in nodes(stmt, "cite") for i in cited(c))
        where = Origin(stmt.span if stmt.span.line == stmt.span.end_line else _head(stmt), (*own, *body, *extra))
        try:
            made, after = self.rules[stmt.kind](stmt, replace(scope, hoist=hoisted), where)
        except Wrong:
            return scope
        done.extend(hoisted)
        done.extend(made)
        return replace(after, hoist=scope.hoist)

    def body(self, part: Part, scope: Scope) -> Block:
        """The block of a `body`."""
        return self.block(node(part), replace(scope, hoist=None))

    # ------------------------------------------------------------------ components
    def _move(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        what, given, to = node(stmt.parts[0]), stmt.parts[1], node(stmt.parts[2])
        number, expr, at = self._moved(what, scope)
        source = self.values.place(node(given), scope).place if given is not None else at
        if source is None:
            raise self.symbols.wrong(
                "MV01",
                f"from where does {self.symbols.text(what.span)} move?",
                what.span,
                hint="write `move X from ZONE to ZONE`",
            )
        return [Move(expr, number, source, self._dest(to, scope, expr), where)], scope

    def _moved(self, what: Node, scope: Scope) -> tuple[Expr | None, Expr, Place | None]:
        """Number, class and (if it shows) the place of what a phrase says is moved."""
        number = None
        if what.kind == "some_of":
            number = make.number(int(word(what.parts[0]).text[:9]), what.span)
            what = node(what.parts[1])
        found = self.values.meaning(what, scope)
        if isinstance(found, PlaceOf) and found.place.spot is not None:
            content = self.values.value(what, scope)
            assert isinstance(content.type, Maybe)
            return None, Only(content, content.type.of, what.span), found.place
        if isinstance(found, Noun) and found.one is None:
            raise self.symbols.wrong("TY04", f"which {self.symbols.text(what.span)} is moved?", what.span)
        expr = self.values.value(what, scope, Elem(COMPONENT, 0, len(self.symbols.components) - 1))
        at = (
            scope.names[word(what.parts[0]).text].at
            if what.kind == "name" and word(what.parts[0]).text in scope.names
            else None
        )
        return number, expr, at

    def _dest(self, to: Node, scope: Scope, what: Expr) -> Place:
        target = node(to.parts[-1])
        end = None
        if target.kind == "pile_end":
            end = End.TOP if "top" in word(target.parts[0]).text else End.BOTTOM
            target = node(target.parts[1])
        found = self.values.place(target, scope)
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
                expected=("the top of", "the bottom of"),
            )
        self._admits(found, what, target.span)
        return replace(found.place, end=end)

    def _admits(self, found: PlaceOf, what: Expr, span: Span) -> None:
        zone = self.symbols.zones[found.place.zone]
        kind = what.type.of if isinstance(what.type, Maybe) else what.type
        kinds = [self.symbols.kinds[k] for k in zone.kinds]
        if isinstance(kind, Elem) and not any(k.lo <= kind.hi and kind.lo <= k.hi for k in kinds):
            raise self.symbols.wrong("ZN04", f"{zone.name} is for {', '.join(zone.kinds)} only", span)

    def _shuffle(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        what = self.values.place(node(stmt.parts[0]), scope)
        into = self.values.place(node(stmt.parts[1]), scope) if stmt.parts[1] is not None else what
        if self.values.form(into.place) is not Form.PILE:
            raise self.symbols.wrong("PL01", f"only a pile is shuffled, {into.place.zone} is none", into.span)
        return [Merge(into.place, () if into is what else (what.place,), where)], scope

    # ------------------------------------------------------------------ variables
    def _set(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        var = self._variable(node(stmt.parts[0]), scope)
        value = self.values.value(node(stmt.parts[1]), scope, var.type)
        return [Put(var.var, var.keys, value, where)], scope

    def _change(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        var = self._variable(node(stmt.parts[0]), scope)
        if not isinstance(var.type, Int):
            raise self.symbols.wrong(
                "TY02", f"only a number is raised or lowered, {var.var} is {make.describe(var.type)}", stmt.span
            )
        amount = self.values.number(node(stmt.parts[1]), scope)
        op = Operator.ADD if stmt.kind == "raise_" else Operator.SUB
        return [Put(var.var, var.keys, make.arithmetic(op, var, amount, stmt.span), where)], scope

    def _variable(self, term: Node, scope: Scope) -> Get:
        found = self.values.meaning(term, scope)
        if not isinstance(found, Get) or self.symbols.vars[found.var].role is not Role.STATE:
            raise self.symbols.wrong(
                "VR01",
                f"{self.symbols.text(term.span)} cannot be set: it is no counter",
                term.span,
                expected=tuple(
                    sorted(v.name for v in self.symbols.vars.values() if v.role is Role.STATE and " " not in v.name)
                )[:6],
            )
        return found

    def _let(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        name = word(stmt.parts[0])
        if name.text in scope.names:
            raise self.symbols.wrong("NM02", f"the name {name.text} is used already here", name.span)
        value = self.values.value(node(stmt.parts[1]), scope)
        return [Bind(name.text, value, where)], scope.bind(name.text, Bound(Local(name.text, value.type)))

    def _together(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """Every value is read before the first is written."""
        inner = self.body(stmt.parts[0], scope)
        first: list[Stmt] = []
        then: list[Stmt] = []
        for part in inner:
            if not isinstance(part, Put):
                raise self.symbols.wrong("TG01", "`together` holds `set`, `raise` and `lower` only", stmt.span)
            name = self.values.fresh("value")
            first.append(Bind(name, part.value, part.origin))
            then.append(replace(part, value=Local(name, part.value.type)))
        return first + then, scope

    # ------------------------------------------------------------------ course
    def _if(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        test = self.values.condition(node(stmt.parts[0]), scope)
        otherwise: Block = ()
        for part in reversed(list(nodes(stmt, "elif_", "else_"))):
            if part.kind == "else_":
                otherwise = self.body(part.parts[0], scope)
            else:
                inner = self.values.condition(node(part.parts[0]), scope.pure())
                otherwise = (
                    Branch(inner, self.body(part.parts[1], scope), otherwise, Origin(_head(part), where.cites)),
                )
        return [Branch(test, self.body(stmt.parts[1], scope), otherwise, where)], scope

    def _for_each(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        name = word(stmt.parts[1])
        source = self.values.source(node(stmt.parts[2]), scope.pure(), name.text)
        over = self.values.domain_with(source, name.text, stmt.span)
        first = stmt.parts[4]
        if first is not None:
            if not isinstance(over, All | Members) or source.type != self.symbols.player:
                raise self.symbols.wrong("OR01", "only players stand in order round the table", node(first).span)
            over = replace(over, first=self.values.value(node(first), scope, self.symbols.player))
        inner = scope.bind(name.text, Bound(Local(name.text, source.type), source.at))
        return [Each(name.text, over, self.body(stmt.parts[-1], inner), where)], scope

    def _rounds(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        name = word(stmt.parts[0])
        lo, hi = (self.values.number(node(p), scope) for p in stmt.parts[1:3])
        assert isinstance(lo.type, Int)
        assert isinstance(hi.type, Int)
        down = lo.type.lo > hi.type.hi
        low, high = (hi, lo) if down else (lo, hi)
        assert isinstance(low.type, Int)
        assert isinstance(high.type, Int)
        kind = Int(low.type.lo, max(low.type.lo, high.type.hi))
        inner = scope.bind(name.text, Bound(Local(name.text, kind)))
        return [Each(name.text, Numbers(low, high, down), self.body(stmt.parts[3], inner), where)], scope

    def _repeat(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        until = self.values.condition(node(stmt.parts[0]), scope.pure())
        limit = self.values.fixed_number(node(stmt.parts[2])) if stmt.parts[2] is not None else None
        return [Repeat(until, self.body(stmt.parts[-1], scope), limit, where)], scope

    def _turns(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        start = self.values.value(node(stmt.parts[0]), scope, self.symbols.player)
        back = stmt.parts[1] is not None and "right" in word(stmt.parts[1]).text
        until = self.values.condition(node(stmt.parts[2]), scope.pure()) if stmt.parts[2] is not None else make.FALSE
        body = self.block(stmt, replace(scope, hoist=None))
        turn = self.values.turn_player(stmt.span)
        following = Look(self.symbols.next_player(back), (turn,), self.symbols.player, stmt.span)
        pass_on = Put(TURN, (), following, where)
        return [Put(TURN, (), start, where), Repeat(until, (*body, pass_on), None, where)], scope

    def _do(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        name, args, result = word(stmt.parts[0]), stmt.parts[1], stmt.parts[2]
        procedure = self.symbols.procedures.get(name.text)
        if procedure is None:
            raise self.symbols.unknown(name, "a procedure", set(self.symbols.procedure_nodes))
        given = [node(p) for p in node(args).parts] if args is not None else []
        if len(given) != len(procedure.params):
            raise self.symbols.wrong(
                "NM05", f"{name.text} needs {len(procedure.params)} arguments, here are {len(given)}", stmt.span
            )
        values = tuple(self.values.value(a, scope, kind) for a, (_, kind) in zip(given, procedure.params, strict=True))
        if result is None:
            return [Call(name.text, values, tuple(f"{n} unused" for n, _ in procedure.results), where)], scope
        if len(procedure.results) != 1:
            raise self.symbols.wrong(
                "NM05", f"{name.text} gives {len(procedure.results)} results, `as` names one", stmt.span
            )
        local = word(result).text
        after = scope.bind(local, Bound(Local(local, procedure.results[0][1])))
        return [Call(name.text, values, (local,), where)], after

    def _wins(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        who = node(stmt.parts[0])
        player = self.symbols.player
        if who.kind == "nobody":
            return [Finish(Const(frozenset(), SetOf(player), who.span), where)], scope
        if who.kind == "each_player":
            return [Finish(Const(frozenset(range(player.hi + 1)), SetOf(player), who.span), where)], scope
        found = self.values.value(who, scope)
        if isinstance(found.type, SetOf) and found.type.of == player:
            return [Finish(found, where)], scope
        return [Finish(make.singleton(self.values.fit(found, player, who.span)), where)], scope

    def _unspecified(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        point = Point(self.symbols.point(f"{scope.owner}.unspecified"), False, where)
        return [Unspecified(point, text(stmt.parts[0]), None, None, None)], scope

    def _nothing(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        return [], scope


def _head(stmt: Node) -> Span:
    """The first line of a compound statement."""
    span = stmt.span
    ends = [
        p.span.end_column
        for p in stmt.parts
        if p is not None and p.span.line == span.line and p.span.end_line == span.line
    ]
    return Span(span.path, span.line, span.column, span.line, max(ends, default=span.column + 1))
