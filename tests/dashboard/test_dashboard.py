"""The dashboard has a row for each ruleset, and what can be counted at once is so."""

from __future__ import annotations

from math import prod
from pathlib import Path

import pytest

from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from tests.dashboard.__main__ import COLUMNS, HEAD, README, places, rows
from tests.dashboard.figures import cheap
from tests.dashboard.games_table import CLASSICS, PAGE, page, shapes, tokens


@pytest.mark.parametrize("place", places(), ids=lambda place: place.stem)
def test_a_row_is_true(place: Path) -> None:
    row = rows()[place.stem]
    assert {column: row[column] for column in cheap(place)} == cheap(place)
    assert all(row[column] for column in COLUMNS)


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
