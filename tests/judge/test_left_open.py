"""A header leaves a parameter open that has a default: the judge then finds out with which values the log stands."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.core.ruleset import Core
from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.log.header_setting import setting_of
from referee.game.log.log_header import header_of
from referee.interpreter.playouts import complete
from referee.interpreter.walker import Walker
from referee.judge.open_settings.setting_verdicts import explain
from referee.judge.verdict import LogOutcome
from tests.judge import made_open
from tests.judge.playing import does, header, judged, wrong

RULES = """
game "Limits" for 2 players

counters
  total: 0..30

given starter: player "who begins"
parameter limit: 1..6 default 3 "the number is lost"
parameter price of 1..3: 0..5 default 2 "the prices are lost"
  table free: 0

play
  starter must add
  nobody wins

action add(n: 1..6)
  needs "it is within the limit": n <= limit
  raise total by n + price(2)
"""


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Core:
    where: Path = tmp_path_factory.mktemp("rules") / "limits.rules"
    where.write_text(RULES, "utf-8")
    return load(where)


def under(core: Core, parameters: dict[str, Any], number: int, total: int | None = None) -> list[list[str]]:
    claims = [] if total is None else [{"assert": {"total": total}}]
    verdict = judged(core, does("ana", "add", n=number), *claims,
                     head=header(parameters=parameters, given={"starter": "ana"}))
    assert verdict.outcome is LogOutcome.LEGAL, verdict
    return [[str(made) for made in world] for world in verdict.under]


def test_left_out_it_has_its_default(core: Core) -> None:
    verdict = judged(core, does("ana", "add", n=4), head=header(given={"starter": "ana"}))
    assert wrong(verdict)[:2] == (2, "illegal move")
    assert under(core, {}, 3) == []


def test_left_open_it_may_be_any_value_of_its_range(core: Core) -> None:
    assert under(core, {"limit": "?"}, 4) == [["limit = 4..6"]]
    assert under(core, {"limit": "?"}, 1) == []


def test_of_one_with_keys_a_key_or_all_of_it_is_left_open(core: Core) -> None:
    assert under(core, {"price": {"2": "?"}}, 1, 5) == [["price(2) = 4"]]
    assert under(core, {"price": "?"}, 1, 5) == [["price(2) = 4"]]
    other = judged(core, does("ana", "add", n=1), {"assert": {"total": 5}},
                   head=header(parameters={"price": {"1": "?"}}, given={"starter": "ana"}))
    assert wrong(other) == (3, "broken claim", "total is 3, not 5")


def test_no_value_may_help(core: Core) -> None:
    verdict = judged(core, {"assert": {"total": 1}}, head=header(parameters={"limit": "?", "price": "?"},
                                                                 given={"starter": "ana"}))
    assert wrong(verdict) == (2, "broken claim", "total is 0, not 1")


def test_a_given_says_nothing_if_it_is_left_open(core: Core) -> None:
    verdict = judged(core, does("ben", "add", n=1), head=header(given={"starter": "?"}))
    assert [[str(made) for made in world] for world in verdict.under] == [["starter = ben"]]


def test_a_reading_cannot_be_left_open_so() -> None:
    verdict = judged(made_open.two_readings(), head=header(readings={"strict": "?"}))
    assert [found.code for found in verdict.diagnostics] == ["LG19"]


def test_a_game_by_chance_draws_what_is_left_open(core: Core) -> None:
    walker = Walker(lower(core))
    head = header(parameters={"limit": "?", "price": {"2": "?"}})
    setting = setting_of(header_of(head, lambda *_: None), core)
    drawn = [complete(walker, setting, Random(seed)).parameters for seed in range(40)]
    assert {one["limit"][()] for one in drawn} == set(range(1, 7))
    assert {one["price"][2,] for one in drawn} == set(range(6))
    assert all((1,) not in one["price"] for one in drawn)  # keeps its default


def test_what_is_left_open_is_inferred(core: Core, tmp_path: Path) -> None:
    head = header(parameters={"limit": "?"}, given={"starter": "ana"})
    log = tmp_path / "game.jsonl"
    log.write_text(f"{json.dumps(head)}\n{json.dumps(does('ana', 'add', n=5))}\n", "utf-8")
    walker = Walker(lower(core))
    found = explain(str(log), lambda _: walker)
    assert found.region is not None
    assert found.region.values(("limit", ())) == [(5, 6)]
