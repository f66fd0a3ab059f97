"""What the codes of errors and diagnostics mean, and the classes of findings; which name somebody may have meant."""

from __future__ import annotations

from referee.api.errors import ArgumentError
from referee.diagnostics.code_text import Code
from referee.diagnostics.codes import CODES
from referee.diagnostics.suggestions import did_you_mean as did_you_mean
from referee.review.class_meanings import MEANINGS

CLASSES = tuple(MEANINGS)
"""The classes of findings, as a review names them."""


def code_named(name: str) -> tuple[str, Code]:
    """A code or a class of findings as it is written, with its title and explanation; `name`: capital letters or not.
    Raises `ArgumentError` (AP02)."""
    if name.upper() in CODES:
        return name.upper(), CODES[name.upper()]
    if name.lower() in MEANINGS:
        return name.lower(), _class(name.lower())
    meant = did_you_mean(name.upper(), CODES) or did_you_mean(name.lower(), CLASSES)
    raise ArgumentError("AP02", f"there is no code {name}", hint=meant)


def _class(name: str) -> Code:
    from referee.review.detectors import DETECTORS  # a review imports much that no code needs

    return next(Code(one.title, MEANINGS[name]) for one in DETECTORS if one.code == name)
