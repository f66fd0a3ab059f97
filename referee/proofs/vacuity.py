"""Proofs of what says something: what is proved, and still holds with a part of it replaced by false, is vacuous."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from referee.core.flow import Flow
from referee.diagnostics.source import Span
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.proofs.proof_claims import instead
from referee.proofs.proof_outcomes import Proof, ProofOutcome
from referee.proofs.proof_workers import Apart, Progress, prove_apart, spent
from referee.proofs.prover import ProofBudget
from referee.proofs.slice_visits import LONG, at_rest, games
from referee.proofs.strengthening import Stronger, stronger
from referee.system.deadline import Deadline, Stopwatch

FOR_PARTS = 0.15
"""What part of the time is kept for parts that were not seen to matter, if there are any."""
LEAST = 2.0
"""Seconds that are worth trying."""
MOST_GAMES = 100_000
"""So many games are played at most, if the time does not pass before."""
Text = Callable[[Span], str]


def prove_telling(
    flow: Flow, setting: Setting, budget: ProofBudget, text: Text, progress: Progress = lambda _: None, jobs: int = 1,
    apart: Apart = prove_apart,
) -> Iterator[Proof]:
    """As `prove_apart`, but for what is `VACUOUS`. `text` gives the words of the rules at a place; `apart` proves in
    the place of `prove_apart`, elsewhere, say.

    Told last: what is proved and has a part that no game seen needs.
    """
    watch, others = Stopwatch.computing(), spent()
    progress("looking for what invariants say")
    unseen = _unseen(flow, setting, budget.chance)
    seconds = (budget.seconds - watch.seconds) * (1 - FOR_PARTS if unseen else 1)
    held: dict[str, Proof] = {}
    for proof in apart(flow, setting, replace(budget, seconds=seconds), progress, None, jobs):
        if proof.outcome is ProofOutcome.PROVED and any(one.invariant.name == proof.name for one in unseen):
            held[proof.name] = proof
        else:
            yield proof
    parts = [one for one in unseen if one.invariant.name in held]
    rest = replace(budget, seconds=budget.seconds - watch.seconds - (spent() - others) / jobs)
    needless: frozenset[str] = frozenset()
    try:
        if parts and rest.seconds > LEAST:
            needless = _proved(flow, setting, parts, rest, progress, jobs, apart)
    except KeyboardInterrupt:
        yield from held.values()
        raise
    for name, proof in held.items():
        yield _told(proof, [one for one in parts if one.invariant.name == name], needless, text)


def _told(proof: Proof, parts: Sequence[Stronger], needless: frozenset[str], text: Text) -> Proof:
    """What is to be said of a proof, given the parts of it that no game seen needs and those that none needs at all."""
    for one in parts:
        if one.name in needless:
            said = "what it speaks of never comes about" if one.premise else "it holds without a part of it"
            return replace(proof, outcome=ProofOutcome.VACUOUS, how=f"{said}: {text(one.span)}")
    open_ = " and ".join(f'"{text(one.span)}"' for one in parts)
    return replace(proof, how=f"{proof.how}; no game was seen that needs {open_}")


def _proved(
    flow: Flow, setting: Setting, parts: Sequence[Stronger], budget: ProofBudget, progress: Progress, jobs: int,
    apart: Apart,
) -> frozenset[str]:
    """Which invariants hold without a part, by name."""
    other, claims = instead(flow.core, (one.alone for one in parts))
    found = apart(other, setting, budget, lambda said: progress(f"is a part needed? {said}"), claims, jobs)
    return frozenset(one.name for one in found if one.outcome is ProofOutcome.PROVED)


# ---------------------------------------------------------------------- what was seen to matter
def _unseen(flow: Flow, setting: Setting, seconds: float) -> list[Stronger]:
    """The parts that no game played in some seconds needs."""
    walker = Walker(flow)
    left = [one for invariant in flow.core.invariants for one in stronger(invariant)]
    until = Deadline.computing(seconds)
    for _, passed in games(walker, setting, MOST_GAMES, seconds, LONG) if left else ():
        for _, step in passed:
            state = at_rest(flow, step)
            if state is not None:
                left = [one for one in left if one.holds(walker, state)]
            if not left or until.passed:
                return left
    return left
