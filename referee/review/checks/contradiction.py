"""contradiction: something that is to hold always, and that the rules themselves break."""

from __future__ import annotations

from collections.abc import Iterator

from referee.diagnostics.source import Span
from referee.game.state import Ended, Failed, State, Step
from referee.interpreter.interruptions import BROKEN
from referee.interpreter.refusals import BrokenInvariant
from referee.proofs.proof_claims import claims_of
from referee.review.finding import Finding, FindingOutcome, absent, bounded, some
from referee.review.proved_checks import proved
from referee.review.subject import Subject, Trail

CODE = "contradiction"


def contradiction(subject: Subject) -> Iterator[Finding]:
    """Invariants and limits of zones that some game breaks; what is not broken is proved where that is possible."""
    told: dict[str, Trail] = {}
    for trail in _all(subject):
        for name in broken_in(subject, trail.step):
            told.setdefault(name, trail)
    for name, trail in told.items():
        yield _found(subject, name, trail)
    if not told:
        yield _none(subject)


def _none(subject: Subject) -> Finding:
    names = [one.name for one in subject.core.invariants]
    names += [f"limit of {zone.name}" for zone in subject.core.zones.values() if zone.limit is not None]
    if not names:
        return absent(CODE, "nothing is said to hold always")
    if (looked := subject.all_looked_at) is not None:
        return absent(CODE, looked)
    held = proved(subject, subject.flow, claims_of(subject.core))
    left = [name for name in names if name not in held]
    if not left:
        return absent(CODE, f"{len(names)} invariants and limits, by induction")
    if not subject.effort.proofs:
        return bounded(CODE, f"{subject.seen} keep all {len(names)} invariants and limits")
    return bounded(CODE, f"{subject.seen}; {len(names) - len(left)} of {len(names)} proved, not {some(left)}")


def _all(subject: Subject) -> Iterator[Trail]:
    yield from subject.trails()
    yield from subject.breaking()
    yield from subject.endings()
    yield from subject.middle()


def broken_in(subject: Subject, step: Step) -> dict[str, BrokenInvariant | None]:
    """What does not hold where a game has come to."""
    match step:
        case State():
            state = step
        case Ended():
            state = step.state
        case Failed(code=code, span=span) if code == BROKEN:
            names = [one.name for one in subject.core.invariants if one.guard.origin.span == span]
            return dict.fromkeys(names, None)
        case _:
            return {}
    return {one.name: one for one in subject.walker.broken(state)}


def _found(subject: Subject, name: str, trail: Trail) -> Finding:
    def shows(step: Step) -> bool:
        return name in broken_in(subject, step)

    last = broken_in(subject, trail.step)[name]
    witness = subject.witness(trail, shows)
    span, cites = _declared(subject, name)
    what = f"{name.replace('_', ' ')} does not hold"
    notes: tuple[str, ...] = ()
    if last is not None and last.zone is not None:
        notes = (f"more lies in {last.zone[0]} than may",)
    rules = () if witness is None or not witness.events else (f"broken by the last event, {witness.events[-1].label}",)
    settle = "weaken what is to hold always, or mend the rule that breaks it"
    return Finding(CODE, FindingOutcome.FOUND, what, name, span, cites, witness, settle=settle, notes=(*notes, *rules))


def _declared(subject: Subject, name: str) -> tuple[tuple[Span, ...], tuple[str, ...]]:
    for one in subject.core.invariants:
        if one.name == name:
            return (one.guard.origin.span,), one.guard.origin.cites
    zone = subject.core.zones[name.removeprefix("limit of ")]
    return (zone.origin.span,), zone.origin.cites
