"""While a log is judged Python seldom looks for cycles, and goes back to what was set before."""

from __future__ import annotations

import gc
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from referee.frontend import load_flow
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.system.garbage_collection import SELDOM, SeldomCollected

USUAL = (700, 10, 10)


@pytest.fixture(autouse=True)
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*USUAL)
    yield
    gc.set_threshold(*before)


def test_it_is_seldom_within_and_as_before_afterwards() -> None:
    with SeldomCollected():
        assert gc.get_threshold() == SELDOM
    assert gc.get_threshold() == USUAL


def test_who_leaves_first_leaves_it_to_who_is_still_within() -> None:
    first, second = SeldomCollected(), SeldomCollected()
    first.__enter__()
    second.__enter__()
    first.__exit__()
    assert gc.get_threshold() == SELDOM
    second.__exit__()
    assert gc.get_threshold() == USUAL


@pytest.mark.parametrize("own", [(0, 10, 10), (SELDOM[0] * 2, 10, 10)], ids=["never", "more seldom still"])
def test_what_is_more_seldom_already_is_left_as_it_is(own: tuple[int, int, int]) -> None:
    gc.set_threshold(*own)
    with SeldomCollected():
        assert gc.get_threshold() == own
    assert gc.get_threshold() == own


def test_each_line_of_a_log_is_judged_within_it() -> None:
    class Looking:
        watches = True

        def __init__(self) -> None:
            self.seen: list[tuple[int, int, int]] = []

        def begins(self, *_: Any) -> None:
            pass

        def before(self) -> None:
            self.seen.append(gc.get_threshold())

        def after(self, _: Any) -> None:
            pass

    lines = [{"schema": "referee/log/1", "ruleset": "tic_tac_toe", "players": ["ana", "ben"]},
             {"by": "ana", "do": "mark", "with": {"cell": "?"}}]
    looking, walker = Looking(), Walker(load_flow("tic_tac_toe", 2, {}))
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    judge_log(Log(io.StringIO(text), "game.jsonl"), lambda _: walker, watcher=looking)
    assert looking.seen == [SELDOM]
    assert gc.get_threshold() == USUAL
