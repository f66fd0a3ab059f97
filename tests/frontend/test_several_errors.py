"""Rules with many independent errors: each is told, once, in its line. `# wrong` marks the lines."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.language.harness import complaints

MARK = re.compile(r"\s# wrong( twice)?$", re.MULTILINE)
FILES = [
    path for path in sorted((Path(__file__).parents[1] / "language" / "bad").glob("several_*.rules"))
    if MARK.search(path.read_text(encoding="utf-8"))
]
FIFTY = 50


def marked(path: Path) -> Counter[int]:
    """The lines that are marked, each as often as it is wrong."""
    found: Counter[int] = Counter()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark = MARK.search(line)
        if mark is not None:
            found[number] = 2 if mark[1] else 1
    return found


def test_there_are_enough_of_them() -> None:
    numbers = [marked(path).total() for path in FILES]
    assert len(numbers) >= 10
    assert min(numbers) >= 5
    assert max(numbers) == FIFTY


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_error_is_told_in_its_line(path: Path) -> None:
    found, _ = complaints(path)
    assert Counter(diagnostic.span.line for diagnostic in found) == marked(path)
