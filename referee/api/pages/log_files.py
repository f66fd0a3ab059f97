"""Pages of logs and reports: documents made, and written as HTML files."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.api.whole_files import write_whole
from referee.archives.log_addresses import lies_there, meant
from referee.archives.urls import is_url
from referee.frontend.loading.ruleset_files import SUFFIX, names
from referee.judge.judgement_summary import Loader
from referee.judge.log_run import Options, judge_path
from referee.judge.verdict import LogVerdict
from referee.page.html_file import html_of
from referee.page.log_page import LogRecorder
from referee.page.report_pages import VerdictsPage
from referee.report.text.printable import printable
from referee.system.deadline import NEVER, Deadline


def no_log(path: str) -> str | None:
    """Why no page can be made of what is said to be a log: there is nothing, or rules lie there; None for a file."""
    file = meant(path)[0]
    if not lies_there(file) and path not in names():
        return f"there is no log {printable(path, 200)}"
    if (not os.path.isfile(file) and not is_url(file)) or file.endswith(SUFFIX):
        return f"{printable(path, 200)} is a ruleset or a folder: say the path of a log, of a game that was recorded"
    return None


def log_page(path: str, load: Loader, viewer: str | None, timeout: float | None) -> tuple[dict[str, Any], LogVerdict]:
    """The document of a log's page, and the verdict on the log: it is judged once for both. `viewer`: a player or
    `public`, None for somebody who sees everything; `timeout` in seconds."""
    recorder = LogRecorder(viewer, NEVER if timeout is None else Deadline(timeout))
    verdict = judge_path(path, load, Options(viewer, timeout=timeout), recorder)
    return recorder.document(replace(verdict, facts=recorder.facts(verdict))), verdict


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
