"""Finding a ruleset: the files of one that comes along, of a folder, or a single file."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import field
from itertools import islice
from pathlib import Path

from referee.diagnostics.diagnostic import Diagnostic, Problems, Reporter
from referee.diagnostics.source import Source, Span
from referee.diagnostics.suggestions import did_you_mean, nearest
from referee.syntax.text_reader import read_source
from referee.system import bundled_files
from referee.system.file_observations import FileObservations, PathKind, barred
from referee.system.lazy_dataclasses import dataclass

SUFFIX = ".rules"
_LOG = ".jsonl"
CLASSICS = "classics"
"""The folder of those that come along in one file each."""
_NOT_PLAIN = re.compile(r"^-|[^A-Za-z0-9_-]")
_MOST_LETTERS = 64
"""A longer name of a ruleset is cut off."""
_MOST_FILES = 2_000
"""So many entries of a folder are looked at for what was meant, where no rules are."""
_LET_IN = "it takes the right to read the folder, and to look into those above it"


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a ruleset: its name, as a log may write it, its folder, its rules in the order they are read.

    `looks`: who found them; whatever else is read of the ruleset is read by him.
    """

    name: str
    folder: Path
    rules: tuple[Path, ...]
    looks: FileObservations = field(default_factory=FileObservations, compare=False, repr=False)


def find(where: str | Path, looks: FileObservations | None = None) -> Files:
    """The files of a ruleset, named or given by a path. `looks`: by whom they are looked for. Raises Problems (RS..) if
    there are none.
    """
    given, looks = Path(where), looks or FileObservations()
    looks_like_path = (
        isinstance(where, Path) or given.suffix == SUFFIX or len(given.parts) > 1 or str(where) in (".", "..")
    )
    if looks_like_path or str(where) not in names(looks):
        return _at(given, str(where), looks)
    folder = bundled_files.rulesets_root() / str(where)
    one = folder if looks.found(folder) is PathKind.FOLDER else folder.parent / CLASSICS / f"{where}{SUFFIX}"
    return _at(one, str(where), looks)


def _at(path: Path, said: str, looks: FileObservations) -> Files:
    with suppress(OSError, RuntimeError, ValueError):
        match looks.found(path) if said else PathKind.NOTHING:
            case PathKind.FOLDER:
                rules = tuple(path / name for name in looks.names(path, SUFFIX))
                if rules:
                    return Files(_plain(looks.real(path).name), path, rules, looks)
                if why := barred(path):
                    raise problem("RS02", f"the folder {said} cannot be read: {why}", said, _LET_IN)
                raise problem("RS02", f"there are no rules (*{SUFFIX}) in the folder {said}", said, _inside(path))
            case PathKind.FILE if path.suffix == _LOG:
                raise problem("RS01", f"{said} is a log, and no ruleset", said,
                              f"judge it: referee judge {said}; look at it: referee show {said} --html OUT.html")
            case PathKind.FILE:
                return Files(_plain(path.stem), path.parent, (path,), looks)
            case PathKind.OTHER | PathKind.NOTHING:
                if said and (why := barred(path)):
                    raise problem("RS01", f"{said} cannot be read: {why}", said, _LET_IN)
    hint = did_you_mean(said, names()) or _beside(path) or (
        f"name a file *{SUFFIX}, a folder with such files, or one of {', '.join(names())}")
    raise problem("RS01", f"there is no ruleset {said or 'without a name'}", said, hint)


def _inside(folder: Path) -> str:
    """What to do about a folder without rules: maybe they lie one deeper."""
    with suppress(OSError):
        deeper = sorted({str(file.parent) for file in islice(folder.glob(f"*/*{SUFFIX}"), _MOST_FILES)})
        if deeper:
            return f"name a folder in which rules lie: {', '.join(deeper[:3])}" + (", ..." if deeper[3:] else "")
    return f"name the folder in which the files *{SUFFIX} of a game lie, or such a file"


def _beside(path: Path) -> str | None:
    """Another ruleset of nearly the same name where one was looked for."""
    try:
        there = [one.name for one in islice(path.parent.iterdir(), _MOST_FILES) if one.suffix == SUFFIX or one.is_dir()]
    except (OSError, ValueError):
        return None
    near = nearest(path.name, set(there) - {path.name})
    return None if near is None else f"did you mean {path.parent / near}?"


def _plain(name: str) -> str:
    """A name that the header of a log may have: a file may have any, even one that is no text."""
    return _NOT_PLAIN.sub("_", name)[:_MOST_LETTERS]


def names(looks: FileObservations | None = None) -> tuple[str, ...]:
    """The names of the rulesets that come along. `looks`: by whom they are looked for."""
    root, looks = bundled_files.rulesets_root(), looks or FileObservations()
    folders = [name for name in looks.names(root, "") if name != CLASSICS and looks.names(root / name, SUFFIX)]
    return tuple(sorted([*folders, *(name.removesuffix(SUFFIX) for name in looks.names(root / CLASSICS, SUFFIX))]))


def problem(code: str, message: str, path: str, hint: str | None = None) -> Problems:
    return Problems((Diagnostic(code, message, Span(path[:200], 1, 1, 1, 1), hint=hint),))


class RulesChanged(Problems):
    """The files of rules that are loaded are no more what they were (AP07)."""

    def __init__(self, said: str, path: str) -> None:
        found = Diagnostic("AP07", f"the files of {said} have changed since they were loaded",
                           Span(path[:200], 1, 1, 1, 1), hint="load the rules again, and begin games anew")
        super().__init__((found,))


def read(files: Files) -> tuple[Source, ...]:
    """The texts of a ruleset. Raises Problems (SY..) for what is no text."""
    reporter = Reporter()
    found = [read_source(path, reporter, files.looks) for path in files.rules]
    if reporter.failed:
        raise Problems(reporter.found())
    return tuple(s for s in found if s is not None)
