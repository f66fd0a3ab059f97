"""Which variables hold nothing but values of their type: what is stored without a test is proved, or not relied on."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.flow import Alternative, Ask, Draw, Flow, Gather, Rule
from referee.core.types import Bool, Many
from referee.engine.generate.bounds import Bounds, Prover, hull
from referee.engine.offer import ME
from referee.engine.perform import fitting
from referee.game.event import FATE
from referee.game.state import Open, starts

_FATE = Bounds(FATE, FATE)


def doubt(flow: Flow, prover: Prover) -> None:
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


def actor(node: Ask | Gather | Draw, prover: Prover) -> Bounds:
    """The bounds of who acts at a point."""
    if isinstance(node, Ask):
        return prover.value(node.actor, {})
    if isinstance(node, Gather):
        return hull(prover.value(actors, {}) for actors, _ in node.parts)
    return _FATE


def _fits(name: str, bounds: Bounds, flow: Flow) -> bool:
    kind = flow.vars[name].type
    if isinstance(kind, Bool):
        return False
    of = kind if not hasattr(kind, "of") else kind.of
    return bounds.members_inside(of.lo, of.hi) and (isinstance(kind, Many) or not bounds.none or hasattr(kind, "of"))


def _stores(flow: Flow, prover: Prover) -> Iterator[tuple[str, Bounds]]:
    for node in flow.nodes:
        match node:
            case Ask(alternatives=alternatives):
                for one in alternatives:
                    yield from _stored(one, actor(node, prover), prover)
            case Gather(parts=parts):
                yield node.pending, actor(node, prover)
                for _, one in parts:
                    yield from _stored(one, actor(node, prover), prover)
            case Draw(alternative=one):
                yield from _stored(one, _FATE, prover)
            case Rule(candidates=candidates, into=into) if into is not None and candidates is not None:
                yield into, prover.members(candidates, {})
            case _:
                pass


def _stored(one: Alternative, me: Bounds, prover: Prover) -> Iterator[tuple[str, Bounds]]:
    known = {ME: me}
    for name, value in one.fixed:
        known[name] = prover.value(value, known)
    for param in one.params:
        known[param.name] = prover.members(param.source, known)
    for register, local in one.stores:
        yield register, known[local]
