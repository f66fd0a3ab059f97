"""What a judge says who has seen the lines of a log, and what it takes to begin with one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from referee.core.ruleset import PUBLIC
from referee.game.event import NOBODY
from referee.game.log.log_header import Header, HeaderFault
from referee.game.log.log_reader import LogProblem
from referee.game.log.strict_json import brief
from referee.game.setting import Setting
from referee.game.start_position import BadPosition
from referee.game.state import Ended, Failed, State, Stopped
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.cited_assumptions import told_apart
from referee.judge.judging_notes import JudgingNotes
from referee.judge.partial.constraints.hidden_values import UNKNOWN, HiddenValueAsked
from referee.judge.partial.possible_worlds import last_words, simplified
from referee.judge.verdict import LogOutcome, LogVerdict

UNKNOWN_START = "the position that the log starts from leaves open where everything lies"
if TYPE_CHECKING:
    from referee.judge.judge import Judge

KnownSoFar = Callable[..., LogVerdict]
"""What is known so far of a log; called with what is still to be said. One copy of a verdict is made, at the end."""
Loader = Callable[[Header], Walker]
"""Finds the rules that a header names, for its number of players and options. Raises `HeaderFault` if there are none
such, and `Problems` if the rules cannot be loaded. It is asked once for each log: it should remember."""


def begun(walker: Walker, setting: Setting) -> State | None:
    """The position that a log starts from, if it is not known of every place what lies there; None if everything is
    known, or too little."""
    if setting.starts_known or setting.position is None or walker.core.undo or walker.asked_step_by_step:
        return None  # with undo, or another engine, every way is followed
    from referee.judge.partial.lifted.hidden_start import concealed  # slow to import, and mostly not needed

    try:
        return walker.begin_at(setting, setting.position, UNKNOWN, concealed)
    except (BadPosition, Fault, Unsettled, HiddenValueAsked):
        return None


def verdict_of(judge: Judge, blank: LogVerdict) -> LogVerdict:
    """What a judge who has seen the lines says."""
    blank = blank if judge.holes is None else replace(
        blank, holes=judge.holes.number, open_holes=judge.holes.unknowns(), conflict=judge.holes.conflict)
    not_judged_from = _within(judge, judge.not_judged_from)
    known = partial(replace, blank, lines=judge.lines, events=judge.events, overruled=tuple(judge.overruled),
                    notes=tuple(judge.notes), not_judged_from=not_judged_from)
    core = judge.core
    wrong_lines = _wrong_lines(judge)
    for index, found in enumerate(wrong_lines):
        if found.wrong.line not in judge.overruled:
            after = tuple(told_apart(core, later.wrong) for later in wrong_lines[index + 1:])
            stop = not_judged_from or (judge.halt.line if judge.halt is not None else None)
            return known(outcome=LogOutcome.ILLEGAL, wrong=told_apart(core, found.wrong), after=after,
                         at=found.wrong.line, not_judged_from=stop)
        if not found.applied:
            return _open(known, LogOutcome.UNKNOWN, found.wrong.line,
                         f"line {found.wrong.line} was overruled, but the rules cannot carry it out")
    if not_judged_from is not None:
        return _open(known, LogOutcome.UNKNOWN, not_judged_from, "too many wrong lines in a row")
    if judge.halt is not None:
        return _open(known, judge.halt.outcome, judge.halt.line, judge.halt.reason)
    return _standing(judge, known)


def _wrong_lines(judge: Judge) -> list[JudgingNotes]:
    """The wrong lines in order; with holes the first claim that no way to fill them makes true is one."""
    unsure = judge.holes is None or judge.holes.branches.stuck is not None or judge.overflowed
    broken = None if unsure or judge.holes is None else judge.holes.broken(judge.overruled)
    return judge.found if broken is None else sorted((*judge.found, broken), key=lambda found: found.wrong.line)


def _within(judge: Judge, line: int | None) -> int | None:
    """A line, unless the log ended before it."""
    return line if line is not None and line <= judge.lines else None


def _open(known: KnownSoFar, outcome: LogOutcome, line: int, reason: str) -> LogVerdict:
    return known(outcome=outcome, at=line, reason=reason)


def _standing(judge: Judge, known: KnownSoFar) -> LogVerdict:
    """The verdict on a log of which every line stands."""
    if judge.holes is not None and judge.holes.some and not judge.stands_in_one_world():
        return _open(known, LogOutcome.UNKNOWN, judge.lines,
                     f"line {judge.lines}: too many possibilities to follow, and no way to fill the holes was found")
    alive = judge.arrive()
    playing = [here for here in alive if isinstance(here.step, State | Ended)]
    for here in alive if not playing else ():
        match here.step:
            case Stopped(_, point, why):
                return _open(known, LogOutcome.STOPPED, judge.lines, f"{point.name}: {why}")
            case Failed(code, message, span):
                return _open(known, LogOutcome.UNKNOWN, judge.lines, f"the rules fail: {code} {message} ({span})")
            case State() | Ended():
                pass
    worlds = simplified(world for here in playing for world in here.worlds)
    narrowing: tuple[int, ...] = ()
    if judge.holes is not None:
        branches = judge.holes.branches
        broken = branches.broken(judge.overruled)
        if broken is not None:
            return _open(known, LogOutcome.DEPENDS, broken.wrong.line,
                         f"no way to fill the holes that was followed makes line {broken.wrong.line} true")
        untested = (f"{name.replace('_', ' ')} was not tested: not all that it reads is known"
                    for name in judge.holes.untested)
        narrowing = tuple(sorted({*branches.narrowing, *branches.doubtful(judge.overruled)}))
        known = partial(known, notes=(*judge.notes, *untested), ways=branches.ways, narrowing=narrowing)
        if branches.unsure and not narrowing:
            return _open(known, LogOutcome.UNKNOWN, branches.unsure[0],
                         f"nothing contradicts the rules, but whether line {branches.unsure[0]} is legal in every way "
                         "to fill the holes was not found out")
    finished, winners = judge.ending
    return known(
        outcome=LogOutcome.POSSIBLE if narrowing else LogOutcome.LEGAL, finished=finished, winners=winners,
        under=() if worlds == ((),) else tuple(map(last_words, worlds)),
        more_worlds=any(here.more for here in playing) or judge.overflowed,
    )


def seat_of(viewer: str | None, header: Header) -> int | None:
    """The seat of the player for whom to judge, `NOBODY` for the public, None for somebody who sees everything;
    `HeaderFault` if he does not play."""
    if viewer is None or viewer == "all":
        return None
    if viewer == PUBLIC:
        return NOBODY
    if viewer not in header.players:
        raise HeaderFault("LG25", f"{brief(viewer)}, for whom to judge, does not play", "players", header.players)
    return header.players.index(viewer)


def unreadable(blank: LogVerdict, problem: LogProblem) -> LogVerdict:
    """The verdict on a log that cannot be read."""
    found = problem.diagnostic
    excerpts = {(found.span.path, found.span.line): problem.excerpt}
    return replace(blank, outcome=LogOutcome.UNREADABLE, at=found.span.line, excerpts=excerpts, reason=found.message,
                   diagnostics=(*blank.diagnostics, found))
