"""Views of whole hands and matches, in which all that is dealt is hidden: never wrong, and judged at once.

`python tests/bench/card_views.py` judges many of them; these are a few.
"""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from referee.core.ruleset import PUBLIC
from referee.interpreter.walker import Walker
from referee.judge.verdict import LogOutcome
from tests.bench.card_views import PLAYERS, Lines, damaged, damages, judged, laid_twice, view_of, walker_of, whole_game

SEEN = [("hearts", "ana"), ("spades", "ana"), ("euchre", PUBLIC), ("bridge", "ana"), ("gin_rummy", "ana"),
        ("crazy_eights", "ana"), ("hanabi", "ana"), ("hearts", PUBLIC), ("spades_to_500", PUBLIC), ("holdem", "ana"),
        ("cribbage", "ana")]
DAMAGED = [("cribbage", "played twice"), ("spades_to_500", "wrong result"),
           ("gin_rummy", "played twice"), ("hanabi", "exchanged by one")]


@cache
def game(name: str, seed: int = 0) -> tuple[Walker, Lines]:
    walker = walker_of(name)
    return walker, whole_game(name, walker, seed)


@pytest.mark.parametrize(("name", "viewer"), SEEN)
def test_a_hand_as_it_was_seen_is_possible(name: str, viewer: str) -> None:
    walker, whole = game(name)
    found = judged(view_of(whole, walker, viewer), walker)
    assert found.outcome in (LogOutcome.POSSIBLE, LogOutcome.LEGAL), found.wrong


@pytest.mark.parametrize(("name", "kind"), DAMAGED)
def test_what_is_wrong_in_a_long_view_is_found(name: str, kind: str) -> None:
    walker, whole = game(name)
    view = view_of(whole, walker, PUBLIC)
    changes = dict(damages(view, PLAYERS[:4], 0))[kind]
    assert judged(damaged(view, changes), walker).outcome is LogOutcome.ILLEGAL
    assert judged(damaged(whole, changes), walker).outcome is LogOutcome.ILLEGAL


@pytest.mark.parametrize("seed", range(2))
def test_what_is_wrong_in_a_view_is_wrong_in_the_game(seed: int) -> None:
    """Of each way of damage: where the whole game is legal all the same, its view is not illegal."""
    walker, whole = game("euchre", seed)
    view = view_of(whole, walker, "ana")
    found = {kind: judged(damaged(view, changes), walker).outcome for kind, changes in damages(view, PLAYERS[:4], seed)}
    for kind, changes in damages(view, PLAYERS[:4], seed):
        if found[kind] is LogOutcome.ILLEGAL:
            assert judged(damaged(whole, changes), walker).outcome is LogOutcome.ILLEGAL, kind
    assert found["wrong result"] is LogOutcome.ILLEGAL


def test_a_card_that_is_laid_twice_is_found() -> None:
    walker, whole = game("hearts")
    lines = laid_twice(view_of(whole, walker, "ana"), Random(0))
    cards = [line["with"]["card"] if line.get("do") == "lay" else None for line in lines]
    second = next(at for at, card in enumerate(cards) if card is not None and card in cards[:at])
    found = judged(lines, walker)
    assert found.outcome is LogOutcome.ILLEGAL
    assert found.wrong is not None
    assert found.wrong.line <= second + 1


def test_a_revoke_that_shows_later_is_found() -> None:
    """Who lays another suit had none of the one that was led: a card of it that he lays later is wrong."""
    walker, whole = game("spades")
    lines = view_of(whole, walker, PUBLIC)
    laid = [(at, line) for at, line in enumerate(lines) if line.get("do") == "lay"]
    for trick in range(12):
        led = suit(laid[4 * trick][1])
        for at, line in laid[4 * trick + 1:4 * trick + 4]:
            late = next((other for other, later in laid if other > at and later["by"] == line["by"]
                         and suit(later) != led), None)
            missing = next((later for _, later in laid if later["with"]["card"] in cards_after(laid, at)
                            and suit(later) == led and later["by"] != line["by"]), None)
            if suit(line) != led and late is not None and missing is not None:
                lines[late] = {**lines[late], "with": missing["with"]}
                found = judged(lines, walker)
                assert found.outcome is LogOutcome.ILLEGAL
                assert found.wrong is not None
                assert found.wrong.line <= late + 1
                return
    raise AssertionError("nobody lays another suit than the one led")


def suit(line: dict[str, object]) -> str:
    args = line["with"]
    assert isinstance(args, dict)
    return str(args["card"]).split("-")[1]


def cards_after(laid: list[tuple[int, dict[str, object]]], at: int) -> list[object]:
    """The cards that are laid after a line."""
    return [args["card"] for other, line in laid if other > at and isinstance(args := line["with"], dict)]
