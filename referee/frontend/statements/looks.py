"""Looking at what lies hidden: a hand, a card that lies face down, the top card of a pile."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from referee.core.expr import At, Domainlike, End, Fold, FoldKind, Get, Local, Members, Only, Place, Within
from referee.core.ruleset import Form, Zone
from referee.core.stmt import Block, Chance, Move, Origin, Param, Put, Stmt
from referee.core.types import Elem, Int, Many, Maybe
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names import tree_building as build
from referee.frontend.names.bindings import Bound, Scope
from referee.frontend.names.tree_access import node, word
from referee.frontend.statements.audiences import Seers, joined, onlookers
from referee.frontend.statements.decisions import Decisions, outside
from referee.frontend.statements.state_changes import Statements
from referee.syntax.syntax_tree import Node, Word

_TURNED = "what is turned up"
"""A name, as no text has it, for what lies where it is turned up."""


class Looks:
    """Lowering of `p looks at hand of q`, `p looks at row at 3`, `p looks at the top card of deck`; and of
    `turn up row at 3 as card`, after which all know it.

    It is an event of fate with what lies there, of which only those learn who look or see the place anyway. What is
    looked at on top of a pile lies there as a block of its own afterwards: nobody has shuffled it since.
    """

    def __init__(self, values: ExpressionLowering, statements: Statements, decisions: Decisions) -> None:
        self._statements = statements
        self._decisions = decisions
        self._symbols = values.symbols
        self._terms = values.terms
        statements.rules["look"] = self._look
        statements.rules["turn_up"] = self._turn_up

    def _turn_up(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        """What lies there is told to all, and stays where it is: an event of fate, who has nothing to choose."""
        span, what, named, logged = stmt.span, node(stmt.parts[1]), word(stmt.parts[2]), stmt.parts[3]
        if logged is None:
            label, one = (Node("event_word", (said,), span) for said in (Word("NAME", "turn_up", span), named))
            told = Node("log_arg", (one, build.name(named.text, named.span)), span)
            logged = Node("logged", (Word("LOGGED_AS", ", logged as", span), label, told), span)
        place, inside = (self._statements.landing_on(what, here).place for here in (scope, outside(scope)))
        if inside.spot is None:
            raise self._symbols.wrong("LK01", "what is turned up lies at one place", what.span,
                                      hint="write `turn up row at 3 as card`, `turn up field at c as piece`")
        kind = self._type(place)
        there = At(replace(inside, spot=None), inside.spot, Maybe(kind), what.span)
        inner = scope.bind(_TURNED, Bound(Only(there, kind, what.span), place))
        only = Node("set_of", (Node("args", (build.name(_TURNED, what.span),), what.span),), what.span)
        chosen = (Node("fate", (Word("FATE", "fate", span),), span), Word("CHOOSE", "chooses", span),
                  Word("ONE_OF", "one of", span), only, named, None, logged, None)
        made, after = self._statements.rules["choose_value"](Node("choose_value", chosen, span), inner, where)
        return made, scope.bind(named.text, replace(after.names[named.text], at=place))

    def _look(self, stmt: Node, scope: Scope, where: Origin) -> tuple[list[Stmt], Scope]:
        what, inside = node(stmt.parts[2]), outside(scope)
        if what.kind == "end_card" and "top" in word(what.parts[0]).text:
            top = replace(self._terms.place(node(what.parts[1]), inside).place, end=End.TOP)
            if self._symbols.zones[top.zone].form is Form.PILE:
                back = Move(Local("card", self._type(top)), None, top, top, where)
                return self._seen(stmt, scope, where, top, self._card(top, Within(top), what, where), (back,))
        place = self._statements.landing_on(what, inside).place
        if place.spot is not None:
            there = At(replace(place, spot=None), place.spot, Maybe(self._type(place)), what.span)
            only = Members(typed_operators.singleton(Only(there, self._type(place), what.span)))
            return self._seen(stmt, scope, where, place, self._card(place, only, what, where), ())
        zone = self._symbols.zones[place.zone]
        if zone.form is not Form.BAG:
            raise self._symbols.wrong("LK01", f"which of what lies in {zone.name} is looked at?", what.span,
                                      hint=_instead(zone))
        lying = Fold(FoldKind.COUNT, "it", Within(place), None, None, Int(0, zone.capacity))
        cards = Param("cards", "cards", Many(self._type(place), zone.capacity), Within(place),
                      Origin(what.span, where.cites), (lying, lying))
        return self._seen(stmt, scope, where, place, cards, ())

    def _type(self, place: Place) -> Elem:
        return self._terms.component_type(self._symbols.zones[place.zone])

    def _card(self, place: Place, over: Domainlike, what: Node, where: Origin) -> Param:
        return Param("card", "card", self._type(place), over, Origin(what.span, where.cites))

    def _seen(self, stmt: Node, scope: Scope, where: Origin, place: Place, shown: Param,
              body: Block) -> tuple[list[Stmt], Scope]:
        """The event: who looks, and what he sees; it keeps its name, if it is given one."""
        looker = self._decisions.actor(node(stmt.parts[0]), outside(scope))
        there = onlookers(self._symbols, place)
        if there is None:
            raise self._symbols.wrong("LK01", f"everybody sees what lies in {place.zone}", node(stmt.parts[2]).span)
        seen = joined((Seers((looker,)), there)).together(self._symbols)
        who = Param("for", "for", self._symbols.player, Members(typed_operators.singleton(looker)), where)
        after, kept = scope, body
        if stmt.parts[3] is not None:
            name = word(stmt.parts[3]).text
            var = self._decisions.register(f"{scope.owner}.{name}", (), shown.type, where)
            kept = (*body, Put(var.name, (), Local(shown.name, shown.type), where))
            held = Get(var.name, (), var.type, where.span)
            value = held if shown.count is not None else Only(held, self._type(place), where.span)
            after = scope.bind(name, Bound(value, place))
        params = (who, replace(shown, seen=seen))
        action, bound = self._decisions.anonymous(scope, "look", params, kept, where, stmt)
        return [Chance(self._decisions.point(scope, "look", where), action, bound)], after


def _instead(zone: Zone) -> str:
    """How single ones of what lies in a zone are looked at."""
    match zone.form:
        case Form.PILE:
            several = "of several deal them to a place that only who looks sees, and move them back"
            return f"`the top card of {zone.name}`; {several}"
        case Form.LINE:
            return f"`{zone.name} at 1`; one by one: `for each n in 1..3`, below it `p looks at {zone.name} at n`"
        case Form.SLOTS | Form.BAG:
            return f"`{zone.name} at SPOT`"
        case _:
            assert_never(zone.form)
