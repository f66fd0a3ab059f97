"""Logs around a swap of two hands: what each player sees of it, and what holes can be afterwards."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from referee.frontend import load_flow
from referee.game.log.log_header import Header
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import engine
from tests.changed_text import changed
from tests.judge.playing import does, wrong
from tests.judge.test_redact import read, view

RULES = Path(__file__).parents[1] / "language" / "constructs" / "swaps.rules"
SWAP = "  swap hand of me with hand of other\n"
TWO_MOVES = """  move all Card in hand of me to aside
  move all Card in hand of other to hand of me
  move all Card in aside to hand of other
"""
HEAD: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "swaps", "players": ["ana", "ben", "cleo"]}


def dealt(ana: Any, ben: Any, cleo: Any) -> list[dict[str, Any]]:
    cards = {"ana": ana, "ben": ben, "cleo": cleo}
    return [HEAD, *(does("fate", "draw", to=who, card=card) for who, card in cards.items())]


def swapped(other: Any) -> dict[str, Any]:
    return does("ana", "swap", other=other)


@cache
def walker() -> Walker:
    return engine(load_flow(RULES, 3, {}))


def told(lines: list[dict[str, Any]], made: Walker | None = None) -> LogVerdict:
    def load(_: Header) -> Walker:
        return made or walker()

    return judge_log(read(lines), load)


GAME = [
    *dealt("SUN", "MOON", "STAR"), swapped("ben"), {"assert": {"number of MOON in hand of ana": 1}},
    {"assert": {"number of SUN in hand of ben": 1}}, does("ben", "lay", card="SUN"),
    does("fate", "draw", to="ben", card="SUN"), does("cleo", "swap", other="ben"),
    {"assert": {"number of STAR in hand of ben": 1}},
]


@pytest.mark.parametrize(("player", "asserts"), [("ana", [5]), ("ben", [6, 10]), ("cleo", []), ("public", [])])
def test_after_a_swap_each_sees_the_hand_that_is_his_now(player: str, asserts: list[int]) -> None:
    found = view(walker(), GAME, player)
    assert [line for line in found if line.get("assert")] == [GAME[at] for at in asserts]
    assert told(found).outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE)


@pytest.mark.parametrize("player", ["ana", "ben", "cleo", "public"])
def test_who_sees_what_is_as_by_moves(tmp_path: Path, player: str) -> None:
    path = tmp_path / "moves.rules"
    text = RULES.read_text(encoding="utf-8").partition("\nscenario")[0]
    path.write_text(changed(text, {SWAP: TWO_MOVES, "\nzones\n": "\nzones\n  aside: bag of Card, face down\n"}))
    by_moves = engine(load_flow(path, 3, {}))
    assert view(walker(), GAME, player) == view(by_moves, GAME, player)
    found = view(walker(), GAME, player)
    assert told(found).outcome == told(found, by_moves).outcome


def test_what_was_hidden_goes_with_the_hand() -> None:
    shown = does("ben", "lay", card="SUN")
    assert told([*dealt("SUN", "?", "?"), swapped("ben"), shown]).outcome is LogOutcome.LEGAL
    assert told([*dealt("?", "?", "?"), swapped("ben"), shown]).outcome is LogOutcome.POSSIBLE
    assert wrong(told([*dealt("MOON", "?", "?"), swapped("ben"), shown]))[:2] == (6, "illegal move")
    found = [*dealt("?", "?", "?"), swapped("ben"), shown, {"assert": {"number of SUN in hand of ben": 0}}]
    assert told([*found[:5], does("ben", "lay", card={"in": ["MOON"]})]).outcome is LogOutcome.POSSIBLE


def test_with_whom_may_be_a_hole_too() -> None:
    start = [*dealt("SUN", "MOON", "STAR"), swapped("?")]
    assert told(start).outcome is LogOutcome.LEGAL
    assert told([*start, does("ben", "lay", card="SUN")]).outcome is LogOutcome.POSSIBLE
    assert told([*start, does("ben", "lay", card="MOON")]).outcome is LogOutcome.POSSIBLE
    assert wrong(told([*start, does("ben", "lay", card="STAR")]))[:2] == (6, "illegal move")


def test_what_is_known_after_it_leads_back_to_what_was_drawn() -> None:
    known = {"assert": {"number of SUN in hand of ben": 1}}
    back = {"assert": {"number of SUN in hand of ana": 0}}
    assert told([*dealt("?", "MOON", "STAR"), swapped("ben"), known, back]).outcome is LogOutcome.POSSIBLE
    assert wrong(told([*dealt("STAR", "?", "STAR"), swapped("ben"), known]))[:2] == (6, "broken claim")
