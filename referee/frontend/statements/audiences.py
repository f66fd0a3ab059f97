"""Who learns what is chosen or rolled: `seen by me`, `seen by p and left of p`, of a whole action or one argument."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from functools import reduce

from referee.core.expr import Const, Expr, Local, Op, Operator, Place
from referee.core.read_write_sets import locals_of, places_of, variables_of
from referee.core.stmt import Param
from referee.core.types import SetOf
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.names.bindings import DomainOf, PlaceOf, Scope
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.names.tree_access import first, nodes
from referee.syntax.syntax_tree import Node


def _everybody(symbols: Symbols) -> Expr:
    return Const(frozenset(range(symbols.player.hi + 1)), SetOf(symbols.player))


@dataclass(frozen=True, slots=True)
class Seers:
    """Who learns something: single players, and sets of players."""

    players: tuple[Expr, ...] = ()
    sets: tuple[Expr, ...] = ()

    def known_by(self, names: Container[str]) -> Seers:
        """Those of whom nothing is said but what these locals stand for."""
        said = [[one for one in part if all(name in names for name in locals_of(one))]
                for part in (self.players, self.sets)]
        return Seers(tuple(said[0]), tuple(said[1]))

    def together(self, symbols: Symbols) -> Expr:
        """All of them as one set."""
        kind = SetOf(symbols.player)
        listed = Op(Operator.SET, tuple(dict.fromkeys(self.players)), kind)
        sets: list[Expr] = list(self.sets) if self.sets and not self.players else [listed, *self.sets]
        return reduce(lambda one, other: Op(Operator.UNION, (one, other), kind), sets)


def joined(seers: Iterable[Seers]) -> Seers:
    """Everybody who is among one of them."""
    found = list(seers)
    return Seers(tuple(one for each in found for one in each.players),
                 tuple(one for each in found for one in each.sets))


def onlookers(symbols: Symbols, place: Place) -> Seers | None:
    """Who sees what lies in a place; None for everybody."""
    sight = symbols.zones[place.zone].sight
    if sight.everybody:
        return None
    owners = tuple(place.keys[index] for index in sight.owners)
    if not sight.others:
        return Seers(owners)
    kind = SetOf(symbols.player)
    return Seers((), (Op(Operator.MINUS, (_everybody(symbols), Op(Operator.SET, owners, kind)), kind),))


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
        seers = [self._players(part, scope) for part in nodes(audience) if part.kind != "nobody"]
        if actor is not None:
            seers.insert(0, Seers((Local(actor, self._symbols.player),)))
        return param if param.arg is None else replace(param, seen=joined(seers).together(self._symbols))

    def _players(self, term: Node, scope: Scope) -> Seers:
        """One player or several. Raises Wrong (VS03, VS04)."""
        found = self._terms.meaning(term, scope, self._symbols.player)
        if isinstance(found, DomainOf) and found.type == self._symbols.player:
            return Seers((), (_everybody(self._symbols),))
        if not isinstance(found, DomainOf | PlaceOf):
            value = self._terms.plain(found, term.span)
            self._open(value, term)
            if value.type == SetOf(self._symbols.player):
                return Seers((), (value,))
            return Seers((self._terms.fit(value, self._symbols.player, term.span),))
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
