"""Which ruleset a file belongs to, and the texts of it: open ones in the place of saved ones."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from referee.diagnostics.diagnostic import Problems, Reporter
from referee.diagnostics.source import Source
from referee.frontend.loading.ruleset_files import SUFFIX, find, names
from referee.syntax.size_limits import SOURCE_BYTES
from referee.syntax.text_reader import read_source
from referee.system.file_observations import FileObservations, PathKind

_GAME = re.compile(rb"^game\b", re.MULTILINE)
_MOST_ABOVE = 6
"""Folders above a log in which its rules are looked for."""


def ruleset_of(path: Path, unsaved: Mapping[Path, bytes]) -> Path:
    """What `check` would be given for a file: its folder; the file itself where more files than this begin a game."""
    looks = FileObservations(unsaved)
    if path.suffix == SUFFIX and has_game(path, looks):
        beside = (path.parent / name for name in looks.names(path.parent, SUFFIX))
        if any(one != path and has_game(one, looks) for one in beside):
            return path
    return path.parent


def has_game(path: Path, looks: FileObservations) -> bool:
    """Whether a file has a `game` line."""
    try:
        return _GAME.search(looks.read(path, SOURCE_BYTES)) is not None
    except (OSError, ValueError):
        return False


def sources_of(where: Path, unsaved: Mapping[Path, bytes]) -> tuple[Source, ...]:
    """The texts of a ruleset that can be read at all."""
    looks = FileObservations(unsaved)
    try:
        files = find(where, looks)
    except Problems:
        return ()
    found = (read_source(path, Reporter(), looks) for path in files.rules)
    return tuple(one for one in found if one is not None)


def rules_of_log(path: Path, text: str) -> str | Path | None:
    """The rules by which a log is judged: those that it names, in a folder above it or beside it, or those that come
    along; None if there are none."""
    named = ruleset_named(text)
    if named is None:
        return None
    looks = FileObservations()
    for folder in [*path.parents][:_MOST_ABOVE]:
        if folder.name == named and looks.names(folder, SUFFIX):
            return folder
        for one in (folder / f"{named}{SUFFIX}", folder / named):
            if looks.found(one) is PathKind.FILE or looks.names(one, SUFFIX):
                return one
    return named if named in names() else None


def ruleset_named(text: str) -> str | None:
    """The ruleset that the header of a log names."""
    try:
        header = json.loads(text.partition("\n")[0])
    except (ValueError, RecursionError):
        return None
    named = header.get("ruleset") if isinstance(header, dict) else None
    plain = isinstance(named, str) and named and re.fullmatch(r"[A-Za-z0-9_-]{1,64}", named)
    return str(named) if plain else None
