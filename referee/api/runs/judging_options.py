"""How a program has logs judged, tested; and the verdict on a log that has one."""

from __future__ import annotations

from referee.api.argument_checks import a_text, a_timeout, one_of
from referee.api.errors import LogError, RulesError
from referee.api.named_engines import ENGINES, SOLVER
from referee.api.results.verdicts import Verdict
from referee.judge.log_run import Options

JUDGING = (*ENGINES, SOLVER)


def judging_options(for_: str | None, all_readings: bool, facts: bool, timeout: float | None, engine: str,
             under: bool = False) -> Options:
    """How to judge. Raises `ArgumentError` for what is none."""
    if for_ is not None:
        a_text(for_, "`for_`")
    a_timeout(timeout)
    one_of(engine, "engine", JUDGING)
    return Options(for_, bool(all_readings), None if engine == SOLVER else timeout, bool(facts),
                   bool(under))


def usable(verdict: Verdict) -> Verdict:
    """The verdict, unless the log could not be read or there were no rules for it."""
    if verdict.outcome not in ("unreadable", "no rules"):
        return verdict
    found = verdict.inside().diagnostics[-1 if verdict.outcome == "unreadable" else 0]
    kind = LogError if verdict.outcome == "unreadable" else RulesError
    raise kind(found.code, found.message, span=found.span, expected=found.expected, hint=found.hint,
               diagnostics=verdict.inside().diagnostics)
