"""Games of the classics against the same games in plain Python: every legal move, at many decisions of random games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from referee.frontend.loading.loader import load_flow
from referee.game.event import FATE, Event
from referee.game.setting import Setting
from referee.game.state import Ended, State
from referee.game.value_codec import encode_event
from referee.interpreter.playouts import choose
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine
from tests.rulesets.models.bluff import Bluff
from tests.rulesets.models.fleet import Fleet
from tests.rulesets.models.mills import Mills
from tests.rulesets.models.move import GameModel, ModelMove
from tests.rulesets.models.race import Race
from tests.rulesets.models.territory import Territory
from tests.sample_sizes import drawn

CLASSICS = Path("rulesets/classics")
GAMES: list[tuple[str, dict[str, str], Callable[[], GameModel], int, int]] = [
    ("go", {}, lambda: Territory(9, False, 15), 1, 20),
    ("go", {"suicide": "allowed"}, lambda: Territory(9, True, 15), 1, 20),
    ("nine_mens_morris", {}, lambda: Mills(True), 3, 3),
    ("nine_mens_morris", {"flying": "never"}, lambda: Mills(False), 3, 3),
    ("backgammon", {}, lambda: Race(True), 2, 3),
    ("battleship", {}, lambda: Fleet(4, True), 4, 1),
    ("battleship", {"sea": "ten", "touching": "forbidden"}, lambda: Fleet(10, False), 1, 4),
    ("liars_dice", {"at_first": "five"}, lambda: Bluff(2, 5, False), 3, 1),
    ("liars_dice", {"ones": "wild"}, lambda: Bluff(2, 2, True), 4, 1),
]
"""A ruleset, its options, a model of it, how many games are played, and that all moves are compared at every so
manieth decision."""


def told(walker: Walker, setting: Setting, event: Event) -> ModelMove:
    """An event as a log says it."""
    line = encode_event(walker.core, setting, event)
    args = line.get("with", {})
    assert isinstance(args, dict)
    return ModelMove(event.by, event.label, tuple(
        (name, tuple(sorted(value, key=str)) if isinstance(value, list) else value) for name, value in args.items()))


@pytest.mark.parametrize(("name", "options", "model", "games", "every"), GAMES,
                         ids=["-".join((name, *options.values())) for name, options, *_ in GAMES])
def test_the_moves_are_those_of_the_model(name: str, options: dict[str, str], model: Callable[[], GameModel],
                                          games: int, every: int) -> None:
    walker = engine(load_flow(CLASSICS / f"{name}.rules", options=options))
    setting = Setting(walker.core.seats.roles or ("ana", "ben"))
    for seed in range(drawn(games, 10 * games)):
        random, other, step, count = Random(seed), model(), walker.begin(setting), 0
        while isinstance(step, State):
            assert other.winners() is None
            if walker.who(step) == {FATE} or random.randrange(every):
                event = choose(walker, step, random)
            else:
                legal = list(walker.legal(step))
                assert {told(walker, setting, one) for one in legal} == set(other.moves()), (seed, count)
                event = random.choice(legal)
            other.play(told(walker, setting, event))
            step, count = walker.advance(step, event), count + 1
        assert isinstance(step, Ended)
        assert sorted(step.winners) == other.winners()
