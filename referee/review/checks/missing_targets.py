"""no-target: "the" one of something is spoken of, and in some game there are several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.analysis.blocking_guards import Bars
from referee.diagnostics.source import Span
from referee.game.state import ErrorCause, Failed, State, Step
from referee.review.finding import Finding, FindingOutcome, absent, bounded
from referee.review.subject import Subject, Trail

CODE = "no-target"
LOOKED_AT = 40
"""So many positions of each point are looked at for guards that speak of one among several."""
MOST_OF_ALL = 4_000
"""So many, if all positions are known."""


def no_target(subject: Subject) -> Iterator[Finding]:
    """Games that end in an error because there are several, and guards that cannot be told for that reason."""
    told, guards = dict(_in_effects(subject)), _Guards(subject)
    for span, trail in guards.several():
        told.setdefault(span, trail)
    for span, trail in told.items():
        yield _found(subject, span, trail)
    if not told:
        yield (absent if guards.whole else bounded)(CODE, subject.seen)


def _in_effects(subject: Subject) -> Iterator[tuple[Span, Trail]]:
    for trail in sorted(subject.endings(), key=lambda t: len(t.events)):
        if (span := _failed(trail.step)) is not None:
            yield span, trail


def _failed(step: Step) -> Span | None:
    return step.span if isinstance(step, Failed) and step.cause is ErrorCause.SEVERAL else None


class _Guards:
    """Guards that cannot be told. `whole`: every way to take every offer was looked at, at every position there is."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._bars = Bars(subject.reference)
        self._most = MOST_OF_ALL if subject.space.whole else LOOKED_AT
        self._left_out = not subject.space.whole

    @property
    def whole(self) -> bool:
        """True if nothing was left out."""
        return self._bars.whole and not self._left_out

    def several(self) -> Iterator[tuple[Span, Trail]]:
        """Where a guard speaks of one of which there are several, with a way there."""
        met = Counter[int]()
        for trail in self._subject.trails():
            if not isinstance(trail.step, State):
                continue
            met[trail.step.at] += 1
            if met[trail.step.at] > self._most:
                self._left_out = True
                continue
            self._subject.clock.tick()
            for barred in self._bars.at(trail.step):
                if barred.failed.cause is ErrorCause.SEVERAL:
                    yield barred.failed.guard.origin.span, trail


def _found(subject: Subject, span: Span, trail: Trail) -> Finding:
    bars = Bars(subject.reference)

    def shows(step: Step) -> bool:
        if isinstance(step, State):
            return any(b.failed.cause is ErrorCause.SEVERAL and b.failed.guard.origin.span == span
                       for b in bars.at(step))
        return _failed(step) == span

    witness = subject.witness(trail, shows)
    step = trail.step
    said = step.message if isinstance(step, Failed) else "there are several, and exactly one is needed"
    return Finding(
        CODE, FindingOutcome.FOUND, f"one is spoken of, and {said}", subject.places.name(span), (span,),
        subject.places.cites(span), witness,
        settle="`where ...` that leaves one, or `PLAYER chooses 1 ... as NAME` before it",
    )  # fmt: skip
