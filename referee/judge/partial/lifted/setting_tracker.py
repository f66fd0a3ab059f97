"""Follows a log with holes to find the settings that explain it: those with which some way to fill them is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from referee.game.event import Event
from referee.game.log.log_lines import Line
from referee.interpreter.walker import Walker
from referee.judge.claims import AssertedClaims
from referee.judge.display_names import Names
from referee.judge.judging_notes import JudgingNotes
from referee.judge.open_settings.setting_sets import NOTHING, Choices
from referee.judge.open_settings.setting_space import Rejoin
from referee.judge.partial.enumeration import LogBranch, TooMany
from referee.judge.partial.lifted.constrained_state import ConstrainedState
from referee.judge.partial.lifted.constraint_tracker import ConstraintTracker
from referee.judge.partial.lifted.hidden_claims import AfterClaim
from referee.judge.partial.lifted.line_passage import EventOutcome
from referee.judge.partial.lifted.position_merging import alike
from referee.judge.partial.line_patterns import Pattern, known
from referee.judge.partial.possible_states import Explorer
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.verdict import FailedLine

MOST_JOINED = 30_000
"""Positions among which those are sought that are one, at most."""


class SettingTracker(ConstraintTracker):
    """A log of which it is asked under which settings it stands, and not how its holes can be filled.

    So a position with which a claim does not hold is dropped where there is another, positions that differ only in what
    they settled or filled in are one, and which lines narrow the holes is not said exactly: `narrowing` may have lines
    too many.
    What is too much to follow is left out, and its settings are told to `rejoin`.
    """

    def __init__(
        self,
        rejoin: Rejoin,
        walker: Walker,
        explorer: Explorer,
        first: LogBranch,
        unsound: Callable[[int, str, PossibleState], FailedLine],
        claims: AssertedClaims,
        names: Names,
    ) -> None:
        super().__init__(walker, explorer, first, unsound, claims, names)
        self._rejoin = rejoin
        self._deadline = explorer.deadline

    @property
    def settled(self) -> bool:
        """True: what else is open is no matter here."""
        return True

    @property
    def ways(self) -> int | None:
        """None: they are not counted."""
        return None

    def unfinished(self) -> None:
        """Leaves out every position."""
        self._leave_out(self._ways)

    def allowing(self, event: Event, line: int) -> Choices | None:
        """The settings with which an event may come next, with some way to fill the holes; None if not all was
        followed. Raises `TooManyNodes`."""
        before, found = self._rejoin.left_out, NOTHING
        self._follower.next_line()
        for way in self._ways if all(way.closed is None for way in self._ways) else ():
            for after, outcome in self._attempted(way, line, [known(event)]):
                if outcome.step is not None and outcome.sound:
                    found = found.either(self._rejoin.space.shared(self._rejoin.choices(after.here)))
        return found if self._rejoin.left_out == before else None

    def _attempted(
        self, way: ConstrainedState, line: int, patterns: Sequence[Pattern]
    ) -> list[tuple[ConstrainedState, EventOutcome]]:
        try:
            return self._followed(way, line, patterns)
        except TooMany as why:
            self._leave_out([way], str(why))
            return []

    def _told(self, way: ConstrainedState, line: Line) -> list[AfterClaim]:
        try:
            return list(self._teller.told(way, line))
        except TooMany as why:
            self._leave_out([way], str(why))
            return []

    def _leave_out(self, ways: Iterable[ConstrainedState], why: str = "") -> None:
        self._rejoin.leave_out((way.here for way in ways), why)

    def _note_stops(self, line: int, patterns: Sequence[Pattern]) -> None:
        """A game that goes on where the rules stop is explained by no setting with which they stop there."""

    def _lost(
        self,
        way: ConstrainedState,
        line: int,
        patterns: Sequence[Pattern],
        refused: list[ConstrainedState],
        *,
        some: bool,
    ) -> list[ConstrainedState]:
        return refused

    def _marked(self, good: Sequence[ConstrainedState], bad: Sequence[tuple[ConstrainedState, JudgingNotes]],
                mark: Callable[[JudgingNotes], int]) -> list[ConstrainedState]:
        return [] if good else [replace(way, marks=way.marks | mark(wrong)) for way, wrong in bad]

    def _bounded(self, found: Sequence[ConstrainedState]) -> None:
        """However many there are, those that are alike are joined afterwards."""

    def _go_on(self, line: int, found: list[ConstrainedState], lost: Sequence[ConstrainedState]) -> None:
        self._rejoin.ruled.update(self._follower.ruled)
        most = self._rejoin.most
        self._leave_out(found[MOST_JOINED:])
        bare = [replace(way, filled=()) for way in found[:MOST_JOINED]]
        self._ways = alike(bare, self._rejoin, self._deadline)
        if len(self._ways) > most:
            self._leave_out(self._ways[most:])
            self._ways = self._ways[:most]
        if lost:
            self.narrowing.append(line)
