"""Several dice of a pool are chosen as often as each number shows, by every engine: no more often, and so often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from referee.core.flow import Flow
from referee.frontend import load_flow
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State
from referee.game.value_codec import decode_event
from referee.interpreter.walker import Walker
from referee.native.engine_names import ENGINES, engine

RULES = """
game "Dice" for 2 players ana and ben

counters
  rolled of player: up to 4 dice 2..4
  large of player: up to 2 dice 3..5

play
  ana rolls 4 dice 2..4 into rolled of ana
  ana rolls 2 dice 3..5 into large of ana
  ana must take one of few, two, both, each_low
  ana wins

action few(which: up to 2 rolled of me)

action two(which: exactly 2 rolled of me where it > 2)

action both(which: any number of rolled of me + large of me)

action each_low(which: all rolled of me where it < 4)
"""
ROLLED, LARGE = (2, 3, 3, 4), (3, 5)
PLAYERS = ("ana", "ben")
CHOSEN = {
    "few": (range(3), ROLLED), "two": (range(2, 3), (3, 3, 4)), "both": (range(7), (*ROLLED, *LARGE)),
    "each_low": (range(3, 4), (2, 3, 3)),
}


@pytest.fixture(scope="module")
def flow(tmp_path_factory: pytest.TempPathFactory) -> Flow:
    path: Path = tmp_path_factory.mktemp("dice") / "dice.rules"
    path.write_text(RULES, encoding="utf-8")
    return load_flow(path, 2, {})


def event(walker: Walker, by: str, do: str, **given: Any) -> Event:
    found = decode_event(walker.core, Setting(PLAYERS), {"by": by, "do": do, "with": given})
    assert isinstance(found, Event), found
    return found


def after_both_rolls(walker: Walker) -> State:
    state = walker.begin(Setting(PLAYERS))
    for pool, dice in (("rolled", ROLLED), ("large", LARGE)):
        assert isinstance(state, State)
        state = walker.advance(state, event(walker, "fate", "roll", **{"for": "ana", pool: list(dice)}))
    assert isinstance(state, State)
    return state


@pytest.mark.parametrize("name", ENGINES)
def test_each_number_is_chosen_as_often_as_it_shows(flow: Flow, name: str) -> None:
    walker = engine(flow, name)
    wanted = Counter(
        event(walker, "ana", do, which=list(some))
        for do, (numbers, dice) in CHOSEN.items() for number in numbers
        for some in set(combinations(sorted(dice), number)))
    assert Counter(walker.legal(after_both_rolls(walker))) == wanted


@pytest.mark.parametrize("name", ENGINES)
@pytest.mark.parametrize(("do", "dice"), [
    ("few", [4, 4]), ("both", [2, 2]), ("few", [3, 3, 2]), ("two", [2, 3]), ("two", [4, 4]), ("both", [5, 5]),
    ("both", [3, 3, 3, 3]), ("each_low", [3, 3]), ("each_low", [2, 2, 3]),
])
def test_what_does_not_show_so_often_is_refused(flow: Flow, name: str, do: str, dice: list[int]) -> None:
    walker = engine(flow, name)
    assert walker.check(after_both_rolls(walker), event(walker, "ana", do, which=dice)) is not None
