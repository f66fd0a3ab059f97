"""The solver as judge of damaged logs: the same verdict as the engine, whatever was done to a line.

A few copies by default. `REFEREE_SOLVER_DAMAGED=6 pytest tests/judge/test_solved_damaged.py` damages every legal log of
the larger rulesets so many times.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.runs.log_engines import Rules
from referee.judge.log_run import judge_path
from referee.judge.verdict import LogOutcome
from tests.judge.test_any_log import JUNK
from tests.judge.test_solved import told

COPIES = int(os.environ.get("REFEREE_SOLVER_DAMAGED", "0"))
LOGS = sorted(Path("rulesets").glob("*/logs/legal/*.jsonl"))
SAMPLE = LOGS if COPIES else LOGS[::14]
FIRST, MORE = 90 if COPIES else 30, 8
"""Among so many lines one is damaged; so many after it are judged besides."""
Lines = list[dict[str, Any]]


def damaged(lines: Lines, players: Sequence[str], random: Random) -> Lines:
    """The beginning of a log with a line dropped, doubled, swapped, of another player, or with something else in it."""
    at = random.randrange(1, min(len(lines), FIRST))
    kept: Lines = json.loads(json.dumps(lines[: at + MORE]))
    line = kept[at]
    match random.randrange(8):
        case 0:
            del kept[at]
        case 1:
            kept.insert(at, line)
        case 2:
            kept[at - 1], kept[at] = line, kept[at - 1]
        case 3:
            line["by"] = random.choice(players)
        case 4:
            line["do"] = random.choice([one["do"] for one in lines if "do" in one])
        case 5 if line.get("with"):
            line["with"][random.choice(sorted(line["with"]))] = random.choice(JUNK)
        case _:
            _exchanged(kept[: at + 1], lines, random)
    return kept


def _exchanged(kept: Lines, lines: Lines, random: Random) -> None:
    """The last arguments: one of them gets a value that it has elsewhere."""
    given = next((one["with"] for one in reversed(kept) if one.get("with")), None)
    if given is not None:
        name = random.choice(sorted(given))
        given[name] = random.choice([one["with"][name] for one in lines if name in one.get("with", {})])


@pytest.mark.parametrize("path", SAMPLE, ids=str)
def test_a_damaged_log_is_judged_alike(path: Path, tmp_path: Path, engine: Rules, solver: Rules) -> None:
    header, *lines = map(json.loads, path.read_text().splitlines())
    random, copy = Random(str(path)), tmp_path / "copy.jsonl"
    for _ in range(max(COPIES, 1)):
        kept = damaged(lines, header["players"], random)
        copy.write_text("".join(json.dumps(line) + "\n" for line in (header, *kept)))
        found = judge_path(str(copy), solver)
        assert found.outcome is not LogOutcome.UNKNOWN
        assert told(found) == told(judge_path(str(copy), engine)), copy.read_text()


def test_most_damaged_logs_are_illegal(tmp_path: Path, engine: Rules) -> None:
    copy, illegal = tmp_path / "copy.jsonl", 0
    header, *lines = map(json.loads, Path("rulesets/go_goal/logs/legal/000.jsonl").read_text().splitlines())
    for seed in range(40):
        kept = damaged(lines, header["players"], Random(seed))
        copy.write_text("".join(json.dumps(line) + "\n" for line in (header, *kept)))
        illegal += judge_path(str(copy), engine).outcome in (LogOutcome.ILLEGAL, LogOutcome.UNREADABLE)
    assert 20 <= illegal < 40
