"""What a claim, or a line that ends the game, makes of a position in which something is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.game.log.log_lines import AssertLine, EndLine, EventLine, Line, UndoLine
from referee.game.state import Ended, State
from referee.judge.claimed_results import wrong_result
from referee.judge.claims import AssertedClaims
from referee.judge.display_names import Names
from referee.judge.judging_notes import Closed, Halt, JudgingNotes, halt_at
from referee.judge.partial.enumeration import TooMany
from referee.judge.partial.lifted.constrained_state import ConstrainedState, Follower
from referee.judge.partial.lifted.line_passage import Claim, Passage
from referee.judge.verdict import FailedLine, WrongKind

AfterClaim = tuple[ConstrainedState, Closed | None, JudgingNotes | None]
"""A position, how the game is closed there, and what is wrong with the line."""


class Teller:
    """The claims of one log. `stuck`: why a position had no answer to one."""

    def __init__(self, follower: Follower, claims: AssertedClaims, names: Names) -> None:
        self.stuck: Halt | None = None
        self._follower = follower
        self._claims = claims
        self._names = names

    def told(self, way: ConstrainedState, line: Line) -> Iterator[AfterClaim]:
        """Where a claim holds and where not, in every way it may be; where a line ends the game."""
        match line:
            case AssertLine():
                yield from ((after, way.closed, wrong) for after, wrong in self._asserted(way, line))
            case EndLine():
                yield from self._ended(way, line)
            case EventLine():
                yield from self._closing(way, line)
            case UndoLine():
                raise TooMany

    def _closing(self, way: ConstrainedState, line: EventLine) -> Iterator[AfterClaim]:
        """The table stops the game, or somebody concedes."""
        over = way.closed.how if way.closed is not None else "the game is over"
        arrived = [way] if way.closed is not None else list(self._follower.where(way, line.number))
        for one in arrived:
            if way.closed is not None or isinstance(one.here.step, Ended):
                wrong = FailedLine(line.number, WrongKind.EVENT_AFTER_END, line.do, f"{line.by}: {line.do}, but {over}")
                yield one, way.closed, JudgingNotes(wrong, applied=False)
            elif line.by == "table":
                yield one, Closed("the table stopped the game", None), None
            else:
                seats = frozenset(range(len(self._names.players))) - {self._names.players.index(line.by)}
                yield one, Closed(f"{line.by} conceded", seats if len(seats) == 1 else None), None

    def _asserted(
        self, way: ConstrainedState, line: AssertLine
    ) -> Iterator[tuple[ConstrainedState, JudgingNotes | None]]:
        self._claims.bound(line)
        claims: list[Claim] = [(text, *self._claims.read(text, claimed)) for text, claimed in line.claims.items()]
        for one in self._follower.where(way, line.number):
            if not isinstance(one.here.step, State | Ended):
                yield one, None
                continue
            for after, (step, untrue, ruled) in self._follower.followed(
                    one, line.number, lambda passage, _: (*passage.claimed(claims), passage.ruled)):
                if untrue is None:
                    self._follower.note(ruled)
                    yield replace(after, here=after.here.at(step, arrived=True)), None
                    continue
                wrong = FailedLine(line.number, WrongKind.BROKEN_CLAIM, "assert", f"{untrue} is not what is claimed")
                yield after, JudgingNotes(wrong, applied=True)

    def _ended(self, way: ConstrainedState, line: EndLine) -> Iterator[AfterClaim]:
        if way.closed is not None:
            yield from self._ended_again(way, way.closed, line)
            return
        for after in self._follower.where(way, line.number, to_end=True):
            step = after.here.step
            if not isinstance(step, Ended):
                self.stuck = halt_at(step, line.number) or self.stuck
                wrong = FailedLine(line.number, WrongKind.EARLY_END, "end", "the game is not over")
                yield after, None, JudgingNotes(wrong, applied=False)
                continue
            closed = Closed("the log has ended the game", None, by_end=True)
            for known, message in self._results(after, line, step.winners):
                wrong = FailedLine(line.number, WrongKind.WRONG_RESULT, "end", message or "")
                yield known, closed, None if message is None else JudgingNotes(wrong, applied=True)

    def _results(
        self, way: ConstrainedState, line: EndLine, winners: frozenset[int]
    ) -> Iterator[tuple[ConstrainedState, str | None]]:
        """What is wrong with the result that is claimed."""
        claimed = {self._names.players.index(name): score for name, score in (line.scores or {}).items()
                   if name in self._names.players and isinstance(score, int)}

        def wrong(passage: Passage, _: object) -> str | None:
            if line.ranking is not None:
                return wrong_result(line, winners, passage.scores({}), self._names)
            return wrong_result(line, winners, None if line.scores is None else passage.scores(claimed), self._names)

        return self._follower.followed(way, line.number, wrong)

    def _ended_again(self, way: ConstrainedState, closed: Closed, line: EndLine) -> Iterator[AfterClaim]:
        if closed.by_end:
            wrong = FailedLine(line.number, WrongKind.EVENT_AFTER_END, "end", "a second end")
            yield way, closed, JudgingNotes(wrong, applied=False)
            return
        message = None
        if closed.winners is not None:
            only = EndLine(line.number, line.winners, None, None)
            message = wrong_result(only, closed.winners, None, self._names)
        after = Closed("the log has ended the game", closed.winners, by_end=True)
        found = FailedLine(line.number, WrongKind.WRONG_RESULT, "end", f"{closed.how}: {message}")
        yield way, after, None if message is None else JudgingNotes(found, applied=True)
