"""Reads the trees of a ruleset's files, and has the core of a shape built and checked."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from referee.core.ruleset import Core
from referee.diagnostics.diagnostic import Diagnostic, Problems, Reporter
from referee.diagnostics.source import Source
from referee.diagnostics.suggestions import did_you_mean
from referee.flow.progress_checks import check
from referee.frontend.checks.cost_bound import check_work
from referee.frontend.checks.event_labels import check_labels
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.loading.core_builder import Builder, Built
from referee.frontend.loading.rulebook_statements import Statement, read_statements
from referee.frontend.loading.ruleset_files import SUFFIX, Files, problem, read
from referee.frontend.names.other_answers import OtherAnswers
from referee.frontend.names.shapes import MOST_PLAYERS, Range, Shape, said
from referee.frontend.names.table_looks import PictureFiles
from referee.syntax.kept_trees import keep_trees, kept_trees
from referee.syntax.parser import Parsed, parse
from referee.syntax.syntax_tree import Node
from referee.system.file_observations import PathKind

_GAME = re.compile(r"^game\b(?:[^\n]*?\bfor +(?P<number>\d{1,3})\b)?", re.MULTILINE)
_WORD = re.compile(r"[^\W\d]\w*")
_LAST: deque[Built] = deque(maxlen=2)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A ruleset whose text was read without an error: trees, and what shapes it has."""

    files: Files
    sources: tuple[Source, ...]
    trees: tuple[Node, ...]
    range: Range
    statements: Mapping[str, Statement]
    pictures: PictureFiles = field(default_factory=PictureFiles, compare=False, repr=False)


def parsed(files: Files, sources: tuple[Source, ...] | None = None, *, kept: str = "") -> Loaded:
    """The trees of a ruleset. Raises Problems if a text has errors; those of its meaning are added where possible.

    `kept`: they may be those of an earlier run of the program with this digest, and are kept for later ones.
    """
    sources = read(files) if sources is None else sources
    reporter = Reporter()
    found = list(kept_trees(sources, kept) or ()) if kept else []
    if not found:
        for source in sources:
            tree, said_of_it = _read(source)
            found.append(tree)
            for diagnostic in said_of_it:
                reporter.add(diagnostic)
        if kept and not reporter.found():
            keep_trees(sources, kept, found)
    trees = tuple(p.tree for p in found if p.tree is not None)
    broken = frozenset(n for p in found for n in p.broken_names)
    if reporter.failed and not _has_game(trees):
        meant, named = _game_meant(sources)
        trees, broken = (*meant, *trees), broken | named
    builder = Builder(files, sources, trees, broken, reporter, {})
    bounds = builder.range() if trees and not (reporter.failed and not _has_game(trees)) else None
    if reporter.failed or bounds is None:
        if bounds is not None:
            builder.build(Shape(), bounds)
        raise Problems(reporter.found(), sources)
    return Loaded(files, sources, trees, bounds, _statements(files, reporter))


@lru_cache(maxsize=64)  # more than a ruleset has files, or none of them would be there for the next shape
def _read(source: Source) -> tuple[Parsed, tuple[Diagnostic, ...]]:
    """The tree of a text, with what is to be said of it: a text read a moment ago is not read again."""
    reporter = Reporter()
    return parse(source, reporter), reporter.found()


def changed(loaded: Loaded, source: Source) -> Loaded:
    """A ruleset with another text in the place of one of its own; the others are not read again. Raises Problems."""
    sources = tuple(source if one.path == source.path else one for one in loaded.sources)
    if len(loaded.trees) != len(sources):  # one of them says nothing
        return parsed(loaded.files, sources)
    reporter = Reporter()
    tree = parse(source, reporter).tree
    if reporter.failed or tree is None:
        raise Problems(reporter.found(), sources)
    trees = tuple(tree if s.path == source.path else t for s, t in zip(sources, loaded.trees, strict=True))
    bounds = Builder(loaded.files, sources, trees, frozenset(), reporter, {}).range()
    if bounds is None or reporter.failed:
        raise Problems(reporter.found(), sources)
    return replace(loaded, sources=sources, trees=trees, range=bounds)


def _has_game(trees: tuple[Node, ...]) -> bool:
    return any(isinstance(p, Node) and p.kind == "game" for t in trees for p in t.parts)


