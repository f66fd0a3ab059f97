"""Choices that a view does not have: all that several holes of an event may stand for together is one thing not known.

What a view of a small sea is said to be is held against every way in which the ships could lie.
"""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from referee.core.ruleset import PUBLIC
from referee.interpreter.walker import Walker
from referee.judge.verdict import LogOutcome
from tests.bench.card_views import Lines, damaged, damages, judged, view_of, walker_of, whole_game
from tests.sample_sizes import drawn

PLAYERS = ("ana", "ben")


def ships(walker: Walker, whole: Lines) -> list[tuple[int, list[dict[str, str]]]]:
    """The lines that place a ship, each with all that it could state."""
    squares = [f"{column}{row}" for column, row in product("abcd", range(1, 5))]
    every = [{"at": at, "way": way} for at, way in product(squares, ("north", "east"))]
    return [(at, every) for at, line in enumerate(whole) if line.get("do") == "place"]


def by_hand(walker: Walker, view: Lines, hidden: list[tuple[int, list[dict[str, str]]]]) -> bool:
    """Whether some way to place the hidden ships makes the log legal. Ships of one player are independent of the
    other's, so each ship is tried with all that were placed before it, and what cannot be is left out at once."""
    ways: list[Lines] = [view]
    for at, every in hidden:
        tried = [[*way[:at], {**way[at], "with": values}, *way[at + 1:]] for way in ways for values in every]
        ways = [way for way in tried if judged(way[:at + 1], walker).outcome is LogOutcome.LEGAL]
    return any(judged(way, walker).outcome is LogOutcome.LEGAL for way in ways)


def test_the_public_view_of_ships_is_possible() -> None:
    walker = walker_of("battleship")
    whole = whole_game("battleship", walker, 0)
    assert judged(view_of(whole, walker, PUBLIC), walker).outcome is LogOutcome.POSSIBLE


@pytest.mark.parametrize("seed", range(drawn(1, of=4)))
def test_a_view_with_one_fleet_hidden_is_as_every_way_to_place_it_says(seed: int) -> None:
    walker = walker_of("battleship")
    whole = whole_game("battleship", walker, seed)
    view = view_of(whole, walker, "ana")
    hidden = [(at, every) for at, every in ships(walker, whole) if view[at]["by"] == "ben"]
    kinds = {"as played": {}, **dict(damages(view, PLAYERS, seed))}
    kind = Random(seed).choice(sorted(kinds))
    lines = damaged(view, kinds[kind])
    said = judged(lines, walker).outcome
    assert said in (LogOutcome.POSSIBLE, LogOutcome.LEGAL, LogOutcome.ILLEGAL)
    assert (said is not LogOutcome.ILLEGAL) is by_hand(walker, lines, hidden), kind
