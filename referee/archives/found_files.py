"""The files that are meant by what was named: folders are looked through, whatever else is named is taken as it is."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from referee.archives.archive_members import ARCHIVES, LOGS
from referee.archives.urls import is_url, urls_in
from referee.game.log.log_reader import STDIN
from referee.system.file_observations import FileObservations, PathKind


def files_in(paths: Iterable[str]) -> Iterator[str]:
    """Files, URLs, and `-` for the standard input, each as soon as it is found.

    A folder stands for the logs and archives in it and in the folders in it, in order of name, but for pipes, sockets
    and devices, which would have to be waited for; links to folders are not followed. A folder without any stays as it
    is, and so does one into which nobody may look: whoever opens it says what is wrong.
    """
    for path in paths:
        if path == STDIN:
            yield path
        elif is_url(path):
            yield from urls_in(path)
        else:
            yield from _files(path) if FileObservations().found(Path(path)) is PathKind.FOLDER else (path,)


def _files(folder: str) -> Iterator[str]:
    found = False
    levels = [_listed(folder)]
    while levels:
        entry = next(levels[-1], None)
        if entry is None:
            levels.pop()
        elif _is_folder(entry):
            inside = _listed(entry.path)
            if inside is _BARRED:
                found = True
                yield entry.path
            levels.append(inside)
        elif entry.name.lower().endswith((*LOGS, *ARCHIVES)):
            if FileObservations().found(Path(entry.path)) is not PathKind.OTHER:
                found = True
                yield entry.path
    if not found:
        yield folder


_BARRED: Iterator[os.DirEntry[str]] = iter(())


def _listed(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return iter(sorted(entries, key=lambda entry: entry.name))
    except OSError:
        return _BARRED


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
