"""vacuous: what is to hold always and says less than it seems to: a part of it never matters."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from referee.game.state import State
from referee.proofs.slice_visits import at_rest
from referee.proofs.strengthening import Stronger, stronger
from referee.review.finding import Finding, FindingOutcome, absent, bounded, some
from referee.review.proved_checks import hold_always
from referee.review.subject import Subject

CODE = "vacuous"


def vacuous(subject: Subject) -> Iterator[Finding]:
    """Invariants that still hold with a part replaced by false: then the other parts say it all."""
    every = [one for invariant in subject.core.invariants for one in stronger(invariant)]
    states = list(_rest(subject))
    kept = [one for one in every if all(one.holds(subject.reference, state) for state in states)]
    whole = subject.space.whole
    sure = frozenset(one.name for one in kept) if whole else _proved(subject, kept)
    for one in kept:
        if one.name in sure or one.premise:
            yield _found(subject, one, one.name in sure)
    if not any(one.name in sure or one.premise for one in kept):
        yield _none(subject, every, kept)


def _none(subject: Subject, every: list[Stronger], kept: list[Stronger]) -> Finding:
    if not every:
        return absent(CODE, "nothing that is to hold always has parts")
    if not kept:
        return absent(CODE, f"each of {len(every)} parts of invariants matters in some game")
    names = some(one.invariant.name for one in kept)
    return bounded(CODE, f"in {subject.sampled} parts of {names} did not matter, which proves nothing")


def _proved(subject: Subject, kept: list[Stronger]) -> frozenset[str]:
    return hold_always(subject, subject.core, ((one.name, one.cond) for one in kept))


def _rest(subject: Subject) -> Iterator[State]:
    """The positions where invariants are to hold."""
    for trail in chain(subject.trails(), subject.endings()):
        state = at_rest(subject.flow, trail.step)
        if state is not None:
            yield state


def _found(subject: Subject, one: Stronger, sure: bool) -> Finding:
    invariant = one.invariant
    span = one.part or invariant.guard.origin.span
    text = subject.places.text(span) if one.part is not None else invariant.guard.text
    if one.premise:
        message = f"what {invariant.name.replace('_', ' ')} speaks of never comes about"
        settle = "nothing needs to be said of it; or the rules forget to let it happen"
    else:
        message = f"{invariant.name.replace('_', ' ')} holds without a part of it"
        settle = "take the part out"
    note = "in every game" if sure else f"in {subject.sampled}"
    outcome = FindingOutcome.VACUOUS if sure else FindingOutcome.CANDIDATE
    return Finding(CODE, outcome, message, f"{invariant.name}.{one.number}",
                   (invariant.guard.origin.span, span) if span != invariant.guard.origin.span else (span,),
                   invariant.guard.origin.cites, settle=settle, notes=(f"the part: {text}", note))  # fmt: skip
