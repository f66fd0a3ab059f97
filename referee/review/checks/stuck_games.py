"""What stops a game: nothing is possible, no rule covers the case, too few are left, nothing is there to be read.

Each stop and each error of the rules belongs to one class of findings; a check tells those of its class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import assert_never

from referee.analysis.guard_analysis import ways, why_not
from referee.analysis.static_exclusions import open_places
from referee.core.expr import Fold, FoldKind, Op, Operator, Within
from referee.core.flow import Ask, Draw, Fork, Gather, Rule, Run
from referee.core.stmt import Gap
from referee.diagnostics.source import Span
from referee.game.state import ErrorCause, Failed, Step, Stopped
from referee.interpreter.interruptions import NO_ROOM, NOT_ONE, NOT_THERE, RANGE, TOO_LONG
from referee.proofs.progress_claims import never_stops
from referee.review.checks.obligation_conflicts import is_forbidden
from referee.review.finding import Finding, FindingOutcome, absent, bounded
from referee.review.proved_checks import proved
from referee.review.subject import Subject, Trail

GAP_MOVE, GAP_CASE, GAP_SUPPLY = "gap-move", "gap-case", "gap-supply"
UNDEFINED, UNBOUNDED, NO_END = "undefined-value", "unbounded", "no-end"
COMPONENT_SUM = "component-sum"
ALONE = (GAP_MOVE, UNDEFINED, UNBOUNDED)
"""Classes of which nothing but a stop or an error shows a flaw."""
AT_A_LOSS = GAP_MOVE, "somebody must act and can do nothing", "an option that is always possible, or `may`"
NOWHERE = "nothing in the rules allows for it"


@dataclass(frozen=True, slots=True)
class Stop:
    """A stop or an error: its class, what it is called, what is said of it, where it stands, what would settle it."""

    code: str
    place: str
    message: str
    span: Span | None
    cites: tuple[str, ...]
    settle: str


def stop_of(subject: Subject, step: Step) -> Stop | None:
    """What stopped a game; None if nothing did that a check here speaks of."""
    match step:
        case Stopped():
            found = _stopped(subject, step)
        case Failed():
            found = _failed(subject, step)
        case _:
            return None
    if found is not None and found.code == GAP_SUPPLY and found.place.partition(".")[0] == "setup":
        number = subject.core.seats.number
        message = f"set-up cannot be carried out with {number} players: there are too few components"
        settle = "more components, or another set-up for so many"
        return replace(found, code=COMPONENT_SUM, message=message, settle=settle)
    return found


def _stopped(subject: Subject, step: Stopped) -> Stop | None:
    node, point = subject.flow.nodes[step.state.at], step.point
    match node:
        case Ask():
            if is_forbidden(subject, step):
                return None
            found = AT_A_LOSS
        case Gather():
            found = AT_A_LOSS
        case Draw():
            found = GAP_SUPPLY, "fewer are left than are to be drawn", "what happens then, as an `if` before it"
        case Rule():
            open_ = _open(subject, step.state.at, node)
            if open_ is None:
                return None
            found = open_
        case Run() | Fork():
            return None
        case _:
            assert_never(node)
    return Stop(found[0], point.name, found[1], point.origin.span, point.origin.cites, found[2])


def _open(subject: Subject, at: int, node: Rule) -> tuple[str, str, str] | None:
    """Class, message and what would settle it, of a node at which the rules leave something open; None where other
    checks speak of it."""
    match node.gap:
        case Gap.OVER:
            return GAP_MOVE, "the rules are through, and the game has no end", "a line that says who wins"
        case Gap.TIE:
            return UNDEFINED, "the best of none is asked for", "`if ... is empty` before it, with what holds then"
        case Gap.CASE:
            return GAP_CASE, node.question, "a line for this case, or `otherwise:`"
        case Gap.SAID:
            if node.candidates is not None:
                return None
            code = GAP_SUPPLY if is_shortage(subject, at) else GAP_CASE
            return code, f"the rules leave this open: {node.question}", "what happens then, in its place"
        case Gap.ORDER | Gap.WAY | Gap.WHOSE | Gap.ENDS:
            return None
        case _:
            assert_never(node.gap)


_ERRORS = {
    NOT_THERE: (GAP_SUPPLY, "what happens if fewer are there, as an `if` before it"),
    NOT_ONE: (UNDEFINED, "`if` before it, with what holds if there is none"),
    RANGE: (UNDEFINED, "a condition before it"),
    NO_ROOM: (UNBOUNDED, "what happens if there is no room"),
    TOO_LONG: (NO_END, "an end of the loop that is always reached"),
}


def _failed(subject: Subject, step: Failed) -> Stop | None:
    if step.code not in _ERRORS or (step.cause is ErrorCause.SEVERAL):
        return None
    code, settle = _ERRORS[step.code]
    if step.code == RANGE and step.cause is ErrorCause.MISFIT:
        code, settle = UNBOUNDED, "`, not above N` or `, not below N`, or a wider range"
    place = subject.places.name(step.span) if step.span is not None else f"{step.code}.{step.message[:40]}"
    cites = subject.places.cites(step.span) if step.span is not None else ()
    message = f"more is taken than lies there: {step.message}" if step.code == NOT_THERE else step.message
    return Stop(code, place, message, step.span, cites, settle)


def is_shortage(subject: Subject, at: int) -> bool:
    """True if the rules come to a node only by tests of how many components lie somewhere."""
    tests = [node.cond for node in subject.flow.nodes if isinstance(node, Fork) and at in (node.yes, node.no)]
    return bool(tests) and all(_counts(cond) for cond in tests)


def _counts(cond: object) -> bool:
    if not isinstance(cond, Op):
        return False
    if cond.op is Operator.NOT:
        return _counts(cond.args[0])
    return any(isinstance(a, Fold) and a.kind is FoldKind.COUNT and isinstance(a.source, Within) for a in cond.args)


# ---------------------------------------------------------------------- checks
def stops(
    code: str, others: Callable[[Subject, str], Iterator[Finding]] | None = None
) -> Callable[[Subject], Iterator[Finding]]:
    """The check that tells the stops of one class, each once. `others`: what else is of this class."""

    def find(subject: Subject) -> Iterator[Finding]:
        told: dict[str, tuple[Stop, list[Trail]]] = {}
        for trail in chain(subject.endings(), subject.middle()):
            stop = stop_of(subject, trail.step)
            if stop is not None and stop.code == code:
                told.setdefault(stop.place, (stop, []))[1].append(trail)
        for stop, trails in told.values():
            yield _found(subject, stop, trails)
        more = [] if others is None else list(others(subject, code))
        yield from more
        if not told and not more:
            yield _none(subject, code)

    return find


def _none(subject: Subject, code: str) -> Finding:
    """What is known of a class of which nothing was found."""
    looked = subject.all_looked_at if code in ALONE or subject.space.whole else None
    if looked is not None:
        return absent(code, looked)
    places = open_places(subject.flow, code)
    if places is None:
        ended = f", of which {subject.plays.over} came to an end" if code == NO_END else ""
        return bounded(code, f"{subject.seen}{ended}")
    every, left = places
    if not left:
        return absent(code, f"none of {every} places in the rules allows for it" if every else NOWHERE)
    claims = never_stops(subject.flow, code)
    named = [claim for claim in claims if claim is not None]
    shown = len(proved(subject, subject.flow, named))
    if shown == len(claims):
        return absent(code, f"none of {every} places in the rules allows for it, {left} by induction")
    though = f", of which {shown} do not, by induction" if shown and len(claims) == left else ""
    return bounded(code, f"{subject.seen}; {left} of {every} places in the rules could allow for it{though}")


def _found(subject: Subject, stop: Stop, trails: list[Trail]) -> Finding:
    def shows(step: Step) -> bool:
        other = stop_of(subject, step)
        return other is not None and (other.code, other.place) == (stop.code, stop.place)

    spans = () if stop.span is None else (stop.span,)
    witness = subject.shortest(trails, shows)
    step = trails[0].step if witness is None else subject.after(witness)
    notes = tuple(why_not(list(ways(subject.reference, step.state)))) if isinstance(step, Stopped) else ()
    return Finding(
        stop.code,
        FindingOutcome.FOUND,
        stop.message,
        stop.place,
        spans,
        stop.cites,
        witness,
        settle=stop.settle,
        notes=notes,
    )
