"""Random games of the checkers are legal for us too, and damaged ones are illegal at the line the checkers name."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.logs.second_opinion import CHECKED, Line, first_wrong, random_game
from tests.sample_sizes import by_lot

NAMES = ["ana", "ben", "Zoë", "o", "x", "white", "black", "first", "second", "player 1", "it's me", "1"]
VALUES: list[Any] = [*range(-1, 9), True, None, "1", "J", "Q", "K", "a1", "b2", "c3", "d4", "e5", "h8", []]
RIGHT, DAMAGED = 25, 50


def dropped(lines: list[Line], at: int, rng: Random) -> None:
    del lines[at]


def doubled(lines: list[Line], at: int, rng: Random) -> None:
    lines.insert(at, lines[at])


def swapped(lines: list[Line], at: int, rng: Random) -> None:
    lines[at - 1 : at + 1] = lines[at], lines[at - 1]


def moved(lines: list[Line], at: int, rng: Random) -> None:
    lines.insert(rng.randrange(1, len(lines)), lines.pop(at))


def by_another(lines: list[Line], at: int, rng: Random) -> None:
    if "by" in lines[at]:
        lines[at] = {**lines[at], "by": rng.choice([*lines[0]["players"], "fate"])}


def with_another_value(lines: list[Line], at: int, rng: Random) -> None:
    if lines[at].get("with"):
        values = [value for line in lines for value in line.get("with", {}).values()]
        name = rng.choice(sorted(lines[at]["with"]))
        lines[at] = {**lines[at], "with": {**lines[at]["with"], name: rng.choice(values + rng.sample(VALUES, 3))}}


def ended_otherwise(lines: list[Line], at: int, rng: Random) -> None:
    players = lines[0]["players"]
    if "end" in lines[-1]:
        winner = rng.choice([*players, None])
        others = {player: rng.randint(-2, 2) for player in players}
        lines[-1] = {"end": {"winner": winner, "scores": rng.choice([lines[-1]["end"]["scores"], others])}}


DAMAGES: list[Callable[[list[Line], int, Random], None]] = [
    dropped, doubled, swapped, moved, by_another, with_another_value, ended_otherwise,
]


def damaged(lines: list[Line], rng: Random) -> list[Line]:
    """The log with one thing done to it after the header; sometimes it is still right."""
    made = list(lines)
    if len(made) > 2:
        rng.choice(DAMAGES)(made, rng.randrange(2, len(made)), rng)
    return made


def some_logs(game: str, rng: Random) -> list[list[Line]]:
    logs = []
    for number in range(RIGHT + DAMAGED):
        players = rng.sample(NAMES, 2) if number % 2 else ()
        log = random_game(game, rng, players, stop_early=rng.choice([0.0, 0.0, 0.05]))
        logs.append(log if number < RIGHT else damaged(log, rng))
    return logs


@pytest.mark.parametrize("game", by_lot(CHECKED, "checker", 2))
def test_judge_and_checker_agree(game: str, tmp_path: Path, project: Path) -> None:
    logs = some_logs(game, Random(f"a second opinion on {game}"))
    for number, log in enumerate(logs):
        text = "".join(json.dumps(line) + "\n" for line in log)
        (tmp_path / f"{number:03}.jsonl").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "referee", "judge", *sorted(map(str, tmp_path.glob("*.jsonl")))], cwd=project,
        capture_output=True, text=True, encoding="utf-8", check=False)
    said = {int(match[1]): int(match[2]) for match in re.finditer(r"(\d+)\.jsonl:(\d+): illegal", done.stdout)}
    expected = {number: line for number, log in enumerate(logs) if (line := first_wrong(log)) is not None}
    assert set(expected).isdisjoint(range(RIGHT))
    assert len(expected) > DAMAGED / 3
    assert said == expected, done.stdout + done.stderr
    legal = {int(match[1]): match[2] for match in re.finditer(r"(\d+)\.jsonl: (legal so far|legal)", done.stdout)}
    assert legal == {
        number: "legal" if "end" in log[-1] or _is_over(game, log) else "legal so far"
        for number, log in enumerate(logs) if number not in expected
    }


def _is_over(game: str, log: list[Line]) -> bool:
    """Whether an end line would be accepted now: only then is the game over."""
    return first_wrong([*log, {"end": {}}]) is None
