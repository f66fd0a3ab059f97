"""Strategies for Hypothesis: what they draw is legal, and what a test finds by them shrinks to the shortest game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

import referee
from referee.strategies import events, games

QUICK = settings(max_examples=15, deadline=None, database=None, derandomize=True,
                 suppress_health_check=list(HealthCheck))
SEARCH = settings(max_examples=400, deadline=None, database=None, derandomize=True,
                  phases=[Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck))
FLAWED = """\
game "Sticks" for 2 players first and second

counters
  taken: 0..21 starts 0

play
  turns from first, to the left
    turn player must take

action take(sticks: 1..3)
  needs "so many are left": taken + sticks <= 21
  raise taken by sticks
  if taken = 21: opponent wins
"""


def shortest(strategy: st.SearchStrategy[referee.Game], flaw: Callable[[referee.Game], bool]) -> list[str]:
    return [str(event) for event in find(strategy, flaw, settings=SEARCH).events]


def test_a_flaw_is_shown_by_the_shortest_game() -> None:
    """Planted: with five taken or more the rules would be wrong. It takes two moves, and no lesser ones."""
    rules = referee.loads(FLAWED, "sticks")
    found = shortest(games(rules), lambda game: game.value("taken") >= 5)
    assert len(found) == 2
    assert sorted(int(event[-1]) for event in found) == [2, 3]


def test_a_flaw_at_the_end_is_shown_by_a_whole_game() -> None:
    found = shortest(games(referee.load("tic_tac_toe")), lambda game: game.over)
    assert len(found) == 5


def test_a_flaw_behind_what_fate_does_shrinks_too() -> None:
    found = shortest(games(referee.load("kuhn_poker"), seed=1), lambda game: any(e.do == "bet" for e in game.events))
    assert len(found) == 3
    assert found[-1].endswith(": bet")


@QUICK
@given(st.data())
def test_whatever_is_drawn_is_judged_legal(data: Any) -> None:
    rules = referee.load(data.draw(st.sampled_from(["goofspiel", "liars_dice", "breakthrough"])))
    game = data.draw(games(rules, max_events=30))
    assert len(game.events) <= 30
    assert rules.judge(game.log()).outcome == "legal"


def test_a_number_that_is_free_in_a_range_is_any_of_it() -> None:
    game = referee.load("holdem").new_game(["ana", "ben"], seed=1)
    game.advance_fate()
    raises = events(game).filter(lambda event: bool(event.with_))
    least = find(raises, lambda _: True, settings=SEARCH)
    more = find(raises, lambda event: event.with_["to"] > least.with_["to"] + 2, settings=SEARCH)
    assert game.is_legal(more)
    assert more.with_["to"] == least.with_["to"] + 3


def test_games_are_of_the_players_that_are_wanted() -> None:
    rules = referee.load("liars_dice")
    assert len(find(games(rules, 3, max_events=0), lambda _: True, settings=SEARCH).players) == 3
    assert find(games(rules, ["x", "y"], max_events=0), lambda _: True, settings=SEARCH).players == ("x", "y")


@pytest.mark.parametrize("wrong", [
    lambda _: games("sticks"),  # type: ignore[arg-type]  # no Ruleset
    lambda rules: games(rules, 0), lambda rules: games(rules, max_events=-1),
    events, lambda rules: events(_over(rules)),
])
def test_a_call_that_makes_no_sense_is_told(wrong: Callable[[Any], object]) -> None:
    with pytest.raises(referee.ArgumentError):
        wrong(referee.load("kuhn_poker"))


def _over(rules: referee.Ruleset) -> referee.Game:
    game = rules.new_game(seed=1)
    game.play_out()
    return game
