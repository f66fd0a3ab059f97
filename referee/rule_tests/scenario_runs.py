"""Scenarios carried out: each event must be accepted or refused as told, each expectation must hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from referee.core.expr import Expr
from referee.core.flow import PointNode, offered, offers
from referee.diagnostics.source import Span
from referee.flow.lowering import lower
from referee.frontend.scenarios.scenario_positions import Json as Told
from referee.frontend.scenarios.scenario_reader import (
    ByIdentity,
    Expected,
    KnownEvent,
    Line,
    RefusedEvent,
    Scenario,
    ToldEvent,
    labels,
)
from referee.game.event import FATE, TABLE, Event
from referee.game.log.header_position import position_of
from referee.game.log.header_setting import setting_of, unfit
from referee.game.log.log_header import Header, HeaderFault
from referee.game.log.strict_json import Json, Object, brief
from referee.game.player_views import HIDDEN, record
from referee.game.setting import Setting
from referee.game.start_position import WHOSE_TURN, BadPosition, MissingEntry, Position, ToldRegister
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.game.value_codec import decode_event
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.knowledge.custody import Custody
from referee.interpreter.refusals import Refusal
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.open_settings.header_admission import tested
from referee.judge.reasons.values.argument_sentences import argument_sentence
from referee.native.engine_names import GENERATED, REFERENCE, engine
from referee.system.deadline import NEVER, Deadline


@dataclass(frozen=True, slots=True)
class FailedStep:
    """Where a scenario and the rules part: what happened instead, with the values that show it."""

    span: Span
    message: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a scenario went; without failures it passed."""

    scenario: Scenario
    failures: tuple[FailedStep, ...]

    @property
    def passed(self) -> bool:
        return not self.failures


def run_scenario(scenario: Scenario, engine_name: str = GENERATED, until: Deadline = NEVER) -> Result:
    """Carries a scenario out. An event that goes wrong ends it; expectations are tested all. That goes event by event,
    so where machine code is asked for generated code does it.

    Raises `OutOfTime` if it is not through in time.
    """
    until.check()
    try:
        plain = REFERENCE if engine_name == REFERENCE else GENERATED
        return Result(scenario, tuple(_ScenarioRun(scenario, plain, until).failures()))
    except HeaderFault as fault:
        return Result(scenario, (FailedStep(scenario.span, f"{fault}{_said_by(fault)}"),))


def game_of(scenario: Scenario) -> tuple[Setting, tuple[Event, ...]]:
    """The game that a scenario tells, with the passes that it leaves out; only the setting if it cannot be so."""
    try:
        run = _ScenarioRun(scenario, GENERATED)
    except HeaderFault:
        return Setting(scenario.players), ()
    for _ in run.failures():
        break
    return run.setting, tuple(run.events)


@lru_cache(maxsize=32)
def _walker(core: ByIdentity, engine_name: str) -> Walker:
    return engine(lower(core.core), engine_name)


