"""no-target: "the" one of something is spoken of, and in some game there are several."""

from __future__ import annotations

import re
from collections.abc import Iterator

from referee.base.source import Span
from referee.engine.faults import NOT_ONE
from referee.game.state import Failed, State, Step
from referee.review.barred import Bars
from referee.review.finding import Finding, Outcome, absent, bounded
from referee.review.subject import Subject, Trail

CODE = "no-target"
LOOKED_AT = 40
"""So many positions of each point are looked at for guards that speak of one among several."""
_SEVERAL = re.compile(r"there are \d+, and exactly one is needed")


def no_target(subject: Subject) -> Iterator[Finding]:
    """Games that end in an error because there are several, and guards that cannot be told for that reason."""
    told = dict(_in_effects(subject))
    for span, trail in _in_guards(subject):
        told.setdefault(span, trail)
    for span, trail in told.items():
        yield _found(subject, span, trail)
    if not told:
        yield (absent if subject.space.whole else bounded)(CODE, subject.seen)


def several(message: str | None) -> bool:
    """Whether an error says that there are several where one is meant."""
    return message is not None and _SEVERAL.match(message) is not None


def _in_effects(subject: Subject) -> Iterator[tuple[Span, Trail]]:
    for trail in sorted(subject.endings(), key=lambda t: len(t.events)):
        if _failed(trail.step) is not None:
            yield _failed(trail.step), trail  # type: ignore[misc]


def _failed(step: Step) -> Span | None:
    if isinstance(step, Failed) and step.code == NOT_ONE and several(step.message):
        return step.span
    return None


def _in_guards(subject: Subject) -> Iterator[tuple[Span, Trail]]:
    bars, met = Bars(subject.reference), dict[int, int]()
    for trail in subject.trails():
        if not isinstance(trail.step, State):
            continue
        at = trail.step.at
        met[at] = met.get(at, 0) + 1
        if met[at] > LOOKED_AT:
            continue
        subject.clock.tick()
        for barred in bars.at(trail.step):
            if several(barred.failed.fault):
                yield barred.failed.guard.origin.span, trail


def _found(subject: Subject, span: Span, trail: Trail) -> Finding:
    bars = Bars(subject.reference)

    def shows(step: Step) -> bool:
        if isinstance(step, State):
            return any(several(b.failed.fault) and b.failed.guard.origin.span == span for b in bars.at(step))
        return _failed(step) == span

    witness = subject.witness(trail, shows)
    step = trail.step
    said = step.message if isinstance(step, Failed) else "there are several, and exactly one is needed"
    return Finding(
        CODE, Outcome.FOUND, f"one is spoken of, and {said}", subject.places.name(span), (span,),
        subject.places.cites(span), witness,
        settle="`where ...` that leaves one, or `PLAYER chooses 1 ... as NAME` before it",
    )  # fmt: skip
