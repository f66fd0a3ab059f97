"""Flow: a graph of points and steps with explicit registers, what every engine and the solver run.

Lowered from core: procedures and actions are in line, what crosses a point is a register (a variable of role
`REGISTER`), locals remain only inside expressions and inside loops without points. A step yields one of
state, end, stop(id), error(code, span) in every consumer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import assert_never

from referee.core.expr import Domainlike, Expr
from referee.core.ruleset import Core, Var
from referee.core.stmt import Block, Gap, Guard, Origin, Param, Point
from referee.core.types import Scalar
from referee.system.lazy_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Run:
    """Executes statements without points (Put, Move, Merge, Swap, Branch, Each, Finish), then goes on."""

    body: Block
    next: int


@dataclass(frozen=True, slots=True)
class Fork:
    """Goes on at one of two nodes."""

    cond: Expr
    yes: int
    no: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class Alternative:
    """An action offered at a point: check `params` in order (each bound as a local), then `guards`.

    When it is taken, `stores` (register, local) are written, and the game goes on at `next`. `me` is a local too.
    `fixed` are locals bound to values before the parameters.
    """

    action: str
    label: str
    params: tuple[Param, ...]
    guards: tuple[Guard, ...]
    fixed: tuple[tuple[str, Expr], ...]
    stores: tuple[tuple[str, str], ...]
    next: int
    silent: bool
    origin: Origin


@dataclass(frozen=True, slots=True)
class Ask:
    """A player decides. No alternative legal: `otherwise`, or (None) the game stops at this point."""

    point: Point
    actor: Expr
    alternatives: tuple[Alternative, ...]
    otherwise: int | None


@dataclass(frozen=True, slots=True)
class Gather:
    """A commit group. `pending` is the register with the players still to choose; it is set on arrival to the union
    of the `parts`' actors. Values go to keyed registers. Once nobody is pending the game goes on at `next`. `once`: as
    in `Commit`."""

    point: Point
    parts: tuple[tuple[Expr, Alternative], ...]
    pending: str
    hidden: bool
    revealed: bool
    next: int
    once: Expr | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """Fate takes the one alternative (its parameters uniformly, with multiplicity)."""

    point: Point
    alternative: Alternative


@dataclass(frozen=True, slots=True)
class Rule:
    """Unspecified: the table chooses a candidate, stored in `into`; without candidates the game stops here."""

    point: Point
    question: str
    candidates: Domainlike | None
    type: Scalar | None
    into: str | None
    next: int
    gap: Gap = Gap.SAID


Node = Run | Fork | Ask | Gather | Draw | Rule
PointNode = Ask | Gather | Draw | Rule
OfferNode = Ask | Gather | Draw
"""Where somebody takes one of some alternatives."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """What stands around a point: a condition; or with `name` a call or an action; else a loop or turns.

    `given`: of a call, the registers of what its procedure was given.
    """

    origin: Origin
    condition: bool = False
    name: str = ""
    given: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Flow:
    """The graph of a core: execution starts at node `start`; falling off the end is a `Rule` without candidates.

    `vars` are the core's variables and the registers. `opening`: the first decision of a player after set-up. `calls`:
    of points inside procedures, the calls that lead there, outermost first, numbered where a body calls one several
    times. `around`: of points, what stands around each, outermost first. `ending`: `Core.ending` with its names in
    registers and without the table, which ends nothing where the table could rule several things; None if somebody else
    is asked in it. `digest`: of the flow and of the program that made it, if it was loaded from files; no other flow
    has it: what is made of a flow, as by `replace`, has none.
    """

    core: Core
    nodes: tuple[Node, ...]
    start: int
    vars: Mapping[str, Var]
    opening: int | None = None
    calls: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    around: Mapping[int, tuple[Enclosure, ...]] = field(default_factory=dict)
    ending: Block | None = None
    digest: str = field(default="", init=False, repr=False, compare=False)


def digested(flow: Flow, digest: str) -> Flow:
    """The same flow with its digest."""
    made = replace(flow)
    object.__setattr__(made, "digest", digest)
    return made


def asks(node: Node) -> PointNode | None:
    """The node, if somebody is asked there."""
    match node:
        case Run() | Fork():
            return None
        case Ask() | Gather() | Draw() | Rule():
            return node
        case _:
            assert_never(node)


def point_of(node: Node) -> Point | None:
    """The point that a node is; None for what asks nobody."""
    found = asks(node)
    return None if found is None else found.point


def offers(node: Node) -> OfferNode | None:
    """The node, if alternatives are offered there."""
    match node:
        case Ask() | Gather() | Draw():
            return node
        case Run() | Fork() | Rule():
            return None
        case _:
            assert_never(node)


def offered(node: OfferNode) -> tuple[Alternative, ...]:
    """The alternatives of a point."""
    match node:
        case Ask():
            return node.alternatives
        case Gather():
            return tuple(one for _, one in node.parts)
        case Draw():
            return (node.alternative,)
        case _:
            assert_never(node)


def body_of(node: Node) -> Block:
    """What is carried out at a node without asking anybody."""
    match node:
        case Run(body):
            return body
        case Fork() | Ask() | Gather() | Draw() | Rule():
            return ()
        case _:
            assert_never(node)


def silent(node: Node) -> tuple[Alternative, ...]:
    """The alternatives that a log may leave out."""
    match node:
        case Ask():
            return tuple(one for one in node.alternatives if one.silent)
        case Run() | Fork() | Gather() | Draw() | Rule():
            return ()
        case _:
            assert_never(node)


def is_decision(node: Node) -> bool:
    """Whether a player decides there: there alone a game may rest before it is tested that anything is possible."""
    match node:
        case Ask():
            return True
        case Run() | Fork() | Gather() | Draw() | Rule():
            return False
        case _:
            assert_never(node)


def is_rest(node: Node) -> bool:
    """Whether invariants and limits are to hold at a node: at rest points, and where a game ends between points."""
    point = asks(node)
    return point is None or point.point.rest


def ways_on(node: Node) -> tuple[int, ...]:
    """The nodes at which the game may go on after one; each alternative is a way of its own."""
    match node:
        case Run() | Gather() | Rule():
            return (node.next,)
        case Fork():
            return (node.yes, node.no)
        case Ask():
            otherwise = () if node.otherwise is None else (node.otherwise,)
            return (*(one.next for one in node.alternatives), *otherwise)
        case Draw():
            return (node.alternative.next,)
        case _:
            assert_never(node)
