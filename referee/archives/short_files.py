"""Files with nothing in them but one short log, as most are: read in one go, and looked at no further."""

from __future__ import annotations

import os
from contextlib import suppress
from stat import S_ISREG

from referee.archives.log_splitting import HEADER_WORD, TAKEN
from referee.archives.urls import is_url
from referee.game.log.log_reader import STDIN

_PACKED = (".gz", ".tgz", ".zst", ".tar", ".zip")
_TAR, _TAR_AT = b"ustar", 257


def short_file(path: str) -> bytes | None:
    """All that is in a file, if it is plainly one log; None for whatever has to be looked at more closely."""
    if path == STDIN or is_url(path) or path.endswith(_PACKED):
        return None
    with suppress(OSError, ValueError):
        told = os.stat(path)
        if not S_ISREG(told.st_mode) or not 0 < told.st_size < TAKEN:
            return None
        file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
        try:
            text = os.read(file, told.st_size + 1)
        finally:
            os.close(file)
        if len(text) == told.st_size and text.startswith(b"{") and text.endswith(b"\n") and (
                text[_TAR_AT:_TAR_AT + 5] != _TAR):
            first = text.find(HEADER_WORD)
            if 0 <= first < text.find(b"\n") and text.find(HEADER_WORD, first + 1) < 0:
                return text
    return None
