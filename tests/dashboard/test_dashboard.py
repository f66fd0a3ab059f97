"""The dashboard has a row for each ruleset, and what can be counted at once is so."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path

import pytest

from referee.api.runs.log_engines import Rules
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.judge.log_run import judge_path
from referee.judge.verdict import LogOutcome
from tests.dashboard.__main__ import COLUMNS, HEAD, README, places, rows
from tests.dashboard.figures import cheap
from tests.dashboard.games_table import CLASSICS, PAGE, TRIAL, page, shapes, tokens
from tests.dashboard.like_with_like import FOREIGN, reduction
from tests.sample_sizes import FULL, drawn


@pytest.mark.parametrize("place", [one for one in places() if FULL or one.stem not in ("adrenaline", "il_mister")],
                         ids=lambda place: place.stem)
def test_a_row_is_true(place: Path) -> None:
    row = rows()[place.stem]
    assert {column: row[column] for column in cheap(place)} == cheap(place)
    assert all(row[column] for column in COLUMNS)


@pytest.mark.parametrize("name", sorted(json.loads(TRIAL.read_text("utf-8"))["tokens"]))
def test_what_is_left_of_a_classic_judges_its_games_as_the_whole_does(name: str, tmp_path: Path) -> None:
    found = reduction(name)
    assert found is not None
    rules = tmp_path / f"{name}.rules"
    rules.write_text(found[0], "utf-8")
    damaged = FOREIGN / name / "damaged"
    expected = json.loads((damaged / "expected.json").read_text("utf-8"))
    for folder, first, many in ((FOREIGN / name / "right", 0, 1), (damaged, 0, drawn(2, 30))):
        for path in sorted(folder.glob("*.jsonl"))[first:many]:
            header, *lines = path.read_text("utf-8").splitlines()
            without = {key: value for key, value in json.loads(header).items() if key != "options"}
            log = tmp_path / path.name
            log.write_text("\n".join((json.dumps(without), *lines)) + "\n", "utf-8")
            verdict = judge_path(str(log), Rules(str(rules)))
            line = None if folder != damaged else expected[path.name]["first_wrong_line"]
            assert verdict.outcome is (LogOutcome.ILLEGAL if line else LogOutcome.LEGAL), (path, verdict.outcome)
            assert (verdict.wrong.line if verdict.wrong else None) == line


def test_it_is_as_it_was_written() -> None:
    assert README.read_text("utf-8").startswith(HEAD)
    assert list(rows()) == [place.stem for place in places()]


def test_the_table_of_games_is_as_it_is_written() -> None:
    assert PAGE.read_text("utf-8") == page()


@pytest.mark.parametrize("name", ["crazy_eights", "go", "pig"])
def test_shapes_are_those_that_can_be_loaded(name: str) -> None:
    path = CLASSICS / f"{name}.rules"
    known = parsed(find(path)).range
    number = sum(prod(map(len, known.options_for(players).values())) for players in known.players)
    assert shapes(path.read_text("utf-8"))[1] == number


def test_tokens_are_counted_without_scenarios_and_comments() -> None:
    assert tokens('# a game\naction pass\n  raise n by 1  # once\nscenario "a b"\n  x\nalways few: n < 2\n') == 12
