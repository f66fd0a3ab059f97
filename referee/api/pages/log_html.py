"""The page of a log for programs: one HTML file as a text."""

from __future__ import annotations

from pathlib import Path

from referee.api.argument_checks import a_text, a_timeout, path_text
from referee.api.error_translation import told
from referee.api.execution_lock import LOCK
from referee.api.log_inputs import LogSource, written
from referee.api.pages.log_files import log_page
from referee.api.rule_sources import RulesSource
from referee.api.runs.log_engines import Rules
from referee.page.html_file import html_of


def log_html(log: LogSource, rules: str | Path | None = None, *, for_: str | None = None,
             timeout: float | None = None) -> str:
    """A page that shows a log step by step, with its verdict (`spec/pages.md`): one HTML file, as a text.

    `rules`: by name or path, None for those that the log names; `for_`: a player or `public`: nothing is in the page
    that he may not know; `timeout` in seconds, for the verdict and for the page each. A log that cannot be read has a
    page too, with a verdict that says why. Raises `ArgumentError` for what is no log, `RulesError` if there are no such
    rules.

    >>> import referee
    >>> game = referee.load("sticks.rules").new_game(["Ana", "Ben"])
    >>> game.play("Ana", "take", sticks=3)
    >>> page = referee.log_html(game.log(), "sticks.rules", for_="Ben")
    >>> page.startswith("<!DOCTYPE html>"), "Ana: take sticks 3" in page
    (True, True)
    """
    if for_ is not None:
        a_text(for_, "`for_`")
    a_timeout(timeout)
    source = None if rules is None else RulesSource(rules if isinstance(rules, str) else Path(path_text(rules)))
    with LOCK, told(), written([log]) as (path,):
        document, _ = log_page(path, Rules(source), for_, timeout)
    return html_of(document)
