"""Which registers everybody may know: those that nothing hidden has decided, as far as the text of the rules says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import assert_never

from referee.core.expr import Fold, FoldKind, Place, Within
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Node, Rule, Run, asks, offered, ways_on
from referee.core.read_write_sets import block_writes, changes, variables_of
from referee.core.ruleset import Role
from referee.core.traverse import itself, walk


def known_to_all(flow: Flow) -> frozenset[str]:
    """The registers whose value everybody may know who has seen the events of a game.

    What reads a place or counter that somebody does not see is not for everybody, nor what hangs on such a condition
    up to the next point, nor an argument that not all have seen.
    """
    secret = {zone.name for zone in flow.core.zones.values() if not zone.sight.everybody}
    secret |= {var.name for var in flow.vars.values() if var.seen_by is not None}
    before = -1
    while len(secret) > before:
        before = len(secret)
        for node in flow.nodes:
            secret.update(_hidden(flow, node, secret))
    registers = (name for name, var in flow.vars.items() if var.role in (Role.REGISTER, Role.COUNTER))
    return frozenset(registers) - secret


def _hidden(flow: Flow, node: Node, secret: set[str]) -> Iterator[str]:
    """What a node puts something hidden into."""
    match node:
        case Run(body):
            for stmt in body:
                if _reads(stmt) & secret:
                    yield from _registers(flow, block_writes((stmt,)))
        case Fork(cond, yes, no):
            if _reads(cond) & secret:
                yield from _decided(flow, (yes, no))
        case Ask() | Draw():
            for one in offered(node):
                yield from _stored(one, False, secret)
        case Gather():
            for one in offered(node):
                yield from _stored(one, node.hidden, secret)
        case Rule():
            return
        case _:
            assert_never(node)


def _stored(one: Alternative, hidden: bool, secret: set[str]) -> Iterator[str]:
    """The registers in which an alternative keeps what not everybody learns from the event."""
    fixed = dict(one.fixed)
    told = {param.name for param in one.params if param.arg is not None and param.seen is None and not hidden}
    for register, local in one.stores:
        value = fixed.get(local)
        if (_reads(value) & secret) if value is not None else local not in told and local != "me":
            yield register


def _decided(flow: Flow, first: Iterable[int]) -> Iterator[str]:
    """The registers that are written from some nodes on, up to the next point."""
    waiting = list(first)
    found = set(waiting)
    while waiting:
        at = waiting.pop()
        if asks(flow.nodes[at]) is not None:
            continue
        yield from _registers(flow, changes(flow.nodes[at]))
        for after in ways_on(flow.nodes[at]):
            if after not in found:
                found.add(after)
                waiting.append(after)


def _reads(node: object) -> frozenset[str]:
    """The variables and zones that are looked at, but for zones of which only the number of components counts."""
    counts = [fold.source for fold in walk(node, Fold) if fold.kind is FoldKind.COUNT and fold.where is None]
    counted = Counter(one.place.zone for source in counts for one in itself(source, Within))
    named = Counter(place.zone for place in walk(node, Place))
    return variables_of(node) | {zone for zone, number in named.items() if number > counted[zone]}


def _registers(flow: Flow, names: Iterable[str]) -> Iterator[str]:
    return (name for name in names if name in flow.vars and flow.vars[name].role in (Role.REGISTER, Role.COUNTER))
