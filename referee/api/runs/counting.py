"""Counts the ways in which a game can go on, depth by depth, in one process or in several."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from referee.api.argument_checks import a_count_of_players, a_number, a_timeout, one_of, options_by_name
from referee.api.error_translation import of_fault
from referee.api.errors import ArgumentError, NoView
from referee.api.log_inputs import LogSource, opened
from referee.api.named_engines import GENERATED
from referee.api.results.frozen_results import made
from referee.api.results.rule_results import CountReport, PositionsReport
from referee.api.results.verdicts import verdict_for_programs
from referee.api.rule_sources import RulesSource
from referee.api.runs.log_engines import Rules
from referee.api.runs.seated_games import GameTable
from referee.api.shared_tasks import PROCESSES, shared
from referee.core.flow import offered, offers
from referee.game.log.log_header import HeaderFault
from referee.game.log.log_reader import Log
from referee.game.log.strict_json import brief
from referee.game.setting import Setting
from referee.game.state import Failed, State, Step
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.judge import Judge
from referee.judge.judgement_summary import verdict_of
from referee.judge.open_settings.header_admission import admitted
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import ENGINES, REFERENCE, engine
from referee.report.data.count_data import as_data, positions_data
from referee.simulation.every_position import MOST_BYTES as MOST_BYTES
from referee.simulation.every_position import Explored, explore
from referee.simulation.game_counting import (
    MOST_EVENTS,
    CountedSteps,
    Distinct,
    GameCounter,
    RulesFailed,
    SequenceTooLong,
    TooManyPositions,
    Unit,
)
from referee.system.deadline import Deadline, OutOfTime

UNITS = tuple(one.value for one in Unit)
DISTINCT = tuple(one.value for one in Distinct)
NOTHING_FIXED: Mapping[str, Mapping[str, Any]] = {"given": {}, "readings": {}, "rulings": {}, "parameters": {}}
OPEN = "nobody stated {}, and the number hangs on it"
BY_GENERATED, BY_REFERENCE = "by generated code", "by the reference engine"
FEW = "there was not so much to count that machine code pays"
THEN_MACHINE = "then by machine code"
AHEAD = 2
"""So many steps are taken before the rest is shared out."""


@dataclass(frozen=True, slots=True)
class CountSource:
    """A position, the rules for it, and how they are found again in another process. `engine`: what carries them out,
    by its name."""

    walker: Walker
    state: Step
    source: RulesSource
    options: Mapping[str, str]
    engine: str = GENERATED

    def said(self, counter: GameCounter) -> str:
        """What has counted, in words."""
        if self.engine == REFERENCE:
            return BY_REFERENCE
        if counter.by_machine:
            return f"{BY_GENERATED}, {THEN_MACHINE}"
        why = counter.slow or (FEW if self.engine != GENERATED else "")
        return f"{BY_GENERATED}: {why}" if why else BY_GENERATED


@dataclass(frozen=True, slots=True)
class Counted:
    """The numbers at depth 1, 2, ...; `why` there are not as many as were asked for, None if there are; `engine`: what
    has counted, in words; of several processes this one, which counts the first steps."""

    numbers: tuple[int, ...]
    why: str | None
    engine: str


def at_table(source: RulesSource, table: GameTable, engine_name: str = GENERATED) -> CountSource:
    """The beginning of a game at a table. Raises `RulesError` if the rules fail in set-up, `ArgumentError` if it hangs
    on what nobody stated."""
    return CountSource(table.walker, _begun(table.walker, table.setting), source, dict(table.walker.core.options),
                       engine_name)


def _begun(walker: Walker, setting: Setting) -> Step:
    try:
        step = walker.begin(setting)
    except Unsettled as open_:
        raise _unstated(walker, open_) from None
    if isinstance(step, Failed):
        raise of_fault(Fault(step.code, step.message, step.span))
    return step


def _unstated(walker: Walker, open_: Unsettled) -> ArgumentError:
    """The error for a number that hangs on what nobody stated, with how it is stated."""
    var = walker.core.vars[open_.var]
    hint = f"state it by `--{var.role.value} {var.name}=VALUE`, or in the header of a log (`--from LOG`)"
    return ArgumentError("AP02", OPEN.format(open_.var), hint=hint)


def at_end_of(log: Log, source: RulesSource, engine_name: str = GENERATED) -> CountSource:
    """Where a log leaves the game; its header alone is the beginning, or the position that it starts from.

    Raises `NoView` with the verdict for a log that is not legal, or leaves open where the game stands; `LogProblem`
    and `Problems`.
    """
    rules = Rules(source, _counting(engine_name))
    try:
        walker = rules(log.header)
        setting = admitted(walker, log.header)
    except HeaderFault as fault:
        raise log.refuse(fault) from None
    judge = Judge(walker, setting)
    log.test = judge.claims.readable
    for line in log:
        judge.feed(line)
    blank = LogVerdict(log.path, LogOutcome.LEGAL, walker.core.name, walker.core.version, log.header.players)
    verdict = verdict_of(judge, blank)
    if verdict.outcome is not LogOutcome.LEGAL or len(alive := judge.arrive()) != 1:
        told_ = verdict_for_programs(verdict)
        raise NoView(told_.reason or told_.outcome, told_)
    here = alive[0].step
    state = walker.arrive(here) if isinstance(here, State) else here
    return CountSource(walker, state, source, dict(walker.core.options), engine_name)


@contextmanager
def begun(source: RulesSource, log: LogSource | None, players: int | None,
          options: Mapping[str, str] | None) -> Iterator[tuple[CountSource, str | None]]:
    """Where a program wants it to begin, and the log whose end that is: without one the beginning of a game, of the
    fewest players if nothing is said. Raises `ArgumentError`, and as `at_table` and `at_end_of` do."""
    a_count_of_players(players)
    options_by_name(options)
    if log is None:
        yield at_table(source, GameTable(source, players, options or {}, NOTHING_FIXED, GENERATED)), None
        return
    if players is not None or options:
        raise ArgumentError("AP01", "with a log nothing is said of players and options: they are those of the log")
    with opened(log) as stream:
        yield at_end_of(stream, source), stream.path


def steps_of(start: CountSource, unit: str, distinct: str, without: Iterable[str]) -> CountedSteps:
    """What is counted, by the names of `UNITS` and `DISTINCT` and labels of events. Raises `ArgumentError`, with AP02
    for a label that the rules do not have."""
    one_of(unit, "unit", UNITS)
    one_of(distinct, "kind of number", DISTINCT)
    if isinstance(without, str):
        raise ArgumentError("AP01", "`without` is a list of labels")
    known = {one.label for node in start.walker.flow.nodes if (found := offers(node)) is not None
             for one in offered(found)}
    for label in without:
        if label not in known:
            raise ArgumentError("AP02", f"the rules have no event {brief(label)}", expected=tuple(sorted(known)))
    return CountedSteps(Unit(unit), Distinct(distinct), frozenset(without))


def count_up_to(start: CountSource, depth: int, what: CountedSteps, *, timeout: float | None, jobs: int,
                where: str = PROCESSES) -> Counted:
    """The numbers for each depth up to one, as far as they are found in time. `where`: what counts. Raises
    `RulesError` if the rules fail, `ArgumentError` if a number hangs on what nobody stated, nothing counts there, or
    what is asked for makes no sense."""
    a_number(depth, "`depth`", 1, 100)
    a_number(jobs, "`jobs`", 1, 256)
    a_timeout(timeout)
    until = Deadline(timeout)
    numbers: list[int] = []
    counter, why = GameCounter(start.walker, what, until), None
    try:
        numbers.extend(_numbers(start, depth, counter, jobs, where))
    except OutOfTime:
        why = f"not done within {timeout:g} s"
    except SequenceTooLong:
        why = f"a sequence has more than {MOST_EVENTS} events"
    except TooManyPositions:
        why = "more positions than are remembered"
    except RulesFailed as found:
        raise of_fault(Fault(found.failed.code, found.failed.message, found.failed.span)) from None
    except Unsettled as open_:
        raise _unstated(start.walker, open_) from None
    return Counted(tuple(numbers), why, start.said(counter))


def count_report(start: CountSource, log: str | None, depth: int, what: CountedSteps, found: Counted) -> CountReport:
    """The numbers for programs."""
    return made(CountReport, as_data(start.walker.core, log, what, depth, found.numbers, found.engine, found.why))


def every_position(start: CountSource, *, timeout: float | None, most_bytes: int, engine_name: str) -> Explored:
    """All positions that games can come to from there, as far as there is time and room.

    Raises `RulesError` if the rules fail, `ArgumentError` if a position hangs on what nobody stated.
    """
    walker = start.walker if engine_name != REFERENCE else engine(start.walker.flow, REFERENCE)
    try:
        return explore(walker, start.state, most_bytes, Deadline(timeout), engine_name)
    except RulesFailed as found:
        raise of_fault(Fault(found.failed.code, found.failed.message, found.failed.span)) from None
    except Unsettled as open_:
        raise _unstated(start.walker, open_) from None


def positions_report(start: CountSource, log: str | None, timeout: float | None, megabytes: int, engine_name: str,
                     ) -> PositionsReport:
    """All positions, for programs. Raises `ArgumentError`, and as `every_position` does."""
    a_timeout(timeout)
    a_number(megabytes, "`memory`", 1, 1 << 20)
    one_of(engine_name, "engine", ENGINES)
    found = every_position(start, timeout=timeout, most_bytes=megabytes * 1_000_000, engine_name=engine_name)
    return made(PositionsReport, positions_data(start.walker.core, log, found))


def _numbers(start: CountSource, depth: int, counter: GameCounter, jobs: int, where: str) -> Iterator[int]:
    if not isinstance(start.state, State):
        yield from [0] * depth
        return
    if counter.what.distinct is Distinct.POSITIONS:
        found = counter.positions(start.state)
        for _ in range(depth):
            yield next(found, 0)
        return
    for steps in range(1, depth + 1):
        if (jobs == 1 and where == PROCESSES) or steps <= AHEAD + 1:
            yield counter.number(start.state, steps)
        else:
            yield _shared(start, counter, steps, jobs, where)


def _shared(start: CountSource, counter: GameCounter, steps: int, jobs: int, where: str) -> int:
    """A number, where the rest after a few steps is counted by several processes."""
    assert isinstance(start.state, State)
    tasks = ((state, steps - AHEAD) for state in counter.begun(start.state, AHEAD))
    make = partial(_worker, start.source, start.walker.core.seats.number, start.options, counter.what,
                   counter.until.as_timeout, _counting(start.engine))
    found: Generator[int, None, None] = shared(tasks, make, jobs, _gone, where)
    try:
        return sum(found)
    finally:
        found.close()


def _worker(source: RulesSource, players: int, options: Mapping[str, str], what: CountedSteps,
            seconds: float | None, engine_name: str) -> Callable[[tuple[State, int]], int]:
    """In another process."""
    counter = GameCounter(engine(source.flow(players, options), engine_name), what, Deadline(seconds))
    return lambda task: counter.number(*task)


def _counting(engine_name: str) -> str:
    """The engine that counts where one is asked for."""
    return REFERENCE if engine_name == REFERENCE else GENERATED


def _gone(_task: tuple[State, int]) -> int:
    raise OutOfTime
