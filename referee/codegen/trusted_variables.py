"""Which variables hold nothing but values of their type: what is stored without a test is proved, or not relied on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from referee.codegen.value_bounds import BoundProver
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, OfferNode, Rule, Run, offered
from referee.core.intervals import Bounds, hull
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf
from referee.game.event import FATE
from referee.game.state import Open, starts
from referee.interpreter.closures.statement_closures import fitting
from referee.interpreter.offers import ME

_FATE = Bounds(FATE, FATE)


def doubt(flow: Flow, prover: BoundProver) -> None:
    """Tells the prover which variables may hold what their type does not say; with one, all of its type."""
    doubtful = {name for name, var in flow.vars.items()
                if not all(isinstance(value, Open) or fitting(var.type)(value)
                           for value in set(starts(var, prover.layout.vars[name].count)))}
    while True:
        kinds = [flow.vars[name].type for name in doubtful]
        prover.doubtful = {name for name, var in flow.vars.items() if var.type in kinds}
        found = {name for name, bounds in _stores(flow, prover) if not _fits(name, bounds, flow)}
        if found <= prover.doubtful:
            return
        doubtful |= found


def actor(node: OfferNode, prover: BoundProver) -> Bounds:
    """The bounds of who acts at a point."""
    match node:
        case Ask():
            return prover.value(node.actor, {})
        case Gather():
            return hull(prover.value(actors, {}) for actors, _ in node.parts)
        case Draw():
            return _FATE
        case _:
            assert_never(node)


def _fits(name: str, bounds: Bounds, flow: Flow) -> bool:
    kind = flow.vars[name].type
    match kind:
        case Bool():
            return False
        case Int(lo, hi) | Elem(_, lo, hi):
            return bounds.inside(lo, hi)
        case Maybe(of) | SetOf(of) | Many(of):
            return bounds.members_inside(of.lo, of.hi)
        case _:
            assert_never(kind)


def _stores(flow: Flow, prover: BoundProver) -> Iterator[tuple[str, Bounds]]:
    for node in flow.nodes:
        match node:
            case Gather():
                yield node.pending, actor(node, prover)
                for one in offered(node):
                    yield from _stored(one, actor(node, prover), prover)
            case Ask() | Draw():
                for one in offered(node):
                    yield from _stored(one, actor(node, prover), prover)
            case Rule(candidates=candidates, into=into):
                if into is not None and candidates is not None:
                    yield into, prover.members(candidates, {})
            case Run() | Fork():
                continue  # what a statement stores is tested where it is not proved
            case _:
                assert_never(node)


def _stored(one: Alternative, me: Bounds, prover: BoundProver) -> Iterator[tuple[str, Bounds]]:
    known = {ME: me}
    for name, value in one.fixed:
        known[name] = prover.value(value, known)
    for param in one.params:
        known[param.name] = prover.members(param.source, known)
    for register, local in one.stores:
        yield register, known[local]
