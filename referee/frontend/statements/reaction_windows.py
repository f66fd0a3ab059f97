"""Windows, in which players may answer what is done, and ties that somebody breaks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from referee.core.expr import All, And, Expr, Get, Local, Members, Only, Op, Operator, Or
from referee.core.ruleset import TURN, Role, Var
from referee.core.stmt import Block, Branch, Chance, Decide, Each, Option, Origin, Param, Point, Put, Repeat, Stmt
from referee.core.types import Bool, DomainKind, Int, Maybe, Scalar, SetOf
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import Bound, Scope
from referee.frontend.names.first_player import with_another_first
from referee.frontend.names.tree_access import node, nodes, words
from referee.frontend.statements.decisions import WHO, Decisions
from referee.frontend.statements.state_changes import Statements
from referee.syntax.syntax_tree import Node, Word

WINDOWS, STAY_OPEN, CLOSE = "windows", "further_answers", "one_answer"
ANYBODY = "anybody_else"
"""What other answers are about where players may answer, and what they are called."""


class ReactionWindows:
    """Lowering of windows and ties."""

    def __init__(self, values: ExpressionLowering, statements: Statements, decisions: Decisions) -> None:
        self.statements = statements
        self.decisions = decisions
        self.symbols = values.symbols
        self.terms = values.terms
        self.sources = values.sources
        statements.rules["window"] = self._window
        values.sources.decider = self.tied

    # ------------------------------------------------------------------ windows
    def _window(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """Asks a frozen list of players in order; passing may be left out of a log."""
        ask, may, until = (node(p) for p in stmt.parts if isinstance(p, Node) and p.kind != "cite")
        passing = Option(self.decisions.passing(where), (), True)
        options = (*(self.decisions.option(n, scope) for n in nodes(may, "event_name")), passing)
        named = next(words(stmt, "NAME"), None)
        answered = self.decisions.register(f"{scope.owner}.answered", (), Int(0, 1), where)
        passes = self.decisions.register(f"{scope.owner}.passes", (), Int(0, self.symbols.seats.number), where)
        player = self.sources.fresh("asked")
        asked = self._asked(ask, scope, player)
        one = any(True for _ in words(until, "UNTIL_ONE"))
        before: list[Stmt] = [
            Put(answered.name, (), typed_operators.number(0), where),
            Put(passes.name, (), typed_operators.number(0), where),
        ]
        made = [
            *before,
            *(self._one_answer if one else self._all_pass)(options, asked, player, answered, passes, scope, where),
        ]
        if named is None:
            return made, scope
        value = typed_operators.equal(self._held(answered), typed_operators.number(1))
        return made, scope.bind(named.text, Bound(value))

    def _held(self, register: Var) -> Expr:
        assert isinstance(register.type, Maybe)
        return Only(Get(register.name, (), register.type), register.type.of)

    def _asked(self, ask: Node, scope: Scope, player: str) -> Members | All | list[Expr]:
        """The players asked: those named one after the other, or a set in seat order."""
        who = [n for n in nodes(ask) if n.kind != "cite"]
        start = next(
            (
                n
                for w, n in zip(ask.parts, ask.parts[1:], strict=False)
                if isinstance(w, Word) and w.type == "IN_ORDER_FROM"
            ),
            None,
        )
        if start is None and not any(n.kind in ("others", "players", "where") for n in who):
            return [self.terms.value(n, scope, self.symbols.player) for n in who]
        source = self.sources.source(who[0], scope.pure(), player)
        over = self.sources.domain_with(source, player, who[0].span)
        if start is None:
            raise self.symbols.wrong(
                "WN01",
                "in which order are they asked?",
                who[0].span,
                hint="write `ask others, in order from left of me`",
            )
        assert isinstance(over, Members | All)
        begin = self.terms.value(node(start), scope, self.symbols.player)
        return replace(over, first=with_another_first(self.symbols, begin, Origin(ask.span, scope.cites)))

    def _one_answer(
        self,
        options: tuple[Option, ...],
        asked: Members | All | list[Expr],
        player: str,
        answered: Var,
        passes: Var,
        scope: Scope,
        where: Origin,
    ) -> list[Stmt]:
        open_ = typed_operators.equal(self._held(answered), typed_operators.number(0))
        further = self.symbols.others.test(WINDOWS, STAY_OPEN, where)
        open_ = open_ if further is None else Or((further, open_))
        if isinstance(asked, list):
            question, kept = partial(self._question, options), (answered, passes)
            usual = tuple(Branch(open_, question(a, *kept, scope, where), (), where) for a in asked)
            return self._anybody(usual, asked, question, open_, kept, scope, where)
        body = self._question(options, Local(player, self.symbols.player), answered, passes, scope, where)
        return [Each(player, asked, (Branch(open_, body, (), where),), where)]

    def _anybody(
        self, usual: Block, asked: list[Expr], question: Callable[[Expr, Var, Var, Scope, Origin], Block],
        open_: Expr, registers: tuple[Var, Var], scope: Scope, where: Origin,
    ) -> list[Stmt]:  # fmt: skip
        """One player who may answer; for another answer all who have not the turn may, he first."""
        if len(asked) > 1 or self.symbols.seats.number < 3 or TURN not in self.symbols.vars:
            return list(usual)
        test = self.symbols.others.test(WHO, ANYBODY, where)
        if test is None:
            return list(usual)
        player, name = self.symbols.player, self.sources.fresh("asked")
        one = Local(name, player)
        besides = (Op(Operator.NE, (one, who), Bool()) for who in (asked[0], Get(TURN, (), Maybe(player))))
        body = Branch(And((*besides, open_)), question(one, *registers, scope, where), (), where)
        return [*usual, Branch(test, (Each(name, All(player, asked[0]), (body,), where),), (), where)]

    def _all_pass(
        self,
        options: tuple[Option, ...],
        asked: Members | All | list[Expr],
        player: str,
        answered: Var,
        passes: Var,
        scope: Scope,
        where: Origin,
    ) -> list[Stmt]:
        """Round after round, until everybody asked has passed since the last answer."""
        number = typed_operators.number(len(asked)) if isinstance(asked, list) else self._how_many(asked)
        waiting = typed_operators.compare(Operator.LT, self._held(passes), number)
        once = self.symbols.others.test(WINDOWS, CLOSE, where)
        if once is not None:
            closed = And((once, typed_operators.equal(self._held(answered), typed_operators.number(1))))
            waiting = And((typed_operators.negate(closed), waiting))
        if isinstance(asked, list):
            body: list[Stmt] = [
                Branch(waiting, self._question(options, a, answered, passes, scope, where), (), where) for a in asked
            ]
        else:
            inner = self._question(options, Local(player, self.symbols.player), answered, passes, scope, where)
            body = [Each(player, asked, (Branch(waiting, inner, (), where),), where)]
        return [Repeat(typed_operators.negate(waiting), tuple(body), None, where)]

    def _how_many(self, asked: Members | All) -> Expr:
        most = Int(0, self.symbols.seats.number)
        if isinstance(asked, All):
            return typed_operators.number(self.symbols.seats.number)
        return Op(Operator.SIZE, (asked.of,), most)

    def _question(
        self, options: tuple[Option, ...], actor: Expr, answered: Var, passes: Var, scope: Scope, where: Origin
    ) -> Block:
        """One player may answer; which option he took decides whether the asking goes on."""
        point = Point(self.symbols.point(f"{scope.owner}.window"), False, where)
        labels = tuple(o.action for o in options)
        domain = self.symbols.domain(f"taken at {point.name}", DomainKind.BRANCH, labels).whole
        taken = self.sources.fresh("taken")
        passed = typed_operators.equal(Local(taken, domain), typed_operators.member(len(labels) - 1, domain))
        one_more = typed_operators.arithmetic(Operator.ADD, self._held(passes), typed_operators.number(1))
        after = Branch(
            passed,
            (Put(passes.name, (), one_more, where),),
            (
                Put(passes.name, (), typed_operators.number(0), where),
                Put(answered.name, (), typed_operators.number(1), where),
            ),
            where,
        )
        return (Decide(point, actor, options, None, taken, domain.domain), after)

    # ------------------------------------------------------------------ ties
    def _kept(self, tied: Expr, kind: Scalar, scope: Scope, where: Origin) -> Expr:
        """Those tied, where the action of who decides can read them: what is bound around it he does not see."""
        assert scope.hoist is not None
        if typed_operators.simple(tied):
            return tied
        name = self.decisions.free(f"{scope.owner}.tied")
        kept = Var(name, (), SetOf(kind), frozenset(), Role.REGISTER, where)
        self.symbols.vars[name] = kept
        scope.hoist.append(Put(name, (), tied, where))
        return Get(name, (), kept.type, where.span)

    def tied(self, term: Node, rule: Node, tied: Expr, kind: Scalar, scope: Scope) -> Expr:
        """`ties: SOMEBODY chooses` and `ties: random`: asked only if there are several."""
        assert scope.hoist is not None
        where = Origin(term.span, scope.cites)
        name = self.sources.fresh("the")
        members = self._kept(tied, kind, scope, where)
        kept = self.decisions.register(f"{scope.owner}.{name}", (), kind, where)
        param = Param(name, "choice", kind, Members(members), where)
        body: Block = (Put(kept.name, (), Local(name, kind), where),)
        label = "tie" if rule.kind == "tie_random" else "choose"
        action, bound = self.decisions.anonymous(scope, label, (param,), body, where, term)
        single = typed_operators.compare(
            Operator.LE, Op(Operator.SIZE, (members,), Int(0, kind.hi - kind.lo + 1)), typed_operators.number(1)
        )
        point = self.decisions.point(scope, "tie", where)
        if rule.kind == "tie_random":
            ask: Stmt = Chance(point, action, bound)
        else:
            ask = Decide(point, self.decisions.actor(node(rule.parts[0]), scope), (Option(action, bound),), None)
        alone = Put(kept.name, (), Only(members, kind, term.span), where)
        scope.hoist.append(Branch(single, (alone,), (ask,), where))
        assert isinstance(kept.type, Maybe)
        return Only(Get(kept.name, (), kept.type, term.span), kind, term.span)
