"""Follows a log with holes in some ways to fill them: it is possible if one stands, and else nothing is said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from referee.game.event import Event
from referee.game.log.log_lines import Line
from referee.judge.judging_notes import JudgingNotes
from referee.judge.partial.enumeration import LogBranch, TooMany
from referee.judge.partial.lifted.constrained_state import ConstrainedState, Follower
from referee.judge.partial.lifted.hidden_claims import Teller
from referee.judge.partial.lifted.sampled.sampled_ways import SampledWays
from referee.judge.partial.lifted.sampled.single_steps import SingleStep, SingleSteps
from referee.judge.partial.line_patterns import Pattern, known
from referee.judge.partial.told_world import MOST_KEPT
from referee.system.deadline import Deadline

Told = Callable[[ConstrainedState, Sequence[tuple[int, Pattern]]], LogBranch]


class SampledTracker:
    """The lines of a log from one on which not all ways are followed. No line is wrong for it, because others may have
    it: where none of its own has, it raises `TooMany`. Of claims only those ways are left in which they hold.

    `waits`: lines are only kept until somebody asks for the answer. The rest of the attributes is as in
    `ConstraintTracker`: of `narrowing` there may be more, and from the line `unsure` on that is not known.
    """

    stuck = None
    held = True
    thorough = True
    ways = None

    def __init__(self, follower: Follower, teller: Teller, deadline: Deadline, ways: Sequence[ConstrainedState],
                 narrowing: Iterable[int], claimed: Callable[[int], bool], branch: Told) -> None:
        """`claimed`: whether a line before claims something that some way denies; `branch`: how one way went, with what
        the lines since then state."""
        self.waits = True
        self.unsure: list[int] = []
        self._before = frozenset(narrowing)
        self._follower = follower
        self._branch = branch
        self._claimed = claimed
        self._claims: set[int] = set()
        self._sampled = SampledWays(follower, SingleSteps(follower, teller), deadline, ways)
        self._kept: list[SingleStep] = []
        self._stated: list[tuple[int, Pattern]] | None = []

    # --- lines

    def move(self, line: int, event: Event) -> bool:
        """An event of which everything is stated. True; raises `TooMany` and `OutOfTime`."""
        return self.fill(line, [known(event)])

    def fill(self, line: int, patterns: Sequence[Pattern]) -> bool:
        """An event with holes, as in `move`."""
        self._next(line, tuple(patterns), None)
        return True

    def beside(self, line: Line) -> JudgingNotes | None:
        """A claim, or a line that ends the game whatever the rules say. None, or raises as in `move`."""
        self._claims.add(line.number)
        self._next(line.number, (), line)
        return None

    def _next(self, number: int, patterns: tuple[Pattern, ...], line: Line | None) -> None:
        self._follower.next_line()
        self.unsure = self.unsure or [number]
        if len(patterns) > 1 or len(self._kept) >= MOST_KEPT:
            self._stated = None
        if self._stated is not None:
            self._stated += [(number, pattern) for pattern in patterns]
            self._kept.append(SingleStep(number, patterns, line, self._follower.serial))
        if not self.waits:
            self.go_on()

    def go_on(self) -> None:
        """Goes through the lines that were kept. Raises `TooMany` and `OutOfTime`."""
        self.waits = False
        if self._stated is None:  # no way could be told
            raise TooMany
        for step in self._kept:
            self._sampled.through(step)
            if not self._follower.settled:
                raise TooMany
        self._kept = []

    # --- what stands

    @property
    def narrowing(self) -> list[int]:
        """Lines that leave fewer ways."""
        return sorted(self._before | self._sampled.narrowing)

    @property
    def alive(self) -> list[LogBranch]:
        """The positions that were followed, each with the hidden things as in one world."""
        return [self._branch(way, self._stated or ()) for way in self._sampled.standing]

    def broken(self, overruled: Iterable[int] = ()) -> JudgingNotes | None:
        """None: all claims hold in what is followed."""
        return None

    def claimed(self, line: int) -> bool:
        """Whether a line may claim something that some way denies: of those since then not all ways are looked at."""
        return line in self._claims or self._claimed(line)

    def bit(self, line: int) -> int:
        """The mark of a wrong claim of a line: none is followed."""
        return 0

    def doubtful(self, overruled: Iterable[int] = ()) -> list[int]:
        """The lines of which it is known that they claim what does not hold in every way: none."""
        return []

    def back(self, line: int, count: int) -> None:
        """Nothing is taken back where something is hidden."""
        raise AssertionError(f"line {line} takes {count} back, in rules that know no undo")
