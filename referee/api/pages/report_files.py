"""Pages of what can be asked of rules: reviews with the positions of their findings, and rulebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from referee.api.results.rule_results import CoverageReport
from referee.api.rule_sources import RulesSource
from referee.api.runs.log_engines import Rules
from referee.archives.log_opening import open_log
from referee.core.flow import Flow
from referee.judge.log_run import judge_path
from referee.judge.verdict import LogOutcome
from referee.page.report_pages import coverage_document, proofs_document, review_document
from referee.page.statement_uses import StatementUses
from referee.report.data.listed_points import listed_points
from referee.report.data.scene_data import scene_data

if TYPE_CHECKING:
    from referee.api.runs.witness_games import Games
    from referee.review.review import Review

MOST_SCENES = 400
"""Positions after what findings show, at most."""


def review_page(title: str, report: Mapping[str, Any], found: Review, games: Games) -> dict[str, Any]:
    """The page of a review. `report`: its data for JSON."""
    after: list[Sequence[Mapping[str, Any] | None]] = []
    left = MOST_SCENES
    for one in found.findings:
        scenes: list[Mapping[str, Any] | None] = []
        for candidate in one.candidates:
            scene = candidate.scene
            if scene is None and one.witness is not None and candidate.events and left:
                left -= 1
                events = (*one.witness.events, *candidate.events)
                scene = games.scene(replace(one.witness, events=events, drawn=None))
            scenes.append(None if scene is None else scene_data(scene))
        after.append(scenes)
    return review_document(title, report, after, games.pictures())


def proofs_page(report: Mapping[str, Any]) -> dict[str, Any]:
    """The page of proofs. `report`: their data for JSON."""
    return proofs_document(report)


def coverage_page(source: RulesSource, report: CoverageReport, logs: Iterable[str] | None) -> dict[str, Any]:
    """The page of a rulebook. `logs`: paths of logs of which it is counted how often they used it, None for none.

    Raises `Problems` for rules or scenarios that cannot be read.
    """
    flow = source.flow()
    uses, unread, number = StatementUses(), [], 0
    load = Rules(source)
    for path in logs or ():
        if judge_path(path, load).outcome is LogOutcome.LEGAL:
            number += 1
            with open_log(path) as log:
                uses.count(log, load)
        else:
            unread.append(path)
    scenarios = source.scenarios.found
    asked = _questions(flow)
    beside = {one.id: {
        "scenarios": [scenario.title for scenario in scenarios if one.id in scenario.cites],
        "questions": [text for text, cites in asked if one.id in cites],
        "events": uses.events[one.id], "logs": uses.logs[one.id],
    } for one in report.statements}  # fmt: skip
    return coverage_document(report.ruleset, flow.core.title or report.ruleset, report.data(), beside,
                             None if logs is None else number, unread)  # fmt: skip


def _questions(flow: Flow) -> list[tuple[str, tuple[str, ...]]]:
    """What the rules leave open, in words, with what they cite there: readings, and points where the table decides."""
    readings = [(one.text, one.origin.cites) for one in flow.core.readings.values()]
    points = [(label, one.origin.cites) for one in listed_points(flow) if one.kind == "unspecified"
              for label, _ in one.offers]  # fmt: skip
    return readings + points
