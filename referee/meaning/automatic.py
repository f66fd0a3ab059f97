"""`automatic`: a choice with a single option goes unasked only where everybody can see that it has one, and which."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.expr import Place
from referee.core.read_write_sets import variables_of
from referee.core.ruleset import Zone
from referee.core.stmt import Action, Block, Commit, Decide, Guard, Merge, Move
from referee.core.traverse import statements, walk
from referee.meaning.symbols import Symbols


def check_automatic(symbols: Symbols) -> None:
    """Reports each point that says `automatic` and depends on what somebody cannot see."""
    known = known_to_all(symbols)
    for block in _blocks(symbols):
        for stmt in statements(block, Decide, Commit):
            if stmt.point.automatic:
                hidden = sorted(_hidden(symbols, stmt, known))
                if hidden:
                    said = f"whether there is one option only depends on `{hidden[0]}`, which not everybody sees"
                    hint = "leave `automatic` out: that nobody was asked would tell what lies there"
                    symbols.reporter.error("AU01", said, stmt.point.origin.span, hint=hint)


def _blocks(symbols: Symbols) -> Iterator[Block]:
    yield symbols.setup
    yield symbols.main
    yield from (action.body for action in symbols.actions.values())
    yield from (procedure.body for procedure in symbols.procedures.values())


def known_to_all(symbols: Symbols) -> frozenset[str]:
    """The zones of which everybody knows what lies there: open ones, and those that only what is known came into."""
    moves = [m for block in _blocks(symbols) for m in statements(block, Move, Merge)]
    known = set(symbols.zones)
    while True:
        lost = {name for name in known if not _stays_known(symbols.zones[name], moves, known)}
        if not lost:
            return frozenset(known)
        known -= lost


def _stays_known(zone: Zone, moves: list[Move | Merge], known: set[str]) -> bool:
    if zone.sight.everybody:
        return True
    if not zone.sight.owners:
        return False
    into = [m for m in moves if m.to.zone == zone.name]
    out = [m for m in moves if isinstance(m, Move) and m.source.zone == zone.name]
    return all(isinstance(m, Move) and m.source.zone in known for m in into) and all(m.to.zone in known for m in out)


def _hidden(symbols: Symbols, stmt: Decide | Commit, known: frozenset[str]) -> Iterator[str]:
    """The zones and counters that not everybody knows, of those that decide what is possible."""
    names = [o.action for o in stmt.options] if isinstance(stmt, Decide) else [p.action for p in stmt.parts]
    for action in (symbols.actions[name] for name in names if name in symbols.actions):
        read = _read(action)
        yield from (place.zone for place in walk(read, Place) if place.zone not in known)
        yield from (n for n in variables_of(read) if n in symbols.vars and symbols.vars[n].seen_by is not None)


def _read(action: Action) -> tuple[object, ...]:
    guards: tuple[Guard, ...] = action.guards
    return (*((p.source, p.count, p.among) for p in action.params), *(guard.cond for guard in guards))
