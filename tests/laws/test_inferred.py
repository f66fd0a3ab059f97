"""The setting that produced logs is never excluded by them: random games of every ruleset under hidden settings.

`REFEREE_LAW_GAMES=10 REFEREE_LAW_EVENTS=200 pytest tests/laws/test_inferred.py -s` tries so many of each shape, each
whole and as somebody saw it, and prints of how many not all could be told; by default it is the beginning of one game
of each ruleset.
"""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.game_record import Recorder
from referee.core.ruleset import PUBLIC, Role
from referee.core.types import Bool, Int
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.game.state import Failed
from referee.inference.inference import infer
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import complete, play_out
from referee.interpreter.walker import Walker
from referee.judge.open_settings.setting_verdicts import explain
from referee.judge.open_settings.value_ranges import Place
from referee.views.redaction import redacted
from tests.judge.test_infer import among
from tests.laws.games import NAMES
from tests.laws.shapes import Case, cases, walker_of
from tests.sample_sizes import CLASSICS, CONSTRUCTS, in_turn

GAMES = int(os.environ.get("REFEREE_LAW_GAMES", "1"))
EVENTS = int(os.environ.get("REFEREE_LAW_EVENTS", "25"))
SECONDS = 1.5 if GAMES == 1 else 20.0

LONG = ("king_of_the_pitch",)
"""A ruleset whose settings take all the time that there is: with several games of each only."""

TOLD: Counter[str] = Counter()


def some_cases() -> Iterator[Case]:
    """Each ruleset in each shape; by default in one."""
    seen: set[Path] = set()
    for case in cases():
        if GAMES > 1 or (case.where not in seen and case.where.stem not in LONG):
            yield case
        seen.add(case.where)


def hidden(walker: Walker, random: Random) -> Setting:
    """A setting by lot: readings and, as far as they are related as the rules say, parameters."""
    core = walker.core
    players = core.seats.roles or NAMES[:core.seats.number]
    readings = {name: random.randrange(len(reading.choices)) for name, reading in core.readings.items()}
    bare = Setting(tuple(players), readings=readings)
    for _ in range(50):
        found: dict[str, dict[tuple[int, ...], Any]] = {}
        for name, var in walker.layout.defs.items():
            if var.role is Role.PARAMETER and isinstance(var.type, Int | Bool):
                keys = walker.layout.vars[name].keys()
                found[name] = {key: _value(var.type, random) for key in keys}
        setting = replace(bare, parameters=found)
        if walker.relations.broken(list(walker.entries(setting))) is None:
            return setting
    return complete(walker, bare, random)


def _value(kind: Int | Bool, random: Random) -> Any:
    return random.random() < 0.5 if isinstance(kind, Bool) else random.randint(kind.lo, kind.hi)


def places(walker: Walker, setting: Setting) -> dict[Place, int]:
    found: dict[Place, int] = {(name, ()): index for name, index in setting.readings.items()}
    for name, values in setting.parameters.items():
        found |= {(name, key): int(value) for key, value in values.items() if isinstance(value, int)}
    return found


@pytest.mark.parametrize("case", in_turn(some_cases(), "inferred", 5, CLASSICS | CONSTRUCTS), ids=str)
def test_the_setting_of_the_games_is_never_excluded(case: Case, tmp_path: Path) -> None:
    walker = walker_of(case)
    for seed in range(GAMES):
        random = Random(seed)
        try:
            setting = hidden(walker, random)
        except Fault:
            continue
        game = play_out(walker, setting, seed, EVENTS)
        if isinstance(game.last, Failed):  # with numbers by lot the rules may make an error
            continue
        texts = list(Recorder(walker, {}).lines(game.setting, game.events, game.last, ()))
        log = Log(io.StringIO("".join(f"{text}\n" for text in texts)), "game.jsonl")
        viewer = random.choice((PUBLIC, *game.setting.players))
        logs = []
        for name, lines in (("whole", texts), ("view", list(redacted(log, viewer, lambda _: walker)))):
            path = tmp_path / f"{name}.jsonl"
            path.write_text("".join(f"{line}\n" for line in lines))
            told = explain(str(path), lambda _: walker, blind=True, seconds=SECONDS)
            TOLD["not told" if told.region is None or told.untold else "told"] += 1
            known = places(walker, game.setting)
            assert told.region is None or among(told.left.among(known), known), (seed, name, told.verdict)
            logs.append(told)
        both = infer(logs).region
        assert both is None or among(both.among(known), known), seed


def test_most_is_told() -> None:
    print(dict(TOLD))
    assert TOLD["told"] >= TOLD["not told"]
