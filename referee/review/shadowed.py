"""shadowed: a case that others before it take, a condition that never decides, an offer that another one covers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.base.source import Span
from referee.core.blocks import statements
from referee.core.expr import Const, Expr, If, Op, Operator, Or
from referee.core.flow import Ask, Gather
from referee.core.ruleset import Core
from referee.core.stmt import Block, Branch, Gap, Guard, Unspecified
from referee.core.types import Bool, Elem, Int, Maybe, Type, Value
from referee.game.state import State
from referee.review.finding import Finding, Outcome, absent, bounded
from referee.review.offers import ways
from referee.review.subject import Subject
from referee.review.terms import nodes_of

CODE = "shadowed"


def shadowed(subject: Subject) -> Iterator[Finding]:
    """Cases that are never reached because of those before them; guards without which nothing would change."""
    found = dict.fromkeys(_cases(subject.core))
    for span, why in found:
        yield Finding(CODE, Outcome.FOUND, f"this case is never taken: {why}", subject.places.name(span), (span,),
                      subject.places.cites(span), settle="take it out, or put it in front of the others")  # fmt: skip
    idle = list(_idle(subject))
    if subject.space.whole:
        for action, guard in idle:
            yield _redundant(subject, action, guard)
    if idle and not subject.space.whole:
        names = ", ".join(dict.fromkeys(f"{action}: {guard.text}" for action, guard in idle))
        yield bounded(CODE, f"in {subject.seen} some conditions never decided alone: {names}")
    elif not idle and not found:
        yield absent(CODE, "each condition decides alone in some position, each case is left something")


def _redundant(subject: Subject, action: str, guard: Guard) -> Finding:
    span = guard.origin.span
    message = f"{action} would be possible as often without this condition"
    return Finding(CODE, Outcome.FOUND, message, f"{action}.{guard.text}", (span,), guard.origin.cites,
                   notes=(f"in {subject.seen} it never decides",), settle="take it out, or say what it is to forbid",
                   )  # fmt: skip


# ---------------------------------------------------------------------- conditions that never decide
def _idle(subject: Subject) -> Iterator[tuple[str, Guard]]:
    """Guards that never were the only one to fail."""
    every: dict[tuple[str, Span], Guard] = {}
    for node in subject.flow.nodes:
        if isinstance(node, Ask | Gather):
            offered = node.alternatives if isinstance(node, Ask) else [one for _, one in node.parts]
            every |= {(one.action, g.origin.span): g for one in offered for g in one.guards}
    for trail in subject.trails():
        subject.clock.tick()
        if not every:
            return
        assert isinstance(trail.step, State)
        for way in ways(subject.reference, trail.step):
            if len(way.failed) == 1:
                every.pop((way.alternative.action, way.failed[0].origin.span), None)
    yield from ((action, guard) for (action, _), guard in every.items())


# ---------------------------------------------------------------------- cases
def _cases(core: Core) -> Iterator[tuple[Span, str]]:
    blocks: list[Block] = [core.main, *(a.body for a in core.actions.values())]
    blocks += [p.body for p in core.procedures.values()]
    inner: set[int] = set()
    for block in blocks:
        for stmt in statements(block):
            if isinstance(stmt, Branch) and id(stmt) not in inner:
                yield from _of_branches(stmt, inner)
    chained: set[int] = set()
    for one in nodes_of((core.main, tuple(core.actions.values()), tuple(core.procedures.values()))):
        if isinstance(one, If) and id(one) not in chained:
            yield from _of_values(one, chained)


def _of_branches(stmt: Branch, inner: set[int]) -> Iterator[tuple[Span, str]]:
    """A chain of `if` and `else if`."""
    chain, rest = [(stmt.cond, stmt.origin.span)], stmt.no
    while len(rest) == 1 and isinstance(rest[0], Branch):
        inner.add(id(rest[0]))
        chain.append((rest[0].cond, rest[0].origin.span))
        rest = rest[0].no
    says = bool(rest) and not (isinstance(rest[0], Unspecified) and rest[0].gap is Gap.CASE)
    last = _span(rest) if says else None
    yield from _taken(chain, last)


def _span(block: Block) -> Span | None:
    origin = getattr(block[0], "origin", None)
    return origin.span if origin is not None else None


def _of_values(one: If, chained: set[int]) -> Iterator[tuple[Span, str]]:
    """A chain of `when ...:` in a definition."""
    chain: list[tuple[Expr, Span]] = []
    rest: Expr = one
    while isinstance(rest, If):
        chained.add(id(rest))
        if rest.span is None:
            return
        chain.append((rest.cond, rest.span))
        rest = rest.no
    if len(chain) > 1:
        yield from _taken(chain, rest.span)


def _taken(chain: Sequence[tuple[Expr, Span]], last: Span | None) -> Iterator[tuple[Span, str]]:
    """The cases of a chain that those before them leave nothing."""
    before: list[Expr] = []
    values: dict[int, set[Value]] = {}
    told: list[Expr] = []
    for cond, span in chain:
        tests = [_test(part) for part in (cond.parts if isinstance(cond, Or) else (cond,))]
        if any(cond == other for other in before):
            yield span, "the same condition stands before it"
        elif all(test is not None and test[1] <= _known(values, told, test[0]) for test in tests):
            yield span, "cases before it take these values"
        before.append(cond)
        for test in tests:
            if test is not None:
                _known(values, told, test[0]).update(test[1])
    if last is not None and len(told) == 1 and _all(told[0].type) <= values[0] and values[0]:
        yield last, "cases before it take all values"


def _known(values: dict[int, set[Value]], told: list[Expr], of: Expr) -> set[Value]:
    """The values of an expression that were asked for so far."""
    if of not in told:
        told.append(of)
    return values.setdefault(told.index(of), set())


def _test(cond: Expr) -> tuple[Expr, frozenset[Value]] | None:
    """The expression and the values of a test such as `card is GOAL` or `card is in {GOAL, NO}`."""
    match cond:
        case Op(op=Operator.EQ, args=(of, Const(value=value))) if not isinstance(of, Const):
            return of, frozenset((value,))
        case Op(op=Operator.IN, args=(of, Const(value=frozenset() as some))) if not isinstance(of, Const):
            return of, frozenset(some)
        case Op(op=Operator.IN, args=(of, Op(op=Operator.SET, args=members))) if not isinstance(of, Const):
            fixed = [one.value for one in members if isinstance(one, Const)]
            return (of, frozenset(fixed)) if len(fixed) == len(members) else None
        case _:
            return None


def _all(kind: Type) -> frozenset[Value]:
    match kind:
        case Bool():
            return frozenset((False, True))
        case Int(lo, hi) | Elem(_, lo, hi):
            return frozenset(range(lo, hi + 1))
        case Maybe(of):
            return frozenset((None, *range(of.lo, of.hi + 1)))
        case _:
            return frozenset((object(),))  # type: ignore[arg-type]
