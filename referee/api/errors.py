"""The errors of the library: whatever comes from outside and cannot be used ends in one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referee.api.results.verdicts import Verdict
    from referee.diagnostics.diagnostic import Diagnostic
    from referee.diagnostics.source import Source, Span


class RefereeError(Exception):
    """What every error of the library is.

    `code` is stable (`referee explain CODE` says what to do), `message` one sentence, `span` the place in the rules or
    the log (lines and columns from 1) or None, `expected` what would do, `hint` how to mend it or None. `diagnostics`:
    everything that is wrong, this first. `excerpts`: the lines of a log that these point at, by path and number.
    """

    def __init__(self, code: str, message: str, *, span: Span | None = None, expected: tuple[str, ...] = (),
                 hint: str | None = None, diagnostics: tuple[Diagnostic, ...] = (),
                 sources: tuple[Source, ...] = (), excerpts: Mapping[tuple[str, int], str] | None = None) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.span = span
        self.expected = expected
        self.hint = hint
        self.diagnostics = diagnostics
        self.sources = sources
        self.excerpts = {} if excerpts is None else excerpts

    def __str__(self) -> str:
        at = f"{self.span}: " if self.span is not None else ""
        one_of = f" (one of {', '.join(self.expected[:12])})" if self.expected else ""
        more = f", and {len(self.diagnostics) - 1} more" if len(self.diagnostics) > 1 else ""
        return f"{at}{self.code} {self.message}{one_of}{f': {self.hint}' if self.hint else ''}{more}"


class ArgumentError(RefereeError):
    """A call that makes no sense: a wrong type, a name that nothing has, a number out of its bounds."""


FAILING = "the rules fail: "
"""So the message of a `RulesError` begins where rules were loaded and fail when they are carried out."""


class RulesError(RefereeError):
    """Rules that cannot be loaded, or that fail when they are carried out. `event`: at which one of a game they fail,
    as a line of a log; None if at none."""

    event: Mapping[str, object] | None = None


class LogError(RefereeError):
    """A log, or the header of a game, that cannot be read or does not fit the rules."""


class IllegalEvent(RefereeError):
    """An event that the rules do not allow. `verdict`: what the judge says of the game with it, as its player may know
    it; the game stands as it stood."""

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__("AP04", message)
        self.verdict = verdict

    def __reduce__(self) -> tuple[type[IllegalEvent], tuple[str, Verdict]]:
        return IllegalEvent, (self.message, self.verdict)


class NoLibrary(RefereeError):
    """A format is read by a library that is not installed."""


class NoView(RefereeError):
    """A log of which no player's view can be made. `verdict` says why: it is not legal, or has holes itself."""

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__("AP10", message)
        self.verdict = verdict

    def __reduce__(self) -> tuple[type[NoView], tuple[str, Verdict]]:
        return NoView, (self.message, self.verdict)


class GameOver(RefereeError):
    """A game driven on after its end."""


class Cancelled(RefereeError):
    """What was asked to stop has stopped."""


class NoSolver(RefereeError):
    """Z3 is wanted and not installed."""
