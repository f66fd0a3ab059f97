"""Every code that loading rules can end with is listed, and shown by a golden file or by a test named here."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from referee.diagnostics.codes import CODES, FLOW
from referee.diagnostics.frontend_codes import MEANING
from tests.house.imports import PACKAGE
from tests.language.harness import complaints

BAD = Path(__file__).parents[1] / "language" / "bad"
CODE = re.compile(r'"([A-Z]{2}\d\d)"')
LISTS = {PACKAGE / "diagnostics" / name for name in ("codes.py", "frontend_codes.py", "ledger_codes.py")}

# What concerns folders, shapes and statements stands in no rules file: tests of tests/frontend/test_files.py.
ELSEWHERE = {
    "RS01", "RS02", "SH01", "SH02", "SH03", "SH04", "SH05", "AS04", "ST01", "ST02", "ST03", "ST04", "ST05", "ST06",
    "ST07", "SQ02", "SQ03", "ID01",
}  # fmt: skip
OF_LOGS = {"LG15", "LG16", "LG17"}
"""What players may be called is the same in rules and logs, with the same codes."""


@cache
def golden() -> dict[str, tuple[Path, ...]]:
    """The golden files that are named after a code."""
    named: dict[str, tuple[Path, ...]] = {}
    for path in sorted(BAD.glob("[A-Z][A-Z][0-9][0-9]_*.rules")):
        named[path.stem[:4]] = (*named.get(path.stem[:4], ()), path)
    return named


def used() -> set[str]:
    sources = [path for path in PACKAGE.rglob("*.py") if path not in LISTS]
    return {code for path in sources for code in CODE.findall(path.read_text(encoding="utf-8"))}


def test_the_lists_of_codes_are_where_they_are_looked_for() -> None:
    assert all(path.is_file() for path in LISTS)


def test_every_code_in_the_source_is_listed() -> None:
    assert used() <= set(CODES)


def test_every_code_of_meaning_is_used() -> None:
    assert set(MEANING) | set(FLOW) <= used()


def test_every_code_of_meaning_has_a_golden_file_or_a_test() -> None:
    assert set(golden()) == (set(MEANING) | set(FLOW) | OF_LOGS) - ELSEWHERE


def test_codes_without_a_golden_file_are_tested() -> None:
    text = (Path(__file__).parent / "test_files.py").read_text(encoding="utf-8")
    assert set(CODE.findall(text)) >= ELSEWHERE


@pytest.mark.parametrize("path", [path for paths in golden().values() for path in paths], ids=lambda path: path.stem)
def test_a_golden_file_has_the_one_error_it_is_named_after(path: Path) -> None:
    found, sources = complaints(path)
    assert [diagnostic.code for diagnostic in found] == [path.stem[:4]]
    assert all(source.path == str(path) for source in sources)
