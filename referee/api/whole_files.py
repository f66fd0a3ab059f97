"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: Path, lines: Iterable[str]) -> None:
    """Writes lines under a temporary name, then renames: whoever interrupts it finds the whole file or none.

    What was there before gives the new file its permissions. Raises `OSError` as writing does.
    """
    path = path.resolve()
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)
        with contextlib.suppress(FileNotFoundError):
            unfinished.chmod(path.stat().st_mode)
        os.replace(unfinished, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        if isinstance(error, OSError) and error.filename in (None, str(unfinished)):
            error.filename = str(path)  # of the other nobody has heard; what lines are made of has names of its own
        raise
