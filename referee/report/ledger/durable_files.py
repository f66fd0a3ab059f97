"""Files that are there whole, or not at all, also after the power was cut."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

UNFINISHED = ".unfinished"
"""How a file ends that is being written."""


def put(path: Path, pieces: Iterable[bytes]) -> None:
    """Writes a file beside its place, then puts it there. Raises `OSError`; what stood there stays then."""
    unfinished = path.with_name(path.name + UNFINISHED)
    try:
        with unfinished.open("wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except BaseException:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise
    settle(path.parent)


def settle(folder: Path) -> None:
    """What was renamed in a folder is so on the disk too, where the system can be told so."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
