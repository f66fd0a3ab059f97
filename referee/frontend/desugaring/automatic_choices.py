"""`automatic`: a choice with a single option goes unasked only where everybody can see that it has one, and which."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from referee.core.expr import Place
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Zone
from referee.core.stmt import Action, Commit, Decide, Guard, Merge, Move, Swap
from referee.core.traverse import statements, walk
from referee.frontend.desugaring.insert_checks import bodies, led_to
from referee.frontend.names.symbol_table import Symbols


def check_automatic(symbols: Symbols) -> None:
    """Reports each point that says `automatic` and depends on what somebody cannot see."""
    known = known_to_all(symbols)
    for block in bodies(symbols):
        for stmt in statements(block, Decide, Commit):
            if stmt.point.automatic:
                hidden = sorted(_hidden(symbols, stmt, known))
                if hidden:
                    said = f"whether there is one option only depends on `{hidden[0]}`, which not everybody sees"
                    hint = "leave `automatic` out: that nobody was asked would tell what lies there"
                    symbols.reporter.error("AU01", said, stmt.point.origin.span, hint=hint)


def known_to_all(symbols: Symbols) -> frozenset[str]:
    """The zones of which everybody knows what lies there: open ones, and those that only what is known came into."""
    moves = [m for block in bodies(symbols) for m in statements(block, Move, Merge, Swap)]
    known = set(symbols.zones)
    while True:
        lost = {name for name in known if not _stays_known(symbols.zones[name], moves, known)}
        if not lost:
            return frozenset(known)
        known -= lost


def _stays_known(zone: Zone, moves: list[Move | Merge | Swap], known: set[str]) -> bool:
    if zone.sight.everybody:
        return True
    if not zone.sight.owners:
        return False
    for stmt in moves:
        match stmt:
            case Move():
                if stmt.to.zone == zone.name and stmt.source.zone not in known:
                    return False
                if stmt.source.zone == zone.name and stmt.to.zone not in known:
                    return False
            case Merge():  # in which order the pile lies then, nobody knows
                if stmt.to.zone == zone.name:
                    return False
            case Swap():
                if zone.name in (stmt.one.zone, stmt.other.zone) and not {stmt.one.zone, stmt.other.zone} <= known:
                    return False
            case _:
                assert_never(stmt)
    return True


def _hidden(symbols: Symbols, stmt: Decide | Commit, known: frozenset[str]) -> Iterator[str]:
    """The zones and counters that not everybody knows, of those that decide what is possible."""
    for action in (symbols.actions[name] for name in sorted(led_to(stmt)) if name in symbols.actions):
        read = _read(action)
        yield from (place.zone for place in walk(read, Place) if place.zone not in known)
        yield from (n for n in variables_of(read) if n in symbols.vars and symbols.vars[n].seen_by is not None)


def _read(action: Action) -> tuple[object, ...]:
    guards: tuple[Guard, ...] = action.guards
    return (*((p.source, p.count, p.among) for p in action.params), *(guard.cond for guard in guards))