class _ScenarioRun:
    """One scenario being carried out. `events`: what has happened so far, from `setting` on."""

    def __init__(self, scenario: Scenario, engine_name: str, until: Deadline = NEVER) -> None:
        self.events: list[Event] = []
        self._told_of: list[tuple[ToldEvent, State, Event]] = []
        self._past: list[tuple[State, Event, int]] = []  # with the index in those told, -1 for a pass left out
        self._scenario = scenario
        self._until = until
        self._walker = _walker(ByIdentity(scenario.core), engine_name)
        stated = scenario.header
        header = Header(
            scenario.core.name,
            scenario.players,
            given=_object(stated.get("given", {})),
            readings={n: str(v) for n, v in stated.get("readings", {}).items()},
            parameters=_object(stated.get("parameters", {})),
        )
        self.setting = tested(self._walker, replace(setting_of(header, scenario.core), position=_position(scenario)))
        self._names = Names(self._walker.flow, scenario.players)

    def failures(self) -> Iterator[FailedStep]:
        """What goes wrong, in order."""
        try:
            step = self._walker.begin(self.setting)
        except Unsettled as unsettled:
            yield FailedStep(self._scenario.span, _unstated(unsettled))
            return
        for line in self._scenario.lines:
            self._until.check()
            try:
                step, failure = self._line(step, line)
            except Unsettled as unsettled:
                failure = FailedStep(line.span, _unstated(unsettled))
            if failure is not None:
                yield failure
                if not isinstance(line, Expected | KnownEvent):
                    return

    def _line(self, step: Step, line: Line) -> tuple[Step, FailedStep | None]:
        if isinstance(line, Expected):
            return step, self._expected(step, line)
        if isinstance(line, RefusedEvent):
            return step, self._refused(step, line)
        if isinstance(line, KnownEvent):
            return step, self._known(line)
        return self._told(step, line)

    # ------------------------------------------------------------------ events
    def _told(self, step: Step, told: ToldEvent) -> tuple[Step, FailedStep | None]:
        refusals = []
        for here, passes in self._waiting(step):
            refusal = self._why_not(here, told)
            if refusal is None:
                self.events.extend(passes)
                self._passed(step, passes)
                return self._carried_out(here, told)
            refusals.append(refusal)
        return step, FailedStep(told.span, *refusals[0])

    def _passed(self, step: Step, passes: Iterable[Event]) -> None:
        for passed in passes:
            assert isinstance(step, State)
            self._past.append((step, passed, -1))
            step = self._walker.advance(step, passed)

    def _waiting(self, step: Step) -> Iterator[tuple[Step, tuple[Event, ...]]]:
        """Where the game waits: here, and wherever passes lead that need not be said; with these passes."""
        passes: tuple[Event, ...] = ()
        yield step, passes
        while isinstance(step, State) and (passed := self._walker.silent(step)) is not None:
            self._until.check()
            step, passes = self._walker.advance(step, passed), (*passes, passed)
            yield step, passes

    def _carried_out(self, step: Step, told: ToldEvent) -> tuple[Step, FailedStep | None]:
        assert isinstance(step, State)
        event = decode_event(self._scenario.core, self.setting, self._raw(step, told))
        assert not isinstance(event, list)
        self.events.append(event)
        self._past.append((step, event, len(self._told_of)))
        self._told_of.append((told, step, event))
        after = self._walker.advance(step, event)
        if isinstance(after, Failed):
            return after, FailedStep(told.span, f"the rules fail here: {after.message}")
        return after, self._broken(after, told.span)

    def _broken(self, step: Step, span: Span) -> FailedStep | None:
        state = step.state if isinstance(step, Ended) else step
        broken = self._walker.broken(state) if isinstance(state, State) else ()
        if not broken:
            return None
        shown = tuple((s.text, self._names.value(s.value, s.type)) for s in broken[0].tested.values)
        return FailedStep(span, f"after this, {broken[0].name.replace('_', ' ')} does not hold", shown)

    def _why_not(self, step: Step, told: ToldEvent) -> tuple[str, tuple[tuple[str, str], ...]] | None:
        """Why an event is not accepted; None if it is."""
        if not isinstance(step, State):
            return _halted(step), ()
        event = decode_event(self._scenario.core, self.setting, self._raw(step, told))
        if isinstance(event, list):
            alone = event[0].alone
            return event[0].message + ("" if alone is None else "; write {" + brief(alone).strip('"') + "}"), ()
        refusal = self._walker.check(step, event)
        if refusal is None:
            return None
        return self._reason(refusal) + self._elsewhere(refusal, told), self._shown(refusal)

    def _elsewhere(self, refusal: Refusal, told: ToldEvent) -> str:
        """Where the scenario could begin instead, if it begins at a point where somebody else acts."""
        start = self._scenario.start
        if refusal.kind != "wrong player" or start is None or start.at is not None or self.events:
            return ""
        points = [point.name for point in self._walker.start_points.all() if told.do in _labels_at(point.node)]
        return f"; `at {points[0]}` begins there" if points else ""

    def _raw(self, state: State, told: ToldEvent) -> Object:
        """The event as a line of a log has it. Values without a name are for the arguments asked for here."""
        named, values = dict(_object(told.args)), [json_of(value) for value in told.unnamed]
        for known in (*self._asked_for(state, told), labels(self._scenario.core).get(told.do, ())):
            open_ = [name for name in known if name not in named]
            if len(open_) >= len(values):
                return {"by": told.by, "do": told.do, "with": named | dict(zip(open_, values, strict=False))}
        return {"by": told.by, "do": told.do, "with": dict(named)}

    def _asked_for(self, state: State, told: ToldEvent) -> Iterator[Sequence[str]]:
        """The arguments of what is offered under this label, to whoever does it if he is asked."""
        course, frame = self._walker.course, self._walker.course.frame(state)
        known = {"fate": FATE, "table": TABLE, **{name: seat for seat, name in enumerate(self._scenario.players)}}
        for offer in course.offers(state.at, known[told.by], frame):
            if offer.label == told.do:
                yield [param.arg for param in offer.params if param.arg is not None]

    def _reason(self, refusal: Refusal) -> str:
        if refusal.failed:
            return "refused: " + ", ".join(f'"{t.guard.text}" does not hold' for t in refusal.failed)
        if refusal.arguments:
            return f"refused: {argument_sentence(self._names, refusal.arguments[0])}"
        if refusal.kind == "wrong player":
            return f"refused: it is for {self._names.all_of(refusal.by)} to act"
        return f"refused: {self._names.all_of(refusal.by)} can {' or '.join(refusal.labels) or 'do nothing'} here"

    def _shown(self, refusal: Refusal) -> tuple[tuple[str, str], ...]:
        return tuple((s.text, self._names.value(s.value, s.type)) for t in refusal.failed for s in t.values)

    def _refused(self, step: Step, line: RefusedEvent) -> FailedStep | None:
        why = [self._why_not(here, line.event) for here, _ in self._waiting(step)]
        refused = [one for one in why if one is not None]
        if len(refused) < len(why):
            return FailedStep(line.span, "this is accepted, and should be refused")
        missing = [g for g in line.guards if not any(f'"{g}"' in text for text, _ in refused)]
        if missing:
            return FailedStep(line.span, f'expected "{missing[0]}" to fail; {refused[0][0]}', refused[0][1])
        return None

    # ------------------------------------------------------------------ expectations
    def _known(self, line: KnownEvent) -> FailedStep | None:
        """Whether somebody knows what was told before in the same words, the last time."""
        said = line.event
        same = [at for at, (told, _, _) in enumerate(self._told_of) if replace(told, span=said.span) == said]
        if not same:
            return FailedStep(line.span, "nothing was told before in these words")
        custody = Custody(self._walker.flow)
        for before, happened, number in self._past:
            custody.event(number, before, happened)
        sightings = {at: self._walker.sighting(before, happened)
                     for at, (_, before, happened) in enumerate(self._told_of)}
        seen = record(custody.known(sightings).values(), line.who)[same[-1]]
        hidden = tuple((name, value) for name, value in seen.args if value == HIDDEN)
        if line.known != bool(hidden):
            return None
        return FailedStep(line.span, "this is not known" if hidden else "this is known",
                       tuple((name, HIDDEN) for name, _ in hidden))

    def _expected(self, step: Step, line: Expected) -> FailedStep | None:
        state = step.state if isinstance(step, Ended | Stopped) else step
        if line.over and not isinstance(step, Ended):
            return FailedStep(line.span, f"{line.text}: the game is not over")
        if not isinstance(state, State):
            return FailedStep(line.span, "the rules failed before this")
        if self._value(state, line.cond) is True:
            return None
        shown = tuple((text, self._text(state, expr)) for text, expr in line.shows)
        return FailedStep(line.span, f"{line.text} does not hold", shown)

    def _value(self, state: State, expr: Expr) -> object:
        try:
            return self._walker.evaluate(state, expr)
        except Fault as fault:
            return fault

    def _text(self, state: State, expr: Expr) -> str:
        try:
            return self._names.value(self._walker.evaluate(state, expr), expr.type)
        except Fault as fault:
            return f"has no value: {fault}"


