"""Files that a user names besides rules and logs: read whole, up to a bound, or refused with a code."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from referee.diagnostics.diagnostic import Diagnostic, Problems
from referee.diagnostics.source import Span
from referee.system.file_observations import read_regular


def unusable(code: str, message: str, path: Path, expected: tuple[str, ...] = (), hint: str | None = None) -> Problems:
    """What is raised for a file that cannot be used, as a whole."""
    whole = Span(str(path), 1, 1, 1, 1)
    return Problems((Diagnostic(code, message, whole, expected=expected, hint=hint),))


def bytes_of(code: str, what: str, path: Path, most: int) -> bytes:
    """The bytes of a file. Raises `Problems` with the code if it cannot be read or has more than `most`."""
    try:
        content = read_regular(path, most + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise unusable(code, f"{what} cannot be read: {why}", path) from None
    if len(content) > most:
        raise unusable(code, f"{what} is larger than {most:,} bytes", path)
    return content


def toml_of(code: str, what: str, path: Path, most: int) -> dict[str, Any]:
    """What a TOML file says. Raises `Problems` with the code if it cannot be read, is too large or is no TOML."""
    content = bytes_of(code, what, path, most)
    try:
        return tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:  # numbers of very many digits are a ValueError of their own
        raise unusable(code, f"{what} is no TOML: {str(error)[:200]}", path) from None
