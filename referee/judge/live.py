"""Live coverage: a citation counts only if the rules without the line that carries it behave otherwise.

Each cited line is taken out (a guard or an invariant is turned round) in a copy of the ruleset. It is live if then a
scenario fails, a log of the ruleset is judged otherwise, or the rules no longer load because the rest leans on it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
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

Signature = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]
"""What a ruleset does: the scenarios that fail, and the verdict and line of each of its logs."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A citation, and how the ruleset without its line gave itself away (empty: it did not)."""

    citation: Citation
    noticed: str

    @property
    def live(self) -> bool:
        return bool(self.noticed)


def live(loaded: Loaded, found: Coverage) -> Iterator[Tried]:
    """Takes out each cited line in turn, one line once, and tells what notices."""
    before = _signature(loaded.files.folder, loaded.files.folder)
    known: dict[tuple[str, int], str] = {}
    for row in found.rows:
        for citation in row.citations:
            place = (citation.span.path, citation.span.line)
            if place not in known:
                known[place] = _noticed(loaded, citation, before)
            yield Tried(citation, known[place])


def _noticed(loaded: Loaded, citation: Citation, before: Signature) -> str:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / loaded.files.name
        shutil.copytree(loaded.files.folder, folder)
        source = next(s for s in loaded.sources if s.path == citation.span.path)
        (folder / Path(source.path).name).write_text(without(source, citation.span.line), encoding="utf-8")
        try:
            after = _signature(folder, folder)
        except Problems as problems:
            return f"the rules no longer load: {problems.diagnostics[0].message}"
    return _difference(before, after)


def _difference(before: Signature, after: Signature) -> str:
    failing = [s for s in after[0] if s not in before[0]]
    if failing:
        return f"scenario {failing[0]!r} fails"
    changed = [name for (name, was), (_, now) in zip(before[1], after[1], strict=True) if was != now]
    return f"log {changed[0]} is judged otherwise" if changed else ""


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


def _signature(folder: Path, rules: Path) -> Signature:
    scenarios = load_scenarios(rules).found
    failing = tuple(s.title for s in scenarios if not run_scenario(s).passed)
    walkers: dict[tuple[int, tuple[tuple[str, object], ...]], Walker] = {}

    def walker(header: Header) -> Walker:
        options = {name: str(value) for name, value in header.options.items()}
        shape = (len(header.players), tuple(sorted(options.items())))
        if shape not in walkers:
            walkers[shape] = engine(load_flow(rules, len(header.players), options))
        return walkers[shape]

    verdicts = []
    for log in sorted(folder.glob("logs/*/*.jsonl")):
        verdict = judge_path(str(log), walker)
        wrong = verdict.wrong
        said = (
            f"{verdict.outcome.value}:{wrong.line}:{wrong.kind.value}" if wrong is not None else verdict.outcome.value
        )
        verdicts.append((str(log.relative_to(folder)), said if verdict.outcome is not Outcome.NO_RULES else "no rules"))
    return failing, tuple(verdicts)
