"""The report of a review is kept beside the ruleset: what a short review finds stands in it, and it is accepted."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.witness_games import load_for
from referee.cli.main import run
from referee.diagnostics.exit_codes import Exit
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.review.review import Review, review
from referee.review.subject import ReviewEffort
from tests.sample_sizes import by_lot

ROOT = Path(__file__).resolve().parents[2]
KEPT = sorted(path.parent for path in (ROOT / "rulesets").glob("*/review.txt"))
RULESETS = pytest.mark.parametrize("folder", by_lot(KEPT, "report", 2), ids=lambda folder: folder.name)
SHORT = ReviewEffort(games=15, events=300, positions=200)
LONG = ("reading-divergence", "reading-kills-sentence", "simultaneity", "dead", "vacuous", "shadowed")
"""Classes that take many games; the whole report has them."""
OPTIONS = {
    "adrenaline": ["--games", "40", "--events", "5000", "--positions", "200"],
    "il_mister": ["--games", "200", "--events", "2000", "--positions", "200"],
}
"""With what a report was made, where most games are longer than usual."""
ANSWERED = ("adrenaline", "adrenalyn_xl", "go_goal", "il_mister", "king_of_the_pitch")
"""Rulesets in which every question that is asked of them is answered."""


def ids(folder: Path) -> set[str]:
    """The ids of the findings that a report tells."""
    return set(re.findall(r" = id: (.+?) \(\d", (folder / "review.txt").read_text(encoding="utf-8")))


def classes(folder: Path) -> list[str]:
    """The classes in the table of a report."""
    table = (folder / "review.txt").read_text(encoding="utf-8").split("\n\n")[1]
    return [line.split()[0] for line in table.splitlines() if not line.startswith(" ")]


def rare(names: set[str]) -> list[str]:
    """The places of what is accepted although no random game came there or told it: scenarios do."""
    return [name.partition("/")[2] for name in sorted(names)]


def review_of(folder: Path, codes: Sequence[str]) -> Review:
    """A short review for the fewest players."""
    loaded = parsed(find(folder))
    return review(loaded, load_for(RulesSource(str(folder))), [Shape(loaded.range.fewest)], SHORT, only=codes)


def test_the_large_games_have_a_report() -> None:
    large = {"adrenaline", "adrenalyn_xl", "go_goal", "il_mister", "king_of_the_pitch"}
    assert large <= {folder.name for folder in KEPT}


@RULESETS
def test_what_a_short_review_finds_is_in_the_report_and_accepted(folder: Path) -> None:
    short = [code for code in classes(folder) if code not in LONG]
    found = review_of(folder, short)
    assert {one.id for one in found.flaws} <= ids(folder)
    assert found.new == ()


@RULESETS
def test_what_the_report_tells_is_what_the_rules_accept(folder: Path) -> None:
    text = (folder / "review.txt").read_text(encoding="utf-8")
    known = review_of(folder, ["indistinguishable"]).accepted
    accepted = {name for name in known if not name.startswith("question/")}  # these are asked for by themselves
    assert ids(folder) <= accepted
    unseen = rare(accepted - ids(folder))
    told = r"(, [^:,]+)*: (it never comes up|nothing tells)"
    assert all(re.search(rf" {re.escape(place)}{told}", text) for place in unseen)
    assert text.endswith(f"no findings, {len(ids(folder))} accepted\n")


@pytest.mark.skipif("REFEREE_REPORTS" not in os.environ, reason="takes minutes: REFEREE_REPORTS=1")
@RULESETS
def test_the_report_is_what_a_review_says(
    folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert run(["review", folder.name, "--all", *OPTIONS.get(folder.name, ())]) == Exit.GOOD
    said = capsys.readouterr().out
    if request.config.getoption("--accept"):
        (folder / "review.txt").write_text(said, encoding="utf-8")
    assert said == (folder / "review.txt").read_text(encoding="utf-8")


@pytest.mark.skipif("REFEREE_REPORTS" not in os.environ, reason="takes minutes: REFEREE_REPORTS=1")
@pytest.mark.parametrize("name", ANSWERED)
def test_every_question_about_rules_is_answered_in_them(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["review", str(ROOT / "rulesets" / name), "--questions", "--games", "40", "--strict"]) == Exit.OPEN
    assert capsys.readouterr().out.splitlines()[-1].startswith("no findings")
