"""Whatever stands in a log, there is a verdict, and its report keeps what it promises."""

from __future__ import annotations

import io
import json
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.log.log_header import Header
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.judge.log_run import Options, judge_log, judge_path
from referee.judge.verdict import LogOutcome
from tests.judge.playing import sound

GAMES = ("tic_tac_toe", "connect_four", "kuhn_poker", "goofspiel", "breakthrough")
FOREIGN = Path(__file__).parents[1] / "foreign"
JUNK: list[Any] = [None, True, 0, -1, 10**17, 1.5, "", "a1", "x", "?", "fate", "table", "\U0001f600", [],
                   ["a1", 3], {}, {"in": ["a1"]}, {"a1": 2}, {"a1": -1}, [[[]]]]
KEYS = ("by", "do", "with", "end", "assert", "undo", "note", "winner", "scores", "cell", "column", "card", "from", "to")


@lru_cache
def walker(game: str) -> Walker:
    return Walker(lower(load(game)))


def damaged(lines: list[dict[str, Any]], random: Random) -> list[dict[str, Any]]:
    """The lines with a few things done to them."""
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(lines))
        match random.randrange(6):
            case 0:
                lines.insert(at, dict(random.choice(lines)))
            case 1 if len(lines) > 1:
                del lines[at]
            case 2:
                lines[at] = {**lines[at], random.choice(KEYS): random.choice(JUNK)}
            case 3 if isinstance(lines[at].get("with"), dict):
                lines[at] = {**lines[at], "with": {**lines[at]["with"], random.choice(KEYS): random.choice(JUNK)}}
            case 4:
                lines[at] = {"by": random.choice(["ana", "x", "o", "fate", "table"]), "do": random.choice(
                    ["rule", "overrule", "stop", "concede", "mark", "bid"]), "with": {"line": random.randint(0, 9)}}
            case _:
                random.shuffle(lines)
    return lines


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(12))
def test_damaged_logs_get_verdicts(game: str, seed: int) -> None:
    random = Random(f"{game} {seed}")
    path = random.choice(sorted((FOREIGN / game / "right").glob("*.jsonl")))
    head, *rest = path.read_text(encoding="utf-8").splitlines()
    players = json.loads(head)["players"]
    for viewer in (None, *players):
        lines = [head, *(json.dumps(line) for line in damaged([json.loads(line) for line in rest], random))]
        log = Log(io.StringIO("\n".join(lines)), "game.jsonl")
        verdict = sound(judge_log(log, lambda _: walker(game), Options(viewer, viewer is not None)))
        assert verdict.outcome in (LogOutcome.LEGAL, LogOutcome.ILLEGAL, LogOutcome.UNKNOWN, LogOutcome.UNREADABLE)


@pytest.mark.parametrize("seed", range(60))
def test_damaged_headers_get_verdicts(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    keys = (*Header.__slots__, "schema", "state", "pool")
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "goofspiel", "players": ["ana", "ben"]}
    for _ in range(random.randint(1, 3)):
        value = random.choice([*JUNK, {"x": 1}, {"points": {"ana": 3}}, ["ana"], ["ana", "ben", "cas"]])
        head[random.choice(keys)] = value
    path = tmp_path / "game.jsonl"
    path.write_text(json.dumps(head), encoding="utf-8")
    verdict = judge_path(str(path), lambda _: walker("goofspiel"))
    assert verdict.outcome is LogOutcome.LEGAL or verdict.diagnostics[-1].code.startswith("LG")
