"""Short games of the large rulesets with a few holes get the verdicts that follow from filling them in every way.

`REFEREE_LAW_GAMES=60 pytest tests/judge/test_holes_games.py` tries so many logs of each, half of them damaged.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.game_record import Recorder
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.judge.partial import enumeration
from referee.native.engine_names import engine
from tests.judge.filling import by_hand, by_judge, holed
from tests.sample_sizes import by_lot

EXAM = Path(__file__).resolve().parent.parent / "language" / "exam"
FRAGMENTS = ("10_market", "11_levels", "15_draft", "17_action_cards", "26_two_records", "27_falling")
MOST_LISTED = 3
"""The lists that are filled by hand are no longer."""
LOGS = int(os.environ.get("REFEREE_LAW_GAMES", "4"))


def log_of(walker: Walker, seed: int, longest: int, holes: int) -> list[dict[str, Any]]:
    """A short game in which a few values are not stated; every other one is damaged before that."""
    random = Random(seed)
    players = walker.core.seats.roles or ("ana", "ben")
    game = play_out(walker, Setting(players), seed, longest, rule=True)
    lines = [json.loads(text) for text in Recorder(walker, {}).lines(game.setting, game.events, game.last, ())]
    if seed % 2:
        lines = holed(random, lines, walker.core, players, 0.0, damage=True)
    values = [(line["with"], name) for line in lines[1:] for name in line.get("with", {}) if name != "point"]
    for args, name in random.sample(values, min(holes, len(values))):
        known = args[name]
        if isinstance(known, list) and known:
            known[random.randrange(len(known))] = "?"
        else:
            args[name] = "?"
    return lines


@pytest.mark.parametrize(("name", "longest", "holes"), [("go_goal", 14, 3), ("adrenalyn_xl", 12, 2)])
@pytest.mark.parametrize("filled", [True, False], ids=["filled", "not filled"])
def test_short_games(monkeypatch: pytest.MonkeyPatch, name: str, longest: int, holes: int, filled: bool) -> None:
    if not filled:
        monkeypatch.setattr(enumeration, "MOST_BRANCHES", 0)
    walker = engine(load_flow(name, 2, {}))
    for seed in range(LOGS):
        lines = log_of(walker, seed, longest, holes)
        told = by_judge(walker, lines)
        assert told is not None, lines
        assert told == by_hand(walker, lines), (seed, lines)


@pytest.mark.parametrize("name", by_lot(FRAGMENTS, "exam with holes", 2))
def test_exam(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(enumeration, "MOST_BRANCHES", 0)
    walker = engine(load_flow(EXAM / f"{name}.rules", 2, {}))
    players = walker.core.seats.roles or ("ana", "ben")
    for seed in range(LOGS):
        random = Random(seed)
        game = play_out(walker, Setting(players), seed, 6, rule=True)
        lines = [json.loads(text) for text in Recorder(walker, {}).lines(game.setting, game.events, game.last, ())]
        lines = holed(random, lines, walker.core, players, 0.3, damage=seed % 2 == 1)
        if any(isinstance(value, list) and len(value) > MOST_LISTED
               for line in lines for value in line.get("with", {}).values()):
            continue
        told = by_judge(walker, lines)
        if told is not None:
            assert told == by_hand(walker, lines), (seed, lines)
