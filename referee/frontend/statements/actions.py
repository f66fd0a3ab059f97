"""Actions: parameters, named guards with the values to show, bodies; procedures; scores and invariants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod

from referee.core.expr import After, And, Const, Expr, Fold, FoldKind, Get, If, Local, Op, Operator, Or, Where
from referee.core.free_ranges import free_range
from referee.core.read_write_sets import reads
from referee.core.ruleset import WINNERS, Invariant, Role, Score
from referee.core.stmt import Action, Guard, Origin, Param, Procedure
from referee.core.types import Bool, Elem, Int, SetOf, size
from referee.frontend.desugaring.lookahead import body_of
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.loading.declarations import distinct
from referee.frontend.names.bindings import LOST, Bound, PlaceOf, Scope
from referee.frontend.names.free_locals import local_types
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import ErrorReported, first, head, node, nodes, origin, text, word
from referee.frontend.names.tree_building import UNPAID
from referee.frontend.names.type_names import read_type
from referee.frontend.statements.decisions import ME
from referee.frontend.statements.passing_options import ForcedChoices
from referee.frontend.statements.statement_lowering import StatementLowering
from referee.syntax.syntax_tree import Node, Word

_LEAVES = ("compare", "equal", "is_", "is_not", "is_in", "is_not_in", "is_state", "has", "has_none", "has_some",
           "has_only", "has_text")
IF_ABLE, UNLESS_FORCED = "IF_ABLE", "UNLESS_FORCED"
"""The words of guards that hold where nothing that could be chosen keeps them."""
_NONE_OR_ALL = ("no_one", "no_player", "every", "every_player")
_WHOSE = "whose score"
MOST_PARAMS = 30
"""Arguments of an action: more are refused."""
MOST_COMBINATIONS = 1_000_000
"""Combinations of the arguments of an action that are not narrowed by its conditions: more are refused."""
_JOINTS = ("and_", "or_", "not_", "group")


class Acting:
    """Lowering of declarations that hold blocks or conditions."""

    def __init__(self, symbols: Symbols, values: ExpressionLowering, lowered: StatementLowering) -> None:
        self.symbols = symbols
        self._values = values
        self._statements = lowered.statements
        self._decisions = lowered.decisions
        self._forced = ForcedChoices(symbols)

    def action(self, decl: Node) -> Action:
        """Reads an action. Raises Wrong if its head is wrong; errors in its lines leave the others."""
        name = word(decl.parts[0]).text
        where = origin(decl)
        scope = Scope({}, Local(ME, self.symbols.player), None, None, name)
        params: list[Param] = []
        guards: list[Guard] = []
        wrong = False
        said = [p for group in nodes(decl, "params") for p in nodes(group, "param")]
        if len(said) > MOST_PARAMS:
            more = said[MOST_PARAMS].span
            self.symbols.wrong("PA01", f"an action has at most {MOST_PARAMS} arguments", more)
            wrong = True
        for part in said[:MOST_PARAMS]:
            try:
                param, limits, scope = self._param(part, scope, where)
                params.append(param)
                guards += limits
            except ErrorReported:
                wrong, scope = True, scope.bind(word(part.parts[0]).text, LOST)
        made = (self._need(n, scope, where, params) for n in nodes(decl, "need", "forbidden"))
        guards += [g for g in made if g is not None]
        if len(said) <= MOST_PARAMS:
            self._bounded(decl, params, guards)
        body = self._statements.block(decl, scope)
        if wrong:
            raise ErrorReported
        label, logged = name, self._seen(decl, params, scope)
        for renaming in nodes(decl, "logged"):
            label, logged = self._decisions.renamed(renaming, logged)
        return Action(name, label, logged, tuple(guards), body, where)

    def _seen(self, decl: Node, params: list[Param], scope: Scope) -> tuple[Param, ...]:
        """The arguments of an action that is declared to be seen by somebody; what one says of itself comes first."""
        return tuple(
            param if param.seen is not None else self._decisions.audiences.narrowed(decl, param, scope, ME)
            for param in params
        )

    def _param(self, part: Node, scope: Scope, where: Origin) -> tuple[Param, tuple[Guard, ...], Scope]:
        name, amount, sel = word(part.parts[0]), part.parts[1], node(part.parts[2])
        if name.text in scope.names:
            raise self.symbols.wrong("NM02", f"the argument {name.text} stands twice", name.span)
        count = self._decisions.count(amount if isinstance(amount, Node) else None, scope, name.text, sel)
        param = self._decisions.param(name.text, sel, scope, where, count)
        limits = self._decisions.dice_there(param, sel, scope)
        param = self._decisions.audiences.narrowed(part, param, scope, ME)
        at = self._values.sources.source(sel, scope, name.text).at
        return param, limits, scope.bind(name.text, Bound(Local(name.text, param.type), at))

    def _need(self, need: Node, scope: Scope, where: Origin, params: Sequence[Param]) -> Guard | None:
        try:
            if need.kind == "forbidden":
                return self._forbidden(need, scope, where, params)
            cond_node = node(need.parts[2])
            own = origin(need)
            afterwards = self._afterwards(need, scope)
            cond = afterwards(self._values.terms.condition(cond_node, scope))
            if _is(need, IF_ABLE):
                cond = self._forced.can_be(cond, params, cond_node.span)
            shows = tuple((shown, afterwards(value)) for shown, value in self.shows(cond_node, scope))
            when = need.parts[3]
            if when is not None and not (isinstance(when, Node) and when.kind == "cite"):
                test = node(when)
                cond = Or(
                    (typed_operators.negate(self._values.terms.condition(test, scope), test.span), cond), cond_node.span
                )
            return Guard(text(need.parts[0]), cond, self._cited(own, where), shows)
        except ErrorReported:
            return None

    def _bounded(self, decl: Node, params: list[Param], guards: list[Guard]) -> None:
        """Complains of an action with more combinations of arguments than can be gone through. A number that is free
        within its range need not be."""
        number = prod(size(p.type) for at, p in enumerate(params)
                      if isinstance(p.type, Int | Elem) and free_range(at, params, guards) is None)
        if number > MOST_COMBINATIONS:
            said = f"the arguments have {number} combinations, more than {MOST_COMBINATIONS}"
            hint = "take an argument from what another one leaves open"
            self.symbols.reporter.error("PA02", said, head(decl), hint=hint)

    def _forbidden(self, decl: Node, scope: Scope, where: Origin, params: Sequence[Param]) -> Guard:
        """What is forbidden must not hold, unless one of the exceptions does."""
        cond_node = node(decl.parts[2])
        unless = list(nodes(decl, "unless"))
        free = [self._values.terms.condition(node(u.parts[1]), scope) for u in unless]
        afterwards = self._afterwards(decl, scope)
        barred = afterwards(
            typed_operators.negate(self._values.terms.condition(cond_node, scope), cond_node.span))
        if _is(decl, UNLESS_FORCED):
            barred = self._forced.can_be(barred, params, cond_node.span)
        own = origin(decl, tuple(c for u in unless for c in origin(u).cites))
        cond = Or((barred, *free), cond_node.span) if free else barred
        return Guard(
            text(decl.parts[0]), cond, self._cited(own, where),
            tuple((shown, afterwards(value)) for shown, value in self.shows(cond_node, scope)), forbids=True,
        )

    def _afterwards(self, decl: Node, scope: Scope) -> Callable[[Expr], Expr]:
        """What a value is, of the position after the body of the action if the line says so. A condition does not hold
        where the body makes an error."""
        if decl.parts[1] is None or _is(decl, IF_ABLE) or _is(decl, UNLESS_FORCED):
            return lambda value: value
        how = word(decl.parts[1])
        body = body_of(scope.owner, Origin(how.span), paid=how.type != UNPAID)

        def looked_at(value: Expr) -> Expr:
            failing = typed_operators.FALSE if value.type == Bool() else None
            return After(body, value, value.type, failing, value.span)

        return looked_at

    def _cited(self, own: Origin, where: Origin) -> Origin:
        """Where a guard comes from; with no statement of its own it speaks for those of its action."""
        if any(cite not in self.symbols.assumptions for cite in own.cites):
            return own
        return Origin(own.span, tuple(dict.fromkeys((*own.cites, *where.cites))))

    def shows(self, term: Node, scope: Scope) -> tuple[tuple[str, Expr], ...]:
        """The operands of a condition that are worth printing when it fails: (text, value)."""
        found: dict[str, Expr] = {}
        stack = [term]
        while stack:
            part = stack.pop(0)
            if part.kind in _JOINTS:
                stack[:0] = list(nodes(part))
            elif part.kind in _LEAVES:
                for operand in nodes(part):
                    self._show(operand, scope, found)
            elif part.kind in _NONE_OR_ALL:
                self._show_exceptions(part, scope, found)
            elif part.kind == "call":
                for operand in (one for args in nodes(part, "args") for one in nodes(args)):
                    self._show(operand, scope, found)
        return tuple(found.items())

    def _show_exceptions(self, part: Node, scope: Scope, found: dict[str, Expr]) -> None:
        """The members that are in the way of `no c in S where C` and of `every c in S: C`."""
        fold = self._values.terms.condition(part, scope)
        while isinstance(fold, Op) and fold.op is Operator.NOT:
            fold = fold.args[0]
        if not isinstance(fold, Fold) or fold.body is None:
            return
        kind = local_types(fold.body).get(fold.var)
        if isinstance(kind, Elem | Int):
            odd = typed_operators.negate(fold.body, part.span) if fold.kind is FoldKind.ALL else fold.body
            where = odd if fold.where is None else And((fold.where, odd), part.span)
            found.setdefault(word(part.parts[0]).text, Where(fold.var, fold.source, where, SetOf(kind), part.span))

    def _show(self, operand: Node, scope: Scope, found: dict[str, Expr]) -> None:
        if operand.kind in ("noun", "how_many", "set_of", "int", "yes", "no", "none", "me"):
            return
        if operand.kind == "name" and word(operand.parts[0]).text not in {*scope.names, *self.symbols.names()}:
            return  # a member, known by the type of what it is compared with
        meaning = self._values.terms.meaning(operand, scope)
        if isinstance(meaning, PlaceOf) and meaning.place.spot is None:
            there = self._values.terms.through(meaning, operand.span)
            shown: Expr = self._values.sources.counted(there, "it", operand.span)
        else:
            shown = self._values.terms.value(operand, scope)
        if not isinstance(shown, Const):
            found.setdefault(self.symbols.text(operand.span), shown)

    # ------------------------------------------------------------------ others
    def procedure_head(self, name: str, decl: Node) -> None:
        """Declares a procedure, so that others can call it before its body is read."""
        said = [p for g in nodes(decl, "proc_params") for p in nodes(g, "proc_param")]
        distinct(self.symbols, [word(p.parts[0]) for p in (*said, *nodes(decl, "give"))])
        params = [(word(p.parts[0]).text, self._scalar(p)) for p in said]
        results = [(word(p.parts[0]).text, self._scalar(p)) for p in nodes(decl, "give")]
        self.symbols.told[name] = frozenset(word(p.parts[0]).text for p in nodes(decl, "give") if _is_yes_or_no(p))
        self.symbols.procedures[name] = Procedure(name, tuple(params), tuple(results), (), origin(decl))

    def _scalar(self, part: Node) -> Elem | Int:
        kind = read_type(self.symbols, node(part.parts[1]), f"{word(part.parts[0]).text} of a procedure")
        if _is_yes_or_no(part) and part.kind == "give":
            return typed_operators.FLAG
        if not isinstance(kind, Elem | Int):
            said = self.symbols.describe(kind)
            raise self.symbols.wrong("TY06", f"{said} cannot be passed to a procedure", part.span)
        return kind

    def procedure(self, name: str, decl: Node) -> None:
        """Reads the body of a procedure; its results are bound by `let` in it."""
        head = self.symbols.procedures.get(name)
        if head is None:
            raise ErrorReported
        names = {name: Bound(Local(name, kind)) for name, kind in head.params}
        body = self._statements.block(decl, Scope(names, None, None, None, head.name))
        self.symbols.procedures[head.name] = replace(head, body=body)

    def score(self, decl: Node) -> Score:
        """Reads `score of player p`, or `score by winning`."""
        name = word(decl.parts[0])
        if name.type == "SCORE_BY_WINNING":
            return Score(_WHOSE, self._by_winning(), origin(decl))
        scope = Scope({name.text: Bound(Local(name.text, self.symbols.player))}, owner="score")
        return Score(name.text, self._values.definitions.cases(decl, scope, Int(-1, 1)), origin(decl))

    def _by_winning(self) -> Expr:
        """1 for who wins, -1 for who does not, 0 where all do or nobody does."""
        player, number, one = self.symbols.player, self.symbols.seats.number, typed_operators.number(1)
        winners = Get(WINNERS, (), SetOf(player))
        many = Op(Operator.SIZE, (winners,), Int(0, number))
        wins = Op(Operator.IN, (Local(_WHOSE, player), winners), Bool())
        won = If(wins, one, typed_operators.number(-1), Int(-1, 1))
        if number == 1:
            return won
        alike = Or(tuple(typed_operators.equal(many, typed_operators.number(some)) for some in (0, number)))
        return If(alike, typed_operators.number(0), won, Int(-1, 1))

    def invariant(self, decl: Node) -> Invariant:
        """Reads `always NAME: C`; what is expected to be refuted is so named, and is not asked of games."""
        name = word(decl.parts[0])
        self.symbols.claim(name)
        cond = [p for p in nodes(decl) if p.kind != "cite"][-1]
        scope = Scope(owner=name.text)
        guard = Guard(
            name.text.replace("_", " "),
            self._values.terms.condition(cond, scope),
            origin(decl),
            self.shows(cond, scope),
        )
        expected = decl.parts[2]
        refuted = expected is not None and word(expected).text.endswith("refuted")
        return Invariant(name.text, guard, decl.parts[1] is not None, refuted=refuted)

    def relation(self, decl: Node, such_that: Node) -> Guard:
        """Reads `such that C` of a parameter: a condition that the values of parameters keep to."""
        cond = node(such_that.parts[1])
        expr = self._values.terms.condition(cond, Scope(owner=word(decl.parts[0]).text))
        known = {n for n, v in self.symbols.vars.items() if v.role in (Role.PARAMETER, Role.READING)}
        other = sorted(reads(expr) - known)
        if other:
            raise self.symbols.wrong("PM01", f"a relation speaks of parameters, not of {other[0]}", cond.span)
        return Guard(self.symbols.text(cond.span), expr, origin(decl), self.shows(cond, Scope()))


def _is_yes_or_no(part: Node) -> bool:
    """Whether what a procedure takes or gives is `yes or no`."""
    kind = node(part.parts[1])
    return (first(kind, "yes_or_no") or kind).kind == "yes_or_no"


def _is(guard: Node, how: str) -> bool:
    """Whether a guard has a word of this type behind its text."""
    return isinstance(said := guard.parts[1], Word) and said.type == how
