"""One line of a log looked at closely: who was asked, what was legal, by which rule the line stands or falls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from referee.core.ruleset import DeclaredAssumption
from referee.diagnostics.source import Span
from referee.game.event import TABLE, Event
from referee.game.log.log_lines import EventLine, Line, LineFault
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.game.state import State
from referee.game.value_codec import decode_event
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.judge.cited_assumptions import told_apart_facts
from referee.judge.display_names import Names
from referee.judge.judge import Judge
from referee.judge.judgement_summary import Loader, begun, seat_of, verdict_of
from referee.judge.judging_notes import out_of_time
from referee.judge.log_run import Options
from referee.judge.open_settings.header_admission import admitted, other_rules
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.reasons.legal_choices import MOST_LEGAL, choices_before
from referee.judge.reasons.told_traces import ToldTrace, TraceTeller
from referee.judge.refusal_reports import Refusals
from referee.judge.verdict import Fact, LogOutcome, LogVerdict
from referee.judge.visibility import PlayerSight
from referee.system.deadline import Deadline, OutOfTime


@dataclass(frozen=True, slots=True)
class Moment:
    """A line in its place. `asked`: who had to do what before it, empty if nobody; `legal`: what was possible.

    `states`: where the game may have stood before the line; `verdict`: on the log up to and with the line.
    `what` is the event in words, None for another line; `rule`, `place`, `statements` (id, wording), `held` and
    `assumed` say by what a legal event stands; `trace`: what it did, up to where somebody was asked next.
    """

    line: int
    what: str | None
    asked: str
    legal: tuple[str, ...]
    more: bool
    states: tuple[State, ...]
    verdict: LogVerdict
    rule: str | None = None
    place: Span | None = None
    statements: tuple[tuple[str, str], ...] = ()
    held: tuple[Fact, ...] = ()
    assumed: tuple[DeclaredAssumption, ...] = ()
    trace: ToldTrace | None = None


class NoSuchLine(LookupError):
    """The log has no such line, or it is the header or blank."""


def moment(log: Log, number: int, load: Loader, options: Options) -> Moment:
    """What there is to say about a line; nothing but a verdict where the time was over before.

    Raises `NoSuchLine`, `HeaderFault`, `LogProblem` and `Problems`.
    """
    walker = load(log.header)
    setting = admitted(walker, log.header)
    viewer = seat_of(options.viewer, log.header)
    hidden = setting.position is not None and setting.position.hidden
    judge = Judge(walker, setting, viewer, somewhere=begun(walker, setting) if hidden else None)
    judge.explains = True
    judge.notes.extend(other_rules(walker, log.header))
    log.test = judge.claims.readable
    if options.timeout is not None:
        log.until = Deadline(options.timeout)
        judge.limit(log.until)
    look = _Look(walker, setting, judge, PlayerSight(walker.flow, viewer), viewer)
    try:
        for line in log:
            if line.number > number:
                break
            if line.number == number:
                return _looked_at(look, line, log, options)
            _fed(judge, log, line)
            log.until.check()
    except OutOfTime:
        judge.halt = judge.halt or out_of_time(log.until, log.line)
        return Moment(number, None, "", (), False, (), _verdict(look, log, options))
    raise NoSuchLine(number)


def _fed(judge: Judge, log: Log, line: Line) -> None:
    try:
        judge.feed(line)
    except LineFault as fault:
        raise log.refuse_line(fault) from None


@dataclass(frozen=True, slots=True)
class _Look:
    walker: Walker
    setting: Setting
    judge: Judge
    sight: PlayerSight
    viewer: int | None

    @property
    def names(self) -> Names:
        return self.judge.names

    @property
    def refusals(self) -> Refusals:
        return self.judge.refusals


def _looked_at(look: _Look, line: Line, log: Log, options: Options) -> Moment:
    before = [here for here in look.judge.arrive() if isinstance(here.step, State)]
    asked, legal = choices_before(look.walker, look.names, look.sight, before, log.until)
    _fed(look.judge, log, line)
    verdict = _verdict(look, log, options)
    states = tuple(here.step for here in before if isinstance(here.step, State))
    world = None
    if look.judge.holes is not None and isinstance(line, EventLine):
        with suppress(OutOfTime):
            world = look.judge.in_one_world(line.number)
    found = Moment(line.number, None, asked, legal[:MOST_LEGAL], len(legal) > MOST_LEGAL, states, verdict)
    if world is not None and isinstance(line, EventLine) and line.holes:
        return _in_world(look, world, found)
    return _stands(look, line, states, found) if isinstance(line, EventLine) else found


def _in_world(look: _Look, world: tuple[list[PossibleState], Event], found: Moment) -> Moment:
    """The moment of a line with holes: what it did in one of the worlds that are left."""
    states = tuple(here.step for here in world[0] if isinstance(here.step, State))
    trace = _trace(look, states, world[1])
    ways = None if look.judge.holes is None else look.judge.holes.branches.ways
    return found if trace is None else replace(found, trace=replace(trace, courses=ways or 0))


def _verdict(look: _Look, log: Log, options: Options) -> LogVerdict:
    core = look.walker.flow.core
    return verdict_of(look.judge, LogVerdict(log.path, LogOutcome.LEGAL, core.name, core.version, log.header.players,
                                             viewer=options.viewer))


def _stands(look: _Look, line: EventLine, states: tuple[State, ...], found: Moment) -> Moment:
    """The moment with the rule by which a legal event stands."""
    core = look.walker.flow.core
    event = decode_event(core, look.setting, {"by": line.by, "do": line.do, "with": line.args})
    if not isinstance(event, Event):
        return found
    found = replace(found, what=f"{look.names.who(event.by)}: {look.names.event(event, _unseen(look, states, event))}")
    found = replace(found, trace=_trace(look, states, event))
    for state in states:
        standing = look.refusals.standing(state, event)
        if standing is not None:
            said = tuple((cite, core.statements.get(cite, "")) for cite in core.statements_in(standing.cites))
            return replace(found, rule=standing.rule, place=standing.span, statements=said,
                           held=told_apart_facts(core, standing.held), assumed=core.assumptions_in(standing.cites))
    return found


def _trace(look: _Look, states: tuple[State, ...], event: Event) -> ToldTrace | None:
    """What an event did, in the first of the courses in which it is legal; None where it is in none."""
    reasons = look.judge.reasons
    for state in states:
        try:
            trace = reasons.replay.step(state, event)
        except (Unsettled, Fault, ValueError):
            continue
        sight = reasons.sight
        told = trace if sight is None else sight.of(trace)
        teller = TraceTeller(look.walker.flow.core, look.names, reasons)
        return teller.told(told, len(states), cut=sight is not None and sight.cut)
    return None


def _unseen(look: _Look, states: tuple[State, ...], event: Event) -> set[str]:
    """The arguments that the viewer does not see when it happens; where the rules do not say, those of others."""
    if look.viewer is None or event.by in (look.viewer, TABLE):
        return set()
    seen = [seen for state in states for seen in _seen(look, state, event)]
    args = [name for name, _ in event.args]
    if not seen:
        return set(args)
    return {name for some in seen for name, by in zip(args, some, strict=True) if by is not None
            and look.viewer not in by}


def _seen(look: _Look, state: State, event: Event) -> Iterator[tuple[frozenset[int] | None, ...]]:
    """Who sees each argument of an event where it is legal."""
    try:
        if look.walker.check(state, event) is None:
            yield look.walker.sighting(state, event).seen
    except (Unsettled, Fault):
        return
