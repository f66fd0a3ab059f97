"""Statements about dice that stay where they were thrown: rolled into a pool, rolled again, taken away."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from referee.core.expr import All, And, Fold, FoldKind, Local, Members, Numbers, Operator, Or, Where
from referee.core.ruleset import Role, Var
from referee.core.stmt import Bind, Block, Branch, Chance, Each, Gap, Origin, Param, Point, Put, Stmt, Unspecified
from referee.core.types import DomainKind, Int, Many, SetOf, size
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.dice_pools import Dice, faces, showing
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.loading.declarations import owner_key
from referee.frontend.names.bindings import Bound, DicePool, Scope
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import first, head, node, origin, word, words
from referee.frontend.names.type_names import keys_of
from referee.frontend.statements.decisions import Decisions, outside
from referee.frontend.statements.draws import MOST_DICE, MOST_FACES, Draws
from referee.frontend.statements.state_changes import Statements
from referee.syntax.syntax_tree import Node

AGAIN = "again"


def declare_pool(symbols: Symbols, decl: Node) -> None:
    """Reads `NAME of player: up to 4 dice 1..6`: a counter of the dice that show each number. Raises Wrong."""
    name_word, values = word(decl.parts[0]), ExpressionLowering(symbols)
    name = symbols.claim(name_word)
    keys = keys_of(symbols, first(decl, "keys"))
    shown = values.constants.range_type(node(first(decl, "range")))
    most = values.constants.whole(next(words(decl, "INT")))
    if not 0 < most <= MOST_DICE or size(shown) > MOST_FACES:
        said = f"there are 1 to {MOST_DICE} dice in a pool, with at most {MOST_FACES} faces"
        raise symbols.wrong("DI01", said, name_word.span)
    symbols.take(prod(map(size, keys)) * size(shown), head(decl))
    seen_by = owner_key(symbols, decl, keys)
    symbols.vars[name] = Var(name, (*keys, shown), Int(0, most), 0, Role.STATE, origin(decl), "", seen_by=seen_by)
    symbols.pools[name] = DicePool(name, keys, shown, most)


class DiceStatements:
    """Lowering of all statements."""

    def __init__(self, values: ExpressionLowering, statements: Statements, decisions: Decisions, draws: Draws) -> None:
        self.statements = statements
        self.decisions = decisions
        self.draws = draws
        self.symbols = values.symbols
        self.terms = values.terms
        self.constants = values.constants
        self.sources = values.sources
        self.pools = values.pools
        statements.rules.update({"roll_into": self._roll_into, "roll_again": self._roll_again, "clear": self._clear})
        self._components = statements.rules["move"]
        statements.rules["move"] = self._move

    def _roll_into(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """What the dice show is added to a pool: one event with all that they show."""
        into = node(stmt.parts[4])
        inside = outside(scope)
        (one, *others) = self.pools.pool_of(into, inside)
        shown = self.constants.range_type(node(stmt.parts[3]))
        if others or not one.pool.faces.lo <= shown.lo <= shown.hi <= one.pool.faces.hi:
            said = f"`{self.symbols.text(into.span)}` is not for dice {shown.lo}..{shown.hi}"
            raise self.symbols.wrong("DI04", said, into.span)
        dice = self._for_owner(self.draws.thrown(stmt, one.pool.name, one.pool.faces, inside, where), one)
        dice = self.decisions.audiences.narrowed(stmt, dice, inside, None)
        assert isinstance(dice.type, Many)
        kind = dice.type.of
        face = Local(self.sources.fresh("face"), kind)
        like = typed_operators.equal(Local("die", kind), face)
        same = Fold(FoldKind.COUNT, "die", Members(Local(dice.name, dice.type)), like, None, Int(0, dice.type.most))
        there = one.showing(self.terms.as_number(face, into.span))
        put = Put(there.var, there.keys, typed_operators.arithmetic(Operator.ADD, there, same), where)
        return [self._thrown(stmt, scope, where, dice, (Each(face.name, All(kind), (put,), where),))], scope

    def _move(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """`move die from A to B`: one die of a pool that shows this number comes to another one."""
        given, dest = stmt.parts[1], node(stmt.parts[2])
        if given is None or dest.kind != "dest" or self.pools.dice(node(given), scope) is None:
            return self._components(stmt, scope, where)
        number = self.sources.kept("die", self.terms.number(node(stmt.parts[0]), scope), scope, stmt)
        puts: list[Stmt] = []
        for said, step in ((node(given), Operator.SUB), (node(dest.parts[0]), Operator.ADD)):
            (one, *others) = self.pools.pool_of(said, scope)
            assert isinstance(number.type, Int)
            if others or not one.pool.faces.lo <= number.type.lo <= number.type.hi <= one.pool.faces.hi:
                raise self.symbols.wrong("DI04", f"`{self.symbols.text(said.span)}` is not for this die", said.span)
            there = one.showing(number)
            puts.append(Put(there.var, there.keys,
                            typed_operators.arithmetic(step, there, typed_operators.number(1)), where))
        return puts, scope

    def _thrown(self, stmt: Node, scope: Scope, where: Origin, shown: Param, body: Block) -> Stmt:
        roller = self.draws.roller(stmt, scope)
        action, bound = self.decisions.anonymous(scope, "roll", (*roller, shown), body, where, stmt)
        return Chance(self.decisions.point(scope, "roll", where), action, bound)

    def _roll_again(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """The lowest or highest die is rolled again; of which pool, if it shows in several, nobody says."""
        how, term = word(stmt.parts[2]), node(stmt.parts[3])
        if how.text.startswith("sum"):
            raise self.symbols.wrong("DI04", "one die is rolled again: the highest or the lowest", how.span)
        dice = self.pools.pool_of(term, outside(scope))
        extreme = self.pools.of_dice(Node("of_dice", (how, term), stmt.span), scope)
        low = Local(self.sources.fresh(how.text.split()[0]), faces(dice), stmt.span)
        inner = scope.bind(low.name, Bound(low))
        each = [(self._again(stmt, inner, where, one, low),) for one in dice]
        bound = Bind(low.name, extreme, where)
        if len(dice) == 1:
            return [bound, *each[0]], scope
        return [bound, *self._whichever(scope, where, how.text.split()[0], dice, low, each)], scope

    def _for_owner(self, shown: Param, one: Dice) -> Param:
        """What dice show that come to a pool, which whoever sees the pool learns."""
        seer = self.symbols.vars[one.pool.name].seen_by
        return shown if seer is None else replace(shown, seen=typed_operators.singleton(one.keys[seer]))

    def _again(self, stmt: Node, scope: Scope, where: Origin, one: Dice, low: Local) -> Stmt:
        shown = one.pool.faces
        again = Local(AGAIN, shown)
        die = self._for_owner(Param(AGAIN, AGAIN, shown, All(shown), Origin(stmt.span, where.cites)), one)
        die = self.decisions.audiences.narrowed(stmt, die, outside(scope), None)
        body: list[Stmt] = []
        for number, op in ((low, Operator.SUB), (again, Operator.ADD)):
            there = one.showing(number)
            body.append(
                Put(there.var, there.keys, typed_operators.arithmetic(op, there, typed_operators.number(1)), where)
            )
        return self._thrown(stmt, scope, where, die, tuple(body))

    def _whichever(
        self, scope: Scope, where: Origin, how: str, dice: tuple[Dice, ...], low: Local, each: list[tuple[Stmt]]
    ) -> Block:
        """One of the pools that have a die like this; silent if there is only one."""
        point = Point(self.symbols.point(f"{scope.owner}.die"), False, where)
        names = tuple(one.pool.name for one in dice)
        sort = self.symbols.domain(f"dice at {point.name}", DomainKind.ENUM, names).whole
        found, chosen = Local("sort", sort), Local(self.sources.fresh("sort"), sort)
        has = [
            typed_operators.compare(Operator.GT, showing((one,), low, faces(dice)), typed_operators.number(0))
            for one in dice
        ]
        tests = tuple(
            And((typed_operators.equal(found, typed_operators.member(i, sort)), has[i])) for i in range(len(dice))
        )
        candidates = Members(Where("sort", All(sort), Or(tests), SetOf(sort)))
        question = f"the {how} number shows on dice of several sorts: which is rolled again?"
        rest: Block = ()
        for index, block in reversed(list(enumerate(each))):
            rest = (Branch(typed_operators.equal(chosen, typed_operators.member(index, sort)), block, rest, where),)
        return (Unspecified(point, question, chosen.name, sort, candidates, Gap.TIE), *rest)

    def _clear(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """All dice of a pool are taken away."""
        made: list[Stmt] = []
        for one in self.pools.pool_of(node(stmt.parts[0]), scope):
            number = Local(self.sources.fresh("number"), one.pool.faces)
            there = one.showing(number)
            each = Numbers(typed_operators.number(one.pool.faces.lo), typed_operators.number(one.pool.faces.hi))
            made.append(Each(number.name, each, (Put(there.var, there.keys, typed_operators.number(0), where),), where))
        return made, scope
