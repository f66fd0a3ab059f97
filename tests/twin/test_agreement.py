"""The walker on flow and the twin on core agree at every point of random games."""

from __future__ import annotations

import pytest

from tests.made_grid import grid
from tests.twin.compare import compare
from tests.twin.random_core import Maker


@pytest.mark.parametrize("seed", range(10))
def test_they_agree_on_a_grid_game(seed: int) -> None:
    assert compare(grid(), seed, 20) == "end"


@pytest.mark.parametrize("seed", range(80))
def test_they_agree_on_random_cores(seed: int) -> None:
    core = Maker(seed).core()
    for game in range(2):
        compare(core, game, 25)


def test_random_cores_come_to_every_kind_of_end() -> None:
    assert {compare(Maker(seed).core(), 0, 5) for seed in range(60)} == {"end", "stopped", "failed", "cut"}
