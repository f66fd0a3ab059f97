"""Of an end with several cases a question names all of them: the game that is told may come to any."""

from __future__ import annotations

import referee

RACE = """
game "Race" for 2 players

counters
  steps of player: 0..9
  left_over: 0..9 starts 5

given first: player

play
  turns from first, to the left
    turn player must step

action step(many: 1..3)
  raise steps of me by many
  lower left_over by many, not below 0

end as soon as left_over = 0: first wins
  else as soon as some player p where steps of p >= 2: p wins
"""


def test_when_a_game_ends_is_asked_of_each_of_its_ends() -> None:
    """The game that is told has one event, step 2, with which the second case comes and not the first."""
    found = referee.loads(RACE, "race").review(2, only=["question"], games=20, positions=200)
    assert [one.message for one in found.findings if one.message.startswith("`end as soon as")] == [
        "`end as soon as left_over = 0: first wins`, then `some player p where steps of p >= 2: p wins`: "
        "when does this happen?"]
