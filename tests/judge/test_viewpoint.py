"""Who wrote a log down: holes are expected where somebody did not see everything, and else remarked upon."""

from __future__ import annotations

from typing import Any

import pytest

from referee.judge.verdict import LogOutcome, LogVerdict
from tests.judge import made_open
from tests.judge.playing import does, header, judged, wrong

DEALS = [does("fate", "deal", to="ana", card="T1"), does("fate", "deal", to="ben", card="T2")]
UNSEEN = [DEALS[0], does("fate", "deal", to="ben", card="?")]


def told(lines: list[dict[str, Any]], **entries: Any) -> LogVerdict:
    return judged(made_open.dealt(), *lines, head=header(**entries))


@pytest.mark.parametrize("viewpoint", ["all", "public", "ana"])
def test_without_holes_it_is_judged_as_usual(viewpoint: str) -> None:
    assert told([*DEALS, does("ana", "fold")], viewpoint=viewpoint).outcome is LogOutcome.LEGAL
    assert wrong(told([*DEALS, does("ben", "fold")], viewpoint=viewpoint))[:2] == (4, "wrong player")


@pytest.mark.parametrize("viewpoint", ["ana", "public"])
def test_a_hole_is_expected_where_somebody_did_not_see(viewpoint: str) -> None:
    verdict = told(UNSEEN, viewpoint=viewpoint)
    assert (verdict.outcome, verdict.ways, verdict.narrowing, verdict.diagnostics) == (LogOutcome.LEGAL, 1, (), ())


@pytest.mark.parametrize("entries", [{}, {"viewpoint": "all"}])
def test_a_hole_in_a_whole_log_is_remarked_upon(entries: dict[str, str]) -> None:
    verdict = told(UNSEEN, **entries)
    assert verdict.outcome is LogOutcome.LEGAL
    assert [(found.code, found.span.line) for found in verdict.diagnostics] == [("LG44", 3)]
