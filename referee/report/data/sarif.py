"""Verdicts as SARIF 2.1.0, for tools that show findings at their line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee import __version__
from referee.archives.log_places import LogPlace
from referee.diagnostics.codes import CODES
from referee.diagnostics.diagnostic import Diagnostic, Severity
from referee.judge.verdict import FailedLine, LogOutcome, LogVerdict, WrongKind

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def sarif_of(verdicts: Sequence[LogVerdict]) -> dict[str, Any]:
    """One run with a result for each wrong line, each log that could not be judged, and each diagnostic."""
    results = [result for verdict in verdicts for result in _results(verdict)]
    used = sorted({str(result["ruleId"]) for result in results})
    driver = {
        "name": "referee", "version": __version__,
        "rules": [{"id": name, "shortDescription": {"text": _title(name)}} for name in used],
    }
    return sarif_run(driver, results)


def sarif_run(driver: dict[str, Any], results: list[dict[str, Any]]) -> dict[str, Any]:
    """A file with the results of one run."""
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _results(verdict: LogVerdict) -> list[dict[str, Any]]:
    found = [_diagnostic(diagnostic) for diagnostic in verdict.diagnostics]
    if verdict.wrong is not None and verdict.outcome is LogOutcome.ILLEGAL:
        found.append(result_at(_id(verdict.wrong.kind.value), "error", _message(verdict.wrong), verdict.path,
                               verdict.wrong.line))
    elif verdict.outcome in (LogOutcome.DEPENDS, LogOutcome.UNKNOWN, LogOutcome.STOPPED):
        message = f"{verdict.outcome.value}: {verdict.reason}"
        found.append(result_at(_id(verdict.outcome.value), "warning", message, verdict.path, verdict.at or 1))
    return found if verdict.place is None else [_in_archive(one, verdict.path, verdict.place) for one in found]


def _in_archive(result: dict[str, Any], name: str, place: LogPlace) -> dict[str, Any]:
    """A result of a log that is called otherwise than its file: at the file, with the log as logical location."""
    if name != place.file:
        for one in result["locations"]:
            artifact = one["physicalLocation"]["artifactLocation"]
            if artifact["uri"] == _uri(name):
                artifact["uri"] = _uri(place.file)
                one["logicalLocations"] = [{"fullyQualifiedName": name}]
    return result


def _message(wrong: FailedLine) -> str:
    cites = f" [{' '.join(wrong.cites)}]" if wrong.cites else ""
    failed = "; ".join(fact.text for fact in wrong.failed)
    assumed = "".join(f" (assumed: {one.text})" for one in wrong.assumed)
    return f"{wrong.kind.value}: {wrong.message}{cites}" + (f" (failed: {failed})" if failed else "") + assumed


def _diagnostic(found: Diagnostic) -> dict[str, Any]:
    return result_at(found.code, _LEVELS[found.severity], found.message, found.span.path, found.span.line,
                     found.span.column)


def result_at(rule: str, level: str, message: str, path: str, line: int, column: int = 1) -> dict[str, Any]:
    """One result at a place of a file."""
    return {"ruleId": rule, "level": level, "message": {"text": message}, "locations": [placed(path, line, column)]}


def placed(path: str, line: int, column: int = 1) -> dict[str, Any]:
    """A place in a file."""
    place = {"artifactLocation": {"uri": _uri(path)}, "region": {"startLine": line, "startColumn": column}}
    return {"physicalLocation": place}


def _uri(path: str) -> str:
    from urllib.parse import quote

    return quote(path.replace("\\", "/").encode("utf-8", "backslashreplace"))


def _id(words: str) -> str:
    return words.replace(" ", "-")


def _title(name: str) -> str:
    if name in CODES:
        return CODES[name].title
    return name.replace("-", " ") if name in {_id(kind.value) for kind in WrongKind} else f"verdict: {name}"
