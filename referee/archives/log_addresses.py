"""What the address of a log means: a file, a member of it, one of the logs there."""

from __future__ import annotations

import os

from referee.archives.log_places import readings
from referee.archives.urls import is_url, open_url
from referee.game.log.log_reader import STDIN


def meant(text: str) -> tuple[str, str | None, int | None]:
    """The file, the member and the index that an address names, the last two None where it names all. What is really
    called so comes first; where nothing of it lies there it is taken for a file."""
    if lies_there(text):
        return text, None, None
    file, member, index = next((one for one in readings(text) if lies_there(one[0])), (text, "", None))
    return file, member or None, index


def lies_there(path: str) -> bool:
    """Whether there is such a file, folder or URL; the standard input always is."""
    if path == STDIN or not is_url(path):
        return path == STDIN or os.path.lexists(path)
    try:
        open_url(path).close()
    except OSError:
        return False
    return True
