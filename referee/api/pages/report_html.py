"""Pages of what is known of rules for programs: one HTML file each, as a text."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath

from referee.api.error_translation import told
from referee.api.execution_lock import LOCK
from referee.api.log_inputs import LogSource, logs_in, written
from referee.api.pages.report_files import coverage_page
from referee.api.results.rule_results import CoverageReport
from referee.api.rule_sources import RulesSource
from referee.page.html_file import html_of


def rulebook_html(source: RulesSource, report: CoverageReport, logs: Iterable[LogSource] | None) -> str:
    """The page of a rulebook. `logs`: of which it is counted how often they used it, None for none. Raises `RulesError`
    for scenarios that cannot be read and files that have changed, `ArgumentError` for what is no log."""
    with LOCK, told():
        if logs is None:
            return html_of(coverage_page(source, report, None))
        with written(logs) as paths:
            page = coverage_page(source, report, logs_in(paths))
    return html_of({**page, "unread": [PurePath(path).name for path in page["unread"]]})
