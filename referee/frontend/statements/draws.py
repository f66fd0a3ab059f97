"""Statements in which fate decides: deals, draws and dice."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import (
    All,
    Const,
    End,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Local,
    Members,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Within,
)
from referee.core.ruleset import Form
from referee.core.stmt import Block, Branch, Chance, Each, Move, Origin, Param, Put, Stmt
from referee.core.traverse import itself, walk
from referee.core.types import Bool, DomainKind, Elem, Int, Many
from referee.flow.register_names import substitute
from referee.frontend.desugaring.later_moments import before_draw
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.coercions import MemberSource
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import Bound, Scope
from referee.frontend.names.timed_modifiers import leaving
from referee.frontend.names.tree_access import node, word
from referee.frontend.statements.audiences import joined, onlookers
from referee.frontend.statements.decisions import SEVERAL, SHORTAGE, Decisions, outside
from referee.frontend.statements.state_changes import Statements
from referee.syntax.syntax_tree import Node, Word
from referee.syntax.syntax_tree import Part as TreePart

SKIPPED, NONE_THEN = "skipped", "none_then"
"""What other answers are called where there is less than is to be drawn."""
MOST_DICE = 100
"""Dice that are rolled at once, or are in one pool: more are refused."""
MOST_FACES = 1_000
"""Faces of a die: more are refused."""


class Draws:
    """Lowering of all statements."""

    def __init__(self, values: ExpressionLowering, statements: Statements, decisions: Decisions) -> None:
        self.statements = statements
        self.decisions = decisions
        self.symbols = values.symbols
        self.terms = values.terms
        self.constants = values.constants
        self.sources = values.sources
        self.conditions = values.conditions
        statements.rules.update(
            {"deal": self._deal, "deal_in_order": self._to_nobody, "draw": self._draw, "roll": self._roll,
             "roll_dice": self._roll_dice}
        )

    def _deal(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        source = self.terms.place(node(stmt.parts[1]), outside(scope)).place
        to_node = node(stmt.parts[2])
        return self._from_pile(stmt, scope, where, "deal", source, to_node, stmt.parts[0], stmt.parts[3])

    def _to_nobody(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """In an order round the table nothing is dealt but to each player. Raises Wrong."""
        to = node(stmt.parts[2]).span
        hint = "`deal 1 from PILE to ZONE of each player, in order from p`"
        raise self.symbols.wrong("OR01", f"`{self.symbols.text(to)}` is one place: there is no order", to, hint=hint)

    def _draw(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        who, source, to = node(stmt.parts[0]), node(stmt.parts[3]), stmt.parts[4]
        if to is None:
            raise self.symbols.wrong(
                "DR01", "where does the drawn card go?", stmt.span, hint="write `draws 1 from X to Y`"
            )
        if who.kind not in ("each_player", "fate"):
            self.decisions.actor(who, scope)
        if who.kind != "each_player":
            place = self.terms.place(source, outside(scope)).place
            return self._from_pile(stmt, scope, where, "draw", place, node(to), stmt.parts[2], stmt.parts[5])
        local = self.sources.fresh("player")
        inner = replace(scope, me=Local(local, self.symbols.player))
        place = self.terms.place(source, outside(inner)).place
        made, _ = self._from_pile(stmt, inner, where, "draw", place, node(to), stmt.parts[2], None)
        return [Each(local, All(self.symbols.player), tuple(made), where)], scope

    def _from_pile(
        self,
        stmt: Node,
        scope: Scope,
        where: Origin,
        label: str,
        source: Place,
        to_node: Node,
        quantity: TreePart,
        named: TreePart,
    ) -> tuple[list[Stmt], Scope]:
        """`to` (a player, where the zone has one) and the cards, taken from the top block of a pile."""
        given, scope = scope, outside(scope)
        to = self.statements.landing_on(to_node, scope).place
        params: list[Param] = []
        for key in to.keys:
            if key.type == self.symbols.player or (isinstance(key.type, Elem) and key.type.domain == "player"):
                params.append(
                    Param(
                        "to", "to", self.symbols.player, Members(typed_operators.singleton(key)), Origin(to_node.span)
                    )
                )
        count = self.conditions.quantity(quantity, scope)
        zone = self.symbols.zones[source.zone]
        kind = self.terms.component_type(zone)
        taken = replace(source, end=End.TOP) if zone.form is Form.PILE else source
        single = isinstance(count, Const) and count.value == 1
        there = MemberSource(Within(taken), kind, None, taken)
        if not single:
            count = self._short(self.decisions.as_many_as_there_are(count, there, "it", where), count, where)
        if not single:
            self.statements.one_by_one(to, to_node.span)
        assert isinstance(count.type, Int)
        card = Param(
            "card" if single else "cards",
            "card" if single else "cards",
            kind if single else Many(kind, max(0, count.type.hi)),
            Within(taken),
            Origin(stmt.span),
            None if single else (count, count),
            self._seers(source, to),
        )
        drawn = Local(card.name, card.type)
        before, gone = leaving(self.symbols, drawn, taken, to, self.sources.fresh("elsewhere"), where)
        body: list[Stmt] = [*before, Move(drawn, None, taken, self._landing(to), where), *gone]
        after = given
        if named is not None:
            kept = self.decisions.register(f"{scope.owner}.{word(named).text}", (), card.type, where)
            body.append(Put(kept.name, (), Local(card.name, card.type), where))
            held = Get(kept.name, (), kept.type, where.span)
            value = held if isinstance(card.type, Many) else Only(held, card.type, where.span)
            after = given.bind(word(named).text, Bound(value, self.statements.landing_on(to_node, given).place))
        action, bound = self.decisions.anonymous(given, label, (*params, card), tuple(body), where, stmt)
        ask: Stmt = Chance(self.decisions.point(given, label, where), action, bound)
        if single and named is None and given.owner in self.symbols.action_nodes and not self.statements.repeated:
            keys = tuple(substitute(key, dict(bound)) for key in taken.keys)
            ask = self._if_there(ask, Within(replace(taken, keys=keys)), where)
        return [*(before_draw(self.symbols, source.zone, where) if not source.keys else ()), ask], after

    def _if_there(self, ask: Stmt, source: Within, where: Origin) -> Stmt:
        """A draw of one; for another answer nothing happens where there is none."""
        test = self.symbols.others.test(SHORTAGE, SKIPPED, where)
        if test is None:
            return ask
        one = Fold(FoldKind.ANY, "it", source, None, typed_operators.TRUE, Bool())
        return Branch(Or((typed_operators.negate(test), one)), (ask,), (), where)

    def _short(self, count: Expr, said: Expr, where: Origin) -> Expr:
        """A number that is no more than there are; for another answer none, if there are not all."""
        lower = next((one for one in itself(said, Op) if one.op is Operator.LOWER), None)
        if lower is None:
            return count
        there = next((arg for arg in walk(lower, Fold) if arg in lower.args), None)
        wanted = next((arg for arg in lower.args if arg is not there), None)
        test = None if there is None else self.symbols.others.test(SHORTAGE, NONE_THEN, where)
        if test is None or there is None or wanted is None:
            return count
        few = typed_operators.both((test, typed_operators.compare(Operator.LT, there, wanted)))
        kind = typed_operators.join(count.type, Int(0, 0))
        assert kind is not None
        return If(few, typed_operators.number(0), count, kind, where.span)

    def _landing(self, to: Place) -> Place:
        if self.symbols.zones[to.zone].form is Form.PILE and to.end is None:
            return replace(to, end=End.TOP)
        return to

    def _seers(self, *places: Place) -> Expr | None:
        """Who learns what passes from one place to another: whoever sees one of them. None: everybody."""
        seers = [onlookers(self.symbols, place) for place in places]
        sets = [one for one in seers if one is not None]
        return joined(sets).together(self.symbols) if len(sets) == len(seers) else None

    def _roll(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        over, name = node(stmt.parts[2]), word(stmt.parts[3])
        die = self.decisions.param(name.text, over, outside(scope), where)
        die = self.decisions.audiences.narrowed(stmt, die, outside(scope), None)
        return self._rolled(stmt, scope, where, die, name)

    def _roll_dice(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """Several dice at once: one event with all that they show, in ascending order."""
        name = word(stmt.parts[4])
        shown = self.constants.range_type(node(stmt.parts[3]))
        dice = self.thrown(stmt, name.text, shown, outside(scope), where)
        dice = self.decisions.audiences.narrowed(stmt, dice, outside(scope), None)
        return self._rolled(stmt, scope, where, dice, name)

    def thrown(self, stmt: Node, name: str, whole: Int, scope: Scope, where: Origin) -> Param:
        """So many dice of so many faces, out of the numbers that dice may show here, as an argument of the event."""
        quantity, faces = stmt.parts[2], node(stmt.parts[3])
        number = self.conditions.quantity(quantity, scope)
        shown = self.constants.range_type(faces)
        assert isinstance(number.type, Int)
        if shown.hi - shown.lo >= MOST_FACES or number.type.hi > MOST_DICE:
            said = f"at most {MOST_DICE} dice are rolled at once, with at most {MOST_FACES} faces"
            raise self.symbols.wrong("DI01", said, where.span)
        domain = f"die {whole.lo}..{whole.hi}"
        if domain not in self.symbols.domains:
            self.symbols.domain(domain, DomainKind.ENUM, tuple(range(whole.lo, whole.hi + 1)), ordered=True)
        face = Elem(domain, shown.lo - whole.lo, shown.hi - whole.lo)
        kind = Many(face, max(0, number.type.hi))
        return Param(name, name, kind, All(face), Origin(faces.span, where.cites), (number, number), None, True)

    def _rolled(self, stmt: Node, scope: Scope, where: Origin, shown: Param, name: Word) -> tuple[list[Stmt], Scope]:
        """The chance point of a roll; what is shown keeps the name."""
        kept = self.decisions.register(f"{scope.owner}.{name.text}", (), shown.type, where)
        body: Block = (Put(kept.name, (), Local(name.text, shown.type), where),)
        action, bound = self.decisions.anonymous(scope, "roll", (*self.roller(stmt, scope), shown), body, where, stmt)
        held = Get(kept.name, (), kept.type, where.span)
        value = held if isinstance(shown.type, Many) else Only(held, shown.type, where.span)
        return [Chance(self.decisions.point(scope, "roll", where), action, bound)], scope.bind(name.text, Bound(value))

    def roller(self, stmt: Node, scope: Scope) -> tuple[Param, ...]:
        """For whom the dice are, as an argument of the event; nobody where fate rolls by itself."""
        who = node(stmt.parts[0])
        if who.kind in (*SEVERAL, "nobody"):
            hint = "use `for each p in players`, or `simultaneously`"
            raise self.symbols.wrong("AC01", "one player rolls here", who.span, hint=hint)
        if who.kind == "fate":
            return ()
        roller = self.terms.value(who, outside(scope), self.symbols.player)
        return (Param("for", "for", self.symbols.player, Members(typed_operators.singleton(roller)), Origin(who.span)),)
