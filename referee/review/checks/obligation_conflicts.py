"""obligation-conflict: one rule says that somebody must do something, another forbids it, and neither comes first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from referee.analysis.blocking_guards import Barred, Bars
from referee.analysis.position_words import Words
from referee.core.flow import Ask
from referee.diagnostics.source import Span
from referee.frontend.names.tree_access import head, nodes
from referee.game.state import State, Step, Stopped
from referee.review.finding import Continuation, Finding, FindingOutcome, absent, bounded
from referee.review.subject import Subject, Trail

CODE = "obligation-conflict"


def obligation_conflict(subject: Subject) -> Iterator[Finding]:
    """Decisions at which all that must be done is there to be done, and forbidden."""
    bans = list(_forbidden(subject))
    if not bans:
        yield absent(CODE, "nothing is forbidden: conditions of what may be done are part of it")
        return
    bars, told = Bars(subject.reference), dict[str, tuple[Trail, Barred]]()
    for trail in chain(subject.endings(), subject.middle()):
        barred = _banned(trail.step, bars, bans)
        if barred is not None and isinstance(trail.step, Stopped):
            told.setdefault(trail.step.point.name, (trail, barred))
    for name, (trail, barred) in told.items():
        yield _found(subject, name, trail, barred, bars, bans)
    if not told:
        yield (absent if subject.space.whole and bars.whole else bounded)(CODE, subject.seen)


def is_forbidden(subject: Subject, step: Stopped) -> bool:
    """True if there is something to be done at a decision where nothing is possible, but for what forbids it."""
    bans = list(_forbidden(subject))
    return bool(bans) and _banned(step, Bars(subject.reference), bans) is not None


def _forbidden(subject: Subject) -> Iterator[Span]:
    """Where the rules forbid something, with or without exceptions."""
    for tree in subject.loaded.trees:
        for decl in nodes(tree, "action"):
            yield from (head(one) for one in nodes(decl, "forbidden"))


def _banned(step: Step, bars: Bars, bans: list[Span]) -> Barred | None:
    """At a decision where nothing is possible: something that is there to be done, but for what forbids it."""
    if not isinstance(step, Stopped):
        return None
    found = bars.at(State(step.state.at, step.state.slots))
    return next((one for one in found if _is_ban(one.failed.guard.origin.span, bans)), None)


def _is_ban(span: Span, bans: list[Span]) -> bool:
    return any(span.path == ban.path and span.line == ban.line for ban in bans)


def _found(subject: Subject, name: str, trail: Trail, barred: Barred, bars: Bars, bans: list[Span]) -> Finding:
    def shows(step: Step) -> bool:
        return isinstance(step, Stopped) and step.point.name == name and _banned(step, bars, bans) is not None

    node = subject.flow.nodes[trail.step.state.at] if isinstance(trail.step, Stopped) else None
    assert isinstance(node, Ask)
    demand, ban = node.point.origin, barred.failed.guard.origin
    words = Words(subject.walker, subject.players)
    cites = tuple(dict.fromkeys((*demand.cites, *ban.cites)))
    return Finding(
        CODE, FindingOutcome.FOUND, "one rule demands what another forbids, and neither comes first", name,
        (demand.span, ban.span), cites, subject.witness(trail, shows),
        (Continuation("the demand comes first", f"{words.event(barred.event)}, which is forbidden"),
         Continuation("the ban comes first", "nothing is done, and the rules do not say how the game goes on")),
        'an exception below what forbids it: `unless "...": ...`, or one more option where it is demanded',
    )  # fmt: skip
