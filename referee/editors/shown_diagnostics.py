"""Diagnostics as an editor shows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path

from referee.diagnostics.codes import CODES
from referee.diagnostics.diagnostic import Diagnostic, Severity
from referee.editors.text_positions import TextPlaces

SOURCE = "referee"
_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error, Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.NOTE: types.DiagnosticSeverity.Information,
}


def shown(found: Diagnostic, places: Callable[[Path], TextPlaces]) -> types.Diagnostic:
    """A diagnostic with its code; what was expected and the hint stand below its message. `places`: of a file."""
    lines = [found.message]
    if found.expected:
        lines.append(f"expected {', '.join(found.expected)}")
    if found.hint:
        lines.append(f"hint: {found.hint}")
    related = [
        types.DiagnosticRelatedInformation(
            types.Location(uri_of(Path(span.path)), places(Path(span.path)).range(span)), note)
        for note, span in found.notes if span is not None
    ]
    return types.Diagnostic(
        range=places(Path(found.span.path)).range(found.span), message="\n".join(lines), code=found.code, source=SOURCE,
        severity=_SEVERITIES[found.severity], related_information=related or None,
        data={"hint": found.hint or "", "expected": list(found.expected)},
    )


def uri_of(path: Path) -> str:
    """The name of a file for an editor."""
    return from_fs_path(str(path)) or path.as_uri()


def explained(code: str) -> str | None:
    """What a code means, in two lines; None if there is no such code."""
    known = CODES.get(code)
    return None if known is None else f"**{code}** {known.title}\n\n{known.explanation}"
