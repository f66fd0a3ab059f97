"""Games at one table, as the command line plays them: one step by step, or many by lot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any

from referee.api.error_translation import told
from referee.api.errors import ArgumentError
from referee.api.game import Game
from referee.api.game_record import Recorder
from referee.api.game_setting import drawn, players_of
from referee.api.results.game_events import event_of
from referee.api.rule_sources import RulesSource
from referee.api.shared_tasks import PROCESSES as PROCESSES
from referee.api.shared_tasks import shared
from referee.diagnostics.suggestions import did_you_mean
from referee.game.log.log_header import Header
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Stopped
from referee.interpreter.interruptions import NO_VALUES as NO_VALUES
from referee.interpreter.playouts import CUT as CUT
from referee.interpreter.playouts import END as END
from referee.interpreter.playouts import FAILED as FAILED
from referee.interpreter.playouts import STOPPED as STOPPED
from referee.interpreter.playouts import PlayedGame, complete, play_out
from referee.judge.open_settings.header_admission import admitted
from referee.native.engine_names import engine
from referee.rule_tests.scenario_runs import game_of
from referee.system.deadline import Deadline


@dataclass(frozen=True, slots=True)
class GameByLot:
    """A game that was played by lot. `outcome`: `END`, `STOPPED`, `FAILED` or `CUT`; `winners` of one that ended;
    `point`: at which one stopped; `failure`: how the rules failed, and where; `engine`: what played it, in words, if it
    was not generated code."""

    outcome: str
    events: int
    winners: tuple[str, ...]
    point: str
    failure: str
    lines: Iterable[str]
    engine: str = ""


class GameTable:
    """A table at which games by some rules are played: who sits there, and what is fixed before a game begins.

    `walker`: what carries the rules out; `setting`: what is fixed.
    """

    def __init__(self, source: RulesSource, players: int | None, options: Mapping[str, str],
                 fixed: Mapping[str, Mapping[str, Any]], engine_name: str) -> None:
        """`fixed`: `given`, `readings`, `rulings` and `parameters`, as a header has them. Raises `Problems`, and
        `LogError` for what the rules do not have."""
        self._source = source
        self._made_of = (source, players, dict(options), {name: dict(value) for name, value in fixed.items()},
                         engine_name)
        self.walker = engine(source.flow(players, options), engine_name)
        self._recorder = Recorder(self.walker, options)
        core = self.walker.core
        header = Header(core.name, players_of(core), given=dict(fixed["given"]), readings=fixed["readings"],
                        rulings=dict(fixed["rulings"]), parameters=dict(fixed["parameters"]))
        with told():
            self.setting = admitted(self.walker, header)

    def begin(self, random: Random) -> Game:
        """A game of which everything by lot is drawn from `random`. Raises `RulesError` if the rules fail, with the
        code `NO_VALUES` if nothing can be drawn for their parameters."""
        with told():
            whole = complete(self.walker, self.setting, random)
            return Game(self.walker, whole, self._recorder.options, random, drawn(self.setting, whole), {},
                        self._source)

    def by_lot(self, seeds: Iterable[int], max_events: int, *, rule: bool, timeout: float | None) -> Iterator[
            GameByLot]:
        """A game for each seed, cut after so many events. `rule`: the table rules by lot too; else a game stops where
        it would have to. Raises `OutOfTime` after `timeout` seconds, whatever becomes of the game then."""
        until = Deadline(timeout)
        for seed in seeds:
            self.walker.begin_log()
            yield self._told(play_out(self.walker, self.setting, seed, max_events, rule=rule, until=until))

    def shared_out(self, seeds: Iterable[int], max_events: int, *, rule: bool, timeout: float | None, jobs: int,
                   where: str) -> Iterator[GameByLot]:
        """The same games, played by `jobs` processes, or by an executor. A game at which processes are ended again and
        again has failed."""
        dealer = partial(_dealer, self._made_of, max_events, rule, Deadline(timeout).as_timeout)
        return shared(seeds, dealer, jobs, _ended, where)

    def _told(self, game: PlayedGame) -> GameByLot:
        winners: tuple[str, ...] = ()
        point = failure = ""
        match game.last:
            case Ended(_, seats):
                winners = _names(game.setting, seats)
            case Stopped():
                point = game.last.point.name
            case Failed(code, message, span):
                failure = f"{code} {message}" + (f" ({span})" if span is not None else "")
            case State():
                pass
        chosen = drawn(self.setting, game.setting)
        lines = self._recorder.lines(game.setting, game.events, game.last, chosen)
        return GameByLot(game.outcome, len(game.events), winners, point, failure, lines, self.walker.note)


def _dealer(made_of: tuple[Any, ...], max_events: int, rule: bool, seconds: float | None) -> Callable[
        [int], GameByLot]:
    """In another process: plays the game of a seed."""
    table, until = GameTable(*made_of), Deadline(seconds)

    def played(seed: int) -> GameByLot:
        until.check()
        found, = table.by_lot([seed], max_events, rule=rule, timeout=until.as_timeout)
        return replace(found, lines=tuple(found.lines))

    return played


def _ended(_seed: int) -> GameByLot:
    return GameByLot(FAILED, 0, (), "", "the process that played it was ended", ())


def _names(setting: Setting, seats: Iterable[int]) -> tuple[str, ...]:
    return tuple(setting.players[seat] for seat in sorted(seats))


def game_after(source: RulesSource, title: str, engine_name: str, random: Random) -> Game:
    """The game that the first scenario of this title tells, up to its end or its first line that cannot be. What is
    still drawn by lot is drawn from `random`.

    Raises `ArgumentError` (AP02) if there is none, `Problems`, and `RulesError` if the rules fail.
    """
    scenario = next((one for one in source.scenarios.found if one.title == title), None)
    if scenario is None:
        hint = did_you_mean(title, [one.title for one in source.scenarios.found])
        raise ArgumentError("AP02", f"there is no scenario {title[:80]!r}", hint=hint)
    before, events = game_of(scenario)
    options = dict(scenario.core.options)
    walker = engine(source.flow(scenario.core.seats.number, options), engine_name)
    with told():
        whole = complete(walker, before, random)
        game = Game(walker, whole, options, random, drawn(before, whole), {}, source)
        for event in events:
            game.play(event_of(walker.core, whole, event))
    return game
