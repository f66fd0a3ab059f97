"""`referee count`: in how many ways a game can go on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import click

from referee.api.errors import ArgumentError, NoView
from referee.api.named_engines import AUTO, ENGINES, GENERATED, REFERENCE
from referee.api.rule_sources import RulesSource
from referee.api.runs.counting import (
    DISTINCT,
    MOST_BYTES,
    UNITS,
    CountSource,
    at_end_of,
    at_table,
    count_up_to,
    every_position,
    steps_of,
)
from referee.api.runs.log_lookup import open_log
from referee.api.shared_tasks import PROCESSES
from referee.cli.option_groups import gathered
from referee.cli.options import executor_option, misuse, ruleset_argument, timeout_option
from referee.cli.seating import Seating, seated, seating_options
from referee.cli.terminal_writer import ERR, OUT
from referee.diagnostics.exit_codes import Exit
from referee.report.data.count_data import as_data, lines_of, positions_data, positions_lines


@dataclass(frozen=True, slots=True)
class Counting:
    """What is counted for each depth, as `UNITS` and `DISTINCT` have it, and who does it."""

    unit: str = UNITS[0]
    distinct: str = DISTINCT[0]
    without: tuple[str, ...] = ()
    jobs: int = 1
    executor: str = PROCESSES


@click.command()
@ruleset_argument
@click.option("--depth", type=click.IntRange(1, 100), metavar="N", help="For 1, 2, ... N steps from the beginning.")
@click.option("--positions", "every", is_flag=True,
              help="Instead: all positions that games can come to, each once, by the fewest events that lead there.")
@click.option("--memory", type=click.IntRange(1, 1 << 20), metavar="MB",
              help="With --positions: how much memory they may take.  [default: 1074]")
@click.option("--engine", "engine_name", type=click.Choice(ENGINES),
              help="What carries the rules out; the answers are the same.  [default: generated, auto with --positions]")
@click.option("--from", "log", metavar="LOG",
              help="Begin where this log leaves the game; a header alone can tell a position.")
@click.option("--by", "unit", type=click.Choice(UNITS), default=UNITS[0], show_default=True,
              help="A step is a whole turn, with all that its player does in it, or a single event.")
@click.option("--distinct", type=click.Choice(DISTINCT), default=DISTINCT[0], show_default=True,
              help="Sequences of events; results: ways through a turn that end in the same position are one; "
                   "positions: each position after so many steps is one.")
@click.option("--without", multiple=True, metavar="LABEL", help="Nobody takes events of this label.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, metavar="N",
              help="Processes that count; positions are counted by one.")
@executor_option("counts")
@timeout_option("How long all of it may take. If not said as long as it takes.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
@seating_options
@gathered("counting", Counting)
def count(ruleset: str, depth: int | None, every: bool, memory: int | None, engine_name: str | None, log: str | None,
          counting: Counting, timeout: float | None, form: str, seating: Seating) -> int:
    """Count the ways in which a game by a RULESET can go on, for each number of steps up to --depth; or --positions.

    Ends with 5 if numbers are missing, because the time was over or there was too much to count.
    """
    if every == (depth is not None):
        raise click.UsageError("one of --depth and --positions is needed, and not both")
    if every and counting != Counting():
        raise click.UsageError("--by, --distinct, --without, --jobs and --executor are for --depth")
    if not every and memory is not None:
        raise click.UsageError("--memory is for --positions")
    if log is not None and seating:
        raise click.UsageError("with --from, players, options and settings are those of the log")
    try:
        if log is None:
            made = REFERENCE if engine_name == REFERENCE else GENERATED
            start = at_table(RulesSource(ruleset), seated(ruleset, seating, made), engine_name or made)
        else:
            start = _left_by(log, ruleset, engine_name or GENERATED)
        if depth is None:
            most = MOST_BYTES if memory is None else memory * 1_000_000
            reached = every_position(start, timeout=timeout, most_bytes=most, engine_name=engine_name or AUTO)
            _tell(form, positions_data(start.walker.core, log, reached), positions_lines(reached))
            return Exit.GOOD if reached.why is None else Exit.OPEN
        what = steps_of(start, counting.unit, counting.distinct, counting.without)
        found = count_up_to(start, depth, what, timeout=timeout, jobs=counting.jobs, where=counting.executor)
    except NoView as none:
        ERR.tell(str(none.verdict))
        return none.verdict.exit
    except ArgumentError as error:
        raise misuse(error) from error
    counted = (found.numbers, found.engine, found.why)
    _tell(form, as_data(start.walker.core, log, what, depth, *counted), lines_of(what, *counted))
    return Exit.GOOD if found.why is None else Exit.OPEN


def _tell(form: str, data: Mapping[str, Any], lines: Iterable[str]) -> None:
    if form == "json":
        OUT.tell(json.dumps(data, indent=1))
        return
    for line in lines:
        OUT.say(line)


def _left_by(log: str, ruleset: str, engine_name: str) -> CountSource:
    with open_log(log) as opened:
        return at_end_of(opened, RulesSource(ruleset), engine_name)
