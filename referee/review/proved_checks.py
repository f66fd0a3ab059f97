"""Proofs for checks: what holds in every game, if the solver is there to prove it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.core.expr import Expr
from referee.core.flow import Flow
from referee.core.ruleset import Core, Invariant
from referee.core.stmt import Guard, Origin
from referee.game.setting import Setting
from referee.proofs.proof_claims import Claim, instead
from referee.proofs.proof_outcomes import ProofOutcome
from referee.review.subject import Subject

MOST_SECONDS = 120.0
"""Seconds of computing for the proofs of a review, however much time is left."""


def proved(subject: Subject, flow: Flow, claims: Sequence[Claim]) -> frozenset[str]:
    """Which claims hold in every game of the shape of a flow, by name; none without the solver.

    Raises `OutOfTime` if there is no time to try.
    """
    if not subject.effort.proofs or not claims:
        return frozenset()
    try:
        from referee.proofs.proof_workers import prove_apart
        from referee.proofs.prover import ProofBudget
    except ModuleNotFoundError:
        return frozenset()
    subject.clock.tick()
    budget = ProofBudget(min(MOST_SECONDS, subject.clock.left()), positions=1.0, engine=subject.effort.engine)
    progress = subject.progress
    found = prove_apart(flow, Setting(subject.players), budget, lambda said: progress(f"proving: {said}"), claims)
    return frozenset(one.name for one in found if one.outcome is ProofOutcome.PROVED)


def hold_always(subject: Subject, core: Core, conditions: Iterable[tuple[str, Expr]]) -> frozenset[str]:
    """Which of some conditions, each with a name, hold at every rest point and every end of every game of a core."""
    origin = Origin(core.origin)
    stated = [Invariant(name, Guard(name, cond, origin)) for name, cond in conditions]
    return proved(subject, *instead(core, stated)) if stated and subject.effort.proofs else frozenset()
