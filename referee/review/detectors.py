"""The checks of a review, in the order in which they are made and told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from referee.review.at_once import simultaneity
from referee.review.evidence import reading_kills_sentence
from referee.review.finding import Finding
from referee.review.obligations import obligation_conflict
from referee.review.readings import reading_divergence
from referee.review.stuck import gap_move
from referee.review.subject import Subject
from referee.review.targets import no_target
from referee.review.unordered import CONFLICT, NO_CHOOSER, NO_ORDER, conflict, no_chooser, no_order


@dataclass(frozen=True, slots=True)
class Detector:
    """A check. `code`: the class of its findings; `title`: what it looks for, in a few words.

    `find` yields flaws, and what is known where there is none: `ABSENT` or `BOUNDED`, of one place or of the class.
    It may raise `TimeUp`; what it has yielded before counts.
    """

    code: str
    title: str
    find: Callable[[Subject], Iterator[Finding]]


DETECTORS: tuple[Detector, ...] = (
    Detector("gap-move", "somebody must act and can do nothing", gap_move),
    Detector(NO_CHOOSER, "several are the best, and nobody chooses", no_chooser),
    Detector("no-target", "one is spoken of where there are several", no_target),
    Detector(NO_ORDER, "several things happen at once, and their order matters", no_order),
    Detector("simultaneity", "effects that come to something else at once than in turn", simultaneity),
    Detector(CONFLICT, "two rules leave different values in one place", conflict),
    Detector("obligation-conflict", "one rule demands what another forbids", obligation_conflict),
    Detector("reading-divergence", "the readings of a sentence lead to different games", reading_divergence),
    Detector("reading-kills-sentence", "a reading that something speaks against", reading_kills_sentence),
)
"""A class has one check; `spec/ambiguity.md` says what each means."""
