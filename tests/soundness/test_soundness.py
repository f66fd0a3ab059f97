"""What is proved of small rules made at random holds in every position; more: `python -m tests.soundness`."""

from __future__ import annotations

import pytest

from tests.sample_sizes import FULL
from tests.soundness.drawn import CLAIMS, rules
from tests.soundness.measure import Measured, broken_claims, loaded, measured

SEEDS = range(5 if FULL else 3)


def test_rules_are_small_and_their_claims_of_both_kinds() -> None:
    drawn = rules(5)
    broken = broken_claims(loaded(drawn.asking(drawn.claims)))
    assert broken is not None
    assert 0 < len(broken) < len(drawn.claims) <= CLAIMS
    assert "claim_0" not in broken  # nothing is ever lost


def test_nothing_is_proved_that_some_position_breaks() -> None:
    whole = Measured()
    for seed in SEEDS:
        whole.add(measured(seed, 1, games=False))
    assert whole.false == []
    assert whole.true["proved"] >= whole.true.total() // 2


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_broken_is_refuted_by_a_game(seed: int) -> None:
    found = measured(seed, 2)
    assert found.false == []
    assert found.refuted["refuted"] == found.refuted.total() > 0
