"""Live coverage: a citation counts only if the rules without the line that carries it behave otherwise.

Each cited line is taken out (a guard or an invariant is turned round) in a copy of the ruleset. It is live if then a
scenario fails, a log of the ruleset is judged otherwise, or the rules no longer load because the rest leans on it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from referee.base.diagnostic import Problems
from referee.base.source import Source
from referee.engine.engines import engine
from referee.engine.walker import Walker
from referee.game.header import Header
from referee.judge.run import judge_path
from referee.judge.scenarios import run_scenario
from referee.judge.verdict import Outcome
from referee.manual.coverage import Citation, Coverage
from referee.meaning.assemble import Loaded
from referee.meaning.load import load_flow
from referee.meaning.scenario import load_scenarios


@dataclass(frozen=True, slots=True)
class Tried:
    """A citation, and how the ruleset without its line gave itself away (empty: it did not)."""

    citation: Citation
    noticed: str

    @property
    def live(self) -> bool:
        return bool(self.noticed)


@dataclass(frozen=True, slots=True)
class _Usual:
    """What a ruleset does as it is: the scenarios that fail, and the verdict and line of each of its logs."""

    failing: frozenset[str]
    verdicts: Mapping[str, str]


def live(loaded: Loaded, found: Coverage) -> Iterator[Tried]:
    """Takes out each cited line in turn, one line once, and tells what notices."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / loaded.files.name
        shutil.copytree(loaded.files.folder, folder)
        usual = _Usual(frozenset(_failing(folder)), dict(_verdicts(folder)))
        known: dict[tuple[str, int], str] = {}
        for row in found.rows:
            for citation in row.citations:
                place = (citation.span.path, citation.span.line)
                if place not in known:
                    known[place] = _noticed(loaded, folder, citation, usual)
                yield Tried(citation, known[place])


def _noticed(loaded: Loaded, folder: Path, citation: Citation, usual: _Usual) -> str:
    """What gives the rules in a folder away while a line of theirs is missing."""
    source = next(s for s in loaded.sources if s.path == citation.span.path)
    changed = folder / Path(source.path).name
    changed.write_text(without(source, citation.span.line), encoding="utf-8")
    try:
        return _difference(folder, citation.id, usual)
    except Problems as problems:
        return f"the rules no longer load: {problems.diagnostics[0].message}"
    finally:
        changed.write_text(source.text, encoding="utf-8")


def _difference(folder: Path, statement: str, usual: _Usual) -> str:
    """The first thing that goes otherwise: scenarios about the statement are tried first, then short logs."""
    for title in _failing(folder, statement):
        if title not in usual.failing:
            return f"scenario {title!r} fails"
    for name, verdict in _verdicts(folder):
        if usual.verdicts[name] != verdict:
            return f"log {name} is judged otherwise"
    return ""


def without(source: Source, line: int) -> str:
    """The text without a line and what is indented below it; a guard or an invariant is turned round instead.

    A block left empty gets `nothing`, so that what is around it still reads.
    """
    lines = source.text.splitlines()
    text = lines[line - 1]
    head = text.strip()
    if head.startswith("needs ") and ":" in head:
        before, after = text.split('":', 1)
        code, cite = _split_cite(after)
        cond, comma, when = code.partition(", when ")
        lines[line - 1] = f'{before}": not ({cond.strip()}){comma}{when.rstrip()}{cite}'
        return "\n".join(lines) + "\n"
    if head.startswith("always ") and ": " in head:
        before, after = text.split(": ", 1)
        cond, cite = _split_cite(after)
        lines[line - 1] = f"{before}: not ({cond.strip()}){cite}"
        return "\n".join(lines) + "\n"
    depth = len(text) - len(text.lstrip())
    end = line
    while end < len(lines) and (not lines[end].strip() or len(lines[end]) - len(lines[end].lstrip()) > depth):
        end += 1
    filler = (
        []
        if depth == 0 or not _course(lines, line) or head.startswith(("when ", "otherwise", "needs ", "forbidden "))
        else [" " * depth + "nothing"]
    )
    return "\n".join([*lines[: line - 1], *filler, *lines[end:]]) + "\n"


_COURSE = ("setup", "play", "turns", "action", "procedure", "end", "when", "before", "after")


def _course(lines: list[str], line: int) -> bool:
    """True if a line stands in a block of statements, where `nothing` can take its place."""
    heads = [text for text in lines[:line] if text and not text[0].isspace() and not text.startswith("#")]
    return bool(heads) and heads[-1].startswith(_COURSE)


def _split_cite(text: str) -> tuple[str, str]:
    at = text.rfind("[")
    return (text[:at], " " + text[at:]) if at > 0 else (text, "")


def _failing(folder: Path, statement: str = "") -> Iterator[str]:
    """The titles of the scenarios that fail. Raises Problems if the rules cannot be loaded."""
    scenarios = load_scenarios(folder).found
    for scenario in sorted(scenarios, key=lambda one: statement not in one.cites):
        if not run_scenario(scenario).passed:
            yield scenario.title


def _verdicts(folder: Path) -> Iterator[tuple[str, str]]:
    """What is said of each log, the shortest first."""
    walkers: dict[tuple[int, tuple[tuple[str, str], ...]], Walker] = {}

    def walker(header: Header) -> Walker:
        options = {name: str(value) for name, value in header.options.items()}
        shape = (len(header.players), tuple(sorted(options.items())))
        if header.pool:
            return engine(load_flow(folder, len(header.players), options, header.pool))
        if shape not in walkers:
            walkers[shape] = engine(load_flow(folder, len(header.players), options))
        return walkers[shape]

    for log in sorted(folder.glob("logs/*/*.jsonl"), key=lambda one: (one.stat().st_size, one)):
        verdict = judge_path(str(log), walker)
        wrong = verdict.wrong
        said = (
            f"{verdict.outcome.value}:{wrong.line}:{wrong.kind.value}" if wrong is not None else verdict.outcome.value
        )
        yield str(log.relative_to(folder)), said if verdict.outcome is not Outcome.NO_RULES else "no rules"
