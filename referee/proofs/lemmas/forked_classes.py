"""Classes that a fork of the flow tells apart, where what is moved to zones or away from them hangs on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from referee.core.expr import Const, Expr, Get, Local, Only
from referee.core.flow import Flow, Fork, body_of, ways_on
from referee.core.read_write_sets import places_of
from referee.core.stmt import Merge, Move, Put, Swap
from referee.core.traverse import rewrite, statements, walk
from referee.core.types import COMPONENT, Elem
from referee.game.state import Layout
from referee.smt.abstraction.place_filters import static_mask

MOST_TOLD_APART = 6
"""Where more is told apart, a slice that does so too is too large."""


def told_apart(
    layout: Layout, flow: Flow, zones: frozenset[str], among: frozenset[int]
) -> Sequence[frozenset[int]]:
    """The classes for which forks lead one way, where something is moved to the zones or away from them on one of
    their ways alone. A fork may ask for a component by a variable, or for what was read of one and stored.

    `among`: of other classes it does not matter. Nothing if it is too much.
    """
    stored, found = _stored(flow), dict[frozenset[int], None]()
    for at, node in enumerate(flow.nodes):
        mask = _mask(layout, node.cond, stored) if isinstance(node, Fork) else None
        if isinstance(node, Fork) and mask and mask & among and mask not in found and _moves(flow, at, node, zones):
            found[mask] = None
    return list(found) if len(found) <= MOST_TOLD_APART else []


def _mask(layout: Layout, cond: Expr, stored: Mapping[str, Expr]) -> frozenset[int] | None:
    """The classes for which a condition holds, if it is of one component that variables name."""
    whole = _with(cond, {one: stored[one.var] for one in walk(cond, Get) if one.var in stored})
    named = {one for one in walk(whole, Get, Only) if _component(one) is not None}
    outer = named - {one.of for one in named if isinstance(one, Only)}
    if len(outer) != 1:
        return None
    (one,) = outer
    kind = _component(one)
    assert kind is not None
    return static_mask(layout, _with(whole, {one: Local("it", kind)}), "it", frozenset(range(kind.lo, kind.hi + 1)))


def _component(one: Expr) -> Elem | None:
    """Of which kind of component a variable, or what it holds, is."""
    inner = one.of if isinstance(one, Only) else one
    plain = isinstance(inner, Get) and not inner.keys
    return one.type if plain and isinstance(one.type, Elem) and one.type.domain == COMPONENT else None


def _stored(flow: Flow) -> dict[str, Expr]:
    """What is put into variables that are set to one thing only, apart from constants."""
    found: dict[str, set[Expr]] = {}
    for node in flow.nodes:
        for stmt in statements(body_of(node), Put):
            if not isinstance(stmt.value, Const):
                found.setdefault(stmt.var, set()).add(stmt.value)
    single = {name: next(iter(values)) for name, values in found.items() if len(values) == 1}
    return {name: value for name, value in single.items()
            if any(_component(one) is not None for one in walk(value, Get, Only))
            and not (isinstance(value.type, Elem) and value.type.domain == COMPONENT)}


def _with(expr: Expr, names: Mapping[Expr, Expr]) -> Expr:
    """An expression with some of those in it replaced."""
    return rewrite(expr, lambda one: names.get(one) if isinstance(one, Get | Only) else None)


def _moves(flow: Flow, at: int, node: Fork, zones: frozenset[str]) -> bool:
    """Whether something is moved to zones or away from them on one way from a fork alone."""
    yes, no = _reached(flow, node.yes, at), _reached(flow, node.no, at)
    return any(not zones.isdisjoint(_moved(flow, one)) for one in yes ^ no)


def _moved(flow: Flow, at: int) -> Iterator[str]:
    for stmt in statements(body_of(flow.nodes[at]), Move, Merge, Swap):
        yield from places_of(stmt)


def _reached(flow: Flow, start: int, without: int) -> set[int]:
    """The nodes that are come to from one, not through another one."""
    found, waiting = set[int](), [start]
    while waiting:
        one = waiting.pop()
        if one != without and one not in found:
            found.add(one)
            waiting.extend(ways_on(flow.nodes[one]))
    return found
