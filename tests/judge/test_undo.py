"""Events that are taken back: where the rules allow it, as many as there were, as many as are kept."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from referee.core.ruleset import Core
from referee.frontend import load
from referee.judge.undo_history import MOST_KEPT
from referee.judge.verdict import LogOutcome
from tests.changed_text import changed
from tests.judge.playing import does, ends, judged, wrong

RULES = Path(__file__).parent.parent / "language" / "constructs" / "undoes.rules"
TAKES = [does("ana", "take", number=3), does("ben", "take", number=3)]
LAST = does("ana", "take", number=3)


@lru_cache
def core() -> Core:
    return load(RULES)


def back(number: int) -> dict[str, Any]:
    return {"undo": number}


def claims(**entries: Any) -> dict[str, Any]:
    return {"assert": {text.replace("_", " "): value for text, value in entries.items()}}


def test_events_are_taken_back_and_others_take_their_place() -> None:
    lines = [*TAKES, back(1), claims(number_of_bank=6), does("ben", "take", number=1), claims(number_of_bank=5),
             back(2), claims(number_of_bank=9), *TAKES, LAST, ends("ana")]
    assert judged(core(), *lines).outcome is LogOutcome.LEGAL


def test_the_event_that_ended_the_game_is_taken_back() -> None:
    verdict = judged(core(), *TAKES, LAST, back(1), does("ana", "take", number=2), does("ben", "take", number=1),
                     ends("ben"))
    assert (verdict.outcome, verdict.winners) == (LogOutcome.LEGAL, ("ben",))
    assert judged(core(), does("ana", "concede"), back(1), *TAKES).outcome is LogOutcome.LEGAL


def test_where_the_log_ended_the_game_nothing_is_taken_back() -> None:
    """That something is taken back after the end says that the game was not over: so the end was claimed too early."""
    lines = [does("ana", "take", number="?"), does("ben", "take", number=3), does("ana", "take", number=2),
             does("ben", "take", number="?"), ends("ben")]
    assert judged(core(), *lines).outcome is LogOutcome.POSSIBLE
    assert wrong(judged(core(), *lines, back(1)))[:2] == (6, "early end")


def test_what_was_taken_back_may_not_be_built_on() -> None:
    assert wrong(judged(core(), *TAKES, back(1), LAST))[:2] == (5, "wrong player")


@pytest.mark.parametrize(("lines", "line", "said"), [
    ([back(1)], 2, "1 taken back, but only 0 came before"),
    ([*TAKES, back(3)], 4, "3 taken back, but only 2 came before"),
    ([*TAKES, back(1), back(2)], 5, "2 taken back, but only 1 came before"),
])
def test_no_more_than_there_were(lines: list[dict[str, Any]], line: int, said: str) -> None:
    assert wrong(judged(core(), *lines)) == (line, "not allowed", said)


def test_nothing_after_the_end_line() -> None:
    assert wrong(judged(core(), *TAKES, LAST, ends("ana"), back(1)))[:2] == (6, "event after the end")


def test_more_than_are_kept_is_unknown() -> None:
    waits = [does(("ana", "ben")[number % 2], "wait") for number in range(MOST_KEPT + 8)]
    assert judged(core(), *waits, back(MOST_KEPT), back(1)).outcome is LogOutcome.UNKNOWN
    assert judged(core(), *waits, back(MOST_KEPT), *waits[8:], back(20)).outcome is LogOutcome.LEGAL
    verdict = judged(core(), *waits, back(MOST_KEPT + 1))
    assert (verdict.outcome, verdict.at) == (LogOutcome.UNKNOWN, len(waits) + 2)
    assert verdict.reason == "at most 32 events can be taken back"


def test_without_leave_nothing_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "undoes.rules"
    path.write_text(changed(RULES.read_text("utf-8"), {"undo allowed\n": ""}), encoding="utf-8")
    message = "1 taken back, but these rules know no undo"
    assert wrong(judged(load(path), *TAKES, back(1))) == (4, "not allowed", message)


def test_what_stands_before_an_undo_is_told_and_what_was_taken_back_is_not() -> None:
    lines = [does("ana", "wait"), does("ben", "take", number=3), does("ana", "take", number=1), back(1),
             does("ana", "take", number=2), does("ben", "take", number=3), back(1)]
    found = judged(core(), *lines, claims(number_of_bank=7)).wrong
    assert found is not None
    assert [(one.line, one.text) for one in found.because] == [
        (6, "bank: - Coin x2, by take"), (3, "bank: - Coin x3, by take"), (None, "bank held 9 as the game began")]
    late = judged(core(), *lines, does("ana", "wait")).wrong
    assert late is not None
    assert late.because
    assert {one.line for one in late.because} == {6}


def test_the_whole_way_can_be_taken_back() -> None:
    """More events than lie between two positions that are kept."""
    waits = [does(("ana", "ben")[number % 2], "wait") for number in range(56)]
    lines = [does("ana", "take", number=1), *waits[1:], back(20), claims(number_of_bank=9)]
    found = judged(core(), *lines).wrong
    assert found is not None
    assert [(one.line, one.text) for one in found.because] == [
        (2, "bank: - Coin, by take"), (None, "bank held 9 as the game began")]
    assert judged(core(), *waits[:20], back(20), claims(number_of_bank=8)).wrong.because[0].text == (  # type: ignore[union-attr]
        "bank: 9, as the game began; only take changes it")
