"""Which defaults a player is told of hangs on nothing that he has not observed."""

from __future__ import annotations

from random import Random

import pytest

from tests.laws.games import setting_for
from tests.laws.pairs import defaults_told, side_by_side
from tests.laws.shapes import Case, cases, walker_of
from tests.laws.test_laws import BEGINNING, GAMES

LARGE = {case.where: case for case in reversed(cases()) if case.where.is_dir()}
"""One shape of each ruleset that has settings enough: the first, with fewest players."""


@pytest.mark.parametrize("case", LARGE.values(), ids=str)
def test_the_defaults_told_are_the_same_whatever_others_hold(case: Case) -> None:
    walker = walker_of(case)
    for seed in range(GAMES):
        setting = setting_for(walker, Random(seed))
        for player in range(walker.core.seats.number):
            for number, moment in enumerate(side_by_side(walker, player, seed, BEGINNING)):
                if moment.differs:
                    told = [defaults_told(one, setting, player, number) for one in (moment.one, moment.other)]
                    assert told[0] == told[1]
