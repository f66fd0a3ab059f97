"""Looks at files and folders, and keeps a record of what was looked for and what was found."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path

NOT_REGULAR = "it is no regular file"
_Question = tuple[str, str, str]
"""How it was looked, at which path, and the ending or the number of bytes that were asked for."""


class PathKind(Enum):
    """What lies at a path, links followed."""

    NOTHING = "nothing"
    FILE = "file"
    FOLDER = "folder"
    OTHER = "other"


class FileObservations:
    """Everything that one loading of a ruleset looks at, so that a later one can see whether all of it is as it was.

    `unsaved`: what is read in the place of files, which need not be there. What was looked at then holds never again.
    """

    def __init__(self, unsaved: Mapping[Path, bytes] | None = None) -> None:
        self._unsaved = {} if unsaved is None else unsaved
        self._answers: dict[_Question, str] = {}
        self._steady = not self._unsaved

    def found(self, path: Path) -> PathKind:
        """What lies at a path; nothing also where nobody may look."""
        return PathKind.FILE if path in self._unsaved else PathKind(self._noted("found", path, "", _found(path)))

    def names(self, folder: Path, ending: str) -> tuple[str, ...]:
        """The names in a folder that have this ending, in order; none where there is no folder to look into."""
        told = json.loads(self._noted("names", folder, ending, _names(folder, ending)))
        beside = {one.name for one in self._unsaved if one.parent == folder and one.name.endswith(ending)}
        return tuple(sorted({*beside, *(str(name) for name in told)}))

    def real(self, path: Path) -> Path:
        """The path with every link followed. Raises `OSError`, `RuntimeError` or `ValueError` where there is none."""
        return Path(self._noted("real", path, "", str(path.resolve())))

    def read(self, path: Path, most: int) -> bytes:
        """The first bytes of a regular file, at most so many: nothing is waited for.

        Raises `OSError`, and `ValueError` for what can be no path.
        """
        if path in self._unsaved:
            return self._unsaved[path][:most]
        try:
            data = read_regular(path, most)
        except (OSError, ValueError):
            self._noted("bytes", path, str(most), "")
            raise
        self._noted("bytes", path, str(most), hashlib.sha256(data).hexdigest())
        return data

    def record(self) -> bytes:
        """What was looked for and found, for `holds`; empty, which never holds, if it changed meanwhile."""
        return json.dumps([[*asked, told] for asked, told in self._answers.items()]).encode() if self._steady else b""

    def _noted(self, how: str, path: Path, what: str, told: str) -> str:
        if self._answers.setdefault((how, str(path), what), told) != told:
            self._steady = False
        return told


def holds(record: bytes) -> bool:
    """Whether everything that a record says is still found. A record that is none says nothing that holds."""
    try:
        return all(_AGAIN[how](Path(path), what) == told for how, path, what, told in json.loads(record))
    except (OSError, ValueError, TypeError, KeyError, RuntimeError, RecursionError):
        return False


def read_regular(path: Path, most: int) -> bytes:
    """The first bytes of a regular file, at most so many. Raises `OSError`, also for what would have to be waited for
    or has no end: pipes, sockets, devices; and `ValueError` for what can be no path."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(None, NOT_REGULAR, str(path))
        return file.read(most)


def barred(path: Path) -> str | None:
    """Why nobody may look at what lies at a path, or into the folder there, as the system says it; None if one may."""
    try:
        if stat.S_ISDIR(path.stat().st_mode):
            os.scandir(path).close()
    except PermissionError as error:
        return (error.strerror or "permission denied").lower()
    except (OSError, ValueError):
        pass
    return None


def _found(path: Path) -> str:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return PathKind.NOTHING.value
    found = PathKind.FILE if stat.S_ISREG(mode) else PathKind.FOLDER if stat.S_ISDIR(mode) else PathKind.OTHER
    return found.value


def _names(folder: Path, ending: str) -> str:
    try:
        return json.dumps(sorted(name for name in os.listdir(folder) if name.endswith(ending)))
    except (OSError, ValueError):
        return "[]"


def _digest(path: Path, most: str) -> str:
    try:
        return hashlib.sha256(read_regular(path, int(most))).hexdigest()
    except OSError:
        return ""


_AGAIN: Mapping[str, Callable[[Path, str], str]] = {
    "found": lambda path, _: _found(path),
    "names": _names,
    "real": lambda path, _: str(path.resolve()),
    "bytes": _digest,
}
