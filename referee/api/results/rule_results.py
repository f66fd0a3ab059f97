"""What is found out about rules, for programs: immutable, with the fields of the JSON reports where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from referee.api.results.frozen_results import thawed
from referee.api.results.html_texts import html_block
from referee.api.results.verdicts import Condition, Remark, RulesAssumption, Verdict
from referee.game.log.strict_json import Json

if TYPE_CHECKING:
    from referee.api.log_inputs import LogSource

MISSING = "missing"
STATES = ("encoded", "open", "not a rule", MISSING)
"""What may have become of a statement of a rulebook."""


def _html_of(document: Mapping[str, Any]) -> str:
    from referee.page.html_file import html_of  # mostly not needed

    return html_of(document)


class PlainResult:
    """What every result can do: `data()` is it as plain data for JSON."""

    __slots__ = ()

    def data(self) -> dict[str, Any]:
        """The result as plain data for JSON."""
        found: dict[str, Any] = thawed(self)
        return found

    def _repr_html_(self) -> str:
        return html_block(str(self))


@dataclass(frozen=True, slots=True)
class CheckReport(PlainResult):
    """What is wrong with rules. `shapes`: so many numbers of players and options were looked at; `inferred`: so many
    lines are marked `[inferred]`, and no declared assumption says what is assumed; `warnings`: what is not wrong, and
    hardly meant. It is true if nothing is wrong."""

    ruleset: str
    players: tuple[int, ...]
    shapes: int
    diagnostics: tuple[Remark, ...]
    inferred: int
    warnings: tuple[Remark, ...]

    def __bool__(self) -> bool:
        return not self.diagnostics


@dataclass(frozen=True, slots=True)
class ScenarioFailure(PlainResult):
    """Where a scenario and the rules part. `place`: `path:line`; `values`: of what was expected, text -> value."""

    place: str
    message: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ScenarioResult(PlainResult):
    """How a scenario went. It is true if the scenario passed. `statements` of the rulebook that it cites."""

    title: str
    passed: bool
    place: str
    statements: tuple[str, ...]
    failures: tuple[ScenarioFailure, ...]

    def __bool__(self) -> bool:
        return self.passed


@dataclass(frozen=True, slots=True)
class StatementCoverage(PlainResult):
    """What became of a statement of the rulebook. `state`: `encoded`, `open`, `not a rule` or `missing`; `places`: the
    lines of rules that cite it; `live`: whether anything notices if they are gone (None: it was not tried);
    `assumptions`: the names of those that are about it; `settles`: questions that it answers, each with the words of
    it that do."""

    id: str
    state: str
    text: str
    reason: str | None
    places: tuple[str, ...]
    live: bool | None
    assumptions: tuple[str, ...]
    settles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class AssumptionCoverage(PlainResult):
    """What rules take for granted (`assume`). `statements`: what of the rulebook it is about; `place`: `path:line`
    where it is declared; `rests`: the lines of rules that rest on it."""

    name: str
    text: str
    statements: tuple[str, ...]
    place: str
    rests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InferredAnswer(PlainResult):
    """An answer that no words of a rulebook give. `place`: `path:line`; `construct`: what stands there."""

    place: str
    construct: str


@dataclass(frozen=True, slots=True)
class CoverageReport(PlainResult):
    """The coverage of a rulebook. `assumptions`: what is declared to be taken for granted; `inferred`: lines that are
    only marked as answers that no words of it give; `complete`: no statement is missing."""

    ruleset: str
    statements: tuple[StatementCoverage, ...]
    assumptions: tuple[AssumptionCoverage, ...]
    inferred: tuple[InferredAnswer, ...]
    complete: bool
    _page: Callable[[CoverageReport, Iterable[LogSource] | None], str] = field(
        repr=False, compare=False, metadata={"beside": True})  # fmt: skip

    def html(self, logs: Iterable[LogSource] | None = None) -> str:
        """The page of the rulebook (`spec/pages.md`), as `coverage --html` writes it: one HTML file, as a text.

        `logs`: of which it is counted how often they used each statement. Raises `RulesError` for scenarios that cannot
        be read, and for files that have changed; `ArgumentError` for what is no log.
        """
        return self._page(self, logs)


@dataclass(frozen=True, slots=True)
class BreakingGame(PlainResult):
    """A game that breaks a claim: events as lines of a log. `shortest`: no shorter one does; else no event can be
    dropped."""

    players: tuple[str, ...]
    shortest: bool
    readings: Mapping[str, str]
    events: tuple[Mapping[str, Json], ...]


@dataclass(frozen=True, slots=True)
class ProofResult(PlainResult):
    """What is known of an invariant or a limit, for so many `players` (`spec/proofs.md`). `outcome`: `proved`,
    `refuted`, `candidate`, `bounded`, `vacuous` or `unknown`; `expected`: what the rules declare; `way`: by looking at
    every position (`positions`), by `induction`, by a `game`, None if it is open; `assumed`: names of the assumptions
    that it cites. It is true if outcome and `expected` are the same."""

    players: int
    name: str
    outcome: str
    expected: str
    how: str | None
    way: str | None
    depth: int
    lemmas: tuple[str, ...]
    cites: tuple[str, ...]
    assumed: tuple[str, ...]
    path: str
    line: int
    game: BreakingGame | None
    _document: Mapping[str, Any] = field(repr=False, compare=False, metadata={"beside": True})

    def __bool__(self) -> bool:
        return self.outcome == self.expected

    def html(self) -> str:
        """The page of this claim (`spec/pages.md`), as `prove --html` writes it of all: one HTML file, as a text."""
        return _html_of(self._document)


@dataclass(frozen=True, slots=True)
class CountReport(PlainResult):
    """In how many ways a game can go on. `from_`: the log at whose end it begins, None at the beginning of a game;
    `numbers`: at depth 1, 2, ...; `engine`: what counted, in words; `why` there are not as many as were asked
    for (`depth`). It is true if there are."""

    ruleset: str
    version: str | None
    players: int
    options: Mapping[str, str]
    from_: str | None
    unit: str
    distinct: str
    without: tuple[str, ...]
    depth: int
    numbers: tuple[int, ...]
    engine: str
    why: str | None

    def __bool__(self) -> bool:
        return self.why is None


@dataclass(frozen=True, slots=True)
class PositionsReport(PlainResult):
    """Every position that games can come to. `levels`: how many by the fewest events that lead there; `ends`: at how
    many the game is over, `stops`: at how many the rules do not say how it goes on; `ways`: events from one to another;
    `why` these are not all. It is true if they are (`whole`)."""

    ruleset: str
    version: str | None
    players: int
    options: Mapping[str, str]
    from_: str | None
    whole: bool
    positions: int
    levels: tuple[int, ...]
    ends: int
    stops: int
    ways: int
    seconds: float
    bytes: int
    engine: str
    why: str | None

    def __bool__(self) -> bool:
        return self.whole


@dataclass(frozen=True, slots=True)
class ConvertedLog(PlainResult):
    """A game of a file in another format as a log. `lines`: as far as the game could be converted (none if not even its
    beginning could be); `troubles`: what could not be. It is true if there are none."""

    path: str
    number: int
    lines: tuple[str, ...]
    troubles: tuple[Remark, ...]

    def __bool__(self) -> bool:
        return not self.troubles


@dataclass(frozen=True, slots=True)
class RulesPlace(PlainResult):
    """A stretch of rules: lines and columns from 1, the end column exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class ReviewFinding(PlainResult):
    """One thing that a review found, or did not find (`spec/ambiguity.md`): `class_` and `id` name it; `game` shows it,
    `from_start` (the lines of a log) does too, where that begins in a scenario's position and this with set-up;
    `accepted`: why the rules accept it, else None; `assumed`: what they take for granted there; `weight`, `wordings`
    and `lines` of a question: how often it matters, what a rulebook could say, and the rules; `alike`: the ids
    of others it stands for; `seldom`: it is of a kind that readers seldom found worth asking."""

    id: str
    class_: str
    outcome: str
    message: str
    players: tuple[int, ...]
    statements: tuple[str, ...]
    sentences: tuple[str, ...]
    places: tuple[RulesPlace, ...]
    game: Mapping[str, Any] | None
    from_start: tuple[Mapping[str, Any], ...] | None
    candidates: tuple[Mapping[str, Any], ...]
    settle: str | None
    lines: tuple[str, ...]
    weight: Mapping[str, Any] | None
    wordings: tuple[str, ...]
    alike: tuple[str, ...]
    seldom: bool
    notes: tuple[str, ...]
    accepted: str | None
    assumed: tuple[RulesAssumption, ...]


