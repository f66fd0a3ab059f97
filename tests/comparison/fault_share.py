"""`python -m tests.comparison.fault_share FOLDER...`: which share of the faults of a ruleset a comparison finds.

Faults of the table in its README that something notices, evenly drawn (`--of N`), are put in one at a time, and the
rules compared with the faulty ones, in the shapes in which they differ, for `--seconds N` of computing in all. Told is
how many are found in games from set-up, how many from positions of scenarios alone, and which are not found; and of
faults that the table calls equivalent (`--equivalent N`) how many show a difference all the same.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from referee.api.game_setting import players_of
from referee.api.rule_sources import RulesSource
from referee.api.runs.scenario_examples import told_in
from referee.comparison.comparing import ShapeComparison, compared, paired
from referee.comparison.correspondence import Correspondence
from referee.comparison.search import CompareEffort
from referee.comparison.shown_difference import ScenarioGame
from referee.core.ruleset import Core
from referee.flow.lowering import lower
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine
from referee.system.deadline import Clock
from tests.faults.__main__ import rows
from tests.faults.caught import Ruleset
from tests.faults.faults import Fault

NOTICED = ("scenario", "log", "invariant", "law", "missed")
SET_UP, SCENARIO = "from set-up", "from positions of scenarios alone"
NOTHING, NO_RULES = "not found", "no rules any more"


class Comparisons:
    """A ruleset that is compared with faulty ones."""

    def __init__(self, folder: Path) -> None:
        self._rules = Ruleset(folder)
        self._folder = folder
        self._games = told_in(RulesSource(str(folder)))
        self._sound: dict[int, Walker] = {}

    def drawn(self, number: int, by: tuple[str, ...]) -> list[Fault]:
        """So many of the faults that the table says are noticed by one of these, evenly."""
        found = [fault for fault, row in zip(self._rules.faults(), rows(self._folder / "README.md"), strict=True)
                 if row.rpartition(" | ")[2].partition(": ")[0].rstrip(" |") in by]
        return [found[at * len(found) // number] for at in range(min(number, len(found)))] if number else []

    def found(self, fault: Fault, effort: CompareEffort, seconds: float | None) -> str:
        """How a fault is found."""
        shapes = [(core, changed) for players, options in self._rules.shapes
                  if (changed := fault.put(core := self._rules.core(players, options))) != core]
        best = NOTHING
        for core, changed in shapes:
            try:
                other = engine(lower(changed))
            except (ValueError, KeyError):
                return NO_RULES
            told = self.comparison(core, other, effort, None if seconds is None else seconds / len(shapes))
            if any(one.shown.told is None for one in told.differences):
                return SET_UP
            best = SCENARIO if told.differences else best
        return best

    def comparison(self, core: Core, other: Walker, effort: CompareEffort, seconds: float | None) -> ShapeComparison:
        """What comes of a comparison of one shape with faulty rules for it."""
        one, players = self._sound.setdefault(id(core), engine(lower(core))), players_of(core)
        games = list(self._told(one, other, players))
        clock = Clock(None) if seconds is None else Clock.computing(seconds)
        return compared(one, other, players, Correspondence(), "", effort, clock, games)

    def _told(self, one: Walker, other: Walker, players: tuple[str, ...]) -> Iterator[ScenarioGame]:
        settings = paired(one, other, players, Correspondence(), "")
        for tale in self._games(one.core):
            pair = settings.completed(replace(tale.setting, players=players), tale.setting.position)
            if pair is not None:
                yield ScenarioGame(pair, tale.events, 0, tale.setting.players, tale.state, str(tale.span))


def main(arguments: list[str]) -> int:
    """Measures and tells."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--of", type=int, default=20)
    parser.add_argument("--equivalent", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=15.0)
    given = parser.parse_args(arguments)
    for folder in given.folders:
        rules = Comparisons(folder)
        for by, number in ((NOTICED, given.of), (("equivalent",), given.equivalent)):
            counts = Counter[str]()
            for fault in rules.drawn(number, by):
                how = rules.found(fault, CompareEffort(), given.seconds)
                counts[how] += 1
                if (how == NOTHING) == (by == NOTICED):
                    print(f"  {how}: {fault.words} ({fault.span})", flush=True)
            said = ", ".join(f"{count} {how}" for how, count in sorted(counts.items()))
            print(f"{folder.name}, {'faults' if by == NOTICED else 'equivalent'}: {said or 'none'}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
