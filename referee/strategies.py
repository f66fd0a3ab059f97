"""Strategies for Hypothesis: games by some rules, and events of a game, that shrink to few events, each the simplest.

What a test finds by them it tells as the shortest game that still shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("strategies take the extra `hypothesis`: pip install 'referee[hypothesis]'",
                              name=error.name) from error

from referee.api.argument_checks import a_number
from referee.api.errors import ArgumentError
from referee.api.game import Game
from referee.api.results.game_events import Choice, GameEvent
from referee.api.ruleset import Ruleset

MOST_EVENTS = 100
"""Events of a game, if nothing else is said."""
MOST_DRAWN_FROM = 1_000
"""So many of what is legal are drawn from, at most; a number that is free in a range counts as one."""
GOES_ON = 40
"""A game goes on after an event this many times as often as it ends there."""


def events(game: Game) -> st.SearchStrategy[GameEvent]:
    """A legal event of a game where it stands when the strategy is made; also of fate and of the table.

    It shrinks toward the first in the order of `Game.legal`, and toward the least numbers. Raises `ArgumentError`
    (AP03) for a game that is over.
    """
    if not isinstance(game, Game):
        raise ArgumentError("AP01", f"events are those of a Game, not of {type(game).__name__}")
    found = list(islice(game.choices(), MOST_DRAWN_FROM))
    if not found:
        raise ArgumentError("AP03", "the game is over: it has no events")
    return st.sampled_from(found).flatmap(_filled)


def _filled(choice: Choice) -> st.SearchStrategy[GameEvent]:
    """The event of a choice, with any of the numbers that it may have."""
    if not choice.most:
        return st.just(choice.event)
    numbers = {name: st.integers(int(choice.event.with_[name]), most) for name, most in choice.most.items()}
    return st.fixed_dictionaries(numbers).map(
        lambda drawn: GameEvent(choice.event.by, choice.event.do, {**choice.event.with_, **drawn}))


def games(rules: Ruleset, players: Sequence[str] | int | None = None, *, max_events: int = MOST_EVENTS,
          **settings: Any) -> st.SearchStrategy[Game]:
    """Games by some rules, of any length up to `max_events`, most of them over or long.

    `players`: their names, or how many (then they are called p1, p2, ...; None: the fewest); `settings` are handed to
    `Ruleset.new_game`; a `seed` among them is not drawn. Fate and the table are drawn as players are. Games shrink:
    events are left out, and of those that stay each becomes one that comes earlier in the order of `Game.legal`.

    Raises `ArgumentError`; what `new_game` raises comes when an example is drawn.
    """
    if not isinstance(rules, Ruleset):
        raise ArgumentError("AP01", f"games are by a Ruleset, not by {type(rules).__name__}")
    a_number(max_events, "`max_events`", 0, 100_000)
    if isinstance(players, int):
        a_number(players, "the number of players", 1, 100)
        players = [f"p{number}" for number in range(1, players + 1)]
    return _games(rules, players, max_events, settings)


@st.composite
def _games(draw: st.DrawFn, rules: Ruleset, players: Sequence[str] | None, max_events: int,
           settings: dict[str, Any]) -> Game:
    seed = settings["seed"] if "seed" in settings else draw(st.integers(0, 2**16))
    game = rules.new_game(players, **{**settings, "seed": seed})
    goes_on = st.integers(0, GOES_ON)
    for _ in range(max_events):
        if game.over or not draw(goes_on):
            break
        game.play(draw(events(game)))
    return game
