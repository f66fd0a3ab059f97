"""A ruleset that a program has loaded: the way to everything that can be done with rules."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from copy import deepcopy
from functools import cached_property, partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, TypeVar

from referee.api.argument_checks import (
    a_count_of_players,
    a_number,
    a_seed,
    a_text,
    a_timeout,
    amounts,
    callbacks,
    one_of,
    options_by_name,
    path_text,
)
from referee.api.error_translation import told
from referee.api.errors import ArgumentError, Cancelled, LogError
from referee.api.execution_lock import LOCK
from referee.api.game import Game
from referee.api.game_setting import drawn, header_from, players_of
from referee.api.log_inputs import LogSource, opened, written
from referee.api.named_engines import ENGINES, GENERATED, SOLVER, TIMEOUT
from referee.api.results.comparison_results import ComparisonReport
from referee.api.results.frozen_results import FrozenDict, made
from referee.api.results.html_texts import html_line
from referee.api.results.line_explanations import explanation_of
from referee.api.results.rule_results import (
    CheckReport,
    ConvertedLog,
    CountReport,
    CoverageReport,
    Explanation,
    InferenceReport,
    PointInfo,
    PositionsReport,
    ProofResult,
    ReviewReport,
    ScenarioResult,
)
from referee.api.results.verdicts import Verdict, verdict_for_programs
from referee.api.rule_sources import RulesSource
from referee.api.runs.judging import judged, judged_each, shared_out
from referee.api.runs.judging_options import judging_options, usable
from referee.api.runs.log_engines import Rules
from referee.api.runs.log_lookup import moment_of, redacted_lines
from referee.api.runs.rule_reports import (
    Cancel,
    Progress,
    check_report,
    coverage_report,
    point_infos,
    proof_results,
    review_report,
    scenario_results,
    told_of,
    tried_lines,
    watched,
)
from referee.archives.log_walk import logs_in
from referee.core.ruleset import Core
from referee.frontend.names.shapes import Range
from referee.interpreter.playouts import complete
from referee.judge.batch import judge_many
from referee.judge.log_run import Options
from referee.judge.open_settings.header_admission import admitted
from referee.judge.records.joint_judgement import judge_together
from referee.system.deadline import stopped_by

_T = TypeVar("_T")


class Ruleset:
    """Rules that are loaded. Made by `referee.load` and `referee.loads`; it never changes, and may be used by several
    threads: calls that carry rules out wait for each other.

    The files are read as they were when it was made. Where they are needed again and have changed, `RulesError` (AP07)
    says so: load them again.

    >>> import referee
    >>> rules = referee.load("sticks.rules")
    >>> rules.name, rules.players
    ('sticks', (2,))
    """

    def __init__(self, source: RulesSource) -> None:
        """Raises `RulesError` with everything that is wrong with the rules for the fewest players."""
        self._source = source
        with LOCK, told():
            source.unchanged()
            self._core: Core = source.flow().core
        self._engines: dict[tuple[str, float], Rules] = {}

    # ------------------------------------------------------------------ what they are
    @property
    def name(self) -> str:
        """The name that logs have for the rules."""
        return self._core.name

    @property
    def version(self) -> str:
        """The version that the rules say they are; empty if they say none."""
        return self._core.version

    @property
    def players(self) -> tuple[int, ...]:
        """For how many players the rules are, rising."""
        return self._range.players

    @property
    def options(self) -> Mapping[str, tuple[str, ...]]:
        """The options of the rules with their values, the default first."""
        return dict(self._range.options)

    @cached_property
    def _range(self) -> Range:
        with LOCK, told():
            return self._source.loaded.range

    def __repr__(self) -> str:
        return f"<Ruleset {self.name}>"

    def _repr_html_(self) -> str:
        numbers = ", ".join(map(str, self.players))
        return f"<b>{html_line(self.name)}</b> {html_line(self.version)}<br>for {numbers} players"

    # ------------------------------------------------------------------ logs
    def judge(self, log: LogSource, *, for_: str | None = None, all_readings: bool = False, facts: bool = False,
              under: bool = False, timeout: float | None = None, engine: str = GENERATED,
              cancel: Cancel | None = None) -> Verdict:
        """The verdict on a log by these rules, whatever rules it names: a path, a file object (read, not closed),
        lines, or the objects that the lines stand for.

        `for_`: a player from whom nothing is told that he cannot see; `all_readings`: those that the log does not
        choose are open; `facts`: what must be so of holes; `under`: other values are tried in the place of defaults;
        `timeout` in seconds (without it only logs with holes are limited); `engine`: `generated`, `native`, `auto`,
        `reference` or `solver` (needs Z3); `cancel` is asked whether to stop, now and then.

        Raises `LogError` for a log that cannot be read up to its first wrong line, `RulesError` if the rules cannot be
        loaded for its players and options, `NoSolver`, `Cancelled`, and `ArgumentError` for what is no log.

        >>> import referee
        >>> lines = ['{"schema": "referee/log/1", "ruleset": "sticks", "players": ["Ana", "Ben"]}',
        ...          '{"by": "Ana", "do": "take", "with": {"sticks": 2}}']
        >>> verdict = referee.load("sticks.rules").judge(lines)
        >>> verdict.outcome, verdict.events, verdict.finished
        ('legal', 1, False)
        """
        options = judging_options(for_, all_readings, facts, timeout, engine, under)
        with LOCK, told(), stopped_by(cancel):
            return usable(verdict_for_programs(judged(log, self._engine(engine, timeout), options)))

    def judge_many(self, logs: Iterable[LogSource], *, jobs: int | None = None, for_: str | None = None,
                   all_readings: bool = False, facts: bool = False, under: bool = False,
                   timeout: float | None = None, engine: str = GENERATED, progress: Callable[[int], None] | None = None,
                   cancel: Cancel | None = None) -> Iterator[Verdict]:
        """The verdicts on many logs, in order, each as soon as it is known; one that cannot be read has the outcome
        `unreadable`, and the next is judged all the same.

        A path may hold many (`spec/archives.md`). `jobs`: processes that judge (only if every log is a path; None: one
        for each core, if there are more than a few); `timeout` in seconds for each log; `progress` is told how many are
        done after each; `cancel` is asked before each whether to stop. Raises `Cancelled`, and what `judge` raises but
        for `LogError`.

        >>> import referee
        >>> rules = referee.load("sticks.rules")
        >>> games = [rules.new_game(["Ana", "Ben"], seed=seed) for seed in range(3)]
        >>> moves = [game.play_out() for game in games]
        >>> [verdict.outcome for verdict in rules.judge_many(game.log() for game in games)]
        ['legal', 'legal', 'legal']
        """
        if jobs is not None:
            a_number(jobs, "`jobs`", 1, 256)
        if isinstance(logs, (str, bytes, os.PathLike)) or not isinstance(logs, Iterable):
            raise ArgumentError("AP01", "the logs are several: a list of paths, say")
        options = judging_options(for_, all_readings, facts, timeout, engine, under)
        callbacks(progress, cancel)
        return self._judge_many(logs, jobs, options, engine, timeout, progress, cancel)

    def _judge_many(self, logs: Iterable[LogSource], jobs: int | None, options: Options, engine: str,
                    timeout: float | None, progress: Callable[[int], None] | None, cancel: Cancel | None) -> Iterator[
                        Verdict]:
        paths, number, rest = shared_out(logs, jobs)
        with told():
            self._source.unchanged()
            if number > 1:
                loader = partial(Rules, self._source, engine, timeout or TIMEOUT, alone=True)
                found = judge_many(logs_in(paths), loader, options, number)
            else:
                found = judged_each(rest, self._engine(engine, timeout), options)
            done = 0
            with closing(found):  # or its processes would stay until nobody knows of them
                while cancel is None or not cancel():
                    verdict = next(found, None)
                    if verdict is None:
                        return
                    yield verdict_for_programs(verdict)
                    done += 1
                    if progress is not None:
                        progress(done)
        raise Cancelled("AP08", f"stopped after {done} logs")

    def _engine(self, name: str, timeout: float | None) -> Rules:
        key = name, (timeout or TIMEOUT) if name == SOLVER else 0.0
        if key not in self._engines:
            self._engines[key] = Rules(self._source, *key)
        return self._engines[key]

    # ------------------------------------------------------------------ games
    def new_game(self, players: Sequence[str] | None = None, *, seed: int | None = None,
                 options: Mapping[str, str] | None = None, given: Mapping[str, Any] | None = None,
                 readings: Mapping[str, str] | None = None, rulings: Mapping[str, Any] | None = None,
                 parameters: Mapping[str, Any] | None = None, state: Mapping[str, Any] | None = None,
                 pool: Mapping[str, Any] | None = None, header: Mapping[str, Any] | None = None) -> Game:
        """A new game of these players, in seat order. The rest is as in the header of a log (`spec/log-format.md`);
        `header` takes it all as one mapping. What is left open of parameters and givens is drawn by lot.
        Without players there are the fewest, called as the rules call the seats, or else ana, ben, ...

        `seed`: of everything drawn by lot; without it no two games are alike. Raises `LogError` for what does not fit
        the rules, `RulesError` if they cannot be loaded so or fail at the start, `ArgumentError` for wrong types.

        >>> import referee
        >>> rules = referee.load("sticks.rules")
        >>> rules.new_game(["Ana", "Ben"], seed=7).asked.who
        ('Ana',)
        >>> rules.new_game(header={"players": ["Cleo", "Dan"]}).players
        ('Cleo', 'Dan')
        """
        a_seed(seed, or_none=True)
        entries = {"options": options, "given": given, "readings": readings, "rulings": rulings,
                   "parameters": parameters, "state": state, "pool": pool}
        seated = players_of(self._core) if players is None and header is None else players
        stated = header_from(self.name, seated, header, entries)
        lot = SystemRandom().getrandbits(63) if seed is None else seed
        with LOCK, told():
            walker = self._engine(GENERATED, None)(stated)
            setting = admitted(walker, stated)
            if not setting.starts_known:
                raise LogError("LG32", "a game is played from a position of which everything is known")
            whole = complete(walker, setting, Random(lot))
            said = entries if header is None else {**entries, **header}  # what is given is given once
            beside = {name: said[name] for name in ("state", "pool") if said.get(name) is not None}
            return Game(walker, whole, {n: str(v) for n, v in stated.options.items()}, lot,
                        drawn(setting, whole), beside, self._source)

    # ------------------------------------------------------------------ one log, or several, looked at closely
    def together(self, logs: Iterable[LogSource], *, for_: str | None = None, facts: bool = False,
                 timeout: float | None = None, cancel: Cancel | None = None) -> Verdict:
        """One verdict on several records of one game: can all of them be true? Options and errors as of `judge`.

        >>> import referee
        >>> rules = referee.load("sticks.rules")
        >>> game = rules.new_game(["Ana", "Ben"], seed=1)
        >>> moves = game.play_out()
        >>> rules.together([game.log(), game.log()]).outcome
        'legal'
        """
        options = judging_options(for_, False, facts, timeout, GENERATED)
        with LOCK, told(), stopped_by(cancel), written(logs) as paths:
            found = judge_together(paths, self._engine(GENERATED, None), options)
            return usable(verdict_for_programs(found))

    def redact(self, log: LogSource, player: str, *, timeout: float | None = None,
               cancel: Cancel | None = None) -> Iterator[str]:
        """The lines of a log as a player (or `public`) knows them at its end, each as JSON; what he did not see is "?".

        `timeout` in seconds (None: no end); `cancel` as of `judge`. Raises `NoView` with the verdict for a log that is
        not legal, has holes itself or was not judged in time, `LogError` for one that cannot be read or in which he
        does not play, `Cancelled`, and `ArgumentError` for what is no log.

        >>> import referee
        >>> rules = referee.load("high_card.rules")
        >>> game = rules.new_game(["Ana", "Ben"], seed=3)
        >>> events = game.advance_fate()
        >>> [line.count("?") for line in rules.redact(game.log(), "Ana")]
        [0, 0, 1]
        """
        a_text(player, "`player`")
        a_timeout(timeout)
        with LOCK, told(), stopped_by(cancel), opened(log) as stream:
            return iter(redacted_lines(stream, player, self._engine(GENERATED, None), timeout))

    def explain(self, log: LogSource, line: int, *, for_: str | None = None, timeout: float | None = None,
                cancel: Cancel | None = None) -> Explanation:
        """A line of a log in its place: who was asked, what was possible, by which rule it stands or falls.

        `line` counts from 1, the header is the first; `timeout` in seconds (None: no end): where it is over before the
        line nothing is told but the verdict `unknown`. Raises `ArgumentError` (AP02) if there is no such line with an
        event, a claim or an end, and what `judge` raises.

        >>> import referee
        >>> rules = referee.load("sticks.rules")
        >>> game = rules.new_game(["Ana", "Ben"])
        >>> game.play("Ana", "take", sticks=3)
        >>> found = rules.explain(game.log(), 2)
        >>> found.asked, found.rule, found.held[0].text
        ('Ana at play.take', 'take', 'so many are left')
        """
        a_number(line, "a line", 1, 2**31)
        if for_ is not None:
            a_text(for_, "`for_`")
        a_timeout(timeout)
        with LOCK, told(), stopped_by(cancel), opened(log) as stream:
            return explanation_of(moment_of(stream, line, self._engine(GENERATED, None), for_, timeout))

    def infer(self, logs: Iterable[LogSource], *, blind: bool = False, games: int = 0, seed: int = 0,
              timeout: float | None = None, engine: str = GENERATED, progress: Progress | None = None,
              cancel: Cancel | None = None) -> InferenceReport:
        """Which readings, rulings and parameters explain every log.

        `blind`: what headers state of them is not looked at; `games`: so many random ones, by `seed`, are looked
        through for what tells two settings apart; `timeout` in seconds for everything but `games` (None: 60 for each
        log, and 60 beside). Logs without a path are called by temporary ones. Raises as `judge` does, and `Cancelled`.

        >>> import referee
        >>> rules = referee.load("sticks.rules")
        >>> rules.infer([rules.new_game(["Ana", "Ben"]).log()]).outcome
        'explained'
        """
        a_number(games, "`games`", 0, 100_000)
        a_seed(seed)
        judging_options(None, False, False, timeout, engine)
        tell = watched(progress, cancel)
        with LOCK, told(), written(logs) as paths:
            from referee.api.runs.inference_runs import Inferring
            from referee.report.data.inference_data import as_data

            work = Inferring(paths, self._engine(engine, None), blind=blind, games=games, seed=seed, seconds=timeout)
            work.judge(lambda: tell(f"{work.judged} of {len(paths)} logs"))
            return made(InferenceReport, as_data(work.more(work.told())))

    # ------------------------------------------------------------------ ways to go on, games in other formats
    def count(self, depth: int, *, log: LogSource | None = None, players: int | None = None,
              options: Mapping[str, str] | None = None, unit: str = "turn", distinct: str = "sequences",
              without: Sequence[str] = (), jobs: int = 1, timeout: float | None = None,
              cancel: Cancel | None = None) -> CountReport:
        """In how many ways a game can go on, for 1, 2, ... `depth` steps: from its beginning, for a number of players
        (None: the fewest) and options, or from the end of a log, whose header alone may state a position.

        `unit`: `turn` or `event`; `distinct`: `sequences`, `results` or `positions`; `without`: labels of events that
        nobody takes; `jobs`: processes; `timeout` in seconds: numbers that are missing then are told by `why`. Raises
        `ArgumentError`, also if a number hangs on what nobody stated, `NoView` for a log that is not legal or leaves
        open where the game stands, `LogError`, `RulesError` and `Cancelled`.

        >>> import referee
        >>> referee.load("sticks.rules").count(3).numbers
        (3, 9, 23)
        """
        from referee.api.runs import counting

        with LOCK, told(), stopped_by(cancel), counting.begun(self._source, log, players, options) as (start, name):
            what_ = counting.steps_of(start, unit, distinct, without)
            found = counting.count_up_to(start, depth, what_, timeout=timeout, jobs=jobs)
            return counting.count_report(start, name, depth, what_, found)

    def positions(self, *, log: LogSource | None = None, players: int | None = None,
                  options: Mapping[str, str] | None = None, memory: int = 1_074, engine: str = "auto",
                  timeout: float | None = None, cancel: Cancel | None = None) -> PositionsReport:
        """Every position that games can come to, each once, from where `count` begins. `memory`: megabytes; `engine`:
        as for `--positions`. What is missing then is told by `why`. Raises as `count` does.

        >>> import referee
        >>> referee.load("sticks.rules").positions().levels
        (1, 3, 5, 4, 1)
        """
        from referee.api.runs import counting

        with LOCK, told(), stopped_by(cancel), counting.begun(self._source, log, players, options) as (start, name):
            return counting.positions_report(start, name, timeout, memory, engine)

    def convert(self, form: str, file: str | os.PathLike[str], *,
                mapping: str | os.PathLike[str] | None = None) -> Iterator[ConvertedLog]:
        """The games of a file in another format (`pgn`, `phh`, `openspiel`) as logs, one by one (`spec/converting.md`).

        `mapping`: the path of one; None for the one beside the rules. What cannot be converted is told by `troubles`.
        Raises `RulesError` for rules or a mapping that cannot be used, `NoLibrary` if the one that reads the format is
        not installed.

        >>> import referee
        >>> game, = referee.load("sticks.rules").convert("openspiel", "sticks.txt", mapping="sticks.mapping.toml")
        >>> bool(game), game.lines[-1]
        (True, '{"end": {"winner": "second"}}')
        """
        from referee.api.runs.converting import FORMATS, Converter

        one_of(form, "format", FORMATS)
        path, beside = path_text(file), None if mapping is None else path_text(mapping)
        with LOCK, told():
            converter = Converter(form, self._source, beside)
        return self._one_by_one(converter.logs(path))

    # ------------------------------------------------------------------ the rules themselves
    def check(self, *, progress: Progress | None = None, cancel: Cancel | None = None) -> CheckReport:
        """Everything that is wrong with the rules, for each number of players, each option, and in their scenarios.

        Raises `RulesError` if their files have changed, and `Cancelled`.

        >>> import referee
        >>> report = referee.load("sticks.rules").check()
        >>> bool(report), report.shapes
        (True, 1)
        """
        with LOCK, told():
            return check_report(self._source, watched(progress, cancel))

    def test(self, *, engine: str = GENERATED, timeout: float | None = None, progress: Progress | None = None,
             cancel: Cancel | None = None) -> Iterator[ScenarioResult]:
        """How each scenario of the rules goes, one after the other. `timeout`: seconds for all of them from the first
        on (None: no end). Raises `RulesError` for a scenario that cannot be read, and `Cancelled`, also (AP11) once
        the time is over.

        >>> import referee
        >>> [result.passed for result in referee.load("sticks.rules").test()]
        [True]
        """
        one_of(engine, "engine", ENGINES)
        a_timeout(timeout)
        return self._one_by_one(scenario_results(self._source, engine, watched(progress, cancel), timeout))

    def coverage(self, *, live: bool = False, timeout: float | None = None, progress: Progress | None = None,
                 cancel: Cancel | None = None) -> CoverageReport:
        """What became of each statement of the rulebook (none: there is no `statements.toml`).

        `live`: each cited line is taken out in turn to see whether anything notices (minutes for a large game), for
        `timeout` seconds (None: no end). Raises `RulesError`, and `Cancelled`, also (AP11) once the time is over.

        >>> import referee
        >>> referee.load("sticks.rules").coverage().complete
        True
        """
        a_timeout(timeout)
        with LOCK, told():
            tell = watched(progress, cancel)
            tried = tried_lines(self._source, timeout)
            return coverage_report(self._source, told_of(tried, tell) if live else None)

    def prove(self, players: int | None = None, *, timeout: float = 600.0, jobs: int | None = None,
              progress: Progress | None = None, cancel: Cancel | None = None) -> Iterator[ProofResult]:
        """What is known of each invariant and limit, for every number of players or one, as it is found out. Proofs run
        in processes: nothing else waits for them, and closing the iterator ends them.

        `timeout`: seconds of computing for each number of players; `jobs`: processes (None: two where there are cores).
        Raises `NoSolver`, `RulesError`, and `Cancelled` (`cancel` is asked whenever there is progress).

        >>> import referee
        >>> [(proof.name, proof.outcome) for proof in referee.load("sticks.rules").prove(timeout=20, jobs=1)]
        [('few_enough', 'proved')]
        """
        a_count_of_players(players)
        if jobs is not None:
            a_number(jobs, "`jobs`", 1, 16)
        a_number(timeout, "`timeout`", 1, 86_400, whole=False)
        return self._proofs(players, timeout, jobs, watched(progress, cancel))

    def _proofs(self, players: int | None, timeout: float, jobs: int | None, tell: Progress) -> Iterator[ProofResult]:
        from referee.api.runs.proof_runs import Prover  # slow to import

        with told():
            with LOCK:
                prover = Prover(self._source, players, timeout, jobs)
            yield from proof_results(prover, tell)

    def review(self, players: int | None = None, *, only: Sequence[str] = (), games: int = 200, events: int = 400,
               positions: int = 20_000, seed: int = 0, proofs: bool = False, timeout: float | None = None,
               progress: Progress | None = None, cancel: Cancel | None = None) -> ReviewReport:
        """What the rules leave open, forget or contradict, each with a game that shows it, for every number of players
        or one. It may take minutes; calls of other threads wait.

        `only`: classes of findings; `games`: random ones for each number of players, of at most so many `events`, by
        `seed`; `positions` that are searched; `proofs`: what no game showed is tried to be proved; `timeout` in
        seconds. Raises `RulesError`, `ArgumentError` for a class that there is not, and `Cancelled`.

        >>> import referee
        >>> report = referee.load("sticks.rules").review(games=5, positions=200)
        >>> report.ruleset, report.players, report.interrupted
        ('sticks', (2,), False)
        """
        a_count_of_players(players)
        amounts(games=games, events=events, positions=positions)
        a_seed(seed)
        a_timeout(timeout, 1)
        if isinstance(only, str):
            raise ArgumentError("AP01", "`only` is a list of classes")
        with LOCK, told():
            return review_report(self._source, players, only, timeout, watched(progress, cancel), games=games,
                                 events=events, positions=positions, seed=seed, proofs=bool(proofs))

    def compare(self, other: Ruleset, logs: Sequence[LogSource] = (), *,
                mapping: str | os.PathLike[str] | None = None, players: int | None = None,
                options: Mapping[str, str] | None = None, games: int = 200, events: int = 400,
                positions: int = 20_000, seed: int = 0, timeout: float | None = 600.0,
                progress: Progress | None = None, cancel: Cancel | None = None) -> ComparisonReport:
        """What other rules allow, ask or decide otherwise, each with the shortest game that shows it, for every number
        of players that both have or one; and which verdicts on logs of these rules change (`spec/comparing.md`).

        `mapping`: the path of what the two call the same; `options` of either; the rest as for `review`. Raises
        `RulesError`, also for a mapping that does not fit, `ArgumentError` (AP02) where the two have no players or
        options in common, and `Cancelled`.

        >>> import referee
        >>> rules = referee.load("sticks.rules")
        >>> rules.compare(referee.load("sticks.rules")).proved
        True
        """
        from referee.api.runs.comparison_runs import comparison_between  # slow to import

        if not isinstance(other, Ruleset):
            raise ArgumentError("AP01", f"rules are compared with other rules, not with {type(other).__name__}")
        with LOCK, told():
            return comparison_between(
                self._source, other._source, logs, None if mapping is None else path_text(mapping), players,
                options, (games, events, positions, seed), timeout, watched(progress, cancel))

    def format(self) -> Mapping[str, str]:
        """The files of the rules laid out the one way: path -> text. Nothing is written.

        >>> import referee
        >>> text, = referee.load("sticks.rules").format().values()
        >>> text.splitlines()[2]
        'game "Sticks" for 2 players first and second'
        """
        from referee.syntax.formatter import format_text

        with LOCK, told():
            return FrozenDict({one.path: format_text(one.text, one.path) for one in self._source.loaded.sources})

    def points(self, players: int | None = None, options: Mapping[str, str] | None = None) -> tuple[PointInfo, ...]:
        """The points at which somebody is asked, by the names that logs and options use, for a number of players (None:
        the fewest) and options. Raises `RulesError` if the rules are not for them.

        >>> import referee
        >>> [(point.name, point.kind) for point in referee.load("sticks.rules").points()]
        [('end of the rules', 'unspecified'), ('play.take', 'decision')]
        """
        a_count_of_players(players)
        options_by_name(options)
        with LOCK, told():
            return point_infos(self._source.flow(players, options))

    @staticmethod
    def schema(name: str) -> dict[str, Any]:
        """The JSON Schema of what is read or written: `log`, `report`, ..., all that stand in `spec/NAME.schema.json`.

        >>> import referee
        >>> referee.load("sticks.rules").schema("report")["title"]
        'verdicts on logs (referee/report/1)'
        """
        from referee.report.data.schemas import SCHEMAS  # slow to import

        one_of(name, "schema", sorted(SCHEMAS))
        return deepcopy(SCHEMAS[name])

    def _one_by_one(self, found: Iterator[_T]) -> Iterator[_T]:
        """Results that are worked out as they are asked for."""
        while True:
            with LOCK, told():
                one = next(found, None)
            if one is None:
                return
            yield one


def load(where: str | Path) -> Ruleset:
    """Rules by the name of a bundled ruleset, or by a path: a folder with `*.rules` in it, or such a file.

    Raises `RulesError` with everything that is wrong with them, `ArgumentError` for what is no name or path.

    >>> import referee
    >>> referee.load("sticks.rules")
    <Ruleset sticks>
    """
    if not isinstance(where, (str, os.PathLike)):
        raise ArgumentError("AP01", f"rules are loaded by a name or a path, not by {type(where).__name__}")
    return Ruleset(RulesSource(where if isinstance(where, str) else Path(path_text(where))))


def loads(text: str, name: str = "rules") -> Ruleset:
    """Rules given as a text; `name` is what logs call them. Raises as `load` does.

    >>> import referee
    >>> try:
    ...     referee.loads('game "Sticks" for 2 player')
    ... except referee.RulesError as error:
    ...     print(error.code, error.span.line)
    SY30 1
    """
    a_text(text, "a ruleset")
    a_text(name, "the name of a ruleset")
    if not name.isidentifier():
        raise ArgumentError("AP01", f"{name[:60]!r} is no plain name: letters, digits and _")
    return Ruleset(RulesSource(f"{name}.rules", text))
