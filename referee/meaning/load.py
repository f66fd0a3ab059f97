"""Loading a ruleset: find its files, read them, build the core of a shape, and remember it between runs."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from referee import __version__
from referee.base import bundled, cache
from referee.base.diagnostic import Diagnostic, Problems, Reporter
from referee.base.source import Source, Span
from referee.base.suggest import did_you_mean
from referee.core.ruleset import Core
from referee.meaning.build import Builder, Built, Range, Shape
from referee.meaning.cards import MOST_BYTES
from referee.meaning.flow_checks import check
from referee.syntax.parse import parse
from referee.syntax.read import read_source
from referee.syntax.tree import Node

SUFFIX = ".rules"


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a ruleset: its name, its folder, its rules in the order they are read."""

    name: str
    folder: Path
    rules: tuple[Path, ...]


def find(where: str | Path) -> Files:
    """The files of a ruleset, named or given by a path. Raises Problems (RS..) if there are none."""
    given = Path(where)
    looks_like_path = (
        isinstance(where, Path) or given.suffix == SUFFIX or len(given.parts) > 1 or str(where) in (".", "..")
    )
    if looks_like_path:
        return _at(given, str(where))
    for folder in (bundled.rulesets_root() / str(where), bundled.rulesets_root() / "classics" / f"{where}{SUFFIX}"):
        if folder.exists():
            return _at(folder, str(where))
    return _at(given, str(where))


def _at(path: Path, said: str) -> Files:
    try:
        if path.is_dir():
            rules = tuple(sorted(path.glob(f"*{SUFFIX}")))
            if rules:
                return Files(path.resolve().name, path, rules)
            raise _problem("RS02", f"there are no rules (*{SUFFIX}) in the folder {said}", said)
        if path.is_file():
            return Files(path.stem, path.parent, (path,))
    except (OSError, ValueError):
        pass
    raise _problem("RS01", f"there is no ruleset {said}", said, did_you_mean(said, names()))


def names() -> tuple[str, ...]:
    """The names of the rulesets that come along."""
    root = bundled.rulesets_root()
    folders = [p.name for p in root.iterdir() if p.is_dir() and any(p.glob(f"*{SUFFIX}")) and p.name != "classics"]
    return tuple(sorted([*folders, *(p.stem for p in (root / "classics").glob(f"*{SUFFIX}"))]))


def _problem(code: str, message: str, path: str, hint: str | None = None) -> Problems:
    return Problems((Diagnostic(code, message, Span(path[:200], 1, 1, 1, 1), hint=hint),))


@dataclass(frozen=True, slots=True)
class Loaded:
    """A ruleset whose text was read without an error: trees, and what shapes it has."""

    files: Files
    sources: tuple[Source, ...]
    trees: tuple[Node, ...]
    range: Range
    statements: Mapping[str, str]


def load(where: str | Path, players: int | None = None, options: Mapping[str, str] | None = None) -> Core:
    """The core of a ruleset (a bundled name, a folder, a file) for a shape.

    `players`: None takes the fewest. Raises Problems with everything that is wrong with the ruleset or the shape.
    """
    files = find(where)
    sources = _read(files)
    shape = Shape(players, tuple(sorted((options or {}).items())))
    key = _key(files, sources, shape)
    kept = _remembered(key)
    if kept is not None:
        return kept
    core = build(parsed(files, sources), shape).core
    cache.write(key, pickle.dumps(core, protocol=pickle.HIGHEST_PROTOCOL))
    return core


def _read(files: Files) -> tuple[Source, ...]:
    reporter = Reporter()
    found = [read_source(path, reporter) for path in files.rules]
    if reporter.failed:
        raise Problems(reporter.found())
    return tuple(s for s in found if s is not None)


