"""What is found with several numbers of players is one finding, and claims for each no more than was shown there."""

from __future__ import annotations

from referee.game.setting import Setting
from referee.review.detectors import Detector
from referee.review.finding import Finding, FindingOutcome
from referee.review.review import together
from referee.simulation.witness import Witness


def of(outcome: FindingOutcome, players: int, note: str = "") -> Finding:
    names = tuple(f"p{number}" for number in range(players))
    return Finding("one", outcome, "something", "somewhere", notes=(note,) if note else (), shapes=(players,),
                   witness=Witness(Setting(names), ()))  # fmt: skip


def as_one(*found: Finding) -> Finding:
    (one,) = together([Detector("one", "one", lambda _: iter(()))], found)
    return one


def test_the_first_game_is_told_with_all_numbers_of_players() -> None:
    one = as_one(of(FindingOutcome.FOUND, 2), of(FindingOutcome.FOUND, 3))
    assert (one.outcome, one.shapes, one.notes) == (FindingOutcome.FOUND, (2, 3), ())
    assert one.witness is not None
    assert len(one.witness.setting.players) == 2


def test_where_it_is_a_candidate_only_it_is_not_said_to_be_found() -> None:
    one = as_one(
        of(FindingOutcome.CANDIDATE, 2, "far"), of(FindingOutcome.FOUND, 3, "near"), of(FindingOutcome.CANDIDATE, 4)
    )
    assert (one.outcome, one.shapes) == (FindingOutcome.FOUND, (3,))
    assert one.notes == ("near", "with 2, 4 players a candidate only")
    assert one.witness is not None
    assert len(one.witness.setting.players) == 3


def test_candidates_alone_stay_candidates() -> None:
    one = as_one(of(FindingOutcome.CANDIDATE, 2), of(FindingOutcome.CANDIDATE, 3))
    assert (one.outcome, one.shapes, one.notes) == (FindingOutcome.CANDIDATE, (2, 3), ())
