"""Which rulesets lie in a folder, which one a rules file belongs to, and which one a log there means by a name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from referee.frontend.loading.ruleset_files import SUFFIX
from referee.system.file_observations import read_regular

MOST_FILES = 20_000
"""So many files are looked at in one folder and those below it."""
MOST_BYTES = 1_000_000
"""So far a file is read to see whether it begins a game."""
MOST_DEEP = 32
"""So many folders are gone up from a log, or down from a folder."""
_GAME = re.compile(rb"^game\b", re.MULTILINE)
_LEFT_OUT = ("__pycache__", "node_modules", "venv")


def files_below(folder: Path, endings: tuple[str, ...]) -> Iterator[Path]:
    """The files below a folder whose names end so, in the order of their paths; links to folders, and folders whose
    names begin with a dot, are left out, and of very many files the last."""
    looked = 0
    for at, folders, names in os.walk(folder):
        deep = len(Path(at).parts) - len(folder.parts)
        seen = [name for name in folders if name[0] != "." and name not in _LEFT_OUT]
        folders[:] = sorted(seen) if deep < MOST_DEEP else []
        for name in sorted(names):
            looked += 1
            if looked > MOST_FILES:
                return
            if name.endswith(endings):
                yield Path(at, name)


def begins_game(file: Path) -> bool:
    """Whether a rules file has a line that begins with `game`; False for one that cannot be read."""
    try:
        return _GAME.search(read_regular(file, MOST_BYTES)) is not None
    except (OSError, ValueError):
        return False


def ruleset_at(file: Path) -> Path | None:
    """The ruleset that a rules file begins: the file, or the folder whose files are one ruleset together.

    A folder is one ruleset if exactly one of its files has a line `game ...` and there are others beside it. None for a
    file that belongs to a ruleset which another file begins.
    """
    others = [one for one in sorted(file.parent.glob(f"*{SUFFIX}"))[:MOST_FILES] if one.name != file.name]
    if begins_game(file):
        return file.parent if others and not any(map(begins_game, others)) else file
    return None if sum(map(begins_game, others)) == 1 else file


def wholes(files: Iterable[str]) -> tuple[str, ...]:
    """The rulesets that rules files belong to, each once: of a file that is a part of one, the folder that it lies in.
    What is no rules file stays as it is."""
    found: dict[str, None] = {}
    for one in files:
        path = Path(one)
        whole = (ruleset_at(path) or path.parent) if path.suffix == SUFFIX and path.is_file() else one
        found[f"{whole}{os.sep}" if isinstance(whole, Path) and whole.is_dir() else str(whole)] = None
    return tuple(found)


def rulesets_in(folder: Path) -> tuple[Path, ...]:
    """The rulesets in a folder and those below it, each a file or a folder, in the order of their paths."""
    found = (ruleset_at(file) for file in files_below(folder, (SUFFIX,)))
    return tuple(one for one in found if one is not None)


def ruleset_named(name: str, log: Path, top: Path) -> Path | str:
    """The ruleset that a log means by the name in its header: the nearest one of that name in the folder of the log, or
    in one above it up to `top`; where there is none the name itself, as that of a ruleset that comes along.

    A folder has it as the file `NAME.rules`, as the folder `NAME`, or by being called so.
    """
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}", name):
        return name
    folder = log.parent
    for _ in range(MOST_DEEP):
        for found in (folder / f"{name}{SUFFIX}", folder / name, folder):
            if found is folder and folder.name != name:
                continue
            if found.is_file() if found.suffix == SUFFIX else any(found.glob(f"*{SUFFIX}")):
                whole = ruleset_at(found) if found.is_file() else found
                return whole if whole is not None and whole.stem == name else found
        if folder in (top, folder.parent):
            break
        folder = folder.parent
    return name
