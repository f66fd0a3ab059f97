"""Pages of logs and reports: documents made, and written as HTML files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from referee.api.whole_files import write_whole
from referee.diagnostics.diagnostic import Problems
from referee.game.log.log_header import HeaderFault
from referee.game.log.log_reader import LogProblem, open_log
from referee.judge.judgement_summary import Loader
from referee.judge.log_run import Options, judge_path
from referee.judge.verdict import LogVerdict
from referee.page.html_file import html_of
from referee.page.log_page import blank_log_document, log_document
from referee.page.report_pages import VerdictsPage
from referee.system.deadline import NEVER, Deadline


def log_page(path: str, load: Loader, viewer: str | None, timeout: float | None) -> tuple[dict[str, Any], LogVerdict]:
    """The document of a log's page, and the verdict on the log. `viewer`: a player or `public`, None for somebody who
    sees everything; `timeout` in seconds, for the verdict and for the page each."""
    verdict = judge_path(path, load, Options(viewer, timeout=timeout))
    try:
        with open_log(path) as log:
            return log_document(log, verdict, load, viewer, NEVER if timeout is None else Deadline(timeout)), verdict
    except (Problems, HeaderFault, LogProblem):  # the verdict says what is wrong
        return blank_log_document(verdict), verdict


class VerdictsFile:
    """The page of verdicts that come one after the other, for a file."""

    def __init__(self, path: Path) -> None:
        self._path, self._page = path, VerdictsPage()

    def note(self, verdict: LogVerdict) -> None:
        """Takes the next one."""
        self._page.note(verdict)

    def write(self) -> None:
        """Writes the page of those so far. Raises `OSError`."""
        write_page(self._page.document(), self._path)


def write_page(document: Mapping[str, Any], path: Path) -> None:
    """Writes a page, whole or not at all. Raises `OSError`."""
    write_whole(path, [html_of(document).removesuffix("\n")])
