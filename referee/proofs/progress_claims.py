"""Claims that games never stop at a point: that somebody can do something there, or that no game comes there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from typing import assert_never

from referee.analysis.static_exclusions import GAP_CASE, GAP_MOVE, acting, reached
from referee.core.expr import (
    After,
    And,
    At,
    Connected,
    Const,
    Expr,
    Fold,
    FoldKind,
    Get,
    If,
    Let,
    Local,
    Look,
    Members,
    Only,
    Op,
    Operator,
    Or,
    Split,
    Where,
)
from referee.core.flow import Alternative, Ask, Draw, Flow, Fork, Gather, Node, Rule, Run
from referee.core.read_write_sets import locals_of
from referee.core.stmt import Gap, Origin, Param
from referee.core.types import PLAYER, Bool, Int, Many
from referee.flow.commit_groups import ME
from referee.flow.register_names import substitute
from referee.frontend.expressions import typed_operators
from referee.proofs.proof_claims import Claim, claim_at

MANY, MOST_WAYS = 1_000_000, 32
"""The largest number that the type of a count has; alternatives of a condition, of which more are not told apart."""


def never_stops(flow: Flow, code: str) -> list[Claim | None]:
    """For each place of a class of findings that the rules do not rule out by themselves: what is to hold there.

    None where that cannot be said as a condition, and for classes of which nothing is known.
    """
    conds = {GAP_MOVE: _moves, GAP_CASE: _cases}.get(code)
    if conds is None:
        return [None]
    return [None if cond is None else claim_at(flow.core, f"{code} at {at}", cond, at, Origin(flow.core.origin))
            for at, cond in conds(flow)]


def _cases(flow: Flow) -> Iterator[tuple[int, Expr | None]]:
    """Points at which the rules do not say what happens: no game is to come there."""
    for at in reached(flow):
        node = flow.nodes[at]
        if isinstance(node, Rule) and node.gap in (Gap.CASE, Gap.SAID):
            yield at, typed_operators.FALSE


def _moves(flow: Flow) -> Iterator[tuple[int, Expr | None]]:
    """Points at which somebody must do something, and may be unable to."""
    return ((at, _can(flow, node)) for at, node, sure in acting(flow) if not sure)


def _can(flow: Flow, node: Node) -> Expr | None:
    """That somebody can do something at a point; never where the rules are through."""
    match node:
        case Ask():
            known = [cond for cond in (_possible(one, node.actor) for one in node.alternatives) if cond is not None]
            return (known[0] if len(known) == 1 else Or(tuple(known))) if known else None
        case Gather():
            return _all_can(flow, node)
        case Run() | Fork() | Draw() | Rule():
            return typed_operators.FALSE
        case _:
            assert_never(node)


def _all_can(flow: Flow, node: Gather) -> Expr | None:
    """That each player who is still to choose can, if all have the same choice."""
    if len(node.parts) != 1:
        return None
    player = flow.core.domains[PLAYER].whole
    somebody = Local("who chooses", player)
    cond = _possible(node.parts[0][1], somebody)
    waiting = Get(node.pending, (), flow.vars[node.pending].type)
    return None if cond is None else Fold(FoldKind.ALL, somebody.name, Members(waiting), None, cond, Bool())


# ---------------------------------------------------------------------- what is possible
def _possible(one: Alternative, actor: Expr) -> Expr | None:
    """That some parameters pass all guards, or something that is so only then; None if that cannot be said."""
    guards: Expr | None = typed_operators.both(guard.cond for guard in one.guards)
    for param in reversed(one.params):
        guards = None if guards is None else _some(param, guards)
    if guards is None:
        return None
    for name, value in reversed(one.fixed):
        guards = Let(name, value, guards, Bool())
    return Let(ME, actor, guards, Bool())


def _some(param: Param, rest: Expr) -> Expr | None:
    """That the source of a parameter offers something with which the rest holds."""
    if param.count is None or not isinstance(param.type, Many):
        return _any(param, rest)
    if param.name in locals_of(rest) or param.among is not None:
        return None  # which of several it may be depends on which they are
    least, most = param.count
    number: Expr = Fold(FoldKind.COUNT, param.name, param.source, None, None, Int(0, MANY))
    if param.repeated:
        there = Op(Operator.LE, (Const(1, Int(1, 1)), number), Bool())
        number = Const(param.type.most, Int(param.type.most, param.type.most))
        none = Op(Operator.LE, (least, Const(0, Int(0, 0))), Bool())
        return typed_operators.both((Or((there, none)), *_enough(least, most, number), rest))
    return typed_operators.both((*_enough(least, most, number), rest))


def _any(param: Param, rest: Expr) -> Expr:
    """That one of a source is such that the rest holds: told by alternatives, of each only what is asked of that one.

    So a proof need not tell components apart for what is not asked of them.
    """
    ways = [*islice(_ways(rest), MOST_WAYS + 1)]
    if len(ways) > MOST_WAYS:
        ways = [(rest,)]
    found: list[Expr] = []
    for way in ways:
        inside = [part for part in way if param.name in locals_of(part)]
        outside = [part for part in way if param.name not in locals_of(part)]
        there = Fold(FoldKind.ANY, param.name, param.source, typed_operators.both(inside), None, Bool())
        found.append(typed_operators.both((*outside, there)))
    return found[0] if len(found) == 1 else Or(tuple(found))


def _ways(cond: Expr) -> Iterator[tuple[Expr, ...]]:
    """The alternatives of a condition, each as parts that are to hold together."""
    match cond:
        case Or(parts=parts):
            for part in parts:
                yield from _ways(part)
        case And(parts=parts):
            for ways in product(*([*islice(_ways(part), MOST_WAYS + 1)] for part in parts)):
                yield tuple(one for way in ways for one in way)
        case Op(op=Operator.NOT, args=(Op(op=Operator.NOT, args=(inner,)),)):
            yield from _ways(inner)
        case Op(op=Operator.NOT, args=(And(parts=parts),)):
            yield from _ways(Or(tuple(map(typed_operators.negate, parts))))
        case Op(op=Operator.NOT, args=(Or(parts=parts),)):
            yield from _ways(And(tuple(map(typed_operators.negate, parts))))
        case Let(var=var, value=Local() as value, body=body) if value.name not in locals_of(body):
            yield from _ways(substitute(body, {var: value}))
        case (Const() | Local() | Get() | Look() | Op() | If() | At() | Fold() | Where() | Connected() | Split()
              | Let() | Only() | After()):
            yield (cond,)
        case _:
            assert_never(cond)


def _enough(least: Expr, most: Expr, number: Expr) -> Iterator[Expr]:
    for other in (most, number):
        yield Op(Operator.LE, (least, other), Bool())
    yield Op(Operator.LE, (Const(0, Int(0, 0)), most), Bool())
