"""The page tells the figures that are kept, and measuring measures what it says."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count

import pytest

from tests.bench import figures, sides
from tests.bench.measuring import NotMeasured, Side, compared
from tests.bench.rows import ROWS, START

ROW = {"name": "one", "work": "play-outs", "against": "C", "unit": "moves", "aim": 0.25, "runs": 5,
       "rate": {"median": 2_490_000, "min": 1, "max": 3}, "against_rate": {"median": 99_900_000, "min": 1, "max": 3},
       "ratio": {"median": 0.024925, "min": 0.02, "max": 0.03}, "load": 1.25, "measured": "2026-11-24"}


def test_the_page_is_made_of_what_is_kept() -> None:
    kept = json.loads(figures.KEPT.read_text(encoding="utf-8"))
    text = figures.PAGE.read_text(encoding="utf-8")
    assert text.count(figures.BEGIN) == text.count(figures.END) == 1
    assert figures.paged(text, kept) == text
    names = [*(row.name for row in ROWS), START]
    assert [row["name"] for row in kept["rows"]] == [name for name in names if name in {
        row["name"] for row in kept["rows"]}]


def test_a_row_tells_whether_it_misses_its_aim_or_what_is_missing() -> None:
    assert figures.cells(ROW) == ("play-outs", "2.49 M moves/s", "C", "99.9 M moves/s", "0.0249 x (0.02, 0.03), missed",
                                  ">= 0.25", "5", "1.2")
    missing = {key: ROW[key] for key in ("name", "work", "against", "unit", "aim")} | {"why": "there is no C compiler"}
    assert figures.cells(missing) == (
        "play-outs", "", "C", "", "not measured: there is no C compiler", ">= 0.25", "", "")
    start = ROW | {"name": START, "aim": 0.15, "ratio": {"median": 0.2, "min": 0.1, "max": 0.3}}
    assert figures.cells(start)[4:6] == ("0.2 s more (0.1, 0.3), missed", "at most 0.15 s more")


def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], int]:
    """A clock that only what is measured moves on."""
    now = [0.0]
    monkeypatch.setattr("tests.bench.measuring.time.process_time", lambda: now[0])

    def takes(seconds: float) -> int:
        now[0] += seconds
        return 10

    return takes


def test_a_ratio_is_that_of_the_runs_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    takes = clock(monkeypatch)
    found = compared(Side(lambda: takes(0.5), lambda: takes(100)), Side(lambda: takes(2.0)), 3)
    assert found["rate"] == {"median": 20, "min": 20, "max": 20}
    assert found["against_rate"]["median"] == 5
    assert found["ratio"] == {"median": 4, "min": 4, "max": 4}


def test_what_is_slow_in_between_is_seen_in_the_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    takes, times = clock(monkeypatch), count()
    found = compared(Side(lambda: takes(4.0 if next(times) == 3 else 1.0)), Side(lambda: takes(1.0)), 3)
    assert found["ratio"] == {"median": 1, "min": 0.25, "max": 1}


def test_a_slow_yardstick_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Side(lambda: 1)
    monkeypatch.setattr(Side, "rate", lambda side, _: 299.0 if side is not slow else 1.0)
    monkeypatch.setattr(sides, "by_hand", lambda *_: slow)
    monkeypatch.setattr(sides, "c_code", lambda: None)
    with pytest.raises(NotMeasured, match="only 299 times the Python one"):
        sides.by_c("connect_four")
    monkeypatch.setattr(Side, "rate", lambda side, _: 44.0 if side.work.__name__ == "work" else 100.0)
    with pytest.raises(NotMeasured, match=r"0\.44 of json\.loads"):
        sides.judged_by_hand()


@pytest.mark.parametrize("made", [
    lambda: sides.played_out("connect_four", "generated", 1), lambda: sides.judged("generated"),
    lambda: sides.judged("generated", unlike=True), lambda: sides.memory("go_goal", "reference"),
    lambda: sides.of_others("holdem", "generated")], ids=["play-outs", "file", "unlike", "memory", "others"])
def test_what_is_measured_is_done(made: Callable[[], Side]) -> None:
    side = made()
    side.ready()
    assert side.work() > 10


def test_the_libraries_of_others_find_the_same_games_right() -> None:
    pytest.importorskip("chess", reason="of the extra `convert`")
    moves = sum(line.count('"do"') for lines in sides.foreign_logs("chess") for line in lines)
    assert sides.chess_by_library().work() == moves
    pytest.importorskip("pokerkit", reason="of the extra `oracles`")
    actions = sum(line.count('"do"') for lines in sides.foreign_logs("holdem") for line in lines)
    assert sides.holdem_by_library().work() == actions
