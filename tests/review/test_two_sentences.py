"""Other answers that only two sentences together leave open: rules in which they do, and with one that settles it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.review.test_questions import asked, expected, named, ruleset

ROWS = sorted(path for path in (Path(__file__).parent / "two_sentences").iterdir() if path.is_dir())


@pytest.mark.parametrize("row", ROWS, ids=[row.name for row in ROWS])
def test_two_open_sentences_are_a_question_and_with_one_that_settles_it_none(row: Path, tmp_path: Path) -> None:
    (found,) = named(asked(ruleset(row, "open", tmp_path)), expected(row))
    assert found.cites == ("S-1", "S-2")
    assert named(asked(ruleset(row, "settled", tmp_path)), expected(row)) == []
