"""Claims tried by induction in rounds: each size of slices for a while, then for longer, until the time is over.

A claim may be shown on a narrow slice within seconds and not at all on a wide one, or the other way round; which is not
known before. So no size waits until another one has failed. Nor is it known whether guesses help: what is the same in
all positions says more than just what a step needs. That ends loops, and is wrong more often. So in every second round
just what a step needs comes first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from referee.core.flow import Flow
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.proofs.induction import Induction
from referee.proofs.lemmas.lemma import Lemma, lemmas_of
from referee.proofs.lemmas.slice_facts import Holds, holds_of
from referee.proofs.proof_claims import Claim
from referee.proofs.proof_outcomes import LATE, NotShown, Proof, ProofOutcome, ShortOf
from referee.proofs.slice_visits import Seen
from referee.proofs.slice_vocabulary import LEVELS, slice_for
from referee.proofs.sliced_steps import Steps
from referee.smt import term
from referee.smt.solver import FAILURES, failure
from referee.system.deadline import Deadline

FIRST, FOR_A_PLACE, LONGER = 10.0, 0.05, 3.0
"""Seconds for each claim at each size in the first two rounds: so many, or for each place of the flow; how many times
as long the next two are. Where just what a step needs comes first, that is seen sooner: it has no more than the guesses
had before."""
TIMES = 3
"""How often something is tried at a size at which it was not kept: each time more was seen."""
LEAST_SECONDS = 3.0
"""Seconds that are worth trying."""
SEEING, MOST_SEEING = 0.05, 4.0
"""What part of the time random games may take in each round, and how many seconds at most for each player."""
SAMPLES, MORE_SAMPLES = 100, 10
"""Positions that are kept of each place, and more for each player: of more players, each does less."""
PATIENCE = 3
"""After so many questions that failed on what is not kept a slice that may grow is left, in the first two rounds."""
FOLLOWS = "by what was shown for other claims, and conservation"
BY_TYPE = "by types and conservation"
GROWN = 0
"""The size that keeps what the smallest one does, and what steps read that did not keep something there."""


@dataclass
class ClaimAttempt:
    """A claim that is not proved yet. By size of slices: why not, how often it was not kept, lemmas that were wrong.

    `missed`: the variables and zones besides, without which steps did not keep something. `compared`: with how many
    claims that are proved it was compared.
    """

    claim: Claim
    missed: frozenset[str] = frozenset()
    why: dict[int, NotShown] = field(default_factory=dict)
    failed: dict[int, int] = field(default_factory=dict)
    wrong: dict[int, int] = field(default_factory=dict)
    compared: int = 0

    @property
    def sizes(self) -> list[int]:
        """Those that are worth trying, the most hopeful first: where the fewest lemmas were wrong."""
        known = (GROWN, *LEVELS) if self.missed else LEVELS
        left = [size for size in known if self.failed.get(size, 0) < TIMES]
        return sorted(left, key=lambda size: (self.wrong.get(size, 0), size))

    def kept(self, size: int) -> tuple[int, frozenset[str]]:
        """What tells slices of a size apart: what is kept besides, at the one that grows."""
        return size, self.missed if size == GROWN else frozenset()

    def misses(self, names: frozenset[str]) -> None:
        """What is to be kept besides at the size that grows: there it is tried as if it had not been."""
        if not names <= self.missed:
            self.missed |= names
            for known in (self.why, self.failed, self.wrong):
                known.pop(GROWN, None)

    @property
    def open(self) -> Proof:
        """What can be said of it; `CANDIDATE` if no slice keeps it, however long it is tried."""
        late = any(self.why.get(size, LATE).short_of is ShortOf.TIME for size in LEVELS)
        why = LATE if late else self.why[max(self.why)]
        outcome = ProofOutcome.CANDIDATE if why.short_of is ShortOf.LEMMAS else ProofOutcome.UNKNOWN
        return Proof(self.claim.name, outcome, self.claim.origin, why.text, expected=self.claim.expected)


class Rounds:
    """Tries claims until a time of computing; `open` are those that are not proved. `at` is told what is tried next."""

    def __init__(
        self, flow: Flow, setting: Setting, claims: Sequence[Claim], seconds: float,
        progress: Callable[[str], None], at: Callable[[str], None],
    ) -> None:
        self._flow, self._setting, self._progress, self._at = flow, setting, progress, at
        self._walker = Walker(flow)
        self._first = max(FIRST, FOR_A_PLACE * len(flow.nodes))
        number = flow.core.seats.number
        self._seeing = min(MOST_SEEING * number, SEEING * seconds)
        self._until = Deadline.computing(seconds)
        self._seen = Seen(self._walker, setting, SAMPLES + MORE_SAMPLES * number)
        self._shown: list[tuple[Claim, Mapping[int, Sequence[Lemma]]]] = []
        self.open = {claim.name: ClaimAttempt(claim) for claim in claims}

    @property
    def _left(self) -> float:
        return self._until.seconds_left

    def run(self) -> Iterator[Proof]:
        """The claims that are proved, as they are."""
        seconds, number = self._first, 1
        while self._left > LEAST_SECONDS and any(one.sizes for one in self.open.values()):
            self._progress("playing games for what is seen in them")
            self._seen.play(self._seeing)
            waiting, exact = list(self.open.values()), number % 2 == 0
            given = max(self._first, seconds / LONGER) if exact else seconds
            for place, one in enumerate(waiting):
                self._progress(f"{place + 1} of {len(waiting)}: {one.claim.name.replace('_', ' ')} (round {number})")
                proof = self._tried(one, given, self._left / (len(waiting) - place), exact)
                if proof is not None:
                    del self.open[one.claim.name]
                    yield proof
            seconds, number = seconds * (LONGER if exact else 1), number + 1

    def _tried(self, one: ClaimAttempt, seconds: float, share: float, exact: bool) -> Proof | None:
        """Tries a claim at each size for some seconds, for no more than its share of the time together; `exact`: with
        just what steps need before any guess."""
        self._at(one.claim.name)
        how = self._follows(one, seconds)
        if how is not None:
            return Proof(one.claim.name, ProofOutcome.PROVED, one.claim.origin, how, expected=one.claim.expected)
        ends, done = Deadline.computing(share), set[tuple[int, frozenset[str]]]()
        while True:
            waiting = (size for size in one.sizes if one.kept(size) not in done)
            size, left = next(waiting, None), ends.seconds_left
            if size is None or left < LEAST_SECONDS:
                return None
            done.add(one.kept(size))
            try:
                proof = self._at_size(one, size, min(seconds, left), exact)
            except FAILURES as error:
                one.why[size], one.failed[size] = NotShown(ShortOf.MEANS, failure(error)), TIMES
                continue
            if proof is not None:
                return proof

    def _follows(self, one: ClaimAttempt, seconds: float) -> str | None:
        """What a claim follows from that says no more than what is known, asked anew once other claims are proved; None
        if it says more."""
        if one.compared == len(self._shown):
            return None
        one.compared = len(self._shown)
        with suppress(*FAILURES):
            made = self._induction(one, max(LEVELS), seconds, False)
            if made.follows():
                how = BY_TYPE if made.by_type() else FOLLOWS  # what was shown may not have been needed
                self._shown.append((one.claim, made.facts))
                return how
        return None

    def _at_size(self, one: ClaimAttempt, size: int, seconds: float, exact: bool) -> Proof | None:
        claim = one.claim
        made = self._induction(one, size, seconds, exact)
        if size not in one.why and made.by_type():
            return Proof(claim.name, ProofOutcome.PROVED, claim.origin, BY_TYPE, expected=claim.expected)
        if made.run():
            self._shown.append((claim, made.facts))
            how = f"by induction, with {len(made.lemmas)} lemmas at places"
            return Proof(
                claim.name, ProofOutcome.PROVED, claim.origin, how, lemmas=made.lemmas, expected=claim.expected
            )
        one.why[size], one.wrong[size] = made.why or LATE, made.wrong
        if one.why[size].short_of is not ShortOf.TIME:
            one.failed[size] = one.failed.get(size, 0) + 1
        if size in (GROWN, min(LEVELS)):
            one.misses(made.steps.slice.lacks(made.missed))
        return None

    def _induction(self, one: ClaimAttempt, size: int, seconds: float, exact: bool) -> Induction:
        claim, (_, more) = one.claim, one.kept(size)
        slice_ = slice_for(self._flow, self._walker.layout, claim, size or min(LEVELS), more)
        steps = Steps(self._flow, slice_, self._setting, _all_of(claim) if claim.inside else None, self._known())
        kinds = [i.kind for i in claim.instances if i.kind is not None]
        classes = sorted({c for kind in kinds for c in range(kind.lo, kind.hi + 1)})
        patience = math.ceil(PATIENCE * seconds / self._first) if size in (GROWN, min(LEVELS)) else None
        until = Deadline.computing(seconds)
        return Induction(self._flow, steps, claim, until, self._seen.states, classes, exact, patience)

    def _known(self) -> Mapping[int, Sequence[Lemma]]:
        """What was shown at places of the claims that are proved. The parts of these are made anew: what is remembered
        of one is of slices of one kind."""
        known: dict[int, dict[str, Lemma]] = {}
        for claim, facts in self._shown:
            parts = {one.name: one for one in lemmas_of(claim)}
            for place, lemmas in facts.items():
                known.setdefault(place, {}).update({one.name: parts.get(one.name, one) for one in lemmas})
        return {place: list(lemmas.values()) for place, lemmas in known.items()}


def _all_of(claim: Claim) -> Holds:
    """Whether every part of a claim holds of a slice."""
    parts = [holds_of(instance) for instance in claim.instances]
    return lambda store: term.conj([holds(store) for holds in parts])
