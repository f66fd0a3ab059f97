"""`referee play`: a game in the terminal, or many random ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import count as numbers
from pathlib import Path
from random import Random
from typing import Any

import click

from referee.api.errors import FAILING, ArgumentError, RulesError
from referee.api.game import Game
from referee.api.rule_sources import RulesSource
from referee.api.runs.seated_games import NO_VALUES, PROCESSES, GameByLot, GameTable, game_after
from referee.api.whole_files import write_whole
from referee.cli.option_groups import gathered
from referee.cli.options import (
    engine_option,
    executor_option,
    force_option,
    misuse,
    nothing_lost,
    ruleset_argument,
    timeout_option,
)
from referee.cli.random_games import GameTally, game_file, seeds, write_games
from referee.cli.seating import Seating, seated, seating_options
from referee.cli.terminal_session import Session, failure
from referee.cli.terminal_writer import OUT, ask
from referee.diagnostics.exit_codes import Exit, first
from referee.report.text.printable import count
from referee.system.deadline import OutOfTime


@dataclass(frozen=True, slots=True)
class RandomGames:
    """How many random games are played (None: the game is played here), how, and who plays them."""

    games: int | None
    max_events: int
    unspecified: str
    timeout: float | None
    jobs: int
    executor: str

    @property
    def shared(self) -> bool:
        """Whether others play them."""
        return (self.jobs, self.executor) != (1, PROCESSES)

    def played(self, table: GameTable, seed: int, number: int) -> Iterator[GameByLot]:
        """So many games at a table, as they are played. Raises `OutOfTime`."""
        drawn, rule = seeds(seed, number), self.unspecified == "rule"
        if self.shared:
            return table.shared_out(drawn, self.max_events, rule=rule, timeout=self.timeout, jobs=self.jobs,
                                    where=self.executor)
        return table.by_lot(drawn, self.max_events, rule=rule, timeout=self.timeout)


class _NumberOfGames(click.IntRange):
    """How many games are played: a word behind `--random` is taken for it, be it the ruleset."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises `click.BadParameter`."""
        if isinstance(value, str) and not value.lstrip("+-").isdigit():
            said = f"{value!r} is no number of games: RULESET stands before --random, or behind its number."
            self.fail(said, param, ctx)
        return int(super().convert(value, param, ctx))


@click.command()
@ruleset_argument
@click.option("--random", "games", type=_NumberOfGames(1, 1_000_000), is_flag=False, flag_value=1, metavar="[N]",
              help="Play N random games instead; one if N is not said.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), metavar="S",
              help="The same seed plays the same games. Without it: 0 for random games, else fate is not repeated.")
@click.option("--out", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Write a log of each game into this folder: 000.jsonl, 001.jsonl, ...")
@click.option("--max-events", type=click.IntRange(1, 1_000_000), default=10_000, show_default=True, metavar="N",
              help="Cut a random game there.")
@click.option("--unspecified", type=click.Choice(["rule", "stop"]), default="rule", show_default=True,
              help="Where the rules do not say how a random game goes on: the table rules by lot, or the game stops.")
@click.option("--scenario", "title", metavar="TITLE", help="Go on where the scenario of this title ends.")
@force_option
@timeout_option("How long all random games together may take. If not said as long as they take.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N",
              help="Processes that play random games.")
@executor_option("plays random games")
@seating_options
@engine_option
@gathered("lot", RandomGames)
def play(ruleset: str, lot: RandomGames, seed: int | None, folder: Path | None, title: str | None, force: bool,
         seating: Seating, engine_name: str) -> int:
    """Play a game by a RULESET here, or --random ones.

    Ends with 5 if a game was cut, not played in time, or stopped where the rules do not say how it goes on; with 1 if
    the rules failed.
    """
    if lot.games is None and (lot.timeout is not None or lot.shared):
        raise click.UsageError("--timeout, --jobs and --executor are for --random")
    if title is not None and (lot.games is not None or seating):
        raise click.UsageError("--scenario has its own players and settings, and is for a game played here")
    begin: Callable[[], Game] = partial(_after, ruleset, title or "", engine_name, Random(seed))
    if title is None:
        table = seated(ruleset, seating, engine_name)
        begin = partial(table.begin, Random(seed))
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        if lot.games is None:
            return _here(begin, folder)
        nothing_lost(folder, force, (game_file(index, lot.games) for index in range(lot.games)))
        return _by_lot(lot, table, seed or 0, lot.games, folder)
    except BrokenPipeError:  # of the standard output: no fault of the folder
        raise
    except OSError as error:
        if folder is None:  # the standard output again
            raise
        raise click.ClickException(f"cannot write to {folder}: {error.strerror}") from error


def _by_lot(lot: RandomGames, table: GameTable, seed: int, number: int, folder: Path | None) -> int:
    """So many random games, which are counted and written."""
    tally, late = GameTally(), False
    try:
        write_games(lot.played(table, seed, number), folder, number, tally)
    except OutOfTime:
        late = True
    finally:
        for line in tally.lines(lot.max_events):
            OUT.say(line)
    if late:
        OUT.say(f"out of time: {number - tally.outcomes.total()} of {count(number, 'game')} not played to the end "
                f"within {lot.timeout:g} s")
    return first([tally.exit, Exit.OPEN if late else Exit.GOOD])


def _after(ruleset: str, title: str, engine_name: str, random: Random) -> Game:
    try:
        return game_after(RulesSource(ruleset), title, engine_name, random)
    except ArgumentError as error:
        raise misuse(error) from error


def _here(begin: Callable[[], Game], folder: Path | None) -> int:
    """A game in the terminal."""
    try:
        game = begin()
    except RulesError as error:
        if error.code == NO_VALUES:
            raise click.UsageError(f"{error.message.removeprefix(FAILING)}: give some by --parameter") from error
        OUT.say(failure(error))
        return Exit.NEGATIVE
    failed = Session(game, OUT.tell, ask).play()
    if folder is not None:
        path = next(path for number in numbers() if not (path := folder / f"{number:03}.jsonl").exists())
        last = () if failed is None or failed.event is None else (json.dumps(failed.event, ensure_ascii=False),)
        write_whole(path, [*game.log(), *last])
        OUT.say(f"written to {path}")
    return Exit.NEGATIVE if failed is not None else Exit.OPEN if game.outcome == "stopped" else Exit.GOOD
