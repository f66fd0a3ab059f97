"""Holes wherever JSON has room for one, also where they make no sense: there is a verdict, and `infer` has an answer.

`REFEREE_LAW_GAMES=40 pytest tests/judge/test_holes_anywhere.py` tries so many logs of each ruleset.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.game_record import Recorder
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.inference.inference import infer
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import Options, judge_path
from referee.judge.open_settings.setting_verdicts import explain
from referee.judge.verdict import LogOutcome
from referee.native.engine_names import engine
from referee.report.text.verdict_text import text_of

CONSTRUCTS = Path(__file__).resolve().parent.parent / "language" / "constructs"
RULES = ["kuhn_poker", "goofspiel", "go_goal", *(CONSTRUCTS / f"{name}.rules" for name in (
    "secrets", "commits", "positions", "rulings", "undoes", "limits", "parameters", "piles"))]
LOGS = int(os.environ.get("REFEREE_LAW_GAMES", "4"))
Spot = tuple[Any, ...]
STRANGE: list[dict[str, Any]] = [
    {"assert": {"?": 1}}, {"assert": {"turn player": "?"}}, {"end": {"winner": "?"}}, {"end": {"scores": {"ana": "?"}}},
    {"undo": 1}, {"undo": "?"}, {"by": "table", "do": "overrule", "with": {"line": "?"}}, {"by": "fate", "do": "?"},
    {"by": "table", "do": "stop", "with": {"why": "?"}}, {"by": "ana", "do": "concede"}, {"by": "?", "do": "pass"},
    {"by": "table", "do": "rule", "with": {"point": "?", "choice": "?"}},
    {"by": "ana", "do": "pass", "with": {"?": "?"}},
]


def spots(value: Any, above: Spot = ()) -> Iterator[Spot]:
    """Every place inside a line."""
    if above:
        yield above
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inside:
        yield from spots(part, (*above, key))


def hole(random: Random, old: Any, others: list[Any]) -> Any:
    """A hole, or a set of values of which some cannot be."""
    return json.loads(json.dumps(random.choice([
        "?", "?", {"in": [old]}, {"in": []}, {"in": [*random.choices(others or [1], k=2), old]},
        {"in": [{"in": ["?", old]}, "?"]}, {"in": [["?"], ["?", old], [], None, True, -1, 10**17, "zz"]}])))


def holed(random: Random, lines: list[dict[str, Any]]) -> None:
    others = [value for line in lines[1:] for value in line.get("with", {}).values()]
    for _ in range(random.choice([1, 3, len(lines)])):
        line = random.choice(lines if random.random() < 0.1 else lines[1:] or lines)
        usual = [spot for spot in spots(line) if spot[0] == "with" and len(spot) > 1]
        spot = random.choice(usual if usual and random.random() < 0.9 else list(spots(line)))
        inside: Any = line
        for key in spot[:-1]:
            inside = inside[key]
        inside[spot[-1]] = hole(random, inside[spot[-1]], others)
    for one in random.choices(STRANGE, k=random.choice([0, 0, 1, 2])):
        lines.insert(random.randrange(1, len(lines) + 1), json.loads(json.dumps(one)))
    if random.random() < 0.2:
        lines[0]["state"] = {"turn": random.choice(["ana", "?"]), "rest": "unknown"}


def log_of(walker: Walker, random: Random, seed: int) -> list[dict[str, Any]]:
    game = play_out(walker, Setting(walker.core.seats.roles or ("ana", "ben")), seed, 20)
    return [json.loads(line) for line in Recorder(walker, {}).lines(game.setting, game.events, game.last, ())]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: getattr(rules, "stem", rules))
def test_there_is_always_a_verdict(rules: str | Path, tmp_path: Path) -> None:
    walker = engine(load_flow(rules, 2, {}))
    path = tmp_path / "game.jsonl"
    for seed in range(LOGS):
        random = Random(seed)
        lines = log_of(walker, random, seed)
        holed(random, lines)
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
        found = judge_path(str(path), lambda _: walker, Options(timeout=5, facts=seed % 2 == 0))
        assert text_of(found)
        told = explain(str(path), lambda _: walker, seconds=5)
        assert infer([told]).region is not None or told.region is None
        if found.outcome is LogOutcome.LEGAL:
            assert told.region != ()
