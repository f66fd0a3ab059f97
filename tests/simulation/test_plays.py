"""The games of a review: broken off in the middle, alike for one seed, going everywhere."""

from __future__ import annotations

from referee.frontend import load_flow
from referee.game.state import State
from referee.native.engine_names import engine
from referee.simulation.game_samples import Plays
from referee.simulation.shrinking import minimised, replayed
from referee.system.deadline import Clock, OutOfTime

PLAYERS = ("x", "o")


class Short(Clock):
    """A clock that runs out when it is asked for the n-th time."""

    def __init__(self, ticks: int) -> None:
        super().__init__(None)
        self.ticks = ticks

    def tick(self) -> None:
        self.ticks -= 1
        if self.ticks < 0:
            raise OutOfTime


def plays(name: str, clock: Clock, games: int = 30, seed: int = 1) -> Plays:
    return Plays(engine(load_flow(name)), PLAYERS, seed, games, 1_000, clock)


def test_of_a_game_that_is_broken_off_no_position_is_kept() -> None:
    found = plays("breakthrough", Short(12))
    assert not found.in_time
    assert found.games
    assert {v.game for kept in found.visits.values() for v in kept} <= set(range(len(found.games)))


def test_every_position_that_is_kept_is_that_of_its_game() -> None:
    found, walker = plays("tic_tac_toe", Clock(None)), engine(load_flow("tic_tac_toe"))
    assert found.in_time
    for kept in found.visits.values():
        for visit in kept:
            game = found.games[visit.game]
            assert replayed(walker, game.setting, game.events[: visit.number]) == visit.state


def test_the_same_seed_plays_the_same_games() -> None:
    assert plays("kuhn_poker", Clock(None)).games == plays("kuhn_poker", Clock(None)).games
    assert plays("kuhn_poker", Clock(None)).games != plays("kuhn_poker", Clock(None), seed=2).games


def test_of_a_game_made_shorter_no_event_can_be_left_out() -> None:
    walker = engine(load_flow("breakthrough"))
    game = max(plays("breakthrough", Clock(None), 5).games, key=lambda one: len(one.events))
    setting = game.setting

    def shows(step: object) -> bool:
        return isinstance(step, State) and walker.layout.read_zone(step, "box", (0,)) != ()

    cut = next(n for n in range(len(game.events) + 1) if shows(replayed(walker, setting, game.events[:n])))
    left, least = minimised(walker, setting, game.events[:cut], shows, Clock(None))
    assert least
    assert shows(replayed(walker, setting, left))
    assert len(left) <= cut
    for at in range(len(left)):
        rest = replayed(walker, setting, left[:at] + left[at + 1 :])
        assert rest is None or not shows(rest)


def test_each_game_is_told_as_progress() -> None:
    said: list[str] = []
    Plays(engine(load_flow("tic_tac_toe")), PLAYERS, 1, 3, 10, Clock(None), progress=said.append)
    assert said == ["playing game 1 of 3", "playing game 2 of 3", "playing game 3 of 3"]
