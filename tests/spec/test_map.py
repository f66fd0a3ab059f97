"""The pages that say where things are: every record of a decision is listed, under the heading that it has."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SPEC = Path(__file__).resolve().parents[2] / "spec"
RECORDS = sorted((SPEC / "decisions").glob("[0-9]*.md"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_record_has_its_number_and_is_in_the_index(path: Path) -> None:
    number = int(path.stem[:3])
    assert re.match(rf"# {number}\. \S", path.read_text("utf-8"))
    index = (SPEC / "decisions" / "README.md").read_text("utf-8")
    listed = re.findall(r"^\| \[(\d+)\]\((\S+)\) \| .+ \| .+ \|$", index, re.MULTILINE)
    assert listed.count((str(number), path.name)) == 1


def test_a_number_is_given_once() -> None:
    numbers = [path.stem[:3] for path in RECORDS]
    assert sorted(set(numbers)) == numbers
