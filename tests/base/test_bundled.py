"""Where the grammar and the rulesets are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.base import bundled


def test_a_checkout_has_them_beside_the_package() -> None:
    assert bundled.grammar_path().is_file()
    assert list(bundled.rulesets_root().rglob("*.rules"))


def test_a_wheel_has_them_inside_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "_bundled"
    inside.mkdir()
    monkeypatch.setattr(bundled, "_INSTALLED", inside)
    assert bundled.grammar_path() == inside / "grammar" / "referee.lark"
    assert bundled.rulesets_root() == inside / "rulesets"
