"""Points at which nobody is ever at a loss: proved where it is so, never where some game stops."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.analysis.static_exclusions import GAP_CASE, GAP_MOVE
from referee.core.flow import Flow, Fork, Run
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.interpreter.walker import Walker
from referee.proofs.progress_claims import never_stops
from referee.proofs.proof_claims import Claim
from referee.proofs.proof_outcomes import ProofOutcome
from referee.proofs.prover import ProofBudget, prove
from referee.proofs.slice_visits import Seen
from referee.review.finding import FindingOutcome as Found
from referee.review.subject import ReviewEffort
from tests.review.flawed import FLAWS, reviewed

BY_INDUCTION = ProofBudget(20.0, chance=0.2, positions=0.0)
PROVING = ReviewEffort(games=6, events=100, positions=0, proofs=True)

CARDS = """game "Cards" for 2 players first and second

kind Card is LOW, HIGH

components
  6 LOW in deck
  6 HIGH in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner
  heap: bag of Card, open

counters
  marks of player: 0..20

setup
  shuffle deck
  for each p in players: deal 2 from deck to hand of p

play
  turns from first, to the left, until deck is empty
    turn player draws 1 from deck to hand of turn player
    turn player must {actions}
  nobody wins

action lay(card: Card in my hand)
  needs "it may be laid": {guard}
  move card to heap

action lay_two(cards: up to 2 Card in my hand)
  needs "one is there": number of hand of me >= 1
  move cards from hand of me to heap

action choose(card: Card in my hand, at: another player)
  needs "it is high, or nobody is marked": card is HIGH or marks of at = 0 or number of hand of me >= 1
  move card to heap
"""


def cards(tmp_path: Path, actions: str, guard: str = "card is HIGH") -> Flow:
    path = tmp_path / "cards.rules"
    path.write_text(CARDS.format(actions=actions, guard=guard), encoding="utf-8")
    return load_flow(path)


def outcomes(flow: Flow, code: str, budget: ProofBudget = BY_INDUCTION) -> dict[str, ProofOutcome]:
    claims = [claim for claim in never_stops(flow, code) if claim is not None]
    found = prove(flow, Setting(("first", "second")), claims, budget)
    known = {proof.name: proof.outcome for proof in found}
    return {_point(flow, at): known[claim.name] for claim in claims for at in _at(claim)}


def _point(flow: Flow, at: int) -> str:
    node = flow.nodes[at]
    assert not isinstance(node, Run | Fork)
    return node.point.name


def _at(claim: Claim) -> frozenset[int]:
    assert claim.at is not None
    return claim.at


@pytest.mark.parametrize(("actions", "guard", "outcome"), [
    ("lay", "marks of me = 0", ProofOutcome.PROVED),
    ("lay", "card is HIGH or hand of me has no HIGH", ProofOutcome.PROVED),
    ("lay_two", "marks of me = 0", ProofOutcome.PROVED),
    ("choose", "marks of me = 0", ProofOutcome.PROVED),
    ("lay", "card is HIGH", None),
])
def test_somebody_who_must_act_always_can(
    tmp_path: Path, actions: str, guard: str, outcome: ProofOutcome | None
) -> None:
    found = outcomes(cards(tmp_path, actions, guard), GAP_MOVE)[f"play.{actions}"]
    assert found is outcome if outcome is not None else found is not ProofOutcome.PROVED


def test_what_is_to_hold_is_what_the_engine_finds_possible(tmp_path: Path) -> None:
    """At each position of random games: a game that stops is one at which the condition fails."""
    for actions in ("lay", "take one of lay, choose", "lay_two"):
        flow = cards(tmp_path, actions)
        walker = Walker(flow)
        seen = Seen(walker, Setting(("first", "second")), 50)
        seen.play(0.5)
        for claim in never_stops(flow, GAP_MOVE):
            assert claim is not None
            (at,) = _at(claim)
            for state in seen.states.get(at, ()):
                said = all(walker.evaluate(state, one.body) for one in claim.instances)
                assert said == any(True for _ in walker.legal(state))


def test_rules_that_come_to_an_end_are_never_through(tmp_path: Path) -> None:
    assert outcomes(cards(tmp_path, "lay"), GAP_MOVE)["end of the rules"] is ProofOutcome.PROVED


def test_a_game_of_few_positions_is_not_taken_for_a_proof(tmp_path: Path) -> None:
    """Where all positions are looked at, only what is said of rest points is."""
    path = FLAWS / "gap-move" / "flaw.rules"
    found = outcomes(load_flow(path), GAP_MOVE, ProofBudget(20.0, chance=0.2, positions=4.0))
    assert ProofOutcome.PROVED not in {one for name, one in found.items() if name != "end of the rules"}


def test_a_case_that_never_comes_up_is_proved_so() -> None:
    flow = load_flow(FLAWS / "gap-case" / "flaw.rules")
    assert ProofOutcome.PROVED not in outcomes(flow, GAP_CASE).values()


def test_a_review_says_what_was_proved() -> None:
    (found,) = reviewed(FLAWS / "gap-move" / "twin.rules", GAP_MOVE, effort=PROVING).found.findings
    assert found.outcome is Found.ABSENT
    assert found.message == "none of 2 places in the rules allows for it, 2 by induction"
