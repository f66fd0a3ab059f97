"""Rules with one flaw each, and twins that have it not: reviewed for the class that they are named after."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from referee.api.reviewed import Games, load_for, shapes_of
from referee.api.rules_source import RulesSource
from referee.engine.walker import Walker
from referee.game.log import Log
from referee.game.log_setting import setting_of
from referee.judge.judge import Judge
from referee.meaning.assemble import parsed
from referee.meaning.find import find
from referee.meaning.shape import Shape
from referee.review.finding import Finding, Witness
from referee.review.minimise import replayed
from referee.review.review import Review, review
from referee.review.subject import Effort

FLAWS = Path(__file__).parent / "flaws"
EFFORT = Effort(games=24, events=200, positions=3_000)


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
def reviewed(path: Path, *codes: str, effort: Effort = EFFORT, most: int = 12) -> Reviewed:
    """The review of a ruleset for some classes, for each number of players up to `most`."""
    loaded = parsed(find(str(path)))
    shapes = [one for one in shapes_of(loaded.range, None) if (one.players or 0) <= most]
    return Reviewed(path, review(loaded, load_for(RulesSource(str(path))), shapes, effort, only=codes))
