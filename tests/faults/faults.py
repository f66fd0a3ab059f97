"""Faults put into rules one at a time, by rule.

They are of limits, guards, payments, gains, amounts and targets: all of them, picked by nobody.

A fault is found in one shape of a ruleset and can be put into any: it knows its construct by the place in the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from referee.core.expr import Const, Expr, Get, Op, Operator, Place
from referee.core.ruleset import Core, Form, Zone
from referee.core.stmt import Block, Move, Put
from referee.core.traverse import statements, walk
from referee.core.types import Int
from referee.diagnostics.source import Span
from tests.faults.inside import inside
from tests.faults.rewrite import in_core
from tests.faults.text import Text


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: `kind` (limit, guard, payment, gain, amount, target), what it does in words, where, which statements
    it touches.

    `put` makes it: the core with the fault, unchanged where the construct is not part of that shape.
    """

    kind: str
    words: str
    span: Span
    cites: tuple[str, ...]
    put: Callable[[Core], Core]


def faults(core: Core, text: Text) -> Iterator[Fault]:
    """Every fault of a ruleset, in the order of kinds and of the rules; `text` is where they are written."""
    within = [Fault(one.kind, one.words, one.span, one.cites, one.put) for one in inside(core, text)]
    yield from _limits(core)
    yield from (one for one in within if one.kind == "limit")
    yield from _guards(core)
    yield from (one for one in within if one.kind == "guard")
    yield from _payments(core)
    yield from (one for one in within if one.kind in ("gain", "amount"))
    yield from _targets(core)


# --- limits


def _limits(core: Core) -> Iterator[Fault]:
    for zone in core.zones.values():
        if zone.limit is not None:
            for by in (-1, 1):
                yield Fault("limit", f"{zone.name}: at most one {'more' if by > 0 else 'less'}", zone.origin.span,
                            core.statements_in(zone.origin.cites), _with_limit(zone.name, by))


def _with_limit(name: str, by: int) -> Callable[[Core], Core]:
    def put(core: Core) -> Core:
        zone = core.zones[name]
        if zone.limit is None:
            return core
        kind = zone.limit.type if isinstance(zone.limit.type, Int) else Int(0, zone.capacity)
        other = Int(kind.lo + min(by, 0), kind.hi + max(by, 0))
        limit: Expr = (Const(zone.limit.value + by, other)
                       if isinstance(zone.limit, Const) and isinstance(zone.limit.value, int)
                       else Op(Operator.ADD, (zone.limit, Const(by, Int(by, by))), other))
        other_zone = replace(zone, limit=limit, capacity=zone.capacity + max(by, 0))
        return replace(core, zones={**core.zones, name: other_zone})

    return put


# --- guards


def _guards(core: Core) -> Iterator[Fault]:
    seen: set[tuple[str, Span]] = set()
    for action in core.actions.values():
        for guard in action.guards:
            if (action.label, guard.origin.span) not in seen:
                seen.add((action.label, guard.origin.span))
                yield Fault("guard", f"{action.name}: not tested that {guard.text}", guard.origin.span,
                            core.statements_in(guard.origin.cites), _without_guard(action.label, guard.origin.span))


def _without_guard(label: str, span: Span) -> Callable[[Core], Core]:
    def put(core: Core) -> Core:
        actions = {name: action if action.label != label else replace(
            action, guards=tuple(guard for guard in action.guards if guard.origin.span != span))
            for name, action in core.actions.items()}
        return replace(core, actions=actions)

    return put


# --- payments and targets


def _payments(core: Core) -> Iterator[Fault]:
    """What is given away: a counter lowered, a component of a player laid where nobody's are."""
    for owner, stmt in _each(core):
        what = _payment(core, stmt)
        if what is not None:
            yield Fault("payment", f"{owner}: {what} is left out", stmt.origin.span,
                        core.statements_in(stmt.origin.cites),
                        _changed(stmt.origin.span, type(stmt), lambda one, _: ()))


def _payment(core: Core, stmt: Move | Put) -> str | None:
    match stmt:
        case Put(var, _, value) if any(_lowers(one, var) for one in walk(value)):
            return f"lowering {var}"
        case Move(_, _, Place(zone, keys), Place(to, ())) if keys and core.zones[zone].keys:
            return f"the move from {zone} to {to}"
        case _:
            return None


def _lowers(value: object, var: str) -> bool:
    match value:
        case Op(Operator.SUB, (Get(read), _)):
            return read == var
        case _:
            return False


def _targets(core: Core) -> Iterator[Fault]:
    for owner, stmt in _each(core):
        if isinstance(stmt, Move):
            other = _other_target(core, stmt)
            if other is not None:
                yield Fault("target", f"{owner}: the move to {stmt.to.zone} goes to {other.zone}", stmt.origin.span,
                            core.statements_in(stmt.origin.cites), _changed(stmt.origin.span, Move, _retarget(other)))


def _other_target(core: Core, stmt: Move) -> Place | None:
    """The next zone in the order of the rules that admits all the same kinds and can be named from here."""
    names = list(core.zones)
    at = names.index(stmt.to.zone)
    target = core.zones[stmt.to.zone]
    for name in [*names[at + 1:], *names[:at]]:
        zone = core.zones[name]
        if zone.form in (Form.BAG, Form.PILE) and set(target.kinds) <= set(zone.kinds):
            keys = _keys_for(zone, core.zones[stmt.source.zone], stmt.source, target, stmt.to)
            if keys is not None and (name, keys) != (stmt.source.zone, stmt.source.keys):
                return Place(name, keys)
    return None


def _keys_for(zone: Zone, source: Zone, at: Place, target: Zone, to: Place) -> tuple[Expr, ...] | None:
    if not zone.keys:
        return ()
    if zone.keys == target.keys:
        return to.keys
    return at.keys if zone.keys == source.keys else None


def _retarget(other: Place) -> Callable[[Move | Put, Core], Block]:
    def change(stmt: Move | Put, core: Core) -> Block:
        return (replace(stmt, to=other),) if isinstance(stmt, Move) and other.zone in core.zones else (stmt,)

    return change


def _each(core: Core) -> Iterator[tuple[str, Move | Put]]:
    """Every statement that moves or stores something, once for its place in the rules, with who it belongs to."""
    blocks = [*((name, action.body) for name, action in core.actions.items()),
              *((name, procedure.body) for name, procedure in core.procedures.items()), ("play", core.main)]
    seen: set[tuple[type, Span]] = set()
    for owner, block in blocks:
        for stmt in statements(block):
            if isinstance(stmt, Move | Put) and (key := (type(stmt), stmt.origin.span)) not in seen:
                seen.add(key)
                yield owner, stmt


def _changed(span: Span, kind: type, change: Callable[[Move | Put, Core], Block]) -> Callable[[Core], Core]:
    """Changes the statements of a kind at a place in the rules, wherever they have come to."""
    def put(core: Core) -> Core:
        def at_it(node: object) -> object:
            it = isinstance(node, Move | Put) and isinstance(node, kind) and node.origin.span == span
            return change(node, core) if it and isinstance(node, Move | Put) else node

        return in_core(core, at_it)

    return put
