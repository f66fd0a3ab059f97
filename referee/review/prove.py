"""Whether invariants and zone limits hold in every game of a ruleset: proved, refuted by a game, or honestly neither.

In order: what follows from types and from components being somewhere once; games by chance; every position, where
there are few; induction on slices, wider where a narrow one does not do; more games.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from referee.core.flow import Flow, Fork, Run
from referee.core.ruleset import Invariant
from referee.engine.faults import BROKEN, Fault
from referee.engine.walker import Walker
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.review.claims import Claim, claims_of
from referee.review.facts import Holds, holds_of
from referee.review.induction import TOO_HARD, Induction
from referee.review.outcomes import Game, Outcome, Proof
from referee.review.search import Searched, by_chance, every_position, minimised
from referee.review.steps import Steps
from referee.review.visits import seen
from referee.review.vocabulary import slice_for
from referee.symbolic import term
from referee.symbolic.solver import FAILURES, failure

EVENTS, POSITIONS = 400, 20_000
SAMPLES, GAMES, SEEING = 120, 1_000, 0.06
"""Positions of each place from which lemmas are guessed; games for them, and what part of the time these may take."""
LEVELS = {1: 0.5, 2: 0.5, 3: 1.0}
"""For each size of slices, what part of the time that a claim has left it may take."""
AGAIN = 5.0
"""Seconds that are worth trying a claim once more."""
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds of computing: for everything, of that for games by chance, and for looking at every position."""

    seconds: float = 60.0
    chance: float = 3.0
    positions: float = 4.0


def prove(
    flow: Flow, setting: Setting, claims: Sequence[Claim] | None = None, budget: Budget | None = None,
    progress: Progress = lambda _: None, at: Progress = lambda _: None,
) -> Iterator[Proof]:
    """What is known of each claim (by default every invariant and zone limit), as it is found out: in their order, and
    what takes longest last.

    `setting` names the players; readings, parameters and givens are whatever they may be. `at` is told the name of each
    claim that is to be proved next.
    """
    yield from _Prover(flow, setting, claims_of(flow.core) if claims is None else claims, budget or Budget(),
                       progress, at).run()


