"""`referee check`: whether a ruleset can be loaded, for every number of players and every option."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

import click

from referee.base.diagnostic import Diagnostic, Problems
from referee.base.exitcodes import Exit
from referee.cli.options import ruleset_argument
from referee.cli.terminal import ERR, OUT
from referee.meaning.assemble import Loaded, build, parsed
from referee.meaning.build import Built
from referee.meaning.find import find
from referee.meaning.flow import lower
from referee.meaning.scenario import load_scenarios
from referee.meaning.shape import Range, Shape, said
from referee.report.diagnostics import drawn, lines_of
from referee.report.printable import count


@click.command()
@ruleset_argument
def check(ruleset: str) -> int:
    """Say everything that is wrong with a RULESET, for each number of players and each option."""
    loaded = parsed(find(ruleset))
    shapes = list(_shapes(loaded.range))
    built: dict[Shape, Built] = {}
    found = dict.fromkeys(chain(_of_shapes(loaded, shapes, built), _of_scenarios(ruleset, loaded, built)))
    if found:
        ERR.show(drawn(found, lines_of(loaded.sources)))
        return Exit.RULES
    checked = f"{said(loaded.range.players)} players, {count(len(shapes), 'shape')}"
    OUT.say(f"{loaded.files.name}: nothing is wrong ({checked})")
    return Exit.GOOD


def _of_shapes(loaded: Loaded, shapes: Iterable[Shape], built: dict[Shape, Built]) -> Iterator[Diagnostic]:
    """What is wrong with each shape; those that can be built are put into `built`."""
    for shape in shapes:
        try:
            made = build(loaded, shape)
            lower(made.core)
            built[shape] = made
        except Problems as problems:
            yield from problems.diagnostics


def _of_scenarios(ruleset: str, loaded: Loaded, built: Mapping[Shape, Built]) -> Iterator[Diagnostic]:
    try:
        load_scenarios(ruleset, loaded, built)
    except Problems as problems:
        yield from problems.diagnostics


def _shapes(bounds: Range) -> Iterator[Shape]:
    """Every number of players with default options, then each other option value alone with the fewest it is for."""
    for players in bounds.players:
        yield Shape(players)
    for name, values in bounds.options.items():
        players = next((n for n in bounds.players if name in bounds.options_for(n)), bounds.fewest)
        for value in values[1:]:
            yield Shape(players, ((name, value),))