def parsed(files: Files, sources: tuple[Source, ...] | None = None) -> Loaded:
    """The trees of a ruleset. Raises Problems if a text has errors; those of its meaning are added where possible."""
    sources = _read(files) if sources is None else sources
    reporter = Reporter()
    found = [parse(source, reporter) for source in sources]
    trees = tuple(p.tree for p in found if p.tree is not None)
    broken = frozenset(n for p in found for n in p.broken_names)
    builder = Builder(files.name, sources, trees, broken, reporter, {})
    bounds = builder.range() if trees and not (reporter.failed and not _has_game(trees)) else None
    if reporter.failed or bounds is None:
        if bounds is not None:
            builder.build(Shape(), bounds)
        raise Problems(reporter.found(), sources)
    return Loaded(files, sources, trees, bounds, _statements(files, trees, reporter))


def _has_game(trees: tuple[Node, ...]) -> bool:
    return any(isinstance(p, Node) and p.kind == "game" for t in trees for p in t.parts)


def _statements(files: Files, trees: tuple[Node, ...], reporter: Reporter) -> Mapping[str, str]:
    """The wording of each statement of the rulebook, if the folder has a statements.toml."""
    path = files.folder / "statements.toml"
    if not path.is_file() or (len(files.rules) == 1 and files.folder.name != files.name):
        return {}
    from referee.meaning.rulebook import read_statements

    found = read_statements(path, reporter)
    if reporter.failed:
        raise Problems(reporter.found())
    return found


def build(loaded: Loaded, shape: Shape) -> Built:
    """The core of a shape. Raises Problems."""
    _check_shape(loaded, shape)
    reporter = Reporter()
    builder = Builder(loaded.files.name, loaded.sources, loaded.trees, frozenset(), reporter, loaded.statements)
    built = builder.build(shape, loaded.range)
    if built is None:
        raise Problems(reporter.found(), loaded.sources)
    try:
        check(built.core)
    except Problems as problems:
        raise Problems(problems.diagnostics, loaded.sources) from None
    return built


def _check_shape(loaded: Loaded, shape: Shape) -> None:
    bounds = loaded.range
    if shape.players is not None and not bounds.fewest <= shape.players <= bounds.most:
        wanted = str(bounds.fewest) if bounds.fewest == bounds.most else f"{bounds.fewest} to {bounds.most}"
        raise _problem(
            "SH01", f"{loaded.files.name} is for {wanted} players, not {shape.players}", str(loaded.files.rules[0])
        )
    for name, value in shape.options:
        if name not in bounds.options:
            raise _problem(
                "SH02",
                f"{loaded.files.name} has no option {name[:80]}",
                str(loaded.files.rules[0]),
                did_you_mean(name, bounds.options),
            )
        if value not in bounds.options[name]:
            raise _problem(
                "SH03",
                f"option {name} is one of {', '.join(bounds.options[name])}, not {value[:80]}",
                str(loaded.files.rules[0]),
            )


def _key(files: Files, sources: tuple[Source, ...], shape: Shape) -> str:
    """What a core depends on: the text and data of the rules, the shape, the grammar and this program."""
    texts = [s.path + "\0" + s.text for s in sources]
    data = [p.read_bytes() for p in _beside(files) if p.stat().st_size < MOST_BYTES]
    grammar = bundled.grammar_path().read_bytes()
    return cache.key_of("core", __version__, _program(), grammar, files.name, repr(shape), *texts, *data)


def _beside(files: Files) -> list[Path]:
    """The files that a ruleset may read besides its rules."""
    data = sorted(p for p in (files.folder / "data").glob("*") if p.is_file())
    statements = files.folder / "statements.toml"
    return [*data, statements] if statements.is_file() else data


def _program() -> str:
    """When the rooms that make a core were last changed: a release says it by its version, a checkout by its files."""
    root = Path(__file__).parent.parent
    changed = [
        p.stat().st_mtime_ns for room in ("base", "core", "syntax", "meaning") for p in (root / room).glob("*.py")
    ]
    return str(max(changed, default=0))


def _remembered(key: str) -> Core | None:
    data = cache.read(key)
    if data is None:
        return None
    try:
        core = pickle.loads(data)  # noqa: S301 the folder is private to the user, which `cache` checks
    except Exception:  # a damaged file in our own folder is only a core to be made again
        return None
    return core if isinstance(core, Core) else None
