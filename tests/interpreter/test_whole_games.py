"""Whole games are followed by one function as they are event by event by the walker: to the same result, or to none."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from referee.codegen.compiled_program import OWN_WORDS
from referee.codegen.generated_engine import Generated
from referee.codegen.whole_games.game_source import GameSource
from referee.codegen.whole_games.set_scope import NotWhole
from referee.codegen.whole_games.whole_game import WholeGame
from referee.core.flow import Flow
from referee.flow.lowering import lower
from referee.frontend.loading.loader import load_flow
from referee.game.event import Event, spoken
from referee.game.event_table import EventTable
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.playouts import PlayedGame, complete, play_out
from referee.interpreter.walker import Walker
from tests.interpreter.agreement import places
from tests.laws.games import NAMES, strange
from tests.sample_sizes import CLASSICS, CONSTRUCTS, drawn, in_turn
from tests.twin.random_core import Maker

OURS = re.compile(r"[bcdfkMs]|most|bits|put|range|"
                  r"by|it|pc|lies_at|raise|bit_count|bit_length|next|get|copy|add|append|count|fromkeys|"
                  r"__class__|[aekmntvz][0-9]+_?|r[0-9]+_")
WHOLE = {"connect_four", "breakthrough", "kuhn_poker", "tic_tac_toe", "nine_mens_morris", "othello", "mancala"}
MOST, GAMES = 200, drawn(3, of=12)


BY_LOT = {"connect_four", "breakthrough", "tic_tac_toe", "othello"}
SMALL = [where for where in places() if where.is_file()]
"""Of large rulesets no function of whole games is made."""


class Whole:
    """Both engines of a flow, and the function of its whole games, if there is one."""

    def __init__(self, flow: Flow) -> None:
        self.walker, self.generated = Walker(flow), Generated(flow)
        self.generated.whole_from = self.generated.played_from = 0
        self.players = Setting(flow.core.seats.roles or NAMES[:flow.core.seats.number])
        self.found: Counter[str] = Counter()
        begun = self.generated.begin(complete(self.generated, self.players, Random(1)))
        self.whole: WholeGame | None = None
        self.text = ""
        with suppress(NotWhole):
            if isinstance(begun, State):
                self.start = begun.at
                source = GameSource(flow, self.generated.layout, begun.at)
                self.whole, self.text = WholeGame(source.function, self.generated.layout.fixed), source.text

    def play(self, seed: int, most: int = MOST) -> None:
        """Follows a game by lot, and others that are nearly the same: with an event that does not belong there, or is
        missing, or stands elsewhere."""
        random, core = Random(seed), self.walker.core
        game = play_out(self.generated, self.players, seed, most)
        for some in (most, 1 + seed):
            exact, by_lot = (play_out(engine, self.players, seed, some) for engine in (self.walker, self.generated))
            assert exact == by_lot, f"by lot, seed {seed}"
            assert repr(exact) == repr(by_lot), f"by lot, seed {seed}"
        events = list(game.events)
        self.compare(game, events)
        if not events:
            return
        at, other = random.randrange(len(events)), random.randrange(len(events))
        odd = list(strange(core, events, random, 3))
        self.compare(game, [*events[:at], *odd[:1], *events[at:]])
        self.compare(game, [*events[:at], *odd[1:2], *events[at + 1:]])
        self.compare(game, [*events[:at], *events[at + 1:]])
        self.compare(game, [*events, *odd[2:], events[at]])
        events[at], events[other] = events[other], events[at]
        self.compare(game, events)

    def lot_game(self) -> object:
        """What plays by lot by itself, once it is wanted."""
        for seed in range(2):
            play_out(self.generated, self.players, seed, 5)
        return self.generated.lot_game

    def compare(self, game: PlayedGame, events: list[Event]) -> None:
        begun, table = self.walker.begin(game.setting), EventTable()
        if not isinstance(begun, State):
            return
        numbers = [table.number(spoken(event)) for event in events]
        one = self.walker.result(begun, numbers, table, tested=True)
        other = self.generated.result(begun, numbers, table, tested=True)
        assert one == other, events
        assert repr(one) == repr(other), events
        if self.whole is not None and begun.at == self.start and not self.generated.broken(begun):
            found = self.whole.result(begun, numbers, table)
            assert found in (None, one), events
            self.found["taken" if found is not None else "refused" if one is None else "left"] += 1


@pytest.mark.parametrize("where", in_turn(SMALL, "whole games", 6, CLASSICS | CONSTRUCTS),
                         ids=lambda where: where.stem)
def test_they_come_to_the_same_result(where: Path) -> None:
    both = Whole(load_flow(where))
    assert both.whole is not None or where.stem not in WHOLE
    assert (where.stem in BY_LOT) <= (both.lot_game() is not None)
    if both.whole is not None:
        for seed in range(GAMES):
            both.play(seed)
        assert where.stem not in WHOLE or both.found["taken"] > 2 * both.found["left"], both.found
        assert words_of(both.text) == set(), "a word of the ruleset"


@pytest.mark.parametrize("seed", range(drawn(12, of=400)))
def test_random_cores_come_to_the_same_result(seed: int) -> None:
    both = Whole(lower(Maker(seed).core()))
    for game in range(2):
        both.play(game, 40)


def words_of(text: str) -> set[str]:
    """The words of a source that are not the generator's own."""
    words = {token.string for token in tokenize.generate_tokens(io.StringIO(text).readline)
             if token.type in (tokenize.NAME, tokenize.STRING, tokenize.COMMENT, tokenize.ERRORTOKEN)}
    return {word for word in words if not (keyword.iskeyword(word) or OURS.fullmatch(word))} - OWN_WORDS
