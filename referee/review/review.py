"""A review: every check for every number of players, and what they found put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from referee.base.exitcodes import Exit
from referee.core.flow import Flow
from referee.core.ruleset import Accepted
from referee.meaning.assemble import Loaded
from referee.review.clock import Clock, TimeUp
from referee.review.detectors import DETECTORS, Detector
from referee.review.finding import Finding, Outcome, unknown
from referee.review.subject import Effort, Subject

Progress = Callable[[str], None]
Load = Callable[[int], tuple[Flow, tuple[str, ...]]]
"""The flow for so many players, and names for them."""


@dataclass(frozen=True, slots=True)
class Review:
    """What a review found. `shapes`: the numbers of players it speaks of; `interrupted`: not everything was done."""

    name: str
    shapes: tuple[int, ...]
    checks: tuple[Detector, ...]
    findings: tuple[Finding, ...]
    accepted: Mapping[str, Accepted]
    interrupted: bool = False

    def of(self, code: str) -> tuple[Finding, ...]:
        """What is known of one class."""
        return tuple(one for one in self.findings if one.code == code)

    @property
    def flaws(self) -> tuple[Finding, ...]:
        """What somebody has to look at."""
        return tuple(one for one in self.findings if one.outcome.is_flaw)

    @property
    def new(self) -> tuple[Finding, ...]:
        """Flaws that the rules do not accept."""
        return tuple(one for one in self.flaws if one.id not in self.accepted)

    @property
    def stale(self) -> tuple[Accepted, ...]:
        """What the rules accept although a check that was made to its end found nothing like it."""
        found = {one.id for one in self.flaws}
        done = {check.code for check in self.checks} - {o.code for o in self.findings if o.outcome is Outcome.UNKNOWN}
        known = {check.code for check in DETECTORS}
        if self.interrupted:
            return ()
        return tuple(
            one for name, one in self.accepted.items()
            if name not in found and (_class(name) in done or _class(name) not in known)
        )  # fmt: skip

    @property
    def is_bounded(self) -> bool:
        """True if some class was looked for and not found, which proves nothing."""
        return any(one.outcome is Outcome.BOUNDED for one in self.findings)

    @property
    def exit(self) -> Exit:
        """1 for a flaw that is new or an acceptance of none, 5 if a check was not made to its end, else 0."""
        if self.interrupted:
            return Exit.INTERRUPTED
        if self.new or self.stale:
            return Exit.NEGATIVE
        return Exit.OPEN if any(one.outcome is Outcome.UNKNOWN for one in self.findings) else Exit.GOOD


def review(
    loaded: Loaded, load: Load, shapes: Sequence[int], effort: Effort, seconds: float | None = None,
    only: Iterable[str] = (), progress: Progress = lambda _: None,
) -> Review:  # fmt: skip
    """Every check (`only`: those of these classes) for each number of players. Ctrl-C keeps what is known so far."""
    wanted = frozenset(only)
    checks = tuple(one for one in DETECTORS if not wanted or one.code in wanted)
    clock, found, interrupted = Clock(seconds), list[Finding](), False
    accepted: dict[str, Accepted] = {}
    try:
        for number, players in enumerate(shapes):
            flow, names = load(players)
            accepted |= {one.id: one for one in flow.core.accepted}
            left = len(checks) * (len(shapes) - number)
            subject = Subject(loaded, flow, names, effort, clock, progress)
            for index, check in enumerate(checks):
                progress(f"{check.code}, {players} players")
                clock.share(left - index - 1)
                found.extend(replace(one, shapes=(players,)) for one in carried_out(check, subject))
    except KeyboardInterrupt:
        interrupted = True
    return Review(loaded.files.name, tuple(shapes), checks, together(checks, found), accepted, interrupted)


def _class(name: str) -> str:
    return name.partition("/")[0]


def carried_out(check: Detector, subject: Subject) -> list[Finding]:
    """What a check finds. What it found before its time was up counts."""
    found: list[Finding] = []
    try:
        for one in check.find(subject):
            found.append(one)  # noqa: PERF402 what was found before the time was up counts
    except TimeUp:
        found.append(unknown(check.code, "the time was up"))
    return found


def together(checks: Sequence[Detector], found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of the checks, those with one id as one: the first game shown, the shapes of all."""
    kept: dict[tuple[str, Outcome | None], Finding] = {}
    for one in found:
        key = (one.id, None if one.outcome.is_flaw else one.outcome)
        known = kept.get(key)
        kept[key] = one if known is None else replace(known, shapes=known.shapes + one.shapes)
    order = {check.code: index for index, check in enumerate(checks)}
    return tuple(sorted(kept.values(), key=lambda one: order.get(one.code, len(order))))
