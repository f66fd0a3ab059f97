"""Long histories of positions: generated code counts in them as the walker does, and in one go."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from referee.api.runs.log_engines import Rules
from referee.codegen.growing.lent_entries import LONG
from referee.codegen.growing.noted_positions import FEW_GONE_THROUGH, NotedNumber, note, times
from referee.frontend.loading.loader import load_flow
from referee.judge.log_run import judge_path
from referee.judge.verdict import LogOutcome
from tests.interpreter.agreement import Pair

RULES = """\
game "Lights" for 2 players first and second

board square: columns a..d, rows 1..5

position is lit, at most 7000

counters
  lit of square: yes or no
  flips of player: 0..3
  turns_left: 0..6999 starts 6999

play
  turns from first, to the left, until turns_left = 0
    lower turns_left by 1
    if occurrences of position = 5: others than turn player win
    turn player must take one of flip, dare
  nobody wins

action flip(at: square)
  needs "no position comes again", afterwards: occurrences of position = 1
  set lit of at to not lit of at

action dare(at: square)
  needs "he dares no more than three times", afterwards: flips of me <= 3
  needs "it comes up to three times", afterwards: occurrences of position <= 3
  raise flips of me by 1
  set lit of at to not lit of at
"""
CELLS = [f"{column}{row}" for column in "abcd" for row in range(1, 6)]
EVENTS = 6_000


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("histories") / "lights.rules"
    path.write_text(RULES, "utf-8")
    return path


def flipped(number: int) -> str:
    """The cell that is flipped next where no set of lit cells is to come again for a long time."""
    return CELLS[(number & -number).bit_length() - 1]


def log(rules: Path, cells: list[str]) -> Path:
    lines = [{"schema": "referee/log/1", "ruleset": "lights", "players": ["first", "second"]}, *(
        {"by": ("first", "second")[turn % 2], "do": "flip", "with": {"at": cell}} for turn, cell in enumerate(cells))]
    path = rules.parent / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_both_engines_answer_alike_where_bodies_fail_and_positions_come_again(rules: Path) -> None:
    short = rules.with_name("short.rules")
    short.write_text(RULES.replace("7000", str(LONG + 1)), "utf-8")
    pair = Pair(load_flow(short))
    pair.compare(1, FEW_GONE_THROUGH + 6)
    assert pair.followed > FEW_GONE_THROUGH


def test_a_long_history_is_judged_line_by_line_up_to_the_position_that_comes_again(rules: Path) -> None:
    cells = [flipped(number) for number in range(1, EVENTS + 1)]
    long = judge_path(str(log(rules, cells)), Rules(str(rules)))
    assert (long.outcome, long.wrong) == (LogOutcome.LEGAL, None)
    again = judge_path(str(log(rules, [*cells, cells[-1]])), Rules(str(rules)))
    assert again.wrong is not None
    assert (again.outcome, again.wrong.line) == (LogOutcome.ILLEGAL, EVENTS + 2)


@pytest.mark.parametrize("seed", range(4))
def test_what_is_counted_is_what_lies_there_also_where_histories_part(seed: int) -> None:
    random, base = Random(seed), 3
    kept: list[tuple[list[int], int]] = [([0] * 400, 0)]
    for _ in range(300):
        before, length = random.choice(kept[-4:])
        slots = list(before)
        for _ in range(random.randrange(1, 4)):
            ahead = slots[base + length]
            note(slots, base, base + length, random.randrange(6))  # looked at, and put back
            assert counts(slots, base, length + 1)
            slots[base + length] = ahead
            note(slots, base, base + length, random.randrange(6))
            length += 1
            assert counts(slots, base, length)
        kept.append((slots, length))
        again, many = random.choice(kept)
        assert counts(again, base, many)
    assert any(isinstance(one, NotedNumber) for slots, _ in kept for one in slots)


def counts(slots: list[int], base: int, length: int) -> bool:
    """Whether it is counted right how often each value was noted."""
    return all(times(slots, base, base + length, one) == slots[base : base + length].count(one) for one in range(6))
