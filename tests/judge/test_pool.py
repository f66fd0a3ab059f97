"""Card pools: a log may bring the rows of a kind; what does not fit is a fault of its header."""

from __future__ import annotations

import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from referee.api.runs.log_engines import Rules
from referee.frontend import load
from referee.game.log.log_reader import Log
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome, LogVerdict
from tests.judge.playing import PLAIN, does, ends, wrong

SQUADS = str(Path(__file__).parent / "pools" / "squads.rules")


def row(name: str, worth: Any = 1, effect: Any = "nothing_more", keeper: Any = False, **more: Any) -> dict[str, Any]:
    return {"name": name, "worth": worth, "effect": effect, "keeper": keeper, "left": 3, "right": 4,
            **more}


def judged(pool: Any, *lines: dict[str, Any], rules: Rules | None = None) -> LogVerdict:
    head = {"schema": "referee/log/1", "ruleset": "squads", "players": ["ana", "ben"], "pool": pool}
    text = "".join(f"{json.dumps(line)}\n" for line in (head, *lines))
    return judge_log(Log(io.StringIO(text), "game.jsonl"), rules or Rules(SQUADS), PLAIN)


def test_the_rows_of_a_log_stand_in_the_place_of_the_file() -> None:
    pool = {"Card": [row("Zed", 4), row("Yan", "2", "again"), row("Xu", 9, keeper="yes"), row("Wu")]}
    lines = [does("ana", "field", card="Zed"), {"assert": {"points of ana": 4, "number of box": 3}},
             does("ben", "field", card="Yan"), {"assert": {"points of ben": 4, "worth of Xu": 9}},
             {"assert": {"pace(Yan, right)": 4}}]
    assert judged(pool, *lines).outcome is LogOutcome.LEGAL
    verdict = judged(pool, does("ana", "field", card="Xu"))
    assert wrong(verdict)[:2] == (2, "illegal move")
    assert verdict.wrong is not None
    assert [fact.text for fact in verdict.wrong.failed] == ["no keeper"]
    assert wrong(judged(pool, does("ana", "field", card="Old One")))[:2] == (2, "bad argument")


def test_each_log_has_its_own() -> None:
    rules = Rules(SQUADS)
    for worth in range(1, 6):
        line = {"assert": {"points of ana": worth}}
        assert judged({"Card": [row("Zed", worth)]}, does("ana", "field", card="Zed"), line,
                      ends("ana"), rules=rules).outcome is LogOutcome.LEGAL
    assert judged({}, does("ana", "field", card="Old Two"), rules=rules).outcome is LogOutcome.LEGAL


def test_an_empty_pool_is_the_file() -> None:
    assert (
        judged({}, does("ana", "field", card="Old Two"), {"assert": {"points of ana": 10}}).outcome is LogOutcome.LEGAL
    )


@pytest.mark.parametrize(("pool", "said"), [
    ({"Cart": [row("Zed")]}, "no rows for Cart"), ({"Effect": [row("Zed")]}, "no rows for Effect"),
    ({"Card": [row("Zed", script="draw 2")]}, "no column script"),
    ({"Card": [{"name": "Zed", "worth": 1}]}, "no column effect"),
    ({"Card": [row("Zed", 10)]}, "worth of Zed is"), ({"Card": [row("Zed", "many")]}, "worth of Zed is"),
    ({"Card": [row("Zed", effect="win")]}, "effect of Zed is"),
    ({"Card": [row("Zed", keeper="perhaps")]}, "keeper of Zed is"),
    ({"Card": [row("Zed"), row("Zed")]}, "Zed stands twice"), ({"Card": [row("")]}, "has no `name`"),
    ({"Card": [row("x" * 100)]}, "has no `name`"),
])
def test_a_pool_that_does_not_fit(pool: Any, said: str) -> None:
    verdict = judged(pool, does("ana", "field", card="Zed"))
    assert (verdict.outcome, verdict.exit) == (LogOutcome.UNREADABLE, 4)
    assert [found.code for found in verdict.diagnostics] == ["LG30"]
    assert said in verdict.diagnostics[0].message


def test_a_pool_is_part_of_the_shape() -> None:
    core = load(SQUADS, pool={"Card": [row("Zed"), row("Yan", 2)]})
    assert [one.name for one in core.components] == ["Zed", "Yan"]
    assert [one.name for one in load(SQUADS).components] == ["Old One", "Old Two"]


def decks(red: int, blue: int) -> dict[str, Any]:
    """Cards for a bundled game in which each plays with a deck of his own; of one that size there are these."""
    path = Path(__file__).parent.parent.parent / "rulesets" / "adrenalyn_xl" / "data" / "cards.toml"
    rows = tomllib.loads(path.read_text("utf-8"))["card"]
    left = {"red": red, "blue": blue}
    kept = []
    for one in rows:
        if one["sort"] not in ("goalkeeper", "special"):
            if not left.get(one["side"], 0):
                continue
            left[one["side"]] -= 1
        kept.append(one)
    return {"Card": kept}


def with_decks(red: int, blue: int) -> LogVerdict:
    head = {"schema": "referee/log/1", "ruleset": "adrenalyn_xl", "players": ["ana", "ben"], "pool": decks(red, blue)}
    deal = does("fate", "deal", to="ana", cards=[row["name"] for row in head["pool"]["Card"]  # type: ignore[index]
                                                 if row["side"] == "red" and row["sort"] != "goalkeeper"][:4])
    text = "".join(f"{json.dumps(line)}\n" for line in (head, deal))
    return judge_log(Log(io.StringIO(text), "game.jsonl"), Rules("adrenalyn_xl"), PLAIN)


def test_decks_may_be_of_any_size_that_can_be_dealt() -> None:
    assert with_decks(17, 17).outcome is LogOutcome.LEGAL
    assert with_decks(4, 25).outcome is LogOutcome.LEGAL


@pytest.mark.parametrize(("red", "blue"), [(3, 17), (17, 2), (0, 25)])
def test_a_pool_that_is_not_enough_for_set_up_is_a_fault_of_the_header(red: int, blue: int) -> None:
    found = with_decks(red, blue)
    assert (found.outcome, [one.code for one in found.diagnostics]) == (LogOutcome.UNREADABLE, ["LG30"])
    assert found.diagnostics[0].message.endswith(
        f"is not enough to set up: setup.deal takes 4 Card, and {min(red, blue)} are there")
