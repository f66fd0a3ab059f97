"""What each of two rulesets says of a difference: whether it allows what the other does, by which rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from referee.comparison.correspondence import SharedEvent
from referee.comparison.lockstep import PartingKind, SidesParting
from referee.comparison.shown_difference import ShownDifference
from referee.comparison.side import ComparedSide
from referee.core.flow import point_of
from referee.core.ruleset import Core
from referee.core.stmt import Origin
from referee.diagnostics.source import Span
from referee.game.event import TABLE, Event
from referee.game.log.log_lines import EndLine, EventLine
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.game.value_codec import encode_event
from referee.judge.cited_assumptions import told_apart, told_apart_facts
from referee.judge.judge import Judge
from referee.judge.refusal_reports import Refusals
from referee.judge.verdict import Fact, FailedLine

MOST_REASONS = 3
"""So many reasons are told for a line that one of the rules forbids."""


@dataclass(frozen=True, slots=True)
class SideSays:
    """What one ruleset says: in words, by which rule at which place, with the statements of its rulebook that are
    cited, the conditions that decide (`holds`: as they are to be), and what led there."""

    text: str
    rule: str | None = None
    span: Span | None = None
    cites: tuple[str, ...] = ()
    conditions: tuple[Fact, ...] = ()
    holds: bool = True
    because: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToldDifference:
    """A difference as it is told. `trails`: the events of the game by each of the rules, with those that are not
    compared; `then`: further events to where it can be seen in what happens, and what happens there."""

    shown: ShownDifference
    message: str
    says: tuple[SideSays, SideSays]
    trails: tuple[tuple[Event, ...], tuple[Event, ...]]
    then: tuple[tuple[SharedEvent, ...], str] | None


@dataclass(frozen=True, slots=True)
class _Stand:
    """One side at the end of the game that shows the difference."""

    side: ComparedSide
    setting: Setting
    events: tuple[Event, ...]
    step: Step
    judge: Judge

    @property
    def core(self) -> Core:
        return self.side.walker.core


def told(sides: tuple[ComparedSide, ComparedSide], shown: ShownDifference) -> ToldDifference:
    """A difference with what both sides say of it."""
    parting = shown.parting
    first, second = (_stand(side, setting, shown, number)
                     for number, (side, setting) in enumerate(zip(sides, shown.settings, strict=True)))
    says = _says(first, second, parting, 0), _says(second, first, parting, 1)
    then = None if shown.then is None else (shown.then[0], _message(shown.then[1]))
    return ToldDifference(shown, _message(parting), says, (first.events, second.events), then)


def each_once(found: Iterable[ToldDifference]) -> tuple[ToldDifference, ...]:
    """Differences, those of the same rules and statements as one: the one whose game is the shortest."""
    kept: dict[object, ToldDifference] = {}
    for number, one in enumerate(found):
        parting = one.shown.parting
        alike = (parting.kind, parting.about, *((says.rule, says.span, says.cites) for says in one.says))
        key = alike if parting.ends else number
        other = kept.setdefault(key, one)
        other.shown.games.update(one.shown.games)
        if _length(one) < _length(other):
            one.shown.games.update(other.shown.games)
            kept[key] = one
    return tuple(kept.values())


def _length(one: ToldDifference) -> tuple[bool, int]:
    return one.shown.told is not None, len(one.shown.events)


def _message(parting: SidesParting) -> str:
    which = ("first", "second")[parting.side]
    match parting.kind:
        case PartingKind.LEGAL:
            return f"{parting.event} is legal by the {which} rules alone"
        case PartingKind.ASKED:
            return f"after {parting.after} somebody else is asked"
        case PartingKind.RESULT:
            return f"after {parting.after} the game is not over in the same way"
        case PartingKind.BROKEN:
            return f"after {parting.after} {parting.about} does not hold by the {which} rules alone"
        case PartingKind.CLAIM | PartingKind.STATE:
            return f"after {parting.after} {parting.about} is {parting.values[0]}, and {parting.values[1]}"


def _stand(side: ComparedSide, setting: Setting, shown: ShownDifference, number: int) -> _Stand:
    last = shown.parting.event if shown.parting.side == number else None
    events = side.trail(setting, shown.events, last)
    step = side.walker.begin(setting)
    judge = Judge(side.walker, setting)
    judge.explains = True
    for at, event in enumerate(events, 2):
        if isinstance(step, State):
            step = side.walker.advance(step, event)
        judge.feed(_line(side, setting, event, at))
    return _Stand(side, setting, events, step, judge)


def _line(side: ComparedSide, setting: Setting, event: Event, number: int) -> EventLine:
    raw = encode_event(side.walker.core, setting, event)
    args = raw.get("with", {})
    assert isinstance(args, dict)
    return EventLine(number, str(raw["by"]), str(raw["do"]), args)


def _says(here: _Stand, there: _Stand, parting: SidesParting, number: int) -> SideSays:
    match parting.kind:
        case PartingKind.STATE | PartingKind.CLAIM:
            return _written(here, f"{parting.about}: {parting.values[number]}")
        case PartingKind.BROKEN:
            return _unsound(here, parting.about) if parting.side == number else _written(here, "nothing is broken")
        case PartingKind.LEGAL if parting.side == number and parting.event is not None:
            return _allowed(here, parting.event)
        case PartingKind.LEGAL | PartingKind.ASKED | PartingKind.RESULT:
            return _refused(here, there, parting)


def _unsound(here: _Stand, about: str) -> SideSays:
    """What does not hold, as the judge says it to the log of the game."""
    found = here.judge.found
    return _of_failed(told_apart(here.core, found[-1].wrong)) if found else _written(here, f"{about} does not hold")


def _allowed(here: _Stand, event: SharedEvent) -> SideSays:
    own = here.side.own(event)
    names = here.judge.names
    if own is None or not isinstance(here.step, State):
        return SideSays(f"{event} is legal")
    text = f"{names.who(own.by)}  {names.event(own)}: legal"
    standing = Refusals(here.side.walker, here.setting, names, None).standing(here.step, own)
    if standing is None:
        return SideSays(text)
    held = told_apart_facts(here.core, standing.held)
    return SideSays(text, standing.rule, standing.span, here.core.statements_in(standing.cites), held)


def _written(here: _Stand, text: str) -> SideSays:
    """What came of the last event, by the action that did it."""
    label = here.events[-1].label if here.events else None
    action = next((one for one in here.core.actions.values() if one.label == label), None)
    if action is None or not isinstance(action.origin, Origin):
        return SideSays(text)
    return SideSays(text, action.name, action.origin.span, here.core.statements_in(action.origin.cites))


def _refused(here: _Stand, there: _Stand, parting: SidesParting) -> SideSays:
    """What one side says to a log that goes on as the other does: with an event that is legal there, or its end."""
    number = len(here.events) + 2
    event = parting.event or _possible(there, here)
    raw = None if event is None else here.side.dictionary.own(event)
    standing = _standing(here)
    if raw is not None:
        args = raw.get("with", {})
        assert isinstance(args, dict)
        here.judge.feed(EventLine(number, str(raw["by"]), str(raw["do"]), args))
    elif isinstance(there.step, Ended):
        winners = tuple(there.setting.players[seat] for seat in sorted(there.step.winners))
        points = there.side.walker.scores(there.step.state)
        scores = None if points is None else {there.setting.players[seat]: score for seat, score in points.items()}
        here.judge.feed(EndLine(number, winners, scores, None))
    found = here.judge.found
    point = point_of(here.side.walker.flow.nodes[here.step.at]) if isinstance(here.step, State) else None
    if not found:
        if point is None:
            return SideSays(standing)
        return SideSays(standing, None, point.origin.span, here.core.statements_in(point.origin.cites))
    said = _of_failed(told_apart(here.core, found[-1].wrong))
    if parting.kind is PartingKind.LEGAL or isinstance(here.step, Ended | Stopped | Failed):
        text = said.text if parting.kind is PartingKind.LEGAL else f"{standing}; {said.text}"
        return SideSays(text, said.rule, said.span, said.cites, said.conditions, False, said.because)
    span = said.span or (None if point is None else point.origin.span)
    return SideSays(standing, said.rule, span, said.cites, said.conditions, False, said.because)


def _possible(there: _Stand, here: _Stand) -> SharedEvent | None:
    """An event that only the other side allows: the first one."""
    offer = there.side.offer((there.step,))
    return next((event for event in offer.ways if not here.side.ways((here.step,), event)), None)


def _standing(here: _Stand) -> str:
    match here.step:
        case State():
            labels = dict.fromkeys(event.do for event in here.side.offer((here.step,)).ways)
            point = point_of(here.side.walker.flow.nodes[here.step.at])
            if point is not None and TABLE in here.side.walker.who(here.step):
                labels = {f"{label} {point.name}": None for label in labels}
            return f"{here.side.words.asks(here.step)}{f' ({_listed(list(labels))})' if labels else ''}"
        case Ended():
            return _won(here, here.step)
        case Stopped():
            return f"the game stops: {here.step.why}"
        case Failed():
            return f"the rules make an error: {here.step.message}"


def _won(here: _Stand, step: Ended) -> str:
    names = [here.setting.players[seat] for seat in sorted(step.winners)]
    who = " and ".join(names) or "nobody"
    points = here.side.walker.scores(step.state)
    said = "" if points is None else f" ({', '.join(f'{here.setting.players[p]} {n}' for p, n in points.items())})"
    return f"the game is over: {who} {'win' if len(names) > 1 else 'wins'}{said}"


def _listed(labels: Sequence[str]) -> str:
    return ", ".join(labels[:6]) + (", ..." if len(labels) > 6 else "")


def _of_failed(wrong: FailedLine) -> SideSays:
    because = tuple(one.text for one in wrong.because[:MOST_REASONS])
    cites = tuple(dict.fromkeys((*wrong.cites, *(cite for one in wrong.because[:1] for cite in one.cites))))
    return SideSays(wrong.message, wrong.rule, wrong.span, cites, wrong.failed, False, because)
