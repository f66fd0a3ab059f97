"""What the judge notes while it reads: wrong lines, why it halts, how a line closes the game."""

from __future__ import annotations

from referee.game.log.log_lines import Line
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.reasons.past_events import PastEvents
from referee.judge.verdict import FailedLine, LogOutcome
from referee.system.deadline import Deadline, OutOfTime
from referee.system.lazy_dataclasses import dataclass

MOST_SECONDS = 60.0
"""How long a log with holes may take if nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class Halt:
    """Why, from a line on, nothing more can be said. `large`: it was too much; with less open it might be told. `late`:
    the time was over."""

    outcome: LogOutcome
    line: int
    reason: str
    large: bool = False
    late: bool = False


def halt_at(step: Step, line: int) -> Halt | None:
    """Why nothing more can be said where the rules have no answer, or fail."""
    match step:
        case Stopped(_, point, why):
            return Halt(LogOutcome.STOPPED, line, f"{point.name}: {why}")
        case Failed(code, message, span):
            at = f" ({span})" if span is not None else ""
            return Halt(LogOutcome.UNKNOWN, line, f"the rules fail: {code} {message}{at}")
        case State() | Ended():
            return None


def out_of_time(deadline: Deadline, line: int) -> Halt:
    """That the time was over at a line."""
    return Halt(LogOutcome.UNKNOWN, line, f"line {line}: not judged within {deadline.words}", large=True, late=True)


def too_much(why: Exception, deadline: Deadline, line: int) -> Halt:
    """That a line was too much: for the time, or because what is open goes together in too many ways."""
    if isinstance(why, OutOfTime):
        return out_of_time(deadline, line)
    return Halt(LogOutcome.UNKNOWN, line, f"line {line}: what is open goes together in too many ways", large=True)


@dataclass(frozen=True, slots=True)
class JudgingNotes:
    """A wrong line, and whether the game went on as it says. `line`: as it was read; `before`: where the game may have
    stood before it; `past`: the last steps that led there. The latter are not always known. `so`: the end of the
    message, where it is said of one way to fill the holes how it is in the others."""

    wrong: FailedLine
    applied: bool
    line: Line | None = None
    before: tuple[PossibleState, ...] = ()
    past: PastEvents | None = None
    so: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """How the game was closed by a line: in words, and who then won, None if the rules do not say."""

    how: str
    winners: frozenset[int] | None
    by_end: bool = False
