"""What is to be proved of a ruleset: its invariants and zone limits, each as instances without `every`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar, assert_never

from referee.core.expr import (
    After,
    All,
    And,
    At,
    Connected,
    Const,
    Domainlike,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Numbers,
    Only,
    Op,
    Operator,
    Or,
    Place,
    Split,
    Where,
    Within,
)
from referee.core.flow import Flow
from referee.core.member_types import member_type
from referee.core.ruleset import Core, Invariant
from referee.core.stmt import Origin
from referee.core.traverse import rewrite
from referee.core.types import Bool, Elem, Int, SetOf, size
from referee.flow.lowering import lower
from referee.flow.register_names import substitute
from referee.frontend.expressions import typed_operators
from referee.proofs.proof_outcomes import ProofOutcome

Node = TypeVar("Node")

FEW_MEMBERS = 8
"""An `every` over at most so many members is taken apart; over components it is shown of any one of them."""


@dataclass(frozen=True)
class Instance:
    """A condition under premises; `focus`: the name that stands for any component.

    `env`: what the names of the claim stand for here, to tell its instances apart.
    """

    premises: tuple[Expr, ...]
    body: Expr
    env: tuple[tuple[str, int], ...] = ()
    focus: str | None = None
    kind: Elem | None = None


@dataclass(frozen=True)
class Claim:
    """An invariant or a zone limit. `inside`: it holds after every statement too; `at`: it is of some nodes of the
    flow and of no others (None: of all points where somebody is asked outside an action, and of the end)."""

    name: str
    instances: tuple[Instance, ...]
    origin: Origin
    inside: bool = False
    limit: bool = False
    expected: ProofOutcome = ProofOutcome.PROVED
    at: frozenset[int] | None = None

    @property
    def focused(self) -> bool:
        """Whether some instance speaks of any component."""
        return any(one.focus is not None for one in self.instances)


def claims_of(core: Core) -> list[Claim]:
    """The invariants and zone limits of a ruleset, in its order."""
    found = [_claim(core, one) for one in (*core.invariants, *core.refutable)]
    for zone in core.zones.values():
        if zone.limit is not None:
            found.append(Claim(f"limit of {zone.name}", tuple(_limits(core, zone.name)), zone.origin, limit=True))
    return found


def instead(core: Core, invariants: Iterable[Invariant]) -> tuple[Flow, list[Claim]]:
    """The flow of a core with other invariants in the place of its own, and the claims that they make."""
    stated = tuple(invariants)
    flow, names = lower(replace(core, invariants=stated)), {one.name for one in stated}
    return flow, [claim for claim in claims_of(flow.core) if claim.name in names]


def claim_at(core: Core, name: str, cond: Expr, at: int, origin: Origin) -> Claim:
    """What is to hold whenever a game comes to a node of the flow."""
    return Claim(name, tuple(map(_plain, _instances(core, cond, (), ()))), origin, at=frozenset((at,)))


def _claim(core: Core, one: Invariant) -> Claim:
    expected = ProofOutcome.REFUTED if one.refuted else ProofOutcome.PROVED
    instances = tuple(map(_plain, _instances(core, one.guard.cond, (), ())))
    return Claim(one.name, instances, one.guard.origin, one.everywhere, one.is_limit, expected)


def _limits(core: Core, name: str) -> Iterator[Instance]:
    zone = core.zones[name]
    assert zone.limit is not None
    keys: list[tuple[int, ...]] = [()]
    for kind in zone.keys:
        keys = [(*key, k) for key in keys for k in range(kind.lo, kind.hi + 1)]
    for key in keys:
        place = Place(name, tuple(Const(k, kind) for k, kind in zip(key, zone.keys, strict=True)))
        there = Fold(FoldKind.COUNT, "it", Within(place), None, None, Int(0, zone.capacity))
        yield Instance((), Op(Operator.LE, (there, zone.limit), Bool()))


def _instances(
    core: Core, cond: Expr, premises: tuple[Expr, ...], env: tuple[tuple[str, int], ...]
) -> Iterator[Instance]:
    match cond:
        case And():
            for part in cond.parts:
                yield from _instances(core, part, premises, env)
        case Fold(kind=FoldKind.ALL):
            yield from _every(core, cond, premises, env)
        case Op(op=Operator.NOT, args=(Fold(kind=FoldKind.ANY) as some,)):
            parts = [p for p in (some.where, some.body) if p is not None]
            yield from _every(core, _none_of(some, parts), premises, env)
        case (Const() | Local() | Get() | Look() | Op() | Or() | If() | At() | Fold() | Where() | Connected()
              | Split() | Let() | Only() | After()):
            yield Instance(premises, cond, env)
        case _:
            assert_never(cond)


def _plain(instance: Instance) -> Instance:
    """Without names for known values (arguments of definitions), so that what is compared can be read off."""
    return replace(instance, premises=_unfolded(instance.premises), body=_unfolded(instance.body))


def _unfolded(node: Node) -> Node:
    return rewrite(node, _named)


def _named(node: object) -> Expr | None:
    """What a name for a value comes to; None for anything else."""
    if not isinstance(node, Let):
        return None
    value = _unfolded(node.value)
    if isinstance(value, Const):
        return _unfolded(substitute(node.body, {node.var: value}))
    return replace(node, value=value, body=_unfolded(node.body))


def _none_of(some: Fold, parts: list[Expr]) -> Fold:
    """`no x where c`, said as `every x: not c`."""
    last = Op(Operator.NOT, (And(tuple(parts)),), Bool()) if parts else typed_operators.FALSE
    return Fold(FoldKind.ALL, some.var, some.source, None, last, Bool(), None, some.span)


def _every(
    core: Core, fold: Fold, premises: tuple[Expr, ...], env: tuple[tuple[str, int], ...]
) -> Iterator[Instance]:
    where, body = (fold.where, fold.body) if fold.body is not None else (None, fold.where)
    if body is None:
        return
    kind = member_type(core, fold.source)
    local = Local(fold.var, kind)
    if size(kind) <= FEW_MEMBERS and isinstance(fold.source, All | Numbers | Members):
        inside = () if isinstance(fold.source, All) else (_member(local, fold.source),)
        added = (*inside, *(() if where is None else (where,)))
        for member in range(kind.lo, kind.hi + 1):
            known = {fold.var: Const(member, kind)}
            inner = tuple(substitute(premise, known) for premise in added)
            yield from _instances(core, substitute(body, known), (*premises, *inner), (*env, (fold.var, member)))
        return
    if isinstance(kind, Elem) and kind.domain == "component":
        added = (_member(local, fold.source), *(() if where is None else (where,)))
        yield Instance((*premises, *added), body, env, fold.var, kind)
        return
    yield Instance(premises, fold, env)


def _member(local: Local, source: Domainlike) -> Expr:
    """That a value is among the members of a source."""
    kind = local.type
    assert isinstance(kind, Elem | Int)
    return Op(Operator.IN, (local, Where("among", source, None, SetOf(kind))), Bool())
