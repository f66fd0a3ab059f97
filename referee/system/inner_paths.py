"""Paths that are written in a file, and lead to others in its folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath


class Outside(Exception):
    """What a text names lies in no folder that it may; says why, as the rest of a sentence."""


def inner_path(folder: Path, said: str, real: Callable[[Path], Path]) -> Path:
    """The file that a text names, which lies in a folder or below it, also once links are followed (`real`).

    Raises `Outside` if it does not, and whatever `real` does.
    """
    parts = PurePosixPath(said).parts
    if not parts or said.startswith("/") or ".." in parts or "\\" in said or "\0" in said:
        raise Outside("is no file in the folder of the ruleset")
    path = folder.joinpath(*parts)
    if not real(path).is_relative_to(real(folder)):
        raise Outside("leads out of the folder of the ruleset")
    return path
