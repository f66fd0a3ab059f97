"""Live coverage: a citation counts only if the rules without the line that carries it behave otherwise.

Each cited line is taken out (a guard or an invariant is turned round) in a copy of the ruleset. It is live if then a
scenario fails, a log of the ruleset is judged otherwise, or the rules no longer load because the rest leans on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from referee.core.ruleset import Core
from referee.diagnostics.diagnostic import Problems
from referee.diagnostics.source import Source
from referee.flow.lowering import lower
from referee.frontend.expressions.expression_lowering import ExpressionLowering
from referee.frontend.loading.assembly import Loaded, build, changed
from referee.frontend.loading.outside_expressions import read_by
from referee.frontend.names.shapes import Shape
from referee.frontend.scenarios.scenario_reader import Scenario, scenarios_of
from referee.game.log.log_header import Header
from referee.interpreter.walker import Walker
from referee.judge.log_run import Options, judge_path
from referee.judge.verdict import LogOutcome
from referee.native.engine_names import REFERENCE, engine
from referee.rule_tests.scenario_runs import run_scenario
from referee.rule_tests.statement_coverage import Citation, RulebookCoverage
from referee.system.deadline import NEVER, Deadline


@dataclass(frozen=True, slots=True)
class CitationTrial:
    """A citation, and how the ruleset without its line gave itself away (empty: it did not)."""

    citation: Citation
    noticed: str
    unreadable: bool = False
    """True if all that was noticed is that the rules no longer load."""

    @property
    def live(self) -> bool:
        return bool(self.noticed)


_Place = tuple[str, int]
"""A line of rules: path and number."""


@dataclass(frozen=True, slots=True)
class _Order:
    """Which scenarios are tried first while a line is missing: those that cite, or name in their title, most statements
    of the line, then of the declaration around it, then those that noticed other lines lately (`keen`)."""

    line: frozenset[str] = frozenset()
    around: frozenset[str] = frozenset()
    keen: dict[str, int] = field(default_factory=dict)

    def key(self, title: str, cites: tuple[str, ...]) -> tuple[int, ...]:
        """What scenarios are sorted by."""
        about = {*cites, *(word.strip(",:;") for word in title.split())}
        return -len(self.line & about), -len(self.around & about), -self.keen.get(title, 0)


@dataclass(frozen=True, slots=True)
class _Usual:
    """What a ruleset does as it is: the scenarios that fail, and the verdict and line of each of its logs. `until`:
    what is looked at is wanted by then."""

    failing: frozenset[str]
    verdicts: Mapping[str, str]
    until: Deadline


def live(loaded: Loaded, found: RulebookCoverage, *, every_line: bool = True,
         until: Deadline = NEVER) -> Iterator[CitationTrial]:
    """Takes out each cited line in turn, one line once, and tells what notices.

    Without `every_line` a statement is done with as soon as a scenario or a log has noticed one of its lines. Raises
    `OutOfTime` once the time is over: a line that is not tried to the end is not told.
    """
    folder = loaded.files.folder
    failing = frozenset(one.title for one in _failing(loaded, until))
    usual = _Usual(failing, dict(_verdicts(loaded, folder, until)), until)
    known: dict[_Place, tuple[str, bool]] = {}
    keen: dict[str, int] = {}
    cited = _cited(found)
    for row in found.rows:
        for citation in row.citations:
            place = (citation.span.path, citation.span.line)
            if place not in known:
                known[place] = _noticed(loaded, place, usual, _Order(*_about(loaded, place, cited), keen))
            tried = CitationTrial(citation, *known[place])
            yield tried
            if tried.live and not tried.unreadable and not every_line:
                break


def _cited(found: RulebookCoverage) -> Mapping[_Place, frozenset[str]]:
    """The statements that each line cites."""
    lines: dict[_Place, set[str]] = {}
    for row in found.rows:
        for citation in row.citations:
            lines.setdefault((citation.span.path, citation.span.line), set()).add(citation.id)
    return {place: frozenset(ids) for place, ids in lines.items()}


def _about(
    loaded: Loaded, place: _Place, cited: Mapping[_Place, frozenset[str]]
) -> tuple[frozenset[str], frozenset[str]]:
    """The statements of a line, and those of the whole declaration that it stands in."""
    path, line = place
    lines = next(s for s in loaded.sources if s.path == path).text.splitlines()
    first, last = line, line + 1
    while first > 1 and (not lines[first - 1].strip() or lines[first - 1][0].isspace()):
        first -= 1
    while last <= len(lines) and (not lines[last - 1].strip() or lines[last - 1][0].isspace()):
        last += 1
    around = frozenset[str]().union(*(cited.get((path, n), frozenset()) for n in range(first, last)))
    return cited[place], around


def _noticed(loaded: Loaded, place: _Place, usual: _Usual, order: _Order) -> tuple[str, bool]:
    """What gives the rules away while a line of theirs is missing, and whether it is that they no longer load."""
    source = next(s for s in loaded.sources if s.path == place[0])
    try:
        less = changed(loaded, Source(source.path, without(source, place[1])))
        return _difference(less, loaded.files.folder, usual, order), False
    except Problems as problems:
        return f"the rules no longer load: {problems.diagnostics[0].message}", True


def _difference(less: Loaded, folder: Path, usual: _Usual, order: _Order) -> str:
    """The first thing that goes otherwise: scenarios that are near come first, then short logs."""
    for one in _failing(less, usual.until, order):
        if one.title not in usual.failing:
            order.keen[one.title] = max(order.keen.values(), default=0) + 1
            return f"scenario {one.title!r} fails"
    for name, verdict in _verdicts(less, folder, usual.until):
        if usual.verdicts[name] != verdict:
            return f"log {name} is judged otherwise"
    build(less, Shape())  # where there is neither scenario nor log, nothing else has asked whether the rules load
    return ""


def without(source: Source, line: int) -> str:
    """The text without a line and what is indented below it; a guard or an invariant is turned round instead.

    A block left empty gets `nothing`, and so does a branch before an `else`, so that what is around it still reads.
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
    if head.startswith("if ") and lines[end:] and lines[end].startswith(" " * depth + "else"):
        said = _split_cite(text)[0].rstrip()
        condition = said if end > line else said.rpartition(": ")[0]
        return "\n".join([*lines[: line - 1], f"{condition}: nothing", *lines[end:]]) + "\n"
    alone = depth == 0 or not _course(lines, line) or head.startswith(_PARTS)
    filler = [] if alone else [" " * depth + "nothing"]
    return "\n".join([*lines[: line - 1], *filler, *lines[end:]]) + "\n"