def _game_meant(sources: tuple[Source, ...]) -> tuple[tuple[Node, ...], frozenset[str]]:
    """In the place of a `game` line with an error a plain one, for the first number of players that it names (else
    two), so that the rest is looked at all the same; and the words of it, which may be names of seats."""
    for source in sources:
        line = _GAME.search(source.text)
        if line is not None:
            number = min(max(int(line["number"] or 2), 1), MOST_PLAYERS)
            tree = parse(Source(source.path, f'game "?" for {number} players\n'), Reporter()).tree
            said = source.text[line.start() :].partition("\n")[0]
            return (tree,) if tree is not None else (), frozenset(_WORD.findall(said))
    return (), frozenset()


def _statements(files: Files, reporter: Reporter) -> Mapping[str, Statement]:
    """The wording of each statement of the rulebook, if the folder has a statements.toml. What lies beside several
    rulesets is none of any single one of them.
    """
    path = files.folder / "statements.toml"
    one_of_several = len(files.rules) < len(files.looks.names(files.folder, SUFFIX)) and files.folder.name != files.name
    if one_of_several or files.looks.found(path) is PathKind.NOTHING:
        return {}
    found = read_statements(path, reporter, files.looks)
    if reporter.failed:
        raise Problems(reporter.found())
    return found


def shape_of(core: Core) -> Shape:
    """The shape of a core, with every option as it is."""
    return Shape(core.seats.number, core.options, core.pool)


def keep_words(built: Built) -> None:
    """Keeps the words of a core for the claims that are read next: building it once more takes as long as loading."""
    _LAST.append(built)


def kept_words(name: str, sources: tuple[str, ...], shape: Shape, record: bytes) -> ExpressionLowering | None:
    """The words of a core that was built a moment ago, of what was found in the same files; None if none was."""
    return next((one.values for one in _LAST if one.core.record == record and one.core.name == name
                 and one.core.sources == sources and shape_of(one.core) == shape), None)


def build(loaded: Loaded, shape: Shape) -> Built:
    """The core of a shape. Raises Problems."""
    return _built(loaded, shape, None)


def build_asking(loaded: Loaded, shape: Shape, others: OtherAnswers) -> Core:
    """The core of a shape in which the other answers stand that steps of lowering could have given. Raises Problems,
    also if the rules become too large with so many.
    """
    return _built(loaded, shape, others).core


def _built(loaded: Loaded, shape: Shape, others: OtherAnswers | None) -> Built:
    _check_shape(loaded, shape)
    _check_pool(loaded, shape)
    reporter = Reporter()
    builder = Builder(loaded.files, loaded.sources, loaded.trees, frozenset(), reporter, loaded.statements, others,
                      loaded.pictures)
    built = builder.build(shape, loaded.range)
    if built is None:
        raise Problems(reporter.found(), loaded.sources)
    try:
        check(built.core)
    except Problems as problems:
        raise Problems(problems.diagnostics, loaded.sources) from None
    if not check_work(built.core, reporter) or not check_labels(built.core, reporter):
        raise Problems(reporter.found(), loaded.sources)
    return built


def _check_shape(loaded: Loaded, shape: Shape) -> None:
    bounds = loaded.range
    if shape.players is not None and shape.players not in bounds.players:
        wanted = f"{loaded.files.name} is for {said(bounds.players)} players, not {shape.players}"
        raise problem("SH01", wanted, str(loaded.files.rules[0]))
    for name, value in shape.options:
        if name not in bounds.options:
            raise problem(
                "SH02",
                f"{loaded.files.name} has no option {name[:80]}",
                str(loaded.files.rules[0]),
                did_you_mean(name, bounds.options),
            )
        if value not in bounds.options[name]:
            raise problem(
                "SH03",
                f"option {name} is one of {', '.join(bounds.options[name])}, not {value[:80]}",
                str(loaded.files.rules[0]),
            )
        players = bounds.fewest if shape.players is None else shape.players
        if name not in bounds.options_for(players):
            for_whom = f"option {name} is for {said(bounds.only[name])} players only"
            raise problem("SH04", for_whom, str(loaded.files.rules[0]))


def _check_pool(loaded: Loaded, shape: Shape) -> None:
    """Rows are for kinds with a data file, and have the columns that are declared."""
    path = str(loaded.files.rules[0])
    for kind, text in shape.pool:
        columns = loaded.range.columns.get(kind)
        if columns is None:
            hint = did_you_mean(kind, loaded.range.columns)
            raise problem("SH05", f"{loaded.files.name} takes no rows for {kind[:80]}", path, hint)
        for row in json.loads(text):
            for column in row:
                if column not in ("name", *columns):
                    hint = did_you_mean(column, columns)
                    raise problem("SH05", f"{kind} has no column {column[:80]}", path, hint)
