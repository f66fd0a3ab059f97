"""What is found out about two rulesets, for programs: immutable, with the fields of the JSON report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.api.results.rule_results import PlainResult
from referee.game.log.strict_json import Json


@dataclass(frozen=True, slots=True)
class CitedStatement(PlainResult):
    """A statement of a rulebook; `text` is empty if its wording is not known."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class SideOfDifference(PlainResult):
    """What one of two rulesets says. `place`: `path:line`; `holds`: whether the conditions are as they are to be;
    `because`: what led there; `log`: the game by these rules."""

    text: str
    rule: str | None
    place: str | None
    statements: tuple[CitedStatement, ...]
    conditions: tuple[str, ...]
    holds: bool
    because: tuple[str, ...]
    log: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LaterDifference(PlainResult):
    """Where a difference can be seen in what happens: further events, and what is not the same then."""

    events: tuple[Mapping[str, Json], ...]
    message: str


@dataclass(frozen=True, slots=True)
class RulesDifference(PlainResult):
    """Something that two rulesets do not have the same. `kind`: `result`, `asked`, `broken`, `legal`, `claim`
    or `state`; `events`: of the game that shows it; `scenario`: in whose position that begins (`path:line`; None: with
    set-up); `games`: how many by lot show it."""

    kind: str
    message: str
    events: tuple[Mapping[str, Json], ...]
    shortest: bool
    scenario: str | None
    minimised: bool
    games: int
    first: SideOfDifference
    second: SideOfDifference
    then: LaterDifference | None


@dataclass(frozen=True, slots=True)
class ComparedShape(PlainResult):
    """The comparison for some players. `outcome`: `differences`, `proved` (there is none) or `none found`; `told` of
    `games` by lot show a difference, and such games are between `low` and `high` of all."""

    players: tuple[str, ...]
    outcome: str
    positions: int
    why_not: str
    games: int
    told: int
    low: float
    high: float
    directed: int
    scenarios: int
    stopped: str
    notes: tuple[str, ...]
    differences: tuple[RulesDifference, ...]


@dataclass(frozen=True, slots=True)
class VerdictOfSide(PlainResult):
    """The verdict of one of two rulesets on a log, in short."""

    outcome: str
    line: int | None
    kind: str | None
    message: str
    rule: str | None
    place: str | None
    statements: tuple[CitedStatement, ...]


@dataclass(frozen=True, slots=True)
class ComparedLog(PlainResult):
    """The verdicts of two rulesets on a log. `changed`: they are not the same, or not about the same line; `why_not`:
    why the second cannot be told what it says, empty if they can."""

    path: str
    changed: bool
    first: VerdictOfSide
    second: VerdictOfSide
    why_not: str


@dataclass(frozen=True, slots=True)
class ComparisonReport(PlainResult):
    """Two rulesets compared. It is true if no difference was found; `proved`: there is none, for these players and
    options."""

    first: str
    second: str
    options: Mapping[str, str]
    effort: Mapping[str, int]
    exit: int
    engine: str
    proved: bool
    shapes: tuple[ComparedShape, ...]
    logs: tuple[ComparedLog, ...]

    def __bool__(self) -> bool:
        return not any(shape.differences for shape in self.shapes) and not any(log.changed for log in self.logs)
