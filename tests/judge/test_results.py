"""Which claims about the result are wrong, and what is said of them."""

from __future__ import annotations

import pytest

from referee.core.flow import Flow
from referee.flow.lowering import lower
from referee.game.log.log_lines import EndLine
from referee.judge.claimed_results import wrong_result
from referee.judge.display_names import Names
from tests.cores import made


def names(*players: str) -> Names:
    flow: Flow = lower(made(()))
    return Names(flow, players)


THREE = names("ana", "ben", "cas")
SCORES = {0: 3, 1: 5, 2: 3}


def claim(winners: tuple[str, ...] | None = None, scores: dict[str, int] | None = None,
          ranking: tuple[tuple[str, ...], ...] | None = None) -> EndLine:
    return EndLine(9, winners, scores, ranking)


@pytest.mark.parametrize("line", [
    claim(), claim(("ben",)), claim(scores={"ana": 3}), claim(("ben",), {"ana": 3, "ben": 5, "cas": 3}),
    claim(ranking=(("ben",), ("ana", "cas"))), claim(ranking=(("ben",), ("cas",), ("ana",))),
])
def test_what_is_so_stands(line: EndLine) -> None:
    assert wrong_result(line, frozenset({1}), SCORES, THREE) is None


@pytest.mark.parametrize(("line", "message"), [
    (claim(("ana",)), "the winner is ben, not ana"),
    (claim(()), "the winner is ben, not nobody"),
    (claim(("ana", "ben")), "the winner is ben, not ana and ben"),
    (claim(("zed",)), "zed does not play"),
    (claim(scores={"zed": 1}), "zed does not play"),
    (claim(("ben",), {"ana": 4, "cas": 0}), "the score of ana is 3, not 4; the score of cas is 3, not 0"),
    (claim(ranking=(("ben",), ("ana",))), "the ranking does not name every player once"),
    (claim(ranking=(("ana",), ("ben",), ("cas",))), "ben won, but comes after ana"),
    (claim(ranking=(("ben", "ana"), ("cas",))), "ben has 5, ana 3: they do not share a place"),
])
def test_what_is_not_is_said(line: EndLine, message: str) -> None:
    assert wrong_result(line, frozenset({1}), SCORES, THREE) == message


def test_nobody_won() -> None:
    assert wrong_result(claim(()), frozenset(), None, THREE) is None
    assert wrong_result(claim(("ana",)), frozenset(), None, THREE) == "the winner is nobody, not ana"


def test_several_won() -> None:
    assert wrong_result(claim(("cas", "ana")), frozenset({0, 2}), None, THREE) is None


def test_without_scores_only_winners_and_their_places_are_tested() -> None:
    assert wrong_result(claim(scores={"ana": 99}), frozenset({1}), None, THREE) is None
    assert wrong_result(claim(ranking=(("ben",), ("ana",), ("cas",))), frozenset({1}), None, THREE) is None


def test_where_fewer_points_win_the_ranking_follows_the_winner() -> None:
    low = {0: 9, 1: 2, 2: 7}
    assert wrong_result(claim(ranking=(("ben",), ("cas",), ("ana",))), frozenset({1}), low, THREE) is None
