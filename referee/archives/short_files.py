"""Files with nothing in them but one short log, as most are: read in one go, and looked at no further."""

from __future__ import annotations

import os
from stat import S_ISREG

from referee.archives.log_splitting import HEADER_WORD, TAKEN
from referee.archives.urls import is_url
from referee.game.log.log_reader import STDIN

_PACKED = (".gz", ".tgz", ".zst", ".tar", ".zip")
_TAR, _TAR_AT = b"ustar", 257
_READING = os.O_RDONLY | getattr(os, "O_BINARY", 0)


def short_file(path: str) -> bytes | None:
    """All that is in a file, if it is plainly one log; None for whatever has to be looked at more closely."""
    text = short_text(path)
    return text if text is not None and one_header(text) else None


def one_header(text: bytes) -> bool:
    """Whether the first line of a text may be a header, and surely no other."""
    first = text.find(HEADER_WORD)
    return 0 <= first < text.find(b"\n") and text.find(HEADER_WORD, first + 1) < 0


def short_text(path: str) -> bytes | None:
    """All that is in a short file, if that may be plainly one log."""
    if path == STDIN or path.endswith(_PACKED) or ("://" in path and is_url(path)):
        return None
    try:
        told = os.stat(path)
        size = told.st_size
        if not 0 < size < TAKEN or not S_ISREG(told.st_mode):
            return None
        file = os.open(path, _READING)
        try:
            text = os.read(file, size + 1)
        finally:
            os.close(file)
    except (OSError, ValueError):
        return None
    if len(text) == size and text.startswith(b"{") and text.endswith(b"\n") and not text.startswith(_TAR, _TAR_AT):
        return text
    return None
