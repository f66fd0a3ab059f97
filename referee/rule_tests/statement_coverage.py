"""Coverage of a rulebook: for each statement, the lines of rules that cite it, or why there are none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from referee.diagnostics.source import Span
from referee.frontend.loading.assembly import Loaded
from referee.frontend.loading.remarks.declared_assumptions import ASSUME
from referee.frontend.loading.rulebook_statements import Statement, Status
from referee.frontend.names.tree_access import INFERRED, cited, cites, head, nodes, text, word
from referee.syntax.syntax_tree import Node

OPEN_KINDS = frozenset({"reading", "parameter", "unspecified", "given", "tie_unspecified"})
"""Constructs that say that the rulebook leaves something open."""
WHOLE = frozenset({"scenario"})
"""Declarations whose citations say what is tested, not what is encoded."""


class StatementState(Enum):
    """What the ruleset makes of a statement."""

    ENCODED = "encoded"
    OPEN = "open"
    NO_RULE = "not a rule"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Citation:
    """A line of rules that cites a statement, and what stands there."""

    id: str
    construct: str
    span: Span


@dataclass(frozen=True, slots=True)
class Covered:
    """A statement and what became of it. `assumptions`: the names of those that are about it."""

    statement: Statement
    state: StatementState
    citations: tuple[Citation, ...]
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RestingLines:
    """A declared assumption, the statements that it is about, and the lines of rules that rest on it."""

    name: str
    text: str
    statements: tuple[str, ...]
    span: Span
    rests: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class RulebookCoverage:
    """The coverage of a whole rulebook. `assumptions` are declared; `inferred` are lines that are only marked as
    answers that no words of the rulebook give."""

    rows: tuple[Covered, ...]
    assumptions: tuple[RestingLines, ...]
    inferred: tuple[Citation, ...]

    @property
    def complete(self) -> bool:
        """True if no statement is missing."""
        return all(row.state is not StatementState.MISSING for row in self.rows)


def coverage(loaded: Loaded) -> RulebookCoverage:
    """The coverage of a ruleset's rulebook; without statements, no rows."""
    found: dict[str, list[Citation]] = {}
    declared: list[Node] = []
    for tree in loaded.trees:
        for decl in nodes(tree):
            if decl.kind == ASSUME:
                declared.append(decl)
            elif decl.kind not in WHOLE:
                for citation in _citations(decl, decl.kind):
                    found.setdefault(citation.id, []).append(citation)
    inferred = tuple(found.pop(INFERRED, ()))
    assumptions = tuple(_resting(decl, found) for decl in declared)
    about: dict[str, list[str]] = {}
    for made in assumptions:
        for statement in dict.fromkeys(made.statements):
            about.setdefault(statement, []).append(made.name)
    rows = tuple(_covered(one, tuple(found.get(one.id, ())), tuple(about.get(one.id, ())))
                 for one in loaded.statements.values())
    return RulebookCoverage(rows, assumptions, inferred)


def _resting(decl: Node, found: Mapping[str, list[Citation]]) -> RestingLines:
    name = word(decl.parts[0]).text
    return RestingLines(name, text(decl.parts[1]), cites(decl), head(decl), tuple(found.get(name, ())))


def _covered(one: Statement, citations: tuple[Citation, ...], assumptions: tuple[str, ...]) -> Covered:
    """What became of a statement; one that only an assumption is about is left open by the rulebook."""
    if one.status is Status.NO_RULE:
        return Covered(one, StatementState.NO_RULE, citations, assumptions)
    if not citations and not assumptions:
        return Covered(one, StatementState.MISSING, ())
    only_open = all(c.construct in OPEN_KINDS for c in citations)
    state = StatementState.OPEN if only_open or one.status is Status.OPEN else StatementState.ENCODED
    return Covered(one, state, citations, assumptions)


def _citations(part: Node, construct: str) -> Iterator[Citation]:
    """The citations in a construct; `construct` is the innermost one that has a name in the language."""
    for child in nodes(part):
        if child.kind == "cite":
            for name in cited(child):
                yield Citation(name, _said(part, construct), child.span)
        else:
            inside = construct if child.kind in ("line", "body") else child.kind
            yield from _citations(child, inside)


def _said(part: Node, construct: str) -> str:
    """What stands on a line: its first statement, where the line itself carries the citation."""
    if part.kind == "line":
        first = next((n for n in nodes(part) if n.kind != "cite"), None)
        return first.kind if first is not None else construct
    return construct
