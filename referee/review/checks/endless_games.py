"""no-end: positions from which no end can be reached any more, and games that somebody can keep from ending."""

from __future__ import annotations

from collections.abc import Iterator

from referee.game.state import State, Step
from referee.review.checks.stalling import prolonged, stalled
from referee.review.finding import Finding, FindingOutcome
from referee.review.subject import Subject, Trail


def endless(subject: Subject, code: str) -> Iterator[Finding]:
    """The nearest position without a way to an end, if all positions are known, else who can keep it from ending; of
    large games ways in which all players together can."""
    if not subject.space.whole:
        yield from prolonged(subject, code)
        return
    trapped = _trapped(subject)
    for reached in subject.space.positions():
        if reached.step in trapped:
            trail = Trail(reached.setting, subject.space.events(reached), reached.step, True)
            yield _found(subject, code, trail, trapped)
            return
    yield from stalled(subject, code)


def _found(subject: Subject, code: str, trail: Trail, trapped: frozenset[Step]) -> Finding:
    def shows(step: Step) -> bool:
        return step in trapped

    assert isinstance(trail.step, State)
    point = subject.walker.course.point(trail.step.at).point
    forced = all(len(list(subject.walker.legal(one))) == 1 for one in trapped if isinstance(one, State))
    message = "from here on no end can be reached" + (", and there is no choice" if forced else "")
    witness = subject.witness(trail, shows)
    notes = (f"{len(trapped)} of {subject.space.size} positions are such",)
    return Finding(code, FindingOutcome.FOUND, message, point.name, (point.origin.span,), point.origin.cites, witness,
                   settle="an end that is reached from everywhere, such as a last round", notes=notes)  # fmt: skip


def _trapped(subject: Subject) -> frozenset[Step]:
    """The positions from which every way goes on and on."""
    before: dict[Step, list[State]] = {}
    ending: list[State] = []
    known = [reached.step for reached in subject.space.positions() if isinstance(reached.step, State)]
    for state in known:
        subject.clock.tick()
        steps = [subject.walker.advance(state, event) for event in subject.walker.legal(state)]
        for step in steps:
            before.setdefault(step, []).append(state)
        if not all(isinstance(step, State) for step in steps):
            ending.append(state)
    reaching = set(ending)
    while ending:
        for state in before.get(ending.pop(), []):
            if state not in reaching:
                reaching.add(state)
                ending.append(state)
    return frozenset(state for state in known if state not in reaching)
