"""Roll-offs: all of some players roll, the best of them is meant, and those tied for it roll again."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.core.expr import All, And, Const, Expr, Fold, FoldKind, Get, Local, Members, Only, Op, Operator, Or, Where
from referee.core.ruleset import Role, Var
from referee.core.stmt import Bind, Block, Chance, Each, Origin, Param, Put, Repeat, Stmt
from referee.core.types import Bool, Elem, Int, Maybe, Scalar, SetOf
from referee.diagnostics.source import Span
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import Bound, Scope
from referee.frontend.names.tree_access import node, nodes, without_comma, word, words
from referee.frontend.statements.decisions import Decisions, outside
from referee.frontend.statements.state_changes import Statements
from referee.syntax.syntax_tree import Node, Word

Named = tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class _Dice:
    """What is rolled, as what, and which number is best; `stmt`: the phrase, with how it is logged."""

    stmt: Node
    range: Node
    name: Word
    best: FoldKind
    where: Origin
    found: Span
    """The words that say when one is found."""
    again: Span
    """The words that say who rolls again."""


class RollOffs:
    """Lowering of `each player rolls 1..6 as die, highest is first, ties roll again` and of `ties: roll off`."""

    def __init__(self, values: ExpressionLowering, statements: Statements, decisions: Decisions) -> None:
        self.decisions = decisions
        self.symbols = values.symbols
        self.terms = values.terms
        self.sources = values.sources
        self._other_ties = values.sources.decider
        values.sources.decider = self._tied
        statements.rules["roll_off"] = self._roll_off

    def _roll_off(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        name, winner = words(stmt, "NAME")
        best = FoldKind.MAX if "highest" in next(words(stmt, "BEST_IS")).text else FoldKind.MIN
        found, again = (without_comma(next(words(stmt, kind))) for kind in ("BEST_IS", "TIES_AGAIN"))
        if found.line == winner.span.line:
            found = replace(found, end_column=winner.span.end_column)
        dice = _Dice(stmt, next(nodes(stmt, "range")), name, best, where, found, again)
        who, before = node(stmt.parts[0]), list[Stmt]()
        named = self._named(who, scope, where, before)
        if named:
            one = self.sources.fresh("one")
            same = tuple(typed_operators.equal(Local(one, self._player), player, who.span) for player in named)
            them: Expr = Where(one, All(self._player), Or(same, who.span), SetOf(self._player))
        else:
            them = self.decisions.players(who, scope)
        made, held = self._rolls(dice, scope, them, named, winner.text)
        return [*before, *made], scope.bind(winner.text, Bound(held))

    @property
    def _player(self) -> Elem:
        return self.symbols.player

    def _named(self, who: Node, scope: Scope, where: Origin, before: list[Stmt]) -> Named:
        """The players that are named, each under a name of its own; none where a set of them is."""
        if who.kind in ("each_player", "those_players"):
            return ()
        found: list[Expr] = []
        for one in nodes(who) if who.kind == "rollers" else (who,):
            if one.kind in ("fate", "nobody", "each_player"):
                raise self.symbols.wrong("RO01", "a roll-off is between players", one.span,
                                         hint="write `each player rolls ...`, or name them: `p and q roll ...`")
            name = self.sources.fresh("roller")
            before.append(Bind(name, self.terms.value(one, scope, self._player), where))
            found.append(Local(name, self._player))
        if len(found) < 2:
            raise self.symbols.wrong("RO01", "one player alone has nobody to roll against", who.span,
                                     hint="write `each player rolls ...`, or name them: `p and q roll ...`")
        return tuple(found)

    def _rolls(self, dice: _Dice, scope: Scope, them: Expr, named: Named, winner: str) -> tuple[list[Stmt], Expr]:
        """Rounds of rolls, until one of the players is left; and who that is. They roll as they sit, from the first
        that is named on."""
        where, player = dice.where, self._player
        die = self.decisions.param(dice.name.text, dice.range, outside(scope), where)
        assert isinstance(die.type, Int)
        rolled = self._rolled(dice.name, die.type, where)
        kept = self.decisions.register(f"{scope.owner}.{winner}", (), player, where)
        flags = self.symbols.numbered(f"rolls {dice.name.text} again", self.symbols.vars, " ")
        # a counter, not a register: whether one is left is what decides how the game goes on
        self.symbols.vars[flags] = Var(flags, (player,), Bool(), False, Role.STATE, where)
        whom, one, best = (self.sources.fresh(name) for name in ("rolling", "one", "best"))

        def tied(who: Expr) -> Expr:
            return Get(flags, (who,), Bool(), dice.again)

        left = Where(one, All(player), tied(Local(one, player)), SetOf(player))
        rolling = Local(self.sources.fresh("rolling"), SetOf(player))
        seats = [Const(seat, player) for seat in range(player.hi + 1)]
        nothing = typed_operators.nothing(die.type)
        begin: list[Stmt] = [Bind(rolling.name, them, where)]
        begin += [Put(flags, (who,), Op(Operator.IN, (who, rolling), Bool(), where.span), where) for who in seats]
        begin += [Put(rolled.name, (who,), nothing, where) for who in seats]
        chance = self._chance(dice, scope, Local(whom, player), die, rolled)
        rolls = Each(whom, Members(left, first=named[0] if named else seats[0]), (chance,), where)
        shown = Only(Get(rolled.name, (Local(one, player),), rolled.type), die.type, where.span)
        top = Fold(dice.best, one, Members(left), None, shown, die.type, Const(die.type.lo, die.type), where.span)
        keep = [Put(flags, (who,), And((tied(who), typed_operators.equal(
            Get(rolled.name, (who,), rolled.type), Local(best, die.type), where.span)), where.span), where)
                for who in seats]
        number = Op(Operator.SIZE, (left,), Int(0, self.symbols.seats.number))
        alone = typed_operators.compare(Operator.LE, number, typed_operators.number(1), dice.found)
        rounds = Repeat(alone, (rolls, Bind(best, top, where), *keep), None, where)
        end: list[Stmt] = [Put(kept.name, (), Only(left, player, where.span), where)]
        end += [Put(flags, (who,), typed_operators.FALSE, where) for who in seats]
        return [*begin, rounds, *end], Only(Get(kept.name, (), kept.type, where.span), player, where.span)

    def _chance(self, dice: _Dice, scope: Scope, who: Local, die: Param, rolled: Var) -> Stmt:
        """One player rolls, and it is noted what he has rolled."""
        where = dice.where
        inner = scope.bind(who.name, Bound(who))
        by = Param("for", "for", self._player, Members(typed_operators.singleton(who)), Origin(dice.stmt.span))
        body: Block = (Put(rolled.name, (who,), Local(die.name, die.type), where),)
        action, bound = self.decisions.anonymous(inner, "roll", (by, die), body, where, dice.stmt)
        return Chance(self.decisions.point(scope, "roll", where), action, bound)

    def _rolled(self, name: Word, kind: Int, where: Origin) -> Var:
        """What each has rolled last: `die of p`, as long as nothing else is called so."""
        known = self.symbols.vars.get(name.text)
        if known is not None and known.role is Role.REGISTER and known.keys == (self._player,):
            if known.type != Maybe(kind):
                raise self.symbols.wrong("RO01", f"{name.text} is rolled elsewhere, with other dice", name.span,
                                         hint="choose another name")
            return known
        self.symbols.claim(name)
        return self.decisions.register(name.text, (self._player,), kind, where)

    def _tied(self, term: Node, rule: Node, tied: Expr, kind: Scalar, scope: Scope) -> Expr:
        """`ties: roll off 1..6 as die`: those tied roll, before the statement; all other rules are left to others."""
        if rule.kind != "tie_roll":
            assert self._other_ties is not None, "other rules for ties are lowered elsewhere"
            return self._other_ties(term, rule, tied, kind, scope)
        if kind != self._player:
            raise self.symbols.wrong("RO01", "a roll-off is between players", rule.span)
        assert scope.hoist is not None
        where = Origin(term.span, scope.cites)
        dice = _Dice(rule, node(rule.parts[1]), word(rule.parts[2]), FoldKind.MAX, where, rule.span, rule.span)
        name, the = self.sources.fresh("tied"), self.sources.fresh("the")
        made, value = self._rolls(dice, replace(scope, hoist=None), Local(name, SetOf(kind)), (), the)
        scope.hoist.extend([Bind(name, tied, where), *made])
        return value
