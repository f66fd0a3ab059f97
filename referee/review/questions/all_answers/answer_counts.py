"""What became of the other answers that are no question: how many, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

NO_RULES = "leaves no rules that could be played"


@dataclass(slots=True)
class AnswerCounts:
    """`answered`: by what, or why they are none; `games`: so many were played, in which `nothing` made no difference;
    `equal`: what is proved of those; `late`: how far the games came until the time was up."""

    answered: Counter[str] = field(default_factory=Counter)
    games: int = 0
    nothing: int = 0
    equal: list[str] = field(default_factory=list)
    late: str = ""

    def proved(self, number: int, positions: int) -> None:
        """Notes of how many it is proved that they make no difference."""
        if number:
            self.equal.append(f"{number} proved equal at all {positions} positions")

    def said(self, besides: Iterable[str]) -> str:
        """All of it, in words. `besides`: what else came to nothing."""
        said = [f"{number} {why}" for why, number in sorted(self.answered.items())]
        if self.nothing:
            said.append(f"{self.nothing} made no difference in {self.games} games")
        said += [*besides, *self.equal, *filter(None, (self.late,))]
        if not said:
            return "the rules leave no other answer open"
        return "; ".join(["of the other answers", *said]).replace(";", ":", 1)
