"""What the process in the background is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from referee.diagnostics.diagnostic import Diagnostic
from referee.diagnostics.source import Span


@dataclass(frozen=True, slots=True)
class CheckTask:
    """Checks a ruleset (a folder or a file), with open texts in the place of saved ones."""

    number: int
    where: Path
    unsaved: Mapping[Path, bytes]


@dataclass(frozen=True, slots=True)
class ScenarioTask:
    """Carries out the scenarios of the rules that were checked last; with a `title` only those of it."""

    number: int
    where: Path
    title: str | None = None


@dataclass(frozen=True, slots=True)
class LogTask:
    """Judges a log."""

    number: int
    where: Path
    text: str


@dataclass(frozen=True, slots=True)
class LineTask:
    """Explains a line of a log."""

    number: int
    where: Path
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class RenameTask:
    """Whether rules mean the same with other texts, in which a name is another one."""

    number: int
    where: Path
    unsaved: Mapping[Path, bytes]
    renamed: Mapping[Path, bytes]
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """Reviews saved rules."""

    number: int
    where: Path


Task = ReviewTask | CheckTask | ScenarioTask | LogTask | LineTask | RenameTask


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """What a check found, the same as `referee check`. `known`: the names of one shape, pickled, if there is a shape in
    which nothing is wrong; `statements`: of the rulebook, by id; `shapes`: so many were looked at."""

    number: int
    where: Path
    diagnostics: tuple[Diagnostic, ...]
    shapes: int
    known: bytes | None = None
    statements: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScenarioFailed:
    """The first place where a scenario and the rules part."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class ScenarioAnswer:
    """How one scenario went."""

    number: int
    where: Path
    title: str
    span: Span
    failure: ScenarioFailed | None


@dataclass(frozen=True, slots=True)
class ReviewedFinding:
    """One finding of a review, at its place. `statements` that it is about."""

    id: str
    message: str
    span: Span
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReviewAnswer:
    """What a review found and the rules do not accept. `why`: why there is none."""

    number: int
    where: Path
    findings: tuple[ReviewedFinding, ...]
    why: str | None = None


@dataclass(frozen=True, slots=True)
class LogAnswer:
    """What there is to say about a log."""

    number: int
    where: Path
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class ExplainedLine:
    """What there is to say about a line; empty: nothing."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class RenameAnswer:
    """Why a name cannot be renamed so; None: it can."""

    number: int
    why: str | None


@dataclass(frozen=True, slots=True)
class WentWrong:
    """A task that could not be done because of an error of ours."""

    number: int
    why: str


Answer = ReviewAnswer | CheckAnswer | ScenarioAnswer | LogAnswer | ExplainedLine | RenameAnswer | WentWrong
