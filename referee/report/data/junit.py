"""Verdicts as JUnit XML: each log is a test case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from referee.judge.verdict import LogOutcome, LogVerdict
from referee.report.text.verdict_text import text_of

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAG = {
    LogOutcome.ILLEGAL: "failure", LogOutcome.UNREADABLE: "error", LogOutcome.NO_RULES: "error",
    LogOutcome.DEPENDS: "skipped", LogOutcome.UNKNOWN: "skipped", LogOutcome.STOPPED: "skipped",
}


def junit_of(verdicts: Sequence[LogVerdict]) -> str:
    """An XML document; failures are illegal logs, errors unreadable ones, what could not be told is skipped."""
    tags = [_TAG.get(verdict.outcome, "") for verdict in verdicts]
    numbers = " ".join(f'{name}="{tags.count(tag)}"' for name, tag in
                       (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")))
    cases = "\n".join(_case(verdict) for verdict in verdicts)
    return (f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n'
            f'<testsuite name="referee" tests="{len(tags)}" {numbers}>\n{cases}\n</testsuite>\n</testsuites>\n')


def _case(verdict: LogVerdict) -> str:
    head = f"<testcase classname={_quoted(verdict.ruleset or 'log')} name={_quoted(verdict.path)}"
    tag = _TAG.get(verdict.outcome)
    if tag is None:
        return f"{head}/>"
    text = _clean(text_of(verdict))
    message = _quoted(text.splitlines()[0])
    kind = verdict.wrong.kind.value if verdict.wrong is not None else verdict.outcome.value
    typed = "" if tag == "skipped" else f" type={_quoted(kind)}"
    return f"{head}>\n<{tag} message={message}{typed}>{escape(text)}</{tag}>\n</testcase>"


def _clean(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def _quoted(text: str) -> str:
    return quoteattr(_clean(text))
