"""The encoding takes every step that the engine takes, to the same position, and no other."""

from __future__ import annotations

import pytest

from referee.frontend import load_flow, names
from referee.game.setting import Setting
from tests.sample_sizes import fewer, in_turn
from tests.smt.agreement import Tally, agree

NAMES = ("ana", "ben", "cleo", "dan", "eve", "finn")


@pytest.mark.parametrize("ruleset", in_turn(names(), "agreement", 4))
def test_the_encoding_takes_the_steps_of_the_engine(ruleset: str) -> None:
    flow = load_flow(ruleset)
    players = flow.core.seats.roles or NAMES[: flow.core.seats.number]
    tally = Tally()
    for seed in range(2):
        agree(flow, Setting(players), seed, fewer(ruleset, 40), tally)
    assert tally.differences == []
    assert tally.steps >= 10
