"""Rules with one flaw each, and twins that have it not: reviewed for the class that they are named after."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from referee.api.rule_sources import RulesSource
from referee.api.runs.witness_games import Games, load_for, shapes_of
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.game.log.header_setting import setting_of
from referee.game.log.log_reader import Log
from referee.interpreter.walker import Walker
from referee.judge.judge import Judge
from referee.review.finding import Finding
from referee.review.review import Review, review
from referee.review.subject import ReviewEffort
from referee.simulation.shrinking import replayed
from referee.simulation.witness import Witness

FLAWS = Path(__file__).parent / "flaws"
EFFORT = ReviewEffort(games=24, events=200, positions=3_000)


@dataclass(frozen=True)
class Reviewed:
    """What a review says of a ruleset, and the games it shows."""

    path: Path
    found: Review

    def of(self, code: str) -> list[Finding]:
        """The flaws of one class."""
        return [one for one in self.found.of(code) if one.outcome.is_flaw]

    def known(self, code: str) -> list[tuple[str, str]]:
        """(outcome, place) of everything that is said of one class."""
        return [(one.outcome.value, one.place) for one in self.found.of(code)]

    def accepted_by_judge(self, witness: Witness) -> bool:
        """Whether the reference engine replays a game, and judge finds nothing wrong with its log."""
        load = load_for(RulesSource(str(self.path)))
        walker = Walker(load(Shape(len(witness.setting.players)))[0])
        assert replayed(walker, witness.setting, witness.events) is not None
        lines = Games(load, None).log(witness)
        log = Log(io.StringIO("".join(f"{line.rstrip()}\n" for line in lines)), "game.jsonl")
        judge = Judge(walker, setting_of(log.header, walker.core))
        for line in log:
            judge.feed(line)
        return not judge.found


@cache
def reviewed(path: Path, *codes: str, effort: ReviewEffort = EFFORT, most: int = 12) -> Reviewed:
    """The review of a ruleset for some classes, for each number of players up to `most`."""
    loaded = parsed(find(str(path)))
    shapes = [one for one in shapes_of(loaded.range, None) if (one.players or 0) <= most]
    return Reviewed(path, review(loaded, load_for(RulesSource(str(path))), shapes, effort, only=codes))
