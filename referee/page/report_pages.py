"""The documents of pages of reports: what the commands say as JSON, with what a page needs beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from referee.judge.verdict import LogVerdict
from referee.report.data.page_schema import SCHEMA
from referee.report.data.verdict_data import as_data

MOST_VERDICTS = 2_000
"""That a page shows, at most."""


def _page(kind: str, title: str, **entries: Any) -> dict[str, Any]:
    return {"schema": SCHEMA, "kind": kind, "title": title, **entries}


class VerdictsPage:
    """The page of several verdicts, one after the other."""

    def __init__(self) -> None:
        self._told: list[dict[str, Any]] = []
        self._left_out = 0

    def note(self, verdict: LogVerdict) -> None:
        """Takes the next one."""
        if len(self._told) < MOST_VERDICTS:
            self._told.append(as_data(verdict))
        else:
            self._left_out += 1

    def document(self) -> dict[str, Any]:
        """The page of those so far."""
        names = sorted({str(one["ruleset"]) for one in self._told if one["ruleset"]})
        title = f"Verdicts: {', '.join(names)}" if len(names) in range(1, 4) else "Verdicts"
        return _page("verdicts", title, verdicts=self._told, left_out=self._left_out)


def review_document(title: str, report: Mapping[str, Any],
                    after: Sequence[Sequence[Mapping[str, Any] | None]], pictures: Mapping[str, str]) -> dict[str, Any]:
    """The page of a review. `report`: as `review.schema.json` says; `after`: for each finding and each way in which its
    game goes on, what lies where then; `pictures`: of the rules, as data URIs."""
    return _page("review", f"Review: {title}", report=dict(report), after=[list(one) for one in after],
                 pictures=dict(pictures))


def proofs_document(report: Mapping[str, Any]) -> dict[str, Any]:
    """The page of proofs. `report`: as `proofs.schema.json` says."""
    names = dict.fromkeys(str(shape["ruleset"]) for shape in report["shapes"])
    return _page("proofs", f"Proofs: {', '.join(names)}", report=dict(report))


def coverage_document(ruleset: str, title: str, report: Mapping[str, Any], beside: Mapping[str, Mapping[str, Any]],
                      logs: int | None, unread: Iterable[str]) -> dict[str, Any]:
    """The page of a rulebook. `report`: what became of its statements; `beside`: of each the scenarios and questions
    that cite it, and how many events of how many logs are legal by it."""
    kept = ("id", "state", "text", "reason", "places", "assumptions", "settles")
    statements = [{**{name: one[name] for name in kept}, **beside[one["id"]]} for one in report["statements"]]
    return _page("coverage", f"Rulebook: {title}", ruleset=ruleset, complete=report["complete"], statements=statements,
                 assumptions=list(report["assumptions"]), inferred=list(report["inferred"]), logs=logs,
                 unread=list(unread))  # fmt: skip
