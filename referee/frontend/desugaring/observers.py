"""Who learns what somebody chooses: everybody, unless it goes from one place that not all see to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from referee.core.expr import Get, Local, Place
from referee.core.read_write_sets import locals_of, reads
from referee.core.ruleset import Role
from referee.core.secrecy import Secrecy
from referee.core.stmt import Action, Block, Move, Param, Put
from referee.core.traverse import children, statements
from referee.frontend.desugaring.insert_checks import bodies
from referee.frontend.names.symbol_table import Symbols
from referee.frontend.statements.audiences import Seers, joined, onlookers

ME = "me"


def settle(symbols: Symbols) -> None:
    """Gives every argument that is not for all its observers, and tells the slots of which not even the spots that are
    taken are for all to know. Called once all blocks are lowered."""
    found = _Observers(symbols, bodies(symbols))
    symbols.actions = {
        name: replace(action, params=tuple(found.param(action, param) for param in action.params))
        for name, action in symbols.actions.items()
    }
    blocks = (symbols.setup, symbols.main)
    secret = Secrecy(symbols.vars, symbols.zones, symbols.actions, symbols.procedures, blocks).spots
    for name in sorted(secret):
        zone = symbols.zones[name]
        symbols.zones[name] = replace(zone, sight=replace(zone.sight, spots=False))


class _Observers:
    def __init__(self, symbols: Symbols, blocks: Iterable[Block]) -> None:
        self._symbols = symbols
        self._moves = [stmt for block in blocks for stmt in statements(block, Move)]

    def param(self, action: Action, param: Param) -> Param:
        if param.arg is None or param.seen is not None:
            return param
        seers = next(self._secret(action, param), None)
        if seers is None:
            return param
        known = {ME, *(one.name for one in action.params)}
        kept = joined((Seers((Local(ME, self._symbols.player),)), seers.known_by(known)))
        return replace(param, seen=kept.together(self._symbols))

    def _secret(self, action: Action, param: Param) -> Iterator[Seers]:
        """For each way that it goes in secret, whoever sees where it comes from or goes to."""
        puts = [put for put in statements(action.body, Put) if param.name in locals_of(put.value)]
        ways = [move for move in statements(action.body, Move) if _moves(move, param.name)]
        for way in ways:
            if self._hidden(way):
                yield self._onlookers(way.source, way.to)
        home = next(_places(param.source), None)
        if home is None or self._open(home):
            return
        variables = [self._symbols.vars[put.var] for put in puts]
        registers = {var.name for var in variables if var.role is Role.REGISTER}
        if any(self._hidden(move) for move in self._moves if registers & reads(move.what)):
            yield self._onlookers(home)
        if puts and not ways and not registers and all(var.seen_by is not None for var in variables):
            yield self._onlookers(home)

    def _hidden(self, way: Move) -> bool:
        return not self._open(way.source) and not self._open(way.to)

    def _open(self, place: Place) -> bool:
        return self._symbols.zones[place.zone].sight.everybody

    def _onlookers(self, *places: Place) -> Seers:
        seers = [onlookers(self._symbols, place) for place in places]
        return joined(one for one in seers if one is not None)


def _moves(stmt: Move, name: str) -> bool:
    return isinstance(stmt.what, Local) and stmt.what.name == name


def _places(node: object) -> Iterator[Place]:
    """Every place that an expression or source names."""
    if isinstance(node, Place):
        yield node
    elif not isinstance(node, Get):
        for part in children(node):
            yield from _places(part)
