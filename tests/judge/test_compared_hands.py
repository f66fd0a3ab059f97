"""Who may have won where hidden hands are compared: held against every way to deal them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations, permutations

import pytest

from referee.api.game_record import Recorder
from referee.core.ruleset import PUBLIC
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.judge.verdict import LogOutcome
from referee.native.engine_names import engine
from tests.bench.card_views import Lines, judged, view_of
from tests.sample_sizes import FULL, drawn

PLAYERS = ("ana", "ben", "cleo")
COSTS = {"ONE": 1, "ALSO_ONE": 1, "TWO": 2, "THREE": 3, "FOUR": 4, "SIX": 6, "SEVEN": 7, "NINE": 9, "FIFTY": 50}
RULES = f"""game "Level" for 3 players ana, ben, cleo

kind Card is {", ".join(COSTS)}

components
  1 of each Card in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner
  heap: bag of Card, open

table cost of Card: 1..50
{"".join(f"  {name} | {cost}{chr(10)}" for name, cost in COSTS.items())}
setup
  shuffle deck
  rounds n from 1 to 3: deal 1 from deck to hand of each player

play
  for each p in players, as listed: p must lay
  the p in players with the lowest hand_cost, ties: all wins

action lay(card: Card in my hand)
  move card to heap

define hand_cost of player p = sum of cost in hand of p
"""


@pytest.fixture(scope="module")
def walker(tmp_path_factory: pytest.TempPathFactory) -> Walker:
    path = tmp_path_factory.mktemp("level") / "level.rules"
    path.write_text(RULES, encoding="utf-8")
    return engine(load_flow(path, 3, {}))


def winners(view: Lines) -> set[tuple[str, ...]]:
    """Who may have won, if nothing is known but what each has laid."""
    laid = [line["with"]["card"] for line in view if line.get("do") == "lay"]
    rest = [cost for name, cost in COSTS.items() if name not in laid]
    found: set[tuple[str, ...]] = set()
    for order in permutations(rest):
        costs = [order[0] + order[1], order[2] + order[3], order[4] + order[5]]
        found.add(tuple(one for one, cost in zip(PLAYERS, costs, strict=True) if cost == min(costs)))
    return found


def ended(view: Lines, won: Sequence[str]) -> Lines:
    """The same, with other winners."""
    return [*view[:-1], {"end": {"winner": list(won)}}]


@pytest.mark.parametrize("seed", range(drawn(1, of=20)))
def test_who_may_have_won_of_hands_that_nobody_has_seen(walker: Walker, seed: int) -> None:
    game = play_out(walker, Setting(PLAYERS), seed, rule=True)
    lines = [json.loads(text) for text in Recorder(walker, {}).lines(game.setting, game.events, game.last, ())]
    view = view_of(lines, walker, PUBLIC)
    may = winners(view)
    for number in (1, 2, 3) if FULL else (2, 3):
        for won in combinations(PLAYERS, number):
            said = judged(ended(view, won), walker)
            assert said.outcome is (LogOutcome.POSSIBLE if won in may else LogOutcome.ILLEGAL), won
