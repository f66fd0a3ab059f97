"""no-end: players who want no end do the same again and again, alone or together, or nobody has a choice."""

from __future__ import annotations

import pytest

from referee.review.finding import Finding
from referee.review.subject import ReviewEffort
from tests.review.flawed import FLAWS, Reviewed, reviewed

CODE = "no-end"
LARGE = ReviewEffort(games=24, events=200, positions=300)
"""Of decks of cards not all positions are looked at."""


def flaw(name: str) -> tuple[Reviewed, Finding]:
    done = reviewed(FLAWS / CODE / f"{name}.rules", CODE, effort=LARGE)
    (found,) = done.of(CODE)
    return done, found


def test_who_can_go_on_for_ever_alone_is_named() -> None:
    _, found = flaw("alone")
    assert (found.outcome.value, found.message) == ("found", "guard can go on for ever, whatever the others do")
    assert found.candidates[0].text == "again and again guard watch; thief sneak"


def test_all_who_wait_go_on_for_ever_together() -> None:
    _, found = flaw("waiting")
    assert found.message == "if all players want it, the game goes on for ever"
    assert found.candidates[0].text == "again and again first wait; second wait"


def test_of_a_large_game_a_position_that_comes_again_is_found() -> None:
    done, found = flaw("passing")
    assert (found.id, found.outcome.value) == ("no-end/play.lay.again", "found")
    assert found.message == "the game goes on for ever, and nobody has a choice"
    assert found.witness is not None
    assert done.accepted_by_judge(found.witness)
    assert [event.label for event in found.candidates[0].events] == ["pass", "pass"]


def test_what_is_thrown_away_and_comes_back_is_a_candidate() -> None:
    _, found = flaw("discarding")
    assert (found.id, found.outcome.value) == ("no-end/play.lay_or_throw_away.again", "candidate")


@pytest.mark.parametrize("name", ["alone", "passing", "discarding"])
def test_of_the_twin_nothing_is_found(name: str) -> None:
    assert reviewed(FLAWS / CODE / f"{name}_twin.rules", CODE, effort=LARGE).of(CODE) == []


@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("name", ["passing", "discarding"])
def test_with_any_seed(name: str, seed: int) -> None:
    effort = ReviewEffort(LARGE.games, LARGE.events, LARGE.positions, seed)
    assert len(reviewed(FLAWS / CODE / f"{name}.rules", CODE, effort=effort).of(CODE)) == 1
