"""A number that is free in its range, in the terminal: listed once with its ends, and typed."""

from __future__ import annotations

import referee
from referee.cli.terminal_session import Session
from tests.interpreter.large_stakes import TEXT


def test_a_stake_is_listed_by_its_ends_and_its_number_is_typed() -> None:
    said: list[str] = []
    typed = iter(["1", "bid 0", "bid chips=1999000", "quit"])
    game = referee.loads(TEXT, "stakes").new_game(["ana", "ben"])
    assert Session(game, said.append, lambda _: next(typed)).play() is None
    assert said.count("   1  bid chips 1 to 2,000,000") == 1
    assert "   2  show above 1 number_of 1,000 to 2,000,000" in said
    assert "  type it with a number of your own: bid chips=1" in said
    assert any("chips cannot be 0 here, only 1 to 2000000" in line for line in said)
    assert said[-1] == "the game is over: ben wins"
