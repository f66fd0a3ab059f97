"""A log with holes gets the verdicts that follow from judging every way to fill them.

`REFEREE_HOLES_TIMES=5 pytest tests/judge/test_holes_exact.py` tries five times as many logs, `REFEREE_FULL_SAMPLES=1`
between two and four times as many.
"""

from __future__ import annotations

import json
import os
from collections import Counter
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
from referee.judge.partial.constraints import model_counting
from referee.native.engine_names import engine
from tests.judge.filling import by_hand, by_judge, holed
from tests.sample_sizes import drawn

CONSTRUCTS = Path(__file__).resolve().parent.parent / "language" / "constructs"
TIMES = int(os.environ.get("REFEREE_HOLES_TIMES", "1"))
CLAIMS = {"kuhn_poker": ["stake of first", "number of hand of second"], "goofspiel": ["points of first"],
          "tic_tac_toe": []}
GAMES = [("kuhn_poker", 8, 0.6, drawn(24, of=140)), ("goofspiel", 6, 0.4, drawn(12, of=60)),
         ("tic_tac_toe", 5, 0.4, drawn(10, of=60))]
EACH = drawn(6, of=20)
SMALL = [("secrets", 6, 0.25), ("commits", 6, 0.4), ("fate", 5, 0.4), ("lines", 5, 0.4), ("rulings", 6, 0.4),
         ("choices", 5, 0.3), ("undoes", 5, 0.5), ("limits", 5, 0.4), ("reshuffles", 16, 0.4),
         ("dice_several", 6, 0.15)]
OPEN = [("parameters", 5, 0.4), ("relations", 5, 0.4), ("readings", 5, 0.4), ("random_ties", 5, 0.4)]


def logs(name: str, walker: Walker, longest: int, share: float, seed: int) -> list[dict[str, Any]]:
    random = Random(seed)
    players = ("first", "second") if name in CLAIMS else ("ana", "ben")
    game = play_out(walker, Setting(players), seed, 200, rule=True)
    lines = [json.loads(line) for line in Recorder(walker, {}).lines(game.setting, game.events, game.last, ())]
    lines[0].pop("parameters", None)
    short = lines if len(lines) <= longest + 2 else lines[:longest + 1]
    if CLAIMS.get(name) and random.random() < 0.5:
        what = random.choice(CLAIMS[name])
        short.insert(random.randrange(2, len(short) + 1), {"assert": {what: random.randrange(3)}})
    if walker.core.undo:
        for _ in range(random.randrange(3)):
            short.insert(random.randrange(2, len(short) + 1), {"undo": random.randrange(1, 3)})
    return holed(random, short, walker.core, players, share, damage=seed % 2 == 1)


@pytest.mark.parametrize(("name", "longest", "share", "number"), GAMES)
def test_games(name: str, longest: int, share: float, number: int) -> None:
    compare(name, engine(load_flow(name, 2, {})), longest, share, number)


@pytest.mark.parametrize(("name", "longest", "share"), SMALL)
def test_small_rulesets(name: str, longest: int, share: float) -> None:
    compare(name, engine(load_flow(CONSTRUCTS / f"{name}.rules", 2, {})), longest, share, EACH)


@pytest.mark.parametrize(("name", "longest", "share"), OPEN)
def test_what_else_is_open(name: str, longest: int, share: float) -> None:
    compare(name, engine(load_flow(CONSTRUCTS / f"{name}.rules", 2, {})), longest, share, EACH)


@pytest.mark.parametrize(("name", "longest", "share", "number"), [
    *GAMES[:2], *((*one, EACH) for one in SMALL + OPEN if one[0] not in ("undoes", "relations"))])
def test_without_filling_them(monkeypatch: pytest.MonkeyPatch, name: str, longest: int, share: float,
                              number: int) -> None:
    """The same where holes stay holes until a rule asks what they are; not where something is taken back: then they are
    always filled."""
    monkeypatch.setattr(enumeration, "MOST_BRANCHES", 0)
    path = name if name in CLAIMS else CONSTRUCTS / f"{name}.rules"
    compare(name, engine(load_flow(path, 2, {})), longest, share, number)


@pytest.mark.parametrize(("name", "longest", "share"), [*OPEN, ("secrets", 7, 0.3)])
def test_without_counting_how_they_can_be_filled(monkeypatch: pytest.MonkeyPatch, name: str, longest: int,
                                                 share: float) -> None:
    """Where the ways are not counted, it may be that whether a line narrows them is not told; nothing else is wrong.
    Of secrets, where nobody says who is the oldest, it is told of some lines that they narrow them."""
    monkeypatch.setattr(enumeration, "MOST_BRANCHES", 0)
    monkeypatch.setattr(model_counting, "MOST_COUNTED", 0)
    walker = engine(load_flow(CONSTRUCTS / f"{name}.rules", 2, {}))
    told_of, narrows = 0, Counter[str]()
    for seed in range(drawn(10, of=20) * TIMES):
        lines = logs(name, walker, longest, share, seed)
        lines[0].pop("given", None)
        told = by_judge(walker, lines)
        if told is None:
            continue
        told_of += 1
        known = by_hand(walker, lines)
        assert told.wrong == known.wrong, (seed, lines)
        narrows.update(mine for mine, right in zip(told.lines, known.lines, strict=True) if right == "possible")
        for mine, right in zip(told.lines, known.lines, strict=True):
            assert mine == right or (mine == "unsure" and right in ("legal", "possible")), (seed, lines)
    print(name, dict(narrows))
    assert told_of >= 5
    assert name != "secrets" or narrows["possible"] > narrows["unsure"]


def compare(name: str, walker: Walker, longest: int, share: float, number: int) -> None:
    seen: Counter[str] = Counter()
    for seed in range(number * TIMES):
        lines = logs(name, walker, longest, share, seed)
        told = by_judge(walker, lines)
        if told is None:
            seen["unknown"] += 1
            continue
        assert told == by_hand(walker, lines), (seed, lines)
        seen["illegal" if told.wrong is not None else "possible" if set(told.lines) - {"legal"} else "legal"] += 1
    print(name, dict(seen))
    assert seen["illegal"]
    assert seen["legal"] + seen["possible"]
