"""What can be asked of rules, as results for programs: the work is done below, here it is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.api.argument_checks import callbacks
from referee.api.errors import Cancelled
from referee.api.execution_lock import LOCK
from referee.api.named_engines import GENERATED
from referee.api.results.frozen_results import FrozenDict, frozen, made
from referee.api.results.rule_results import (
    AssumptionCoverage,
    CheckReport,
    CoverageReport,
    InferredAnswer,
    PointInfo,
    ProofResult,
    ReviewReport,
    ScenarioFailure,
    ScenarioResult,
    StatementCoverage,
)
from referee.api.results.verdicts import Remark
from referee.api.rule_sources import RulesSource
from referee.core.flow import Flow
from referee.report.text.diagnostic_text import as_data as diagnostic_data
from referee.system.deadline import NEVER, Deadline

if TYPE_CHECKING:  # what it takes to prove is imported by those who prove
    from referee.api.log_inputs import LogSource
    from referee.api.runs.proof_runs import Prover
    from referee.frontend.scenarios.scenario_reader import Scenario

Progress = Callable[[str], None]
Cancel = Callable[[], bool]


def watched(progress: Progress | None, cancel: Cancel | None) -> Progress:
    """Tells what is being done, and raises `Cancelled` (AP08) where somebody asks to stop. Raises `ArgumentError`."""
    callbacks(progress, cancel)

    def tell(text: str) -> None:
        if cancel is not None and cancel():
            raise Cancelled("AP08", f"stopped: {text}" if text else "stopped")
        if progress is not None and text:
            progress(text)

    return tell


def check_report(source: RulesSource, tell: Progress) -> CheckReport:
    """Everything that is wrong with rules."""
    from referee.api.runs.rule_checks import checked

    done = checked(source, lambda shape: tell(f"{shape.players} players {dict(shape.options) or ''}".rstrip()))
    remarks = tuple(made(Remark, diagnostic_data(one)) for one in done.found)
    warnings = tuple(made(Remark, diagnostic_data(one)) for one in done.warnings)
    return CheckReport(done.loaded.files.name, done.loaded.range.players, done.shapes, remarks, done.inferred, warnings)


def scenario_results(source: RulesSource, engine: str, tell: Progress,
                     timeout: float | None = None) -> Iterator[ScenarioResult]:
    """How each scenario goes. Raises `OutOfTime` after so many seconds."""
    scenarios = source.scenarios.found
    until = Deadline(timeout)
    for one in scenarios:
        tell(one.title)
        yield scenario_result(one, engine, until)


def scenario_result(one: Scenario, engine: str = GENERATED, until: Deadline = NEVER) -> ScenarioResult:
    """How a scenario goes. Raises `OutOfTime` if it is not through in time."""
    from referee.rule_tests.scenario_runs import run_scenario

    found = run_scenario(one, engine, until)
    failures = tuple(ScenarioFailure(str(failure.span), failure.message, FrozenDict(dict(failure.values)))
                     for failure in found.failures)
    return ScenarioResult(one.title, found.passed, str(one.span), tuple(one.cites), failures)


@dataclass(frozen=True, slots=True)
class TriedLine:
    """A cited line that was taken out of the rules. `noticed`: how they gave that away, empty if they did not."""

    statement: str
    place: str
    noticed: str


def tried_lines(source: RulesSource, timeout: float | None = None) -> Iterator[TriedLine]:
    """Each cited line, taken out in turn. Raises `OutOfTime` after so many seconds."""
    from referee.rule_tests.live_coverage import live
    from referee.rule_tests.statement_coverage import coverage

    for tried in live(source.loaded, coverage(source.loaded), until=Deadline(timeout)):
        yield TriedLine(tried.citation.id, str(tried.citation.span), tried.noticed)


def coverage_report(source: RulesSource, tried: Iterable[TriedLine] | None) -> CoverageReport:
    """What became of each statement of the rulebook. `tried`: what is known of each cited line, None if nothing is."""
    from referee.rule_tests.statement_coverage import coverage

    found = coverage(source.loaded)
    noticed: dict[str, bool] = {}
    for one in tried or ():
        noticed[one.statement] = noticed.get(one.statement, False) or bool(one.noticed)
    rows = tuple(StatementCoverage(
        row.statement.id, row.state.value, row.statement.text, row.statement.reason or None,
        tuple(dict.fromkeys(str(one.span) for one in row.citations)), noticed.get(row.statement.id),
        row.assumptions, dict(row.statement.settles),
    ) for row in found.rows)  # fmt: skip
    inferred = tuple(InferredAnswer(str(one.span), one.construct.rstrip("_").replace("_", " "))
                     for one in found.inferred)
    assumptions = tuple(AssumptionCoverage(
        one.name, one.text, one.statements, str(one.span), tuple(dict.fromkeys(str(line.span) for line in one.rests)),
    ) for one in found.assumptions)  # fmt: skip
    return CoverageReport(source.loaded.files.name, rows, assumptions, inferred, found.complete,
                          partial(_rulebook_html, source))


def _rulebook_html(source: RulesSource, report: CoverageReport, logs: Iterable[LogSource] | None) -> str:
    from referee.api.pages.report_html import rulebook_html  # mostly not needed

    return rulebook_html(source, report, logs)


def told_of(tried: Iterable[TriedLine], tell: Progress) -> Iterator[TriedLine]:
    """The lines, each told as it is tried."""
    for one in tried:
        tell(f"{one.statement} at {one.place}")
        yield one


def proof_results(prover: Prover, tell: Progress) -> Iterator[ProofResult]:
    """What is known of each claim for each number of players, as it is found out."""
    from referee.page.report_pages import proofs_document
    from referee.report.proof_report import ShapeProofs, as_data, proof_data

    for number in prover.numbers:
        with LOCK:  # rules are loaded one at a time; what is proved is proved in processes
            flow = prover.flow(number)
        for proof in prover.proofs(flow, tell):
            yield made(ProofResult, {**proof_data(flow.core, proof, None), "players": number},
                       proofs_document(as_data([ShapeProofs(flow.core, (proof,), {})])))
            tell("")


def review_report(source: RulesSource, players: int | None, only: Sequence[str], timeout: float | None, tell: Progress,
                  **effort: Any) -> ReviewReport:
    """What rules leave open, forget or contradict."""
    from referee.api.pages.report_files import review_page
    from referee.api.runs.witness_games import Games, Reviewing
    from referee.report.data.finding_data import as_data

    work = Reviewing(source, players, only)
    found = work.review(timeout, tell, **effort)
    games = Games(work.load, None)
    data = as_data(found, games, work.wording)
    return made(ReviewReport, data, review_page(work.title, data, found, games))


def point_infos(flow: Flow) -> tuple[PointInfo, ...]:
    """The points of a game, in the order of its course."""
    from referee.report.data.listed_points import listed_points

    return tuple(
        PointInfo(one.name, one.kind, tuple(label for label, _ in one.offers), one.rest, str(one.origin.span),
                  frozen({label: list(args) for label, args in one.offers if one.kind != "unspecified"}), one.who,
                  one.window, one.start, one.needs)
        for one in listed_points(flow)
    )  # fmt: skip