class _Prover:
    def __init__(
        self, flow: Flow, setting: Setting, claims: Sequence[Claim], budget: Budget, progress: Progress, at: Progress
    ) -> None:
        self._flow, self._setting, self._claims = flow, setting, claims
        self._budget, self._progress, self._at = budget, progress, at
        self._walker = Walker(flow)
        self._until = time.process_time() + budget.seconds
        self._states: dict[int, list[State]] = {}
        self._why: dict[str, str] = {}
        self._hopeless: set[tuple[str, int]] = set()

    def run(self) -> Iterator[Proof]:
        """Searches first, then proves what no game broke."""
        if not self._claims:
            return
        self._progress("looking at every position")
        searched = every_position(self._walker, self._setting, self._broken, self._budget.positions, POSITIONS)
        games = dict(searched.broken)
        if not searched.complete:
            self._progress("looking for games that break something")
            games = {**by_chance(self._walker, self._setting, self._broken, self._budget.chance, EVENTS, 0), **games}
        again = []
        for number, claim in enumerate(self._claims):
            self._progress(f"{number + 1} of {len(self._claims)}: {_said(claim.name)}")
            if claim.name in games:
                yield self._refuted(claim, games[claim.name])
            elif searched.complete:
                yield Proof(claim.name, Outcome.PROVED, claim.origin,
                            f"all {searched.positions} positions were looked at", expected=claim.expected)
            else:
                proof = self._by_induction(claim, searched, self._until_for(claim))
                if proof.how.startswith(TOO_HARD):
                    again.append(proof)
                else:
                    yield proof
        yield from self._once_more(again, searched)

    def _once_more(self, open_: list[Proof], searched: Searched) -> Iterator[Proof]:
        """What was too hard in its share of the time, with what the others left of theirs."""
        claims = {claim.name: claim for claim in self._claims}
        for number, proof in enumerate(open_):
            left = self._until - time.process_time()
            share = left / (len(open_) - number)
            if share < AGAIN:
                yield proof
                continue
            self._progress(f"once more: {_said(proof.name)}")
            yield self._by_induction(claims[proof.name], searched, time.process_time() + share)

    # ------------------------------------------------------------------ games
    def _broken(self, step: Step) -> Sequence[str]:
        match step:
            case State():
                return self._broken_at(step)
            case Ended() | Stopped():
                return self._broken_at(step.state)
            case Failed(code=code, span=span) if code == BROKEN:
                return [c.name for c in self._claims if c.inside and c.origin.span == span]
            case _:
                return []

    def _broken_at(self, state: State) -> list[str]:
        found = [b.name for b in self._walker.broken(state)]
        node = self._flow.nodes[state.at]
        if isinstance(node, Run | Fork) or node.point.rest:
            found += [one.name for one in self._flow.core.refutable if not self._holds(one, state)]
        return found

    def _holds(self, one: Invariant, state: State) -> bool:
        try:
            return bool(self._walker.evaluate(state, one.guard.cond))
        except Fault:
            return False

    def _refuted(self, claim: Claim, game: Game) -> Proof:
        shorter = minimised(self._walker, game, claim.name, self._broken)
        return Proof(claim.name, Outcome.REFUTED, claim.origin, game=shorter, expected=claim.expected)

    # ------------------------------------------------------------------ induction
    def _by_induction(self, claim: Claim, searched: Searched, until: float) -> Proof:
        self._at(claim.name)
        why = TOO_HARD
        try:
            self._see()
            until = min(until, self._until)
            for level, share in LEVELS.items():
                left = until - time.process_time()
                if (claim.name, level) in self._hopeless:
                    continue
                if left < 0:
                    why = TOO_HARD  # whatever a narrower slice said
                    break
                made = self._induction(claim, level, time.process_time() + share * left)
                if made.by_type():
                    return Proof(claim.name, Outcome.PROVED, claim.origin, "by types and conservation",
                                 expected=claim.expected)
                if made.run():
                    how = f"by induction, with {len(made.lemmas)} lemmas at places"
                    return Proof(claim.name, Outcome.PROVED, claim.origin, how, lemmas=made.lemmas,
                                 expected=claim.expected)
                why = made.why or why
                if not why.startswith(TOO_HARD):
                    self._hopeless.add((claim.name, level))
        except FAILURES as error:
            self._why[claim.name] = why = failure(error)
            return Proof(claim.name, Outcome.UNKNOWN, claim.origin, why, expected=claim.expected)
        return self._open(claim, searched, why)

    def _until_for(self, claim: Claim) -> float:
        """When to stop trying a claim for the first time: what is left is shared evenly."""
        left = [c for c in self._claims if c.name == claim.name or c.name not in self._why]
        return time.process_time() + max(1.0, (self._until - time.process_time()) / max(1, len(left)))

    def _induction(self, claim: Claim, level: int, until: float) -> Induction:
        slice_ = slice_for(self._flow, self._walker.layout, claim, level)
        steps = Steps(self._flow, slice_, self._setting, _all_of(claim) if claim.inside else None)
        kinds = [i.kind for i in claim.instances if i.kind is not None]
        classes = sorted({c for kind in kinds for c in range(kind.lo, kind.hi + 1)})
        return Induction(self._flow, steps, claim, until, self._states, classes)

    def _see(self) -> None:
        """Positions of games by chance, from which lemmas are guessed."""
        if not self._states:
            seconds = max(self._budget.chance, SEEING * self._budget.seconds)
            self._states = seen(self._walker, self._setting, GAMES, seconds, EVENTS, SAMPLES)

    def _open(self, claim: Claim, searched: Searched, why: str) -> Proof:
        """Not proved: more games, then what can be said."""
        self._why[claim.name] = why
        seconds = min(self._budget.chance, self._until - time.process_time())
        more = by_chance(self._walker, self._setting, self._broken, seconds, EVENTS, 1_000_000) if seconds > 0 else {}
        if claim.name in more:
            return self._refuted(claim, more[claim.name])
        if searched.depth:
            outcome = Outcome.BOUNDED
        else:
            outcome = Outcome.UNKNOWN if why.startswith(TOO_HARD) else Outcome.CANDIDATE
        return Proof(claim.name, outcome, claim.origin, why, depth=searched.depth, expected=claim.expected)


def _all_of(claim: Claim) -> Holds:
    """Whether every part of a claim holds of a slice."""
    parts = [holds_of(instance) for instance in claim.instances]
    return lambda store: term.conj([holds(store) for holds in parts])


def _said(name: str) -> str:
    return name.replace("_", " ")
