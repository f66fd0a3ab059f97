"""What the codes of errors and diagnostics mean, and which name somebody may have meant."""

from __future__ import annotations

from referee.api.errors import ArgumentError
from referee.diagnostics.code_text import Code
from referee.diagnostics.codes import CODES
from referee.diagnostics.suggestions import did_you_mean as did_you_mean


def code_named(code: str) -> Code:
    """The title and the explanation of a code, capital letters or not. Raises `ArgumentError` (AP02)."""
    known = CODES.get(code.upper())
    if known is None:
        raise ArgumentError("AP02", f"there is no code {code}", hint=did_you_mean(code.upper(), CODES))
    return known
