"""What is kept of proofs: the page has it as it is, and runs go on from there."""

from __future__ import annotations

from pathlib import Path

from referee.core.stmt import Origin
from referee.diagnostics.source import Span
from referee.proofs.proof_outcomes import Proof, ProofOutcome
from tests.proofs.__main__ import KEPT, PAGE, Kept, better, certain, table


def test_the_page_has_what_is_kept() -> None:
    assert table(Kept(KEPT)) in PAGE.read_text(encoding="utf-8")


def test_what_is_open_is_tried_again_with_more_time_alone() -> None:
    assert certain({"outcome": "proved", "timeout": 10.0}, 300.0)
    assert not certain({"outcome": "unknown", "timeout": 10.0}, 300.0)
    assert certain({"outcome": "unknown", "timeout": 300.0}, 300.0)
    assert not certain(None, 1.0)


def test_what_was_found_out_is_not_forgotten() -> None:
    open_ = Proof("one", ProofOutcome.UNKNOWN, Origin(Span("a.rules", 1, 1, 1, 1)))
    assert not better(open_, {"outcome": "candidate", "timeout": 10.0})
    assert better(open_, {"outcome": "unknown", "timeout": 10.0})
    assert better(open_, None)


def test_other_rules_are_tried_anew(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept.json")
    kept.shape("go_goal", 2)["claims"]["one"] = {"outcome": "proved", "how": "", "timeout": 1.0}
    kept.write()
    again = Kept(tmp_path / "kept.json")
    assert "one" in again.shape("go_goal", 2)["claims"]
    again.shapes["go_goal 2"]["rules"] = "others"
    assert again.shape("go_goal", 2)["claims"] == {}
