"""What the rooms below raise, told as errors of the library."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from referee.api.errors import FAILING, Cancelled, LogError, RefereeError, RulesError
from referee.api.execution_lock import LOCK
from referee.diagnostics.diagnostic import Problems
from referee.game.log.log_header import HeaderFault
from referee.game.log.log_reader import LogProblem
from referee.interpreter.interruptions import Fault
from referee.system.deadline import OutOfTime, StopRequested, stopped_by

Found = TypeVar("Found")
Made = TypeVar("Made")


def of_problems(problems: Problems) -> RefereeError:
    """The error for a text that cannot be used."""
    first = problems.diagnostics[0]
    kind = LogError if isinstance(problems, LogProblem) else RulesError
    excerpts = {(first.span.path, first.span.line): problems.excerpt} if isinstance(problems, LogProblem) else None
    return kind(first.code, first.message, span=first.span, expected=first.expected, hint=first.hint,
                diagnostics=problems.diagnostics, sources=problems.sources, excerpts=excerpts)


def of_header(fault: HeaderFault) -> LogError:
    """The error for an entry of a header that does not fit the rules: there is no text that it stands in."""
    return LogError(fault.code, fault.message, expected=fault.expected, hint=fault.hint)


def of_fault(fault: Fault) -> RulesError:
    """The error for rules that fail."""
    return RulesError(fault.code, f"{FAILING}{fault.message}", span=fault.span)


def of_error(error: Exception) -> RefereeError | None:
    """The error of the library for what was raised, if it is one or becomes one."""
    if isinstance(error, RefereeError):
        return error
    return of_problems(error) if isinstance(error, Problems) else None


class _Told:
    """What is raised inside leaves as an error of the library. It is entered at every call, so it is a class: what
    `contextmanager` makes takes several times as long."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        match error:
            case None:
                return
            case Problems():
                raise of_problems(error) from error
            case HeaderFault():
                raise of_header(error) from error
            case Fault():
                raise of_fault(error) from error
            case StopRequested(failure=Exception() as failure):  # the caller's own error
                raise failure from failure.__cause__
            case StopRequested():
                raise Cancelled("AP08", "stopped") from None
            case OutOfTime():
                raise Cancelled("AP11", "it was not done within the time that was given") from None
            case _:
                return


_TOLD = _Told()


def told() -> _Told:
    """Within it whatever the rooms below raise is told as an error of the library."""
    return _TOLD


def one_by_one(found: Iterator[Found], made: Callable[[Found], Made],
               cancel: Callable[[], bool] | None = None) -> Iterator[Made]:
    """What is made of each thing that is found, which is looked for only when it is asked for."""
    while True:
        with LOCK, told(), stopped_by(cancel):
            if (one := next(found, None)) is None:
                return
            shown = made(one)
        yield shown