@dataclass(frozen=True, slots=True)
class ReviewReport(PlainResult):
    """A review with the fields of `referee review --format json`. `known` and `rulebook` are those of a review with a
    baseline and a rulebook: here none and None."""

    ruleset: str
    players: tuple[int, ...]
    effort: Mapping[str, Any]
    searches: tuple[Mapping[str, Any], ...]
    exit: int
    interrupted: bool
    checks: tuple[Mapping[str, str], ...]
    findings: tuple[ReviewFinding, ...]
    stale: tuple[Mapping[str, Any], ...]
    known: tuple[str, ...]
    rulebook: Mapping[str, Any] | None
    _document: Mapping[str, Any] = field(repr=False, compare=False, metadata={"beside": True})

    def html(self) -> str:
        """The page of the review (`spec/pages.md`), as `review --html` writes it: one HTML file, as a text."""
        return _html_of(self._document)


@dataclass(frozen=True, slots=True)
class InferredSetting(PlainResult):
    """A reading or parameter: the values `left`, those of which is not told (`untold`), and why others are not."""

    kind: str
    name: str
    left: tuple[str, ...]
    untold: tuple[str, ...]
    settled: bool
    excluded: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class InferenceReport(PlainResult):
    """What logs say of the settings they were played under, with the fields of `referee infer --format json`
    (`spec/inference.md`). `outcome`: `explained`, `contradiction` or `unknown`."""

    outcome: str
    exit: int
    engines: tuple[str, ...]
    logs: tuple[Mapping[str, Any], ...]
    headers: tuple[Mapping[str, Any], ...]
    settings: tuple[InferredSetting, ...]
    untouched: int | None
    combinations: tuple[tuple[Mapping[str, str], ...], ...]
    number_of_combinations: int
    untold: tuple[tuple[Mapping[str, str], ...], ...]
    number_untold: int
    rulings: tuple[Mapping[str, Any], ...]
    clashes: tuple[tuple[str, ...], ...]
    by_headers: tuple[bool, ...]
    apart_at: tuple[Mapping[str, Any] | None, ...]
    all_clashes: bool
    together: tuple[tuple[str, ...], ...]
    deciding: tuple[Mapping[str, Any], ...]
    apart: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True)
