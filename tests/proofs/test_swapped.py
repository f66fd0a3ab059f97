"""Claims about rules that swap places: proved if every swap keeps them, refuted by a game if one breaks them."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.proofs.proof_outcomes import ProofOutcome
from referee.proofs.prover import ProofBudget, prove

RULES = """game "Swapped" for 2 players first and second

kind Card is A, B, C

components
  2 of each Card in hand of second

zones
  hand of player: bag of Card, open
  row: line of Card, open
  queue: line of Card, open
  desk of player: slots of Card on 1..2, open
  aside: bag of Card, open

counters
  lead: player starts second

setup
  move A from hand of second to desk of second at 1
  move B from hand of second to row

play
  turns from first, to the left
    turn player must take one of exchange, rest

action exchange
  together
    swap hand of first with hand of second
    set lead to if lead is first then second else first
  swap desk of first with desk of second
  swap row with queue

action rest
  nothing

"""
HOLD = {
    "leader_has_them, at every moment": "hand of lead has at least 4",
    "nobody_else_has_any": "every p in players where p is not lead: hand of p is empty",
    "on_one_spot": "desk of first at 1 is taken or desk of second at 1 is taken",
    "never_on_the_other": "desk of first at 2 is empty and desk of second at 2 is empty",
    "in_one_line": "number of row + number of queue = 1",
    "nothing_aside": "aside is empty",
}
BREAK = {
    "second_keeps_them": "hand of first is empty",
    "second_keeps_the_spot": "desk of second at 1 is taken",
    "it_lies_in_the_row": "row at 1 is B",
    "nothing_in_the_queue": "queue is empty",
}


@pytest.mark.parametrize("budget", [ProofBudget(20.0), ProofBudget(20.0, chance=0.5, positions=0.0)])
def test_what_swaps_keep_is_proved_and_what_they_break_is_refuted(tmp_path: Path, budget: ProofBudget) -> None:
    path = tmp_path / "swapped.rules"
    path.write_text(RULES + "".join(f"always {name}: {said}\n" for name, said in {**HOLD, **BREAK}.items()))
    found = {proof.name: proof.outcome for proof in prove(load_flow(path), Setting(("first", "second")), None, budget)}
    assert found == {
        **{name.partition(",")[0]: ProofOutcome.PROVED for name in HOLD}, **dict.fromkeys(BREAK, ProofOutcome.REFUTED)}
