"""Where the grammar and the rulesets are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.system import bundled_files


def test_a_checkout_has_them_beside_the_package() -> None:
    assert bundled_files.grammar_path().is_file()
    assert list(bundled_files.rulesets_root().rglob("*.rules"))


def test_a_wheel_has_them_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "_bundled"
    inside.mkdir()
    monkeypatch.setattr(bundled_files, "_INSTALLED", inside)
    assert bundled_files.grammar_path() == inside / "grammar" / "referee.lark"
    assert bundled_files.rulesets_root() == inside / "rulesets"