class TraceStep(PlainResult):
    """One thing that an event did. `kind`: `event`, `condition`, `write`, `loop`, `round`, `point` or `fault`;
    `values` those that decided; `statements` of the rulebook; `inside`: what was done under it, in this loop or round.
    """

    kind: str
    text: str
    values: Mapping[str, str]
    statements: tuple[str, ...]
    assumed: tuple[str, ...]
    place: str | None
    inside: tuple[TraceStep, ...]


@dataclass(frozen=True, slots=True)
class LineTrace(PlainResult):
    """What an event did, up to where somebody was asked next. `left_out`: so many things more; `cut`: the rest hangs on
    what the player does not see; `courses`: in so many ways the game may have stood, this is of one (0: in more
    than were counted)."""

    lines: tuple[TraceStep, ...]
    left_out: int
    cut: bool
    courses: int


@dataclass(frozen=True, slots=True)
class Explanation(PlainResult):
    """A line of a log in its place. `what`: the event in words, None for another line; `asked`: who had to do what
    before it; `legal`: what was possible (`more`: and more); `verdict`: on the log up to and with the line; `rule`,
    `place`, `statements` (id -> wording), `held` and `assumed`: by what a legal event stands; `trace`: what it did.
    `str()` is all of it as text."""

    line: int
    what: str | None
    asked: str
    legal: tuple[str, ...]
    more: bool
    verdict: Verdict
    rule: str | None
    place: str | None
    statements: Mapping[str, str]
    held: tuple[Condition, ...]
    assumed: tuple[RulesAssumption, ...]
    trace: LineTrace | None
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class PointInfo(PlainResult):
    """A point in the course of the game at which somebody is asked. `kind`: `decision`, `commit`, `chance` or
    `unspecified`; `offers`: actions, or the question that the rules leave open; `rest`: nothing is under way there;
    `place`: `path:line`. `arguments`: of each action the names of its arguments; `who` is asked, in the words of the
    rules; `window`: a log may leave out that he passes. `start`: the name by which a game can start there (`at` in a
    header), None if it cannot; `needs`: what `state` has to tell then beside places and counters."""

    name: str
    kind: str
    offers: tuple[str, ...]
    rest: bool
    place: str
    arguments: Mapping[str, tuple[str, ...]]
    who: str
    window: bool
    start: str | None
    needs: tuple[str, ...]
