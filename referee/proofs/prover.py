"""Whether invariants and zone limits hold in every game of a ruleset: proved, refuted by a game, or honestly neither.

In order: every position, where there are few; games by chance; what follows from types and from components being
somewhere once, and induction, on slices of several sizes; more games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from referee.core.flow import Flow, point_of
from referee.core.ruleset import Invariant
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.interruptions import BROKEN, Fault
from referee.interpreter.walker import Walker
from referee.native.engine_names import AUTO
from referee.proofs.claim_hunt import ClaimHunt
from referee.proofs.counterexamples import breaks, minimised
from referee.proofs.explicit_search import Exploration, explored
from referee.proofs.induction_rounds import Rounds
from referee.proofs.proof_claims import Claim, claims_of
from referee.proofs.proof_outcomes import Proof, ProofOutcome, RefutingGame, SearchedSpace
from referee.system.deadline import Deadline

MOST_EVENTS = 400
"""So many events of each game are looked at for what breaks a claim."""
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ProofBudget:
    """Seconds of computing: for everything, of that for games by chance, and for looking at every position. `engine`:
    what plays and looks, by its name."""

    seconds: float = 60.0
    chance: float = 3.0
    positions: float = 4.0
    engine: str = AUTO


def prove(
    flow: Flow, setting: Setting, claims: Sequence[Claim] | None = None, budget: ProofBudget | None = None,
    progress: Progress = lambda _: None, at: Progress = lambda _: None, searched: Exploration | None = None,
) -> Iterator[Proof]:
    """What is known of each claim (by default every invariant and zone limit), as it is found out: in their order, and
    what takes longest last.

    `setting` names the players; readings, parameters and givens are whatever they may be. `at` is told the name of each
    claim that is to be proved next. `searched`: what is known already of every position; None to look at them.
    """
    made = _Prover(flow, setting, claims_of(flow.core) if claims is None else claims, budget or ProofBudget(), progress,
                   at)
    yield from made.run(searched)


class _Prover:
    def __init__(
        self,
        flow: Flow,
        setting: Setting,
        claims: Sequence[Claim],
        budget: ProofBudget,
        progress: Progress,
        at: Progress,
    ) -> None:
        self._flow, self._setting, self._claims = flow, setting, claims
        self._budget, self._progress, self._at = budget, progress, at
        self._walker = Walker(flow)
        self._hunt = ClaimHunt(flow, setting, self._broken, budget.engine)
        self._until = Deadline.computing(budget.seconds)

    def run(self, searched: Exploration | None) -> Iterator[Proof]:
        """Searches first, then proves what no game broke."""
        if not self._claims:
            return
        if searched is None:
            self._progress("looking at every position")
            searched = explored(self._flow, self._setting, self._budget.positions, self._progress,
                                engine_name=self._budget.engine)
        decided = {proof.name: proof for proof in searched.decided(self._claims)}
        yield from decided.values()
        left = [claim for claim in self._claims if claim.name not in decided]
        if not left:
            return
        self._progress("looking for games that break something")
        games = self._hunt.broken(self._budget.chance, MOST_EVENTS, 0)
        refuted = {claim.name: found for claim in left if claim.name in games
                   and (found := self._refuted(claim, games[claim.name])) is not None}
        yield from (replace(one, space=searched.space, played=self._hunt.played) for one in refuted.values())
        open_ = [claim for claim in left if claim.name not in refuted]
        if open_:
            yield from (replace(proof, space=searched.space, played=self._hunt.played)
                        for proof in self._by_induction(open_, searched.space))

    def _by_induction(self, claims: Sequence[Claim], space: SearchedSpace | None) -> Iterator[Proof]:
        """What is proved, then what more games break, then what can be said of the rest."""
        seconds = self._until.seconds_left - self._budget.chance
        rounds = Rounds(self._flow, self._setting, claims, seconds, self._progress, self._at)
        yield from rounds.run()
        if not rounds.open:
            return
        self._progress("looking for more games that break something")
        more = self._hunt.broken(self._budget.chance, MOST_EVENTS, 1_000_000)
        for name, tried in rounds.open.items():
            refuted = self._refuted(tried.claim, more[name]) if name in more else None
            if refuted is not None:
                yield refuted
            elif space is not None and space.depth:
                yield replace(tried.open, outcome=ProofOutcome.BOUNDED, depth=space.depth)
            else:
                yield tried.open

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
        point = point_of(self._flow.nodes[state.at])
        if point is None or point.rest:
            found += [one.name for one in self._flow.core.refutable if not self._holds(one, state)]
        return found

    def _holds(self, one: Invariant, state: State) -> bool:
        try:
            return bool(self._walker.evaluate(state, one.guard.cond))
        except Fault:
            return False

    def _refuted(self, claim: Claim, game: RefutingGame) -> Proof | None:
        """None if it is not so by the reference engine: then nothing is told of it."""
        if breaks(self._walker, game.setting, game.events, claim.name, self._broken) is None:
            return None
        shorter = minimised(self._walker, game, claim.name, self._broken)
        return Proof(claim.name, ProofOutcome.REFUTED, claim.origin, game=shorter, expected=claim.expected)