_PARTS = ("when ", "otherwise", "needs ", "forbidden ", "else")
"""How lines begin in whose place there need be nothing."""
_COURSE = ("setup", "play", "turns", "action", "procedure", "end", "when", "before", "after")


def _course(lines: list[str], line: int) -> bool:
    """True if a line stands in a block of statements, where `nothing` can take its place."""
    heads = [text for text in lines[:line] if text and not text[0].isspace() and not text.startswith("#")]
    return bool(heads) and heads[-1].startswith(_COURSE)


def _split_cite(text: str) -> tuple[str, str]:
    at = text.rfind("[")
    return (text[:at], " " + text[at:]) if at > 0 else (text, "")


def _failing(loaded: Loaded, until: Deadline, order: _Order | None = None) -> Iterator[Scenario]:
    """The scenarios that fail. Raises Problems if the rules cannot be loaded.

    A few events are sooner walked through than an engine for them is generated.
    """
    for scenario in scenarios_of(loaded, (order or _Order()).key):
        if not run_scenario(scenario, REFERENCE, until).passed:
            yield scenario


def _verdicts(loaded: Loaded, folder: Path, until: Deadline) -> Iterator[tuple[str, str]]:
    """What is said of each log, the shortest first; what it claims is read in the words of these rules, which stand in
    no file."""
    walkers: dict[Shape, Walker] = {}
    words: list[tuple[Core, ExpressionLowering]] = []

    def walker(header: Header) -> Walker:
        options = tuple(sorted((name, str(value)) for name, value in header.options.items()))
        rows = tuple(sorted((kind, json.dumps(listed, ensure_ascii=False)) for kind, listed in header.pool.items()))
        shape = Shape(len(header.players), options, rows)
        if shape not in walkers:
            built = build(loaded, shape)
            made = walkers[shape] = engine(lower(built.core))
            words.append((made.core, built.values))
        return walkers[shape]

    logs = (log for log in folder.glob("logs/*/*.jsonl") if log.is_file())
    for log in sorted(logs, key=lambda one: (one.stat().st_size, one)):
        until.check()
        with read_by(words):
            verdict = judge_path(str(log), walker, Options(timeout=until.as_timeout))
        until.check()  # or it might be the time that made it another
        wrong = verdict.wrong
        said = (
            f"{verdict.outcome.value}:{wrong.line}:{wrong.kind.value}" if wrong is not None else verdict.outcome.value
        )
        yield str(log.relative_to(folder)), said if verdict.outcome is not LogOutcome.NO_RULES else "no rules"
