"""shadowed: a case that others before it take, a condition that never decides, an offer that another one covers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from referee.analysis.case_chains import Chain, chains_of, taken
from referee.analysis.guard_analysis import ways
from referee.core.flow import Alternative, Ask, Draw, Fork, Gather, Node, Rule, Run, offered
from referee.core.ruleset import Core
from referee.core.stmt import Gap, Guard, Unspecified
from referee.diagnostics.source import Span
from referee.game.state import State
from referee.review.finding import Finding, FindingOutcome, absent, bounded, some
from referee.review.subject import Subject

CODE = "shadowed"


def shadowed(subject: Subject) -> Iterator[Finding]:
    """Cases that are never reached because of those before them; guards without which nothing would change."""
    found = dict.fromkeys(_cases(subject.core))
    for span, why in found:
        said, settle = f"this case is never taken: {why}", "take it out, or put it in front of the others"
        place, cites = subject.places.name(span), subject.places.cites(span)
        yield Finding(CODE, FindingOutcome.FOUND, said, place, (span,), cites, settle=settle)
    idle, unsure = _idle(subject)
    for action, guard in idle:
        if subject.space.whole and action not in unsure:
            yield _redundant(subject, action, guard)
    left = [one for one in idle if not subject.space.whole or one[0] in unsure]
    if left:
        names = some(f"`{guard.text}` of {action}" for action, guard in left)
        yield bounded(CODE, f"in {subject.sampled} some conditions never decided alone: {names}")
    elif not idle and not found:
        yield absent(CODE, "each condition decides alone in some position, each case is left something")


def _redundant(subject: Subject, action: str, guard: Guard) -> Finding:
    span = guard.origin.span
    message = f"{action} would be possible as often without this condition"
    return Finding(CODE, FindingOutcome.FOUND, message, f"{action}.{guard.text}", (span,), guard.origin.cites,
                   notes=(f"in {subject.seen} it never decides",), settle="take it out, or say what it is to forbid",
                   )  # fmt: skip


# ---------------------------------------------------------------------- conditions that never decide
def _idle(subject: Subject) -> tuple[list[tuple[str, Guard]], set[str]]:
    """Guards that never were the only one to fail, with their actions; and actions of which not every way was looked
    at."""
    unsure: set[str] = set()
    every: dict[tuple[str, Span], Guard] = {}
    for node in subject.flow.nodes:
        every |= {(one.action, g.origin.span): g for one in _offered(node) for g in one.guards}
    for trail in subject.trails():
        subject.clock.tick()
        if not every:
            break
        assert isinstance(trail.step, State)
        for way in ways(subject.reference, trail.step):
            if way.more:
                unsure.add(way.alternative.action)
            elif len(way.failed) == 1:
                every.pop((way.alternative.action, way.failed[0].origin.span), None)
    return [(action, guard) for (action, _), guard in every.items()], unsure


def _offered(node: Node) -> tuple[Alternative, ...]:
    """What players are offered at a node."""
    match node:
        case Ask() | Gather():
            return offered(node)
        case Run() | Fork() | Draw() | Rule():
            return ()
        case _:
            assert_never(node)


# ---------------------------------------------------------------------- cases
def _cases(core: Core) -> Iterator[tuple[Span, str]]:
    for chain in chains_of(core):
        gap = bool(chain.rest) and isinstance(chain.rest[0], Unspecified) and chain.rest[0].gap is Gap.CASE
        yield from taken(replace(chain, last=None) if gap or not _is_written(chain) else chain)


def _is_written(chain: Chain) -> bool:
    """Whether what is done in no case stands behind the cases: else the language has made it of the line above them."""
    last = chain.last
    return last is None or all(last.path != case.path or (last.line, last.column) > (case.line, case.column)
                               for _, case in chain.cases)  # fmt: skip
