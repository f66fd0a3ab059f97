"""The dashboard has a row for each ruleset, and what can be counted at once is so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.dashboard.__main__ import COLUMNS, HEAD, README, places, rows
from tests.dashboard.figures import cheap


@pytest.mark.parametrize("place", places(), ids=lambda place: place.stem)
def test_a_row_is_true(place: Path) -> None:
    row = rows()[place.stem]
    assert {column: row[column] for column in cheap(place)} == cheap(place)
    assert all(row[column] for column in COLUMNS)


def test_it_is_as_it_was_written() -> None:
    assert README.read_text("utf-8").startswith(HEAD)
    assert list(rows()) == [place.stem for place in places()]
