"""Compares two rulesets for a command or a program: the numbers of players that both have, and the verdicts on logs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from referee.api.argument_checks import a_count_of_players, a_seed, a_timeout, amounts, options_by_name
from referee.api.errors import ArgumentError
from referee.api.game_record import Recorder
from referee.api.game_setting import players_of
from referee.api.log_inputs import LogSource, is_path, written
from referee.api.named_engines import GENERATED, REFERENCE
from referee.api.results.comparison_results import ComparisonReport
from referee.api.results.frozen_results import made
from referee.api.rule_sources import RulesSource
from referee.api.runs.judging import judged
from referee.api.runs.log_engines import Rules
from referee.api.runs.scenario_examples import told_in
from referee.archives.log_opening import open_log
from referee.comparison.comparing import (
    LogChange,
    RulesComparison,
    ShapeComparison,
    compared,
    dictionaries,
    paired,
    refuse_unknown_names,
)
from referee.comparison.correspondence import Correspondence, read_correspondence
from referee.comparison.log_translation import TranslatedLog, lines_of
from referee.comparison.search import CompareEffort as CompareEffort
from referee.comparison.shown_difference import ScenarioGame
from referee.comparison.telling import ToldDifference
from referee.comparison.translated_settings import NotComparable, TranslatedSettings, kept, translated_options
from referee.diagnostics.diagnostic import Problems
from referee.frontend.loading.outside_expressions import expression
from referee.frontend.names.shapes import said
from referee.game.log.log_header import SCHEMA, HeaderFault, header_of
from referee.game.log.log_lines import LineFault
from referee.game.log.strict_json import Json
from referee.game.setting import Setting
from referee.interpreter.interruptions import Fault
from referee.interpreter.walker import Walker
from referee.judge.log_run import PLAIN
from referee.judge.open_settings.header_admission import admitted
from referee.judge.verdict import LogOutcome, LogVerdict
from referee.native.engine_names import engine
from referee.report.data.comparison_data import as_data
from referee.simulation.witness import Tale
from referee.system.deadline import Clock

Progress = Callable[[str], None]


class Comparer:
    """Two rulesets that are to be compared. `numbers`: of players, for which they are."""

    def __init__(self, one: RulesSource, other: RulesSource, mapping: str | None, players: int | None,
                 options: Mapping[str, str], engine_name: str = GENERATED) -> None:
        """`mapping`: the path of a correspondence; `players`: None for every number that both have; `options` of both,
        each for those that have it; `engine_name`: what
        carries both out. Raises `Problems`, and `ArgumentError` (AP02) for a number or option of neither."""
        self._sources = one, other
        self._engine = engine_name
        self._said = mapping or "<correspondence>"
        self._correspondence = Correspondence() if mapping is None else read_correspondence(Path(mapping))
        self._translates = mapping is not None
        ranges = [source.loaded.range for source in self._sources]
        shared = sorted(set(ranges[0].players) & set(ranges[1].players))
        if not shared:
            numbers = " and the other ".join(said(one.players) for one in ranges)
            raise ArgumentError("AP02", f"the rules are never for as many players: the one for {numbers}")
        if players is not None and players not in shared:
            raise ArgumentError("AP02", f"not both are for {players} players", expected=tuple(map(str, shared)))
        for name in options:
            if not any(name in one.options for one in ranges):
                raise ArgumentError("AP02", f"neither has an option {name}")
        self.numbers = tuple(shared) if players is None else (players,)
        self._options = dict(options)
        same = self._correspondence.settings
        told = {name: value for name, value in options.items() if name in ranges[0].options}
        its = {**options, **{same[name]: value for name, value in options.items() if name in same}}
        self._own = [told, {name: value for name, value in its.items() if name in ranges[1].options}]
        self._walkers: dict[int, tuple[Walker, Walker]] = {}

    def compare(self, logs: Sequence[LogSource], effort: CompareEffort, timeout: float | None, *,
                only_logs: bool = False, progress: Progress = lambda _: None) -> RulesComparison:
        """The comparison; once the time is over, or after Ctrl-C, what is known by then. `only_logs`: no games are
        looked at. Raises `Problems`."""
        clock = Clock(timeout)
        shapes: list[ShapeComparison] = []
        numbers = () if only_logs else self.numbers
        if only_logs and self._translates:  # else each number of players finds it
            one, other = self._both(self.numbers[0])
            refuse_unknown_names(one, other, players_of(one.core), self._correspondence, self._said)
        for index, number in enumerate(numbers):
            one, other = self._both(number)
            part = clock.part(1 / (len(numbers) - index))
            shapes.append(compared(one, other, players_of(one.core), self._correspondence, self._said, effort, part,
                                   list(self._told(one, other)),
                                   lambda text, number=number: progress(f"{number} players: {text}")))  # type: ignore[misc]
            if clock.hurried:
                break
        changes = tuple(self._judged(logs, progress)) if not clock.hurried else ()
        names = tuple(source.loaded.files.name for source in self._sources)
        first, second = ({name: one.text for name, one in source.loaded.statements.items()}
                         for source in self._sources)
        return RulesComparison((names[0], names[1]), self._options, effort, tuple(shapes), changes, (first, second),
                               self._said_of_engines(), clock.hurried)

    def _said_of_engines(self) -> str:
        """What carries the rules out, in words: games are looked at event by event, which machine code does not do."""
        if self._engine == REFERENCE:
            return "by the reference engine"
        logs = "" if self._engine == GENERATED else f", logs with --engine {self._engine}"
        return f"by generated code{logs}"

    def log(self, side: int, shape: ShapeComparison, one: ToldDifference) -> Sequence[str]:
        """The game that shows a difference, as the lines of a log of one of the rules."""
        walker = self._both(len(shape.players))[side]
        setting, told = one.shown.settings[side], one.shown.told
        beside: dict[str, Json] = {}
        if told is not None and told.state is not None:
            setting, beside = replace(setting, players=told.players), {"state": dict(told.state)}
        chosen = (*setting.givens, *setting.parameters)
        return tuple(Recorder(walker, self._own[side]).replayed(setting, one.trails[side], chosen, beside))

    def _told(self, one: Walker, other: Walker) -> Iterator[ScenarioGame]:
        """The games that the scenarios of both tell, as far as they can begin in both."""
        players = players_of(one.core)
        for side, (own, foreign) in enumerate(((one, other), (other, one))):
            settings = paired(own, foreign, players, self._correspondence, self._said, turned=bool(side))
            for tale in told_in(self._sources[side])(own.core):
                start = self._started(tale, own, foreign)
                pair = None if start is None else settings.completed(
                    replace(tale.setting, players=players), start.position)
                if pair is not None:
                    pair = (pair[1], pair[0]) if side else pair
                    yield ScenarioGame(pair, tale.events, side, tale.setting.players, tale.state, str(tale.span))

    def _started(self, tale: Tale, own: Walker, walker: Walker) -> Setting | None:
        """How a scenario of one of the rules begins by the other; None if that does not fit them: where they keep
        anything that the others do not, a position of the one says too little to the other."""
        if tale.state is None:
            return Setting(tale.setting.players)
        if kept(own.core) != kept(walker.core):
            return None
        try:
            raw: dict[str, Json] = {"schema": SCHEMA, "ruleset": walker.core.name,
                                    "players": list(tale.setting.players), "state": dict(tale.state)}
            return admitted(walker, header_of(raw, lambda *_: None))
        except (LineFault, Problems, Fault):
            return None

    def _both(self, number: int) -> tuple[Walker, Walker]:
        if number not in self._walkers:
            one, other = (engine(source.flow(number, own), REFERENCE if self._engine == REFERENCE else GENERATED)
                          for source, own in zip(self._sources, self._own, strict=True))
            self._walkers[number] = one, other
        return self._walkers[number]

    def _judged(self, logs: Sequence[LogSource], progress: Progress) -> Iterator[LogChange]:
        if not logs:
            return
        first, second = (Rules(source, self._engine) for source in self._sources)
        with written(logs) as paths:
            for number, (log, path) in enumerate(zip(logs, paths, strict=True), 1):
                progress(f"log {number}")
                one = judged(path, first, PLAIN)
                change = (self._translated(path, one, first, second) if self._translates
                          else _changed(one, judged(path, second, PLAIN)))
                yield change if is_path(log) else replace(change, path="<lines>")

    def _translated(self, path: str, one: LogVerdict, first: Rules, second: Rules) -> LogChange:
        """The verdict of the second rules on a log in their words."""
        if one.outcome in (LogOutcome.UNREADABLE, LogOutcome.NO_RULES):
            return _changed(one, one)
        with open_log(path) as log:
            header = log.header
        try:
            options = translated_options(header.options, self._correspondence, self._ranges)
            mine, its = first(header), second(replace(header, options=options))
        except (HeaderFault, Problems):
            return _changed(one, judged(path, second, PLAIN))
        except NotComparable as why:
            return LogChange(path, one, _unknown(path, str(why)), None, str(why))
        words = dictionaries(mine, its, self._correspondence)
        entries: dict[str, Json] = {"ruleset": self._sources[1].loaded.files.name, "options": options}
        with Path(path).open("rb") as stream:
            told = TranslatedLog(
                lines_of(stream), self._correspondence, words, entries,
                TranslatedSettings((mine.core, its.core), self._correspondence, words[1]),
                lambda text: _reads(its, text, header.players))
            other = judged(iter(told), second, PLAIN)
        why_not = told.why_not if other.outcome is not LogOutcome.ILLEGAL else ""
        if one.at is not None and not told.tells(one.at) and other.outcome is LogOutcome.LEGAL:
            why_not = f"line {one.at} says nothing to the second rules"
        if why_not:
            return LogChange(path, one, _unknown(path, why_not), None, why_not)
        return LogChange(path, one, other, None if other.at is None else told.number(other.at))

    @property
    def _ranges(self) -> tuple[Mapping[str, tuple[str, ...]], Mapping[str, tuple[str, ...]]]:
        first, second = (source.loaded.range.options for source in self._sources)
        return first, second


def _unknown(path: str, why: str) -> LogVerdict:
    return LogVerdict(path, LogOutcome.UNKNOWN, reason=f"not comparable: {why}")


def _changed(one: LogVerdict, other: LogVerdict) -> LogChange:
    return LogChange(one.path, one, other, other.at)


def _reads(walker: Walker, text: str, players: tuple[str, ...]) -> bool:
    """Whether a claim says something to the rules."""
    try:
        expression(walker.core, text, players)
    except Problems:
        return False
    return True


def comparison_between(one: RulesSource, other: RulesSource, logs: Sequence[LogSource], mapping: str | None,
                       players: int | None, options: Mapping[str, str] | None, effort: tuple[int, int, int, int],
                       timeout: float | None, progress: Progress) -> ComparisonReport:
    """The comparison for programs. `effort`: games, events, positions, and the seed. Raises `ArgumentError` for what is
    out of bounds."""
    options_by_name(options)
    a_timeout(timeout)
    a_count_of_players(players)
    games, events, positions, seed = effort
    amounts(games=games, events=events, positions=positions)
    a_seed(seed)
    comparer = Comparer(one, other, mapping, players, options or {})
    found = comparer.compare(logs, CompareEffort(*effort), timeout, progress=progress)
    return made(ComparisonReport, as_data(found, comparer.log))