def _position(scenario: Scenario) -> Position | None:
    """The position that a scenario starts from, if it says one. Raises `HeaderFault`."""
    start = scenario.start
    if start is None:
        return None
    places = [(text, place, json_of(what)) for text, place, what in start.places]
    registers = tuple(
        ToldRegister(name, json_of(raw), BadPosition("LG26", f"{name} is no counter, nor told at this point", name))
        for name, raw in start.registers)
    try:
        return position_of(scenario.core, scenario.players, start.at, start.turn, places, start.values,
                           registers=registers)
    except BadPosition as bad:
        raise unfit(bad) from None


def _object(values: Mapping[str, Told]) -> Object:
    return {name: json_of(value) for name, value in values.items()}


def json_of(value: Told) -> Json:
    """What a scenario says of a value, as a log has it."""
    if isinstance(value, dict):
        return dict(_object(value))
    return [json_of(v) for v in value] if isinstance(value, list) else value


def _labels_at(point: PointNode) -> frozenset[str]:
    offer = offers(point)
    return frozenset() if offer is None else frozenset(one.label for one in offered(offer))


def _said_by(fault: HeaderFault) -> str:
    """The lines of a scenario that tell what its position has to tell, where that is what is wrong with it."""
    return f"; write {' and '.join(map(_line_that_tells, fault.missing))}" if fault.missing else ""


def _line_that_tells(one: MissingEntry) -> str:
    if one == WHOSE_TURN:
        return f"`turn of {one.what}`"
    name = f'"{one.name}"' if " " in one.name else one.name
    if one.number is None:
        return f"`given {name} is ...` ({one.what})"
    return f"`given {name}: any {one.number} {one.what}`"


def _unstated(unsettled: Unsettled) -> str:
    return f"this depends on {unsettled.var}, which the scenario does not state"


def _halted(step: Step) -> str:
    if isinstance(step, Ended):
        return "the game is over"
    if isinstance(step, Stopped):
        return f"the rules do not say how it goes on: {step.why}"
    return f"the rules fail: {step.message}" if isinstance(step, Failed) else ""
