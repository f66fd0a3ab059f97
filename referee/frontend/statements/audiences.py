"""Who learns what is chosen or rolled: `seen by me`, `seen by p and left of p`, of a whole action or one argument."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from referee.core.expr import Const, Expr, Local, Op, Operator, Place
from referee.core.read_write_sets import places_of, variables_of
from referee.core.stmt import Param
from referee.core.types import SetOf
from referee.frontend.expressions import typed_operators
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import DomainOf, PlaceOf, Scope
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import first, nodes
from referee.syntax.syntax_tree import Node


def _everybody(symbols: Symbols) -> Expr:
    return Const(frozenset(range(symbols.player.hi + 1)), SetOf(symbols.player))


def union(symbols: Symbols, sets: Iterable[Expr]) -> Expr:
    """Everybody who is in one of some sets of players."""
    kind = SetOf(symbols.player)
    listed, others = list[Expr](), list[Expr]()
    for one in sets:
        if isinstance(one, Op) and one.op is Operator.SET:
            listed += one.args
        else:
            others.append(one)
    found: Expr = Op(Operator.SET, tuple(dict.fromkeys(listed)), kind)
    if others and not listed:
        found = others.pop(0)
    for one in others:
        found = Op(Operator.UNION, (found, one), kind)
    return found


def onlookers(symbols: Symbols, place: Place) -> Expr | None:
    """Who sees what lies in a place, as a set of players; None for everybody."""
    sight = symbols.zones[place.zone].sight
    if sight.everybody:
        return None
    kind = SetOf(symbols.player)
    owners = Op(Operator.SET, tuple(place.keys[index] for index in sight.owners), kind)
    return Op(Operator.MINUS, (_everybody(symbols), owners), kind) if sight.others else owners


class Audiences:
    """Lowering of `seen by`."""

    def __init__(self, values: ExpressionLowering) -> None:
        self._symbols = values.symbols
        self._terms = values.terms

    def narrowed(self, said: Node, param: Param, scope: Scope, actor: str | None) -> Param:
        """The argument of a statement, action or head of an argument, as seen by those whom `said` names, if any.

        `actor`: the local that holds who chooses, and so learns it too; None for what fate decides. An argument that
        no log tells stays as it is. Raises Wrong.
        """
        audience = first(said, "seen")
        if audience is None:
            return param
        sets = [self._players(part, scope) for part in nodes(audience) if part.kind != "nobody"]
        if actor is not None:
            sets.insert(0, typed_operators.singleton(Local(actor, self._symbols.player)))
        return param if param.arg is None else replace(param, seen=union(self._symbols, sets))

    def _players(self, term: Node, scope: Scope) -> Expr:
        """One player or several, as a set. Raises Wrong (VS03, VS04)."""
        found = self._terms.meaning(term, scope, self._symbols.player)
        if isinstance(found, DomainOf) and found.type == self._symbols.player:
            return _everybody(self._symbols)
        if not isinstance(found, DomainOf | PlaceOf):
            value = self._terms.plain(found, term.span)
            self._open(value, term)
            if value.type == SetOf(self._symbols.player):
                return value
            if not isinstance(value.type, SetOf):
                return typed_operators.singleton(self._terms.fit(value, self._symbols.player, term.span))
        text = self._symbols.text(term.span)
        hint = "write `seen by me`, `seen by p and left of p`, `seen by others`, or `seen by nobody`"
        raise self._symbols.wrong("VS03", f"`{text}` is no player, and no players", term.span, hint=hint)

    def _open(self, audience: Expr, term: Node) -> None:
        """Complains of an audience that not everybody can work out. Raises Wrong (VS04)."""
        zones = (name for name in places_of(audience) if not self._symbols.zones[name].sight.everybody)
        counters = (name for name in variables_of(audience) if self._symbols.vars[name].seen_by is not None)
        hidden = sorted((*zones, *counters))
        if hidden:
            said = f"who sees this hangs on `{hidden[0]}`, which not everybody sees"
            hint = "everybody must know who learns it and who does not"
            raise self._symbols.wrong("VS04", said, term.span, hint=hint)
