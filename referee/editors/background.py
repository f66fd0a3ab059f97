"""The process in the background: whole checks, scenarios, logs and renamings; what is stale is left.

Nothing of it holds up what somebody writes. Tasks and answers are sent through a pipe; a thread takes tasks as they
come, so that who sends one never waits.
"""

from __future__ import annotations

import pickle
import threading
from collections import deque
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from pathlib import Path

from referee.api.errors import RefereeError
from referee.api.ruleset import load
from referee.api.runs.rule_checks import Checked, checked_rules
from referee.diagnostics.diagnostic import Diagnostic, Problems
from referee.diagnostics.source import Span
from referee.editors.background_tasks import (
    Answer,
    CheckAnswer,
    CheckTask,
    ExplainedLine,
    LineTask,
    LogAnswer,
    LogTask,
    RenameAnswer,
    RenameTask,
    ReviewAnswer,
    ReviewedFinding,
    ReviewTask,
    ScenarioAnswer,
    ScenarioFailed,
    ScenarioTask,
    Task,
    WentWrong,
)
from referee.editors.log_lines import judged_log, line_text
from referee.editors.same_meaning import differs
from referee.frontend.checks.block_checks import KnownNames
from referee.frontend.loading.assembly import Loaded, parsed
from referee.frontend.loading.ruleset_files import find
from referee.rule_tests.scenario_runs import run_scenario
from referee.system.deadline import Deadline, OutOfTime, StopRequested, stopped_by
from referee.system.file_observations import FileObservations

SCENARIO_SECONDS = 20.0
"""How long all scenarios of a ruleset may take."""
REVIEW_SECONDS, REVIEW_GAMES = 120.0, 40
"""How long a review may take, and how many games are played for it."""
MOST_KEPT = 4
"""Rulesets of which the last check is kept, for their scenarios."""


class Stale(Exception):
    """Somebody has written on: nobody wants the answer any more."""


def whole_check(where: Path, unsaved: Mapping[Path, bytes], begun: Callable[[object], None] = lambda _: None
                ) -> tuple[tuple[Diagnostic, ...], Checked | Loaded | None]:
    """Everything that is wrong with a ruleset, and what was loaded of it."""
    loaded = None
    try:
        loaded = parsed(find(where, FileObservations(unsaved)))
        done = checked_rules(loaded, begun)
    except Problems as problems:
        return problems.diagnostics, loaded
    return done.found or done.warnings, done


def work(asked: Connection) -> None:
    """In the process: does tasks until nobody asks any more."""
    _Background(asked).run()


class _Background:
    """What one process does."""

    def __init__(self, asked: Connection) -> None:
        self._asked = asked
        self._waiting: deque[Task] = deque()
        self._there = threading.Condition()
        self._gone = False
        self._kept: dict[Path, Checked] = {}

    def run(self) -> None:
        """Until the pipe is closed."""
        threading.Thread(target=self._listen, daemon=True).start()
        while (task := self._next()) is not None:
            try:
                with stopped_by(lambda now=task: self._stale(now)):  # type: ignore[misc]
                    self._do(task)
            except (Stale, StopRequested):
                pass
            except Exception as error:  # an error of ours is told, and the next task is done all the same
                self._tell(WentWrong(task.number, f"{type(error).__name__}: {str(error)[:200]}"))

    def _listen(self) -> None:
        try:
            while True:
                task = self._asked.recv()
                with self._there:
                    self._waiting.append(task)
                    self._there.notify()
        except (EOFError, OSError):
            with self._there:
                self._gone = True
                self._there.notify()

    def _next(self) -> Task | None:
        """The task to be done next: what somebody waits for before what is done for later."""
        with self._there:
            self._there.wait_for(lambda: self._waiting or self._gone)
            if self._gone:
                return None
            order = (LineTask, RenameTask, CheckTask, LogTask, ScenarioTask, ReviewTask)
            task = min(self._waiting, key=lambda one: order.index(type(one)))
            self._waiting.remove(task)
            return task

    def _stale(self, task: Task) -> bool:
        """Whether something came that makes a task needless, or that cannot wait for it."""
        with self._there:
            if self._gone:
                return True
            later = [one for one in self._waiting if one.number > task.number]
        if isinstance(task, RenameTask):
            return False
        if isinstance(task, ScenarioTask):
            return any(isinstance(one, CheckTask) and one.where == task.where for one in later)
        return any(type(one) is type(task) and one.where == task.where for one in later)

    def _tell(self, answer: Answer) -> None:
        self._asked.send(answer)

    def _do(self, task: Task) -> None:
        if self._stale(task):
            return
        match task:
            case CheckTask():
                self._tell(self._check(task))
            case ScenarioTask():
                self._scenarios(task)
            case LogTask():
                self._tell(LogAnswer(task.number, task.where, judged_log(task.where, task.text)))
            case LineTask():
                self._tell(ExplainedLine(task.number, line_text(task.where, task.text, task.line)))
            case ReviewTask():
                self._tell(_reviewed(task))
            case RenameTask():
                self._tell(RenameAnswer(task.number, differs(
                    task.where, task.unsaved, {**task.unsaved, **task.renamed}, task.old, task.new)))

    def _check(self, task: CheckTask) -> CheckAnswer:
        def begun(_: object) -> None:
            if self._stale(task):
                raise Stale

        found, done = whole_check(task.where, task.unsaved, begun)
        self._kept.pop(task.where, None)
        if not isinstance(done, Checked):
            statements = {} if done is None else {name: one.text for name, one in done.statements.items()}
            return CheckAnswer(task.number, task.where, found, 0, None, statements)
        while len(self._kept) >= MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[task.where] = done
        built = next(iter(done.built.values()), None)
        known = None if built is None else pickle.dumps(KnownNames.of(built, done.loaded), 5)
        statements = {name: one.text for name, one in done.loaded.statements.items()}
        return CheckAnswer(task.number, task.where, found, done.shapes, known, statements)

    def _scenarios(self, task: ScenarioTask) -> None:
        done = self._kept.get(task.where)
        until = Deadline(SCENARIO_SECONDS)
        for scenario in done.scenarios if done is not None else ():
            if task.title is not None and scenario.title != task.title:
                continue
            if self._stale(task):
                raise Stale
            try:
                result = run_scenario(scenario, until=until)
            except OutOfTime:
                return
            first = next(iter(result.failures), None)
            failure = None if first is None else ScenarioFailed(first.span, first.message)
            self._tell(ScenarioAnswer(task.number, task.where, scenario.title, scenario.span, failure))


def _reviewed(task: ReviewTask) -> ReviewAnswer:
    try:
        report = load(task.where).review(games=REVIEW_GAMES, timeout=REVIEW_SECONDS)
    except RefereeError as error:
        return ReviewAnswer(task.number, task.where, (), error.message)
    found = [
        ReviewedFinding(one.id, one.message, Span(place.path, place.line, place.column, place.line, place.column + 1),
                        one.statements)
        for one in report.findings if one.accepted is None and one.outcome in ("found", "candidate")
        for place in one.places[:1]
    ]
    return ReviewAnswer(task.number, task.where, tuple(found))
