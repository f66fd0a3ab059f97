"""Rules files that load, and rules files that do not with what is said about each (`--accept` writes that anew)."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.diagnostics.codes import CODES, SYNTAX
from referee.syntax.formatter import format_text
from tests.language.harness import complaints, drawn, syntax_complaints

HERE = Path(__file__).parent
BAD = sorted(HERE.glob("bad/*.rules"))
GOOD = sorted(HERE.glob("good/*.rules"))
BUNDLED = sorted((HERE.parent.parent / "rulesets").rglob("*.rules"))

# Nothing that a file could hold: the file cannot be read at all.
WITHOUT_FILE = {"SY01"}


def name(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", BAD, ids=name)
def test_what_is_said_about_bad_rules(
    path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(path.parent)
    found = drawn(Path(path.name))
    expected = path.with_suffix(".expected")
    if request.config.getoption("--accept"):
        expected.write_text(found, encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", BAD, ids=name)
def test_bad_rules_have_codes_that_are_listed(path: Path) -> None:
    found = complaints(path)[0]
    assert found
    assert {diagnostic.code for diagnostic in found} <= set(CODES)


@pytest.mark.parametrize("path", GOOD, ids=name)
def test_good_rules_load(path: Path) -> None:
    assert complaints(path)[0] == ()


@pytest.mark.parametrize("path", [*GOOD, *BUNDLED], ids=name)
def test_good_rules_are_laid_out_as_the_formatter_does_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == text


def test_each_code_of_the_syntax_has_a_file() -> None:
    shown = {diagnostic.code for path in BAD for diagnostic in syntax_complaints(path)}
    assert shown == set(SYNTAX) - WITHOUT_FILE
