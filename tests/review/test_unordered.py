"""What has no chooser, no order and no priority, and readings that differ: each class with a flaw and its twin."""

from __future__ import annotations

import pytest

from referee.review.finding import Outcome
from tests.review.flawed import FLAWS, reviewed

PLACES = {
    "no-chooser": "play.tie",
    "no-order": "when.order",
    "conflict": "when.order",
    "reading-divergence": "last_stone",
}
CLASSES = pytest.mark.parametrize("code", PLACES)


@CLASSES
def test_the_flaw_is_found_with_a_game_that_shows_it(code: str) -> None:
    done = reviewed(FLAWS / code / "flaw.rules", code)
    (found,) = done.of(code)
    assert (found.outcome, found.place) == (Outcome.FOUND, PLACES[code])
    assert found.witness is not None
    assert found.witness.shortest
    assert done.accepted_by_judge(found.witness)
    assert found.settle
    assert len({one.end for one in found.candidates}) == len(found.candidates) > 1


@CLASSES
def test_the_twin_has_it_not_and_that_is_proved(code: str) -> None:
    done = reviewed(FLAWS / code / "twin.rules", code)
    assert done.of(code) == []
    assert {outcome for outcome, _ in done.known(code)} == {"proved absent"}


@CLASSES
def test_no_other_of_these_classes_is_found_in_the_flaw(code: str) -> None:
    done = reviewed(FLAWS / code / "flaw.rules", *PLACES)
    assert {one.code for one in done.found.flaws} == {code}
