"""Statements that steer the course of the game: branches, loops, turns, rounds, procedures, the end."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from referee.core.expr import (
    All,
    And,
    Const,
    Domainlike,
    Expr,
    Get,
    If,
    Local,
    Look,
    Members,
    Numbers,
    Op,
    Operator,
    Or,
    Where,
    Within,
)
from referee.core.ruleset import TURN, Role, Var
from referee.core.stmt import (
    Bind,
    Block,
    Branch,
    Call,
    Each,
    Finish,
    Gap,
    Origin,
    Point,
    Put,
    Repeat,
    Stmt,
    Unspecified,
)
from referee.core.traverse import walk
from referee.core.types import Bool, DomainKind, Elem, Int, Maybe, Scalar, SetOf, Type
from referee.diagnostics.source import Span
from referee.frontend.desugaring.later_moments import (
    END_OF_ROUND,
    END_OF_TURN,
    WHEN,
    WITH_THE_ROUND,
    passed,
    round_over,
)
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import MOST_CASES
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.expressions.grid_relations import ray_of
from referee.frontend.loading.carried_texts import CARRIED, CASES
from referee.frontend.loading.declarations import distinct
from referee.frontend.names.bindings import LOST, Bound, Scope
from referee.frontend.names.first_player import with_another_first
from referee.frontend.names.timed_modifiers import expired
from referee.frontend.names.tree_access import ErrorReported, all_tried, node, nodes, text, tried, word
from referee.frontend.names.tree_building import TESTED
from referee.frontend.statements.rounds_at_once import rounds_at_once
from referee.frontend.statements.state_changes import Statements, first_line
from referee.frontend.statements.turns.full_rounds import (
    NEXT_TURN,
    FullRounds,
    given_turn,
    no_turn_given,
    unless_given,
)
from referee.syntax.syntax_tree import Node, Part, Word

WHO, NOBODY = "who", "nobody_of_several"
OFTEN, ONCE = "for_each", "once_however_many"
BOUNDS, READ_ONCE = "bounds", "read_once"
"""What another answer is about where several win, and what it is called."""


class ControlStatements:
    """Lowering of what steers the game without asking anybody."""

    def __init__(self, values: ExpressionLowering, statements: Statements) -> None:
        self.statements = statements
        self.symbols = values.symbols
        self.terms = values.terms
        self.constants = values.constants
        self.sources = values.sources
        self.grids = values.grids
        self.conditions = values.conditions
        statements.rules.update(
            {
                "wins": self._wins,
                "next_turn": self._next_turn,
                "winners": self._winners,
                "unspecified": self._unspecified,
                "ruling": self._ruling,
                "do": self._do,
                "if_": self._if,
                "if_possible": self._if_possible,
                "for_each": self._for_each,
                "repeat": self._repeat,
                "rounds": self._rounds,
                "turns": self._turns,
                "turns_in_order": self._turns_in_order,
                "depending": self._depending,
                CASES: self._text_cases,
                CARRIED: self._no_text,
            }
        )

    def _if(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        others = list(nodes(stmt, "elif_"))
        last = next(nodes(stmt, "else_"), None)
        self._few(others)
        tests = [tried(partial(self.terms.condition, node(stmt.parts[0]), scope))]
        tests += [tried(partial(self.terms.condition, node(part.parts[0]), scope.pure())) for part in others]
        bodies = [self.statements.body(part.parts[1], scope, i) for i, part in enumerate((stmt, *others))]
        result = self.statements.body(last.parts[0], scope, len(others) + 1) if last is not None else ()
        places = [where, *(Origin(first_line(part), where.cites) for part in others)]
        for test, body, place in reversed(list(zip(tests, bodies, places, strict=True))):
            if test is None:
                raise ErrorReported
            result = (Branch(test, body, result, place),)
        return list(result), scope

    def _if_possible(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """A phase that is not begun where it cannot be passed; nothing is tested where it always can. The condition is
        read once, also where the text gives that it does not hold."""
        test = tried(partial(self.terms.condition, node(stmt.parts[0]), scope))
        then = self.statements.body(stmt.parts[1], scope)
        if test == typed_operators.TRUE:
            return list(then), scope
        failed = scope.bind(TESTED, LOST if test is None else Bound(test))
        last = next(nodes(stmt, "else_"), None)
        otherwise = self.statements.body(last.parts[0], failed, 1) if last is not None else ()
        if test is None:
            raise ErrorReported
        return [Branch(test, then, otherwise, where)], scope

    def _few(self, cases: list[Node]) -> None:
        if len(cases) > MOST_CASES:
            more = first_line(cases[MOST_CASES])
            raise self.symbols.wrong("DF04", f"there are at most {MOST_CASES} cases", more, hint="use a `table`")

    def _for_each(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        name, said = word(stmt.parts[1]), stmt.parts[3]
        if ray_of(node(stmt.parts[2])) is not None:
            return self._along(stmt, scope, where), scope
        first = stmt.parts[4] if isinstance(said, Word) and said.type == "IN_ORDER_FROM" else None
        source = tried(lambda: self.sources.source(node(stmt.parts[2]), scope.pure(), name.text))
        if source is None:
            self.statements.body(stmt.parts[-1], scope.bind(name.text, LOST))
            raise ErrorReported
        if self.statements.at_once:
            if said is not None:
                raise self.symbols.wrong("TG03", "what happens at once has no order", said.span)
            return rounds_at_once(self.statements, stmt, scope, where, source), scope
        over = self.sources.domain_with(source, name.text, stmt.span)
        if first is not None:
            if not isinstance(over, All | Members) or source.type != self.symbols.player:
                raise self.symbols.wrong("OR01", "only players stand in order round the table", node(first).span)
            over = replace(over, first=self.terms.value(node(first), scope, self.symbols.player))
        listed = isinstance(said, Word) and said.type == "AS_LISTED"
        if listed:
            over = self._listed(over, source.type, name.text, node(stmt.parts[2]).span)
        inner = scope.bind(name.text, Bound(Local(name.text, source.type), source.at))
        body = self.statements.body(stmt.parts[-1], inner)
        if source.type == self.symbols.player and isinstance(over, All | Members) and over.first is not None:
            over = replace(over, first=with_another_first(self.symbols, over.first, where, body))
        if first is None and not listed:
            self._without_order(stmt, said is not None, source.type, where)
        return [Each(name.text, over, body, where)], scope

    def _along(self, stmt: Node, scope: Scope, where: Origin) -> list[Stmt]:
        """Through the cells of a ray, which stand in an order: the nearest first. Raises Wrong."""
        name, said = word(stmt.parts[1]), stmt.parts[3]
        if said is not None:
            raise self.symbols.wrong("OR01", "the cells of a ray have an order: the nearest first", said.span)
        found = tried(lambda: self.grids.ordered(node(stmt.parts[2]), name.text, scope))
        if found is None:
            self.statements.body(stmt.parts[-1], scope.bind(name.text, LOST))
            raise ErrorReported
        over, place, cell = found
        body = self.statements.body(stmt.parts[-1], scope.bind(name.text, Bound(Local(name.text, cell.type))))
        return [Each(place, over, (Bind(name.text, cell, where), *body), where)]

    def _listed(self, over: Domainlike, kind: Scalar, var: str, span: Span) -> Domainlike:
        """The source from its first member on, in the order in which the rules declare them. Raises Wrong."""
        if not isinstance(kind, Elem):
            raise self.symbols.wrong("OR01", "numbers have an order", span)
        if isinstance(over, Within):
            over = Members(Where(var, over, None, SetOf(kind), span))
        return replace(over, first=Const(kind.lo, kind)) if isinstance(over, All | Members) else over

    def _without_order(self, stmt: Node, said: bool, kind: Scalar, where: Origin) -> None:
        """Notes a loop of which the order is left open, or `said` to be open. Raises Wrong."""
        if said and not isinstance(kind, Elem):
            raise self.symbols.wrong("OR01", "numbers have an order", node(stmt.parts[2]).span)
        self.symbols.loops[where] = said

    def _rounds(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """Counts up, or down if the first bound is surely the higher; the last bound is read anew each time."""
        name = word(stmt.parts[0])
        bounds = [tried(partial(self.terms.number, node(p), scope.pure())) for p in stmt.parts[1:3]]
        lo, hi = bounds
        if lo is None or hi is None:
            self.statements.body(stmt.parts[3], scope.bind(name.text, LOST))
            raise ErrorReported
        assert isinstance(lo.type, Int)
        assert isinstance(hi.type, Int)
        down = lo.type.lo > hi.type.hi
        kind = Int(min(lo.type.lo, hi.type.lo), max(lo.type.hi, hi.type.hi))
        if isinstance(lo, Const) and isinstance(hi, Const):
            inner = scope.bind(name.text, Bound(Local(name.text, kind)))
            body = self._round(stmt, inner, where)
            return [Each(name.text, Numbers(hi if down else lo, lo if down else hi, down), body, where)], scope
        return self._open_rounds(stmt, scope, where, lo, hi, kind), scope

    def _open_rounds(self, stmt: Node, scope: Scope, where: Origin, lo: Expr, hi: Expr, kind: Int) -> list[Stmt]:
        name = self.symbols.numbered(f"{scope.owner}.{word(stmt.parts[0]).text}", self.symbols.vars, " ")
        counter = Var(name, (), Int(kind.lo - 1, kind.hi + 1), kind.lo - 1, Role.REGISTER, where)
        self.symbols.vars[name] = counter
        now = Get(name, (), kind, stmt.span)
        inner = scope.bind(word(stmt.parts[0]).text, Bound(now))
        following = Put(name, (), typed_operators.arithmetic(Operator.ADD, now, typed_operators.number(1)), where)
        begun, last = self._last_round(name, self._often(lo, hi, scope, where), where)
        past = typed_operators.compare(Operator.GT, now, last, stmt.span)
        rounds = Repeat(past, (*self._round(stmt, inner, where), following), None, where)
        return [*begun, Put(name, (), lo, where), rounds]

    def _often(self, lo: Expr, hi: Expr, scope: Scope, where: Origin) -> Expr:
        """How often something is done; for another answer once, if at all, where rules count how often. Not of the
        rounds of play itself."""
        first = any(one is lo and one.value == 1 for one in walk(lo, Const))
        counted = first and scope.owner != "play" and not any(one is hi for one in walk(hi, Const))
        test = self.symbols.others.test(OFTEN, ONCE, where, alone=True) if counted else None
        if test is None:
            return hi
        one = typed_operators.number(1)
        several = typed_operators.compare(Operator.GT, hi, one, where.span)
        return If(typed_operators.both((test, several)), one, hi, hi.type, where.span)

    def _last_round(self, rounds: str, last: Expr, where: Origin) -> tuple[list[Stmt], Expr]:
        """The number of the last round, which is read each time; for another answer at the beginning alone."""
        fixed = any(one is last for one in walk(last, Const))
        test = None if fixed else self.symbols.others.test(BOUNDS, READ_ONCE, where)
        if test is None:
            return [], last
        assert isinstance(last.type, Int)
        name = self.symbols.numbered(f"{rounds} at first", self.symbols.vars, " ")
        self.symbols.vars[name] = Var(name, (), last.type, last.type.lo, Role.REGISTER, where)
        return [Put(name, (), last, where)], If(test, Get(name, (), last.type), last, last.type, last.span)

    def _round(self, stmt: Node, scope: Scope, where: Origin) -> Block:
        return (*self.statements.body(stmt.parts[3], scope), *expired(self.symbols, "round", where))

    def _repeat(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        until = tried(lambda: self.terms.condition(node(stmt.parts[0]), scope.pure()))
        with self.statements.in_rounds():
            body = self.statements.body(stmt.parts[-1], scope)
        limit = self.constants.fixed_number(node(stmt.parts[2])) if stmt.parts[2] is not None else None
        if until is None:
            raise ErrorReported
        return [Repeat(until, body, limit, where)], scope

    def _turns(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        start = tried(lambda: self.terms.value(node(stmt.parts[0]), scope, self.symbols.player))
        skipped, said, in_full = stmt.parts[3], stmt.parts[4], stmt.parts[5] is not None
        until = (
            tried(lambda: self.terms.condition(node(said), scope.pure())) if said is not None else typed_operators.FALSE
        )
        body = self.statements.block(stmt, replace(scope, hoist=None))
        if start is None or until is None:
            raise ErrorReported
        asked, following = self._direction(stmt, scope, where)
        pass_on: Block = (Put(TURN, (), following, where),)
        counted = FullRounds.of(self.symbols, scope.owner, start, where) if in_full else None
        if counted is not None:
            pass_on, until = (*pass_on, counted.reached()), counted.over(until, stmt.span)
        pass_on = unless_given(self.symbols, pass_on, where)
        skip: Block = ()
        nobody: Expr = typed_operators.FALSE
        if skipped is not None:
            skip, nobody = self._skipping(node(skipped), pass_on, scope, where)
        over = expired(self.symbols, "turn", where)
        open_ = typed_operators.FALSE if in_full or skipped is not None else until
        first_of, round_end, later = round_over(self.symbols, where, open_)
        until = until if open_ == typed_operators.FALSE else later
        until = until if nobody == typed_operators.FALSE else Or((nobody, until), stmt.span)
        goes_on: Block = () if counted is None else (counted.goes_on(),)
        turn = (*body, *over, *passed(self.symbols, END_OF_TURN, where), *goes_on, *pass_on, *skip, *round_end)
        start = with_another_first(self.symbols, start, where)
        begun = (*no_turn_given(self.symbols, where), *(() if counted is None else counted.begun()))
        return [*asked, Put(TURN, (), start, where), *begun, *skip, *first_of, Repeat(until, turn, None, where)], scope

    def _turns_in_order(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """The turn passes from each player named to the next, from the last to the first; who they are is read once."""
        at = 1
        while isinstance(stmt.parts[at], Word):
            at += 2
        named = [p for p in stmt.parts[:at] if isinstance(p, Node)]
        said, in_full = stmt.parts[at], stmt.parts[at + 1] is not None
        players = all_tried(partial(self.terms.value, n, scope, self.symbols.player) for n in named)
        until = (
            tried(lambda: self.terms.condition(said, scope.pure())) if isinstance(said, Node) else typed_operators.FALSE
        )
        body = self.statements.block(stmt, replace(scope, hoist=None))
        if until is None:
            raise ErrorReported
        owner, registers, player = scope.owner, self.symbols.vars, self.symbols.player
        place = Int(1, len(players))
        order = Var(self.symbols.numbered(f"{owner}.order", registers, " "), (place,), player, 0, Role.REGISTER, where)
        at_turn = Var(self.symbols.numbered(f"{owner}.place", registers, " "), (), place, 1, Role.REGISTER, where)
        registers.update({order.name: order, at_turn.name: at_turn})
        now = Get(at_turn.name, (), place)
        begins = typed_operators.equal(now, typed_operators.number(1))
        if in_full:
            until = And((begins, until), stmt.span)
        elif until != typed_operators.FALSE:
            test = self.symbols.others.test(WHEN, WITH_THE_ROUND, where)
            until = until if test is None else And((until, Or((typed_operators.negate(test), begins))), stmt.span)
        last = typed_operators.equal(now, typed_operators.number(len(players)))
        following = If(
            last,
            typed_operators.number(1),
            typed_operators.arithmetic(Operator.ADD, now, typed_operators.number(1)),
            place,
        )
        start = [Put(order.name, (typed_operators.number(i),), p, where) for i, p in enumerate(players, 1)]
        whose: Expr = Get(order.name, (now,), player)
        given = given_turn(self.symbols)
        # of that order only: whoever is given a turn has it in between
        pass_on = unless_given(self.symbols, (Put(TURN, (), whose, where),), where)
        following_turn: Block = (Put(at_turn.name, (), following, where),)
        if given is not None:
            by_itself = typed_operators.equal(given, typed_operators.nothing(player))
            following_turn = (Branch(by_itself, following_turn, (), where),)
        turn: Block = (
            *pass_on,
            *body,
            *expired(self.symbols, "turn", where),
            *passed(self.symbols, END_OF_TURN, where),
            *(Branch(last, done, (), where) for done in [passed(self.symbols, END_OF_ROUND, where)] if done),
            *following_turn,
        )
        return [
            *no_turn_given(self.symbols, where),
            *start,
            Put(at_turn.name, (), typed_operators.number(1), where),
            Repeat(until, turn, None, where),
        ], scope

    def _skipping(self, who: Node, pass_on: Block, scope: Scope, where: Origin) -> tuple[Block, Expr]:
        """Passes the turn on over those who are skipped; and the condition that nobody is left to have one."""
        name, player = self.sources.fresh("skipped"), self.symbols.player
        source = self.sources.source(who, scope.pure(), name)
        if source.type != player:
            said = f"only players are skipped, this is {self.symbols.describe(source.type)}"
            raise self.symbols.wrong("TY01", said, who.span)
        them = Where(name, source.domain, source.where, SetOf(player), who.span)
        number = self.symbols.seats.number
        nobody = typed_operators.equal(
            Op(Operator.SIZE, (them,), Int(0, number)), typed_operators.number(number), who.span
        )
        has_it = typed_operators.negate(Op(Operator.IN, (self.terms.turn_player(who.span), them), Bool(), who.span))
        return (Repeat(Or((nobody, has_it), who.span), pass_on, number, where),), nobody

    def _direction(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Expr]:
        """Whose turn it is next. Where it matters and is not said, the table rules which way turns go."""
        if stmt.parts[1] is not None or self.symbols.seats.number < 3:
            return [], self._beside(stmt, stmt.parts[1] is not None and "right" in word(stmt.parts[1]).text)
        way = self.symbols.domain("direction", DomainKind.ENUM, ("left", "right")).whole
        point = Point(self.symbols.point(f"{scope.owner}.direction"), False, where)
        name = self.sources.fresh("direction")
        ask = Unspecified(point, "to the left or to the right: which way do turns go?", name, way, All(way), Gap.WAY)
        to_the_left = typed_operators.equal(Local(name, way), typed_operators.member(0, way), stmt.span)
        left, right = self._beside(stmt, False), self._beside(stmt, True)
        return [ask], If(to_the_left, left, right, self.symbols.player, stmt.span)

    def _beside(self, stmt: Node, right: bool) -> Expr:
        turn = self.terms.turn_player(stmt.span)
        return Look(self.symbols.next_player(right), (turn,), self.symbols.player, stmt.span)

    def _do(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        name, args, result = word(stmt.parts[1]), stmt.parts[2], stmt.parts[3]
        procedure = self.symbols.procedures.get(name.text)
        if procedure is None:
            raise self.symbols.unknown(name, "a procedure", set(self.symbols.procedure_nodes))
        given = [node(p) for p in node(args).parts] if args is not None else []
        if len(given) != len(procedure.params):
            raise self.terms.miscounted(name, [kind for _, kind in procedure.params], len(given), called=True)
        values = tuple(self.terms.value(a, scope, kind) for a, (_, kind) in zip(given, procedure.params, strict=True))
        if result is None:
            return [Call(name.text, values, tuple(f"{n} unused" for n, _ in procedure.results), where)], scope
        if len(procedure.results) != 1:
            gives = typed_operators.plural(len(procedure.results), "result") if procedure.results else "no result"
            raise self.symbols.wrong("NM05", f"{name.text} gives {gives}, `as` names one", word(result).span)
        local = word(result).text
        result_name, kind = procedure.results[0]
        value: Expr = Local(local, kind)
        if result_name in self.symbols.told.get(name.text, ()):
            value = typed_operators.from_flag(value, word(result).span)
        after = scope.bind(local, Bound(value))
        return [Call(name.text, values, (local,), where)], after

    def _wins(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        who = node(stmt.parts[0])
        player = self.symbols.player
        if who.kind == "nobody":
            return [Finish(Const(frozenset(), SetOf(player), who.span), where)], scope
        if who.kind in ("each_player", "all_"):
            return [Finish(Const(frozenset(range(player.hi + 1)), SetOf(player), who.span), where)], scope
        found = self.terms.value(who, scope)
        if isinstance(found.type, SetOf) and self._are_players(found.type.of):
            return [Finish(self._all_winners(found, found.type, where), where)], scope
        return [Finish(typed_operators.singleton(self.terms.fit(found, player, who.span)), where)], scope

    def _next_turn(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """Somebody has the turn after this one: who has it now, one more."""
        who = self.terms.value(node(stmt.parts[0]), scope, self.symbols.player)
        return [Put(NEXT_TURN, (), who, where)], scope

    def _are_players(self, kind: Type) -> bool:
        return isinstance(kind, Elem) and kind.domain == self.symbols.player.domain

    def _winners(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        sel, player = node(stmt.parts[1]), self.symbols.player
        name = self.sources.running(scope)
        source = self.sources.source(sel, scope, name)
        if not self._are_players(source.type):
            raise self.symbols.wrong("TY01", "only players win", sel.span)
        winners = Where(name, source.domain, source.where, SetOf(player), sel.span)
        return [Finish(self._all_winners(winners, winners.type, where), where)], scope

    def _all_winners(self, winners: Expr, kind: SetOf, where: Origin) -> Expr:
        """All who win; for another answer nobody does where they are several."""
        test = self.symbols.others.test(WHO, NOBODY, where)
        if test is None:
            return winners
        number = Op(Operator.SIZE, (winners,), Int(0, self.symbols.seats.number))
        several = typed_operators.compare(Operator.GT, number, typed_operators.number(1))
        nobody = Const(frozenset(), kind)
        return If(typed_operators.both((test, several)), nobody, winners, kind, where.span)

    def _unspecified(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        point = Point(self.symbols.point(f"{scope.owner}.unspecified"), False, where)
        return [Unspecified(point, text(stmt.parts[0]), None, None, None)], scope

    def _ruling(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """An unspecified point with what may happen there: the table says which."""
        cases = list(nodes(stmt, "candidate"))
        self._few(cases)
        names = [word(case.parts[0]) for case in cases]
        bodies = [self.statements.body(case.parts[1], scope, i) for i, case in enumerate(cases)]
        distinct(self.symbols, names)
        point = Point(self.symbols.point(f"{scope.owner}.unspecified"), False, where)
        domain = self.symbols.domain(f"ruled at {point.name}", DomainKind.ENUM, tuple(n.text for n in names))
        ruled = self.sources.fresh("ruled")
        ask = Unspecified(point, text(stmt.parts[0]), ruled, domain.whole, All(domain.whole))
        rest: Block = ()
        for index, (case, body) in reversed(list(enumerate(zip(cases, bodies, strict=True)))):
            this = typed_operators.equal(
                Local(ruled, domain.whole), typed_operators.member(index, domain.whole), case.span
            )
            rest = (Branch(this, body, rest, Origin(case.span, where.cites)),)
        return [ask, *rest], scope

    def _depending(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """One block for each value; a value without one is a case that the rules leave out."""
        found = tried(lambda: self.terms.value(node(stmt.parts[0]), scope))
        cases = list(nodes(stmt, "depends"))
        self._few(cases)
        bodies = [self.statements.body(case.parts[-1], scope, i) for i, case in enumerate(cases)]
        last = next(nodes(stmt, "depends_else"), None)
        otherwise = self.statements.body(last.parts[0], scope, len(cases)) if last is not None else ()
        if found is None:
            raise ErrorReported
        value = self.sources.kept("value", found, scope, stmt)
        if last is None:
            question = f"nothing is said for this case of {self.symbols.text(node(stmt.parts[0]).span)}"
            point = Point(self.symbols.point(f"{scope.owner}.case"), False, where)
            otherwise = (Unspecified(point, question, None, None, None, Gap.CASE),)
        tests_of = all_tried(partial(self._tests, value, case) for case in cases)
        for case, body, tests in reversed(list(zip(cases, bodies, tests_of, strict=True))):
            otherwise = (
                Branch(tests[0] if len(tests) == 1 else Or(tests), body, otherwise, Origin(case.span, where.cites)),
            )
        return list(otherwise), scope

    def _no_text(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """A text is to be carried out, and no component has any. Raises Wrong."""
        of = node(stmt.parts[-1])
        self.conditions.texts_among(self.terms.value(of, scope), of)
        return [], scope

    def _text_cases(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """The text of a component: one case for each that may be meant, nothing for the others."""
        cases = list(nodes(stmt, "depends"))
        value = self.sources.kept("value", self.terms.value(node(stmt.parts[0]), scope), scope, stmt)
        texts = self.conditions.texts_among(value, node(stmt.parts[0]))
        result: Block = ()
        for place, case in reversed(list(enumerate(cases))):
            found = texts.get(word(case.parts[0]).text)
            if found is not None:
                body = self.statements.body(case.parts[1], scope, place)
                result = (Branch(found, body, result, where),)
        return list(result), scope

    def _tests(self, value: Expr, case: Node) -> tuple[Expr, ...]:
        return tuple(self._is(value, label, case) for label in case.parts[:-1])

    def _is(self, value: Expr, label: Part, case: Node) -> Expr:
        kind = value.type.of if isinstance(value.type, Maybe) else value.type
        found = word(label)
        if not isinstance(kind, Elem | Int):
            said = self.symbols.describe(kind)
            raise self.symbols.wrong("DP01", f"cases are told apart by a member or a number, not by {said}", found.span)
        index = self.constants.literal(label, kind)
        assert isinstance(index, int)
        return typed_operators.equal(value, Const(index, replace(kind, lo=index, hi=index), found.span), case.span)
