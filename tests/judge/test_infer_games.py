"""The settings that explain short games are those under which each is legal: large rulesets, exam, classics.

`REFEREE_LAW_GAMES=10 pytest tests/judge/test_infer_games.py` tries so many games of each, every other one damaged.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random

import pytest

from referee.core.ruleset import Role
from referee.core.types import Bool, Int
from referee.judge.open_settings.setting_verdicts import explain
from referee.judge.open_settings.value_ranges import Place
from tests.judge.filling import holed
from tests.judge.test_infer import among, setting_of, walker, written
from tests.judge.test_infer import stands as stands_whole
from tests.judge.test_infer_holes import stands as stands_with_holes
from tests.sample_sizes import FULL

EXAM = Path(__file__).resolve().parent.parent / "language" / "exam"
FRAGMENTS = tuple(str(EXAM / f"{name}.rules") for name in (
    "01_attack", "07_pile_runs_out", "09_wild", "10_market", "11_levels", "17_action_cards", "19_lifted"))
LARGE = ("go_goal", "adrenalyn_xl", "il_mister", "king_of_the_pitch")
CLASSICS = ("kuhn_poker", "goofspiel", "tic_tac_toe")
GAMES = int(os.environ.get("REFEREE_LAW_GAMES", "2"))
TRIED = 8
"""So many settings are judged by themselves for each log."""


def drawn(name: str, random: Random) -> dict[Place, int]:
    """A choice for each reading, a value for each parameter that is not a table."""
    rules = walker(name)
    while True:
        found: dict[Place, int] = {(one, ()): random.randrange(len(reading.choices))
                                   for one, reading in rules.core.readings.items()}
        for one, var in rules.layout.defs.items():
            if var.role is Role.PARAMETER and not var.keys and isinstance(var.type, Int | Bool):
                lo, hi = (0, 1) if isinstance(var.type, Bool) else (var.type.lo, var.type.hi)
                found[one, ()] = random.randint(lo, hi)
        setting = setting_of(name, found, seats(name))
        if rules.relations.broken(list(rules.entries(setting))) is None:
            return found


def seats(name: str) -> tuple[str, ...]:
    return walker(name).core.seats.roles or ("ana", "ben")


@pytest.mark.parametrize(("name", "holes"), [
    *((name, False) for name in (*(LARGE if FULL else LARGE[:3]), *CLASSICS, *FRAGMENTS)),
    *((name, True) for name in ("go_goal", "adrenalyn_xl", "kuhn_poker", FRAGMENTS[0], FRAGMENTS[3], FRAGMENTS[6]))],
    ids=lambda one: Path(str(one)).stem)
def test_exactly_the_settings_under_which_it_is_legal(name: str, holes: bool, tmp_path: Path) -> None:
    random = Random(name.split("/")[-1])
    for seed in range(GAMES):
        hidden = drawn(name, random)
        path = written(tmp_path, name, setting_of(name, hidden, seats(name)), seed, 10, damaged=seed % 2 == 1)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        if holes:
            lines = holed(random, lines, walker(name).core, seats(name), 0.15, damage=False)
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        told = explain(str(path), lambda _: walker(name), seconds=10)
        if told.region is None:
            continue
        for chosen in [hidden, *(drawn(name, random) for _ in range(TRIED))]:
            if not among(told.untold.among(chosen), chosen):
                single = stands_with_holes if holes else stands_whole
                assert among(told.region.among(chosen), chosen) == single(path, name, chosen), (seed, chosen)


def test_some_of_it_says_something(tmp_path: Path) -> None:
    """A whole game of each large ruleset excludes some setting."""
    for name in LARGE[:2]:
        random = Random(name)
        path = written(tmp_path, name, setting_of(name, drawn(name, random), seats(name)), 1, 300)
        told = explain(str(path), lambda _, name=name: walker(name))  # type: ignore[misc]
        assert told.region
        assert not told.region.everything
