"""What can be gone through, and where entries of arrays lie: one case for each kind of source and form of zone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, assert_never

from referee.core.expr import All, Const, Domainlike, End, Expr, Local, Look, Members, Numbers, Place, Within
from referee.core.ruleset import Form, Zone
from referee.diagnostics.source import Span
from referee.game.state import Layout, Spread
from referee.interpreter.closures.closure_types import Compiler, Env, Fn, Index, Many, Scope, Slots
from referee.interpreter.interruptions import RANGE, Fault


def keyed(entries: Spread, name: str, keys: tuple[Expr, ...], scope: Scope, code: Compiler, span: Span | None) -> Index:
    """Where the entry of an array for keys lies; RT01 if a key leaves its range."""
    base = entries.base
    if not keys:
        return lambda slots, env: base
    made = [code.expr(key, scope) for key in keys]
    if len(made) == 1:
        (only,), (low,), (size,) = made, entries.lows, entries.sizes

        def one(slots: Slots, env: Env) -> int:
            index: int = only(slots, env) - low
            if 0 <= index < size:
                return base + index
            raise _missing(name, (index + low,), span)

        return one

    def several(slots: Slots, env: Env) -> int:
        key = tuple([part(slots, env) for part in made])
        index = entries.find(key)
        if index < 0:
            raise _missing(name, key, span)
        return index

    return several


def picked(entries: Spread, name: str, keys: tuple[Expr, ...], scope: Scope, code: Compiler, span: Span | None,
           values: Sequence[Any] | None = None) -> Fn:
    """The entry of an array for keys: of the position, or of constant values; RT01 if a key leaves its range."""
    if values is not None:
        return _constant(entries, name, keys, scope, code, span, values)
    base = entries.base
    if not keys:
        return lambda slots, env: slots[base]
    if len(keys) > 1:
        where = keyed(entries, name, keys, scope, code, span)
        return lambda slots, env: slots[where(slots, env)]
    only, (low,), (size,) = code.expr(keys[0], scope), entries.lows, entries.sizes

    def picking(slots: Slots, env: Env) -> Any:
        index = only(slots, env) - low
        if 0 <= index < size:
            return slots[base + index]
        raise _missing(name, (index + low,), span)

    return picking


def _constant(entries: Spread, name: str, keys: tuple[Expr, ...], scope: Scope, code: Compiler, span: Span | None,
              values: Sequence[Any]) -> Fn:
    """The entry of a constant table."""
    if len(keys) != 1:
        where = keyed(entries, name, keys, scope, code, span)
        return lambda slots, env: values[where(slots, env)]
    only, (low,), (size,) = code.expr(keys[0], scope), entries.lows, entries.sizes

    def looking(slots: Slots, env: Env) -> Any:
        index = only(slots, env) - low
        if 0 <= index < size:
            return values[index]
        raise _missing(name, (index + low,), span)

    def looking_local(slots: Slots, env: Env) -> Any:
        index = env[key] - low
        if 0 <= index < size:
            return values[index]
        raise _missing(name, (index + low,), span)

    if not isinstance(keys[0], Local):
        return looking
    key: int | str = scope.get(keys[0].name, keys[0].name)
    return looking_local


def _missing(name: str, key: tuple[int, ...], span: Span | None) -> Fault:
    return Fault(RANGE, f"{name} has no entry {', '.join(map(str, key))}", span)


def source_of(source: Domainlike, scope: Scope, code: Compiler) -> Many:
    """The members of a source in its order; alike ones as often as they are there."""
    match source:
        case Numbers():
            lo, hi = code.expr(source.lo, scope), code.expr(source.hi, scope)
            if source.down:
                return lambda slots, env: range(hi(slots, env), lo(slots, env) - 1, -1)
            return lambda slots, env: range(lo(slots, env), hi(slots, env) + 1)
        case All():
            every = tuple(range(source.of.lo, source.of.hi + 1))
            return _turned(lambda slots, env: every, source.first, source.down, scope, code)
        case Members():
            return _turned(_sorted(source.of, scope, code), source.first, source.down, scope, code)
        case Within():
            return within(source.place, scope, code)
        case _:
            assert_never(source)


def _sorted(of: Expr, scope: Scope, code: Compiler) -> Many:
    """The members of a set or Many, ascending; those of constants and constant tables are sorted once."""
    if isinstance(of, Const) and isinstance(of.value, (frozenset, tuple)):
        known = tuple(sorted(of.value))
        return lambda slots, env: known
    if isinstance(of, Look):
        entries, table = code.layout.tables[of.table]
        rows = [tuple(sorted(value)) if isinstance(value, (frozenset, tuple)) else () for value in table.values]
        return picked(entries, of.table, of.keys, scope, code, of.span, rows)
    value = code.expr(of, scope)
    return lambda slots, env: sorted(value(slots, env))


def _turned(ascending: Many, first: Expr | None, down: bool, scope: Scope, code: Compiler) -> Many:
    """Ascending members in the order asked for: downwards, or from `first` on and round again."""
    if first is None:
        return (lambda slots, env: ascending(slots, env)[::-1]) if down else ascending
    start = code.expr(first, scope)

    def turned(slots: Slots, env: Env) -> Sequence[int]:
        at, values = start(slots, env), ascending(slots, env)
        if down:
            values = values[::-1]
            return [*[v for v in values if v <= at], *[v for v in values if v > at]]
        return [*[v for v in values if v >= at], *[v for v in values if v < at]]

    return turned


def within(place: Place, scope: Scope, code: Compiler) -> Many:
    """The classes in a place, each as often as it is there: ascending, by position in a line."""
    zone = code.layout.core.zones[place.zone]
    content = picked(code.layout.zones[zone.name], zone.name, place.keys, scope, code, place.span)
    if place.spot is not None:
        return _on_spot(zone, content, code.expr(place.spot, scope))
    inside = inside_of(zone.form, place.end)
    return content if inside is None else lambda slots, env: inside(content(slots, env))


def _on_spot(zone: Zone, content: Fn, spot: Fn) -> Many:
    low = zone.spots.lo if zone.spots is not None else 0

    def on_spot(slots: Slots, env: Env) -> Sequence[int]:
        there, index = content(slots, env), spot(slots, env) - low
        one = there[index] if 0 <= index < len(there) else None
        return () if one is None else (one,)

    return on_spot


def _on_spots(content: tuple[int | None, ...]) -> Sequence[int]:
    return sorted([one for one in content if one is not None])


def _in_blocks(blocks: tuple[tuple[int, ...], ...]) -> Sequence[int]:
    return sorted([one for block in blocks for one in block])


def _in_first(blocks: tuple[tuple[int, ...], ...]) -> Sequence[int]:
    return _in_blocks(blocks[:1])


def _in_last(blocks: tuple[tuple[int, ...], ...]) -> Sequence[int]:
    return _in_blocks(blocks[-1:])


def _first(content: tuple[int, ...]) -> Sequence[int]:
    return content[:1]


def _last(content: tuple[int, ...]) -> Sequence[int]:
    return content[-1:]


def inside_of(form: Form, end: End | None) -> Callable[[Any], Sequence[int]] | None:
    """What lies in a zone of a form, or at an end of it, from its content; None: the content as it is."""
    match form:
        case Form.BAG:
            return None
        case Form.LINE:
            return None if end is None else _last if end is End.TOP else _first
        case Form.SLOTS:
            return _on_spots
        case Form.PILE:
            return _in_blocks if end is None else _in_first if end is End.TOP else _in_last
        case _:
            assert_never(form)


def counts_once(source: Domainlike, layout: Layout) -> bool:
    """True for sources that loops and choices go through by class: alike ones in a zone count once, but for a line."""
    match source:
        case Within(place):
            return not layout.core.zones[place.zone].form.by_position
        case Numbers() | All() | Members():
            return False
        case _:
            assert_never(source)
