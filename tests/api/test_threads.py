"""Calls from several threads: which wait for another one, and which do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event as Signal
from threading import Thread

import pytest

import referee
from referee import Game, Ruleset

RULES = Path(__file__).parent / "rules"
WHILE = 0.3
"""Seconds after which a call that does not wait is done, even on a busy machine."""


@contextmanager
def carrying_out(rules: Ruleset) -> Iterator[Callable[[], None]]:
    """Within it a call of another thread is carried out, until what is given is called."""
    inside, go_on = Signal(), Signal()

    def hold(_: str) -> None:
        inside.set()
        go_on.wait()

    thread = Thread(target=lambda: rules.check(progress=hold))
    thread.start()
    inside.wait()
    try:
        yield go_on.set
    finally:
        go_on.set()
        thread.join()


WAITING: dict[str, Callable[[Ruleset, Game], object]] = {
    "events": lambda _, game: game.events,
    "asked": lambda _, game: game.asked,
    "actions": lambda _, game: game.actions,
    "scores": lambda _, game: game.scores,
    "legal": lambda _, game: next(game.legal()),
    "is_legal": lambda _, game: game.is_legal("Ana", "take", sticks=1),
    "play": lambda _, game: game.copy().play("Ana", "take", sticks=1),
    "play_out": lambda _, game: game.copy().play_out(0),
    "advance_fate": lambda _, game: game.advance_fate(),
    "view": lambda _, game: game.view("Ana"),
    "scene": lambda _, game: game.scene("Ana"),
    "drawing": lambda _, game: game.drawing("Ana"),
    "value": lambda _, game: game.value("taken"),
    "log": lambda _, game: game.log(),
    "copy": lambda _, game: game.copy(),
    "html": lambda _, game: game._repr_html_(),
    "new_game": lambda rules, _: rules.new_game(["Ana", "Ben"]),
    "judge": lambda rules, game: rules.judge(["{}"]),
    "judge_many": lambda rules, game: next(rules.judge_many([["{}"]], jobs=1)),
    "points": lambda rules, _: rules.points(),
    "test": lambda rules, _: next(rules.test()),
}


def test_calls_wait_for_each_other() -> None:
    """Each is made in a thread of its own while one is carried out: none is done before that one is."""
    rules = referee.load(RULES / "sticks.rules")
    game, done = rules.new_game(["Ana", "Ben"]), set[str]()

    def call(name: str) -> None:
        with suppress(referee.RefereeError):
            WAITING[name](rules, game)
        done.add(name)

    threads = [Thread(target=call, args=(name,)) for name in WAITING]
    with carrying_out(rules) as go_on:
        for thread in threads:
            thread.start()
        Signal().wait(WHILE)
        assert done == set()
        go_on()
        for thread in threads:
            thread.join()
    assert done == set(WAITING)


@pytest.mark.parametrize("call", [
    lambda game: game.over, lambda game: game.outcome, lambda game: game.reason, lambda game: game.winners,
    lambda game: game.players, repr,
])
def test_whether_a_game_is_over_is_told_at_once(call: Callable[[Game], object]) -> None:
    rules = referee.load(RULES / "sticks.rules")
    game = rules.new_game(["Ana", "Ben"])
    with carrying_out(rules):
        thread = Thread(target=lambda: call(game))
        thread.start()
        thread.join(timeout=20)
        assert not thread.is_alive()
