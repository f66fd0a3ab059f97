"""What the other engines make of a known position, compared with the walker: each difference as a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import z3

from referee.codegen.generated_engine import Generated
from referee.core.flow import Alternative, Ask, Draw, Flow, Gather, Rule
from referee.core.ruleset import Form
from referee.core.stmt import Move
from referee.core.traverse import walk
from referee.core.types import Many, SetOf
from referee.game.event import CHOICE, FATE, Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, Layout, State, Step, Stopped
from referee.interpreter.walker import Walker
from referee.smt import term, value
from referee.smt.concolic.guide import Valuation
from referee.smt.concolic.position_answers import Answers
from referee.smt.encoding import content
from referee.smt.encoding import term_store as stores
from referee.smt.encoding.decoding import decode_state
from referee.smt.encoding.step_relation import Landing, Stepper
from referee.smt.encoding.term_leaves import changed
from referee.smt.term import Cond
from referee.smt.value import Sym, Unencodable
from tests.twin.interpreter import Twin


def entries_apart(layout: Layout, one: State, other: State) -> Iterator[str]:
    """Where two positions differ; what the header rules is left out."""
    rulings = set(layout.rulings.values())
    for index, (left, right) in enumerate(zip(one.slots, other.slots, strict=True)):
        if index not in rulings and left != right:
            yield f"{name_of(layout, index)} is {left}, not {right}"


def name_of(layout: Layout, index: int) -> str:
    """The variable or zone that an entry belongs to."""
    return next((name for spreads in (layout.vars, layout.zones) for name, spread in spreads.items()
                 if index in spread.entries), "a ruling")


def apart(layout: Layout, one: Step | None, other: Step | None) -> Iterator[str]:
    """How two steps differ; None for an event that is refused."""
    match one, other:
        case State(), State():
            if one.at != other.at:
                yield f"comes to {one.at}, not {other.at}"
            yield from entries_apart(layout, one, other)
        case (Ended(first, winners), Ended(second, others)) if winners == others:
            yield from entries_apart(layout, first, second)
        case (Stopped(first, point), Stopped(second, place)) if point.name == place.name:
            yield from entries_apart(layout, first, second)
        case (Failed(code), Failed(same)) if code == same:
            pass
        case (None, None):
            pass
        case _:
            yield f"{_short(one)}, not {_short(other)}"


def _short(step: Step | None) -> str:
    match step:
        case None:
            return "refused"
        case Failed(code, message):
            return f"{code} ({message})"
        case _:
            return type(step).__name__


class Compiled:
    """The generated engine."""

    def __init__(self, flow: Flow) -> None:
        self._engine = Generated(flow)

    def differs(self, state: State, event: Event, after: Step | None) -> Iterator[str]:
        """How it differs from the step that the walker made."""
        found = None if self._engine.check(state, event) is not None else self._engine.advance(state, event)
        yield from (f"generated: {said}" for said in apart(self._engine.layout, found, after))
        if isinstance(after, State):
            ways = list(self._engine.legal(after)), list(Walker.legal(self._engine, after))
            if ways[0] != ways[1]:
                yield f"generated: legal are {ways[0]}, not {ways[1]}"


class Guided:
    """The solver's encoding where the unknowns have values."""

    def __init__(self, flow: Flow) -> None:
        self._answers = Answers(flow)

    def differs(self, state: State, event: Event, after: Step | None) -> Iterator[str]:
        """How it differs from the step that the walker made."""
        taking = self._answers.legal(state, event)
        found = None if taking is None else self._answers.after(state, event, taking, True)
        yield from (f"guided: {said}" for said in apart(self._answers.layout, found, after))


class Structured:
    """The twin, which goes on in core from where a position is put into its frame."""

    def __init__(self, walker: Walker, setting: Setting) -> None:
        self._walker = walker
        self._setting = setting

    def differs(self, state: State, event: Event, after: Step | None) -> Iterator[str]:
        """How it differs from the step that the walker made: from a position at the first point of the game."""
        twin = Twin(self._walker.core, self._setting)
        for name, spread in self._walker.layout.vars.items():
            if name in twin.layout.vars:
                for index, there in zip(twin.layout.vars[name].entries, spread.entries, strict=True):
                    twin.frame.slots[index] = state.slots[there]
        for name, spread in self._walker.layout.zones.items():
            for index, there in zip(twin.layout.zones[name].entries, spread.entries, strict=True):
                twin.frame.slots[index] = state.slots[there]
        twin.take(event)
        match after:
            case None:
                return
            case Failed(code):
                if twin.fault != code:
                    yield f"twin: {twin.fault}, not {code}"
            case Stopped(last, point):
                if twin.halted is None or twin.halted.name != point.name:
                    yield f"twin: {twin.halted}, not a stop at {point.name}"
                yield from self._entries(twin, last)
            case Ended(last, winners):
                if twin.winners != winners:
                    yield f"twin: won by {twin.winners}, not {winners}"
                yield from self._entries(twin, last)
            case State():
                yield from self._asked(twin, after)

    def _asked(self, twin: Twin, after: State) -> Iterator[str]:
        if twin.question is None:
            yield f"twin: over ({twin.fault})"
            return
        asked, legal = self._walker.asked(after), tuple(self._walker.legal(after))
        if (twin.question.point.name, twin.question.by, twin.question.events) != (asked.point.name, asked.by, legal):
            yield f"twin: asks {twin.question.events}, not {legal}"
        yield from self._entries(twin, after)

    def _entries(self, twin: Twin, state: State) -> Iterator[str]:
        theirs, layout = State(0, tuple(twin.frame.slots)), self._walker.layout
        node = self._walker.flow.nodes[state.at]
        unfinished = {name for _, one in node.parts for name, _ in one.stores} if isinstance(node, Gather) else set()
        for name in (*(self._walker.core.vars.keys() - unfinished), *layout.zones):
            at, there = (layout.vars, twin.layout.vars) if name in layout.vars else (layout.zones, twin.layout.zones)
            for index, other in zip(at[name].entries, there[name].entries, strict=True):
                if state.slots[index] != theirs.slots[other]:
                    yield f"twin: {name} is {theirs.slots[other]}, not {state.slots[index]}"


@dataclass(frozen=True)
class Encoded:
    """A step as terms: where it is legal, where it leads. `args`: the parameters of the event."""

    legal: Cond
    landing: Landing[stores.TermStore]
    args: Mapping[str, Sym]


class Exact:
    """The solver's encoding of one position: of terms that are known, or (`unknown`) of unknowns that a model knows."""

    def __init__(self, flow: Flow, unknown: bool) -> None:
        self.flow = flow
        self.stepper = Stepper(flow)
        self.layout = self.stepper.layout
        self.unencoded: list[str] = []
        self._made: dict[tuple[int, str, int], Encoded | None] = {}
        self._store = stores.unknown(self.layout, "s")[0] if unknown else None
        self._name = "symbolic" if unknown else "exact"

    def differs(self, state: State, event: Event, after: Step | None) -> Iterator[str]:
        """How it differs from the step that the walker made."""
        node = self.flow.nodes[state.at]
        if isinstance(node, Rule):
            if after is None or node.type is None:
                return
            found = self._encoded(state, event, None, node.type)
        else:
            alternative = _alternative(node, event)
            if alternative is None or any(param.arg is None for param in alternative.params):
                return
            if self._store is not None and _several_in_a_line(self.flow, alternative.next):
                return
            found = self._encoded(state, event, alternative, None)
        if found is not None:
            yield from (f"{self._name}: {said}" for said in self._compared(found, state, event, after))

    def _encoded(self, state: State, event: Event, alternative: Alternative | None, kind: Any) -> Encoded | None:
        known = self._store is None
        key = state.at, event.label, event.by
        if not known and key in self._made:
            return self._made[key]
        store = stores.of_state(self.layout, state) if self._store is None else self._store
        given, node = dict(event.args), self.flow.nodes[state.at]
        try:
            if alternative is None:
                assert isinstance(node, Rule)
                choice = value.of(kind, given[CHOICE]) if known else value.unknown(kind, f"{key} choice")
                made = Encoded(True, self.stepper.rule(store, node, choice), {CHOICE: choice})
            else:
                args = {p.name: value.of(p.type, given[p.arg]) if known else value.unknown(p.type, f"{key} {p.name}")
                        for p in alternative.params if p.arg is not None}
                by = None if event.by == FATE else event.by
                legal = self.stepper.legal(store, alternative, by, args)
                landing = self.stepper.commit(store, node, alternative, event.by, args, state.at) if isinstance(
                    node, Gather) else self.stepper.take(store, alternative, by, args)
                made = Encoded(legal, landing, {p.arg: args[p.name] for p in alternative.params if p.arg is not None})
        except Unencodable as why:
            self.unencoded.append(str(why))
            self._made[key] = None
            return None
        self._made[key] = made
        return made

    def _compared(self, found: Encoded, state: State, event: Event, after: Step | None) -> Iterator[str]:
        model = self._model(found, state, event)
        if model(found.landing.lost):
            return
        if model(found.legal) != (after is not None):
            yield f"legal is {model(found.legal)}, the walker: {_short(after)}"
        elif after is not None:
            yield from self._landed(found.landing, model, after)

    def _model(self, found: Encoded, state: State, event: Event) -> Any:
        """What a term is where everything is as in the position and the event."""
        if self._store is None:
            return lambda one: one
        pairs: list[tuple[Any, Any]] = []
        here = stores.of_state(self.layout, state)
        for index, entry in enumerate(self._store.entries):
            pairs += _pairs(entry, here.entries[index])
        node = self.flow.nodes[state.at]
        for name, given in event.args:
            kind = node.type if isinstance(node, Rule) else next(
                param.type for param in _params(node) if param.arg == name and _fits(found.args[name], param.type))
            assert kind is not None
            pairs += _pairs(found.args[name], value.of(kind, given))
        model = z3.Model()
        Valuation([pair for pair in pairs if not isinstance(pair[0], bool | int)]).tell(model)
        return partial(term.told, model)

    def _landed(self, landing: Landing[stores.TermStore], model: Any, after: Step) -> Iterator[str]:
        errors = [one.code for one in landing.failures if model(one.when)]
        stops = [at for at, cond in landing.stops.items() if model(cond)]
        where = [at for at, cond in landing.at.items() if model(cond)]
        over = bool(model(landing.over))
        if isinstance(after, Failed):
            if errors[:1] != [after.code]:
                yield f"fails with {errors}, not {after.code}"
            return
        if errors:
            yield f"fails with {errors}, the walker: {_short(after)}"
            return
        state = after if isinstance(after, State) else after.state
        theirs = decode_state(landing.store, state.at, model)
        match after:
            case Ended():
                if not over:
                    yield f"comes to {where}, not to the end"
            case Stopped(_, point):
                if point.name not in [self.flow.nodes[at].point.name for at in (*stops, *where)]:  # type: ignore[union-attr]
                    yield f"comes to {stops} and {where}, not to a stop at {point.name}"
            case State(at):
                if where != [at] or over:
                    yield f"comes to {where}, not to {at}"
        yield from entries_apart(self.layout, theirs, state)


def _several_in_a_line(flow: Flow, index: int) -> bool:
    """Whether several components may be moved at once from or to a line: of unknown numbers that is not encoded."""
    zones = flow.core.zones
    return any((one.number is not None or isinstance(one.what.type, SetOf | Many))
               and Form.LINE in (zones[one.source.zone].form, zones[one.to.zone].form)
               for one in walk(flow.nodes[index], Move))


def _params(node: Any) -> list[Any]:
    alternatives = node.alternatives if isinstance(node, Ask) else [one for _, one in node.parts] if isinstance(
        node, Gather) else [node.alternative]
    return [param for one in alternatives for param in one.params]


def _fits(found: Sym, kind: Any) -> bool:
    return type(value.unknown(kind, "x")) is type(found)


def _alternative(node: Any, event: Event) -> Alternative | None:
    """What an event takes: the first of its label."""
    match node:
        case Ask():
            return next((one for one in node.alternatives if one.label == event.label), None)
        case Gather():
            return next((one for _, one in node.parts if one.label == event.label), None)
        case Draw():
            return node.alternative if event.label == node.alternative.label else None
        case _:
            return None


def _pairs(left: Any, right: Any) -> list[tuple[Any, Any]]:
    """The unknowns that an entry is made of, each with what it is."""
    if left is None or right is None:
        return []
    if isinstance(left, content.Pile):
        most = len(left.blocks)
        none = value.Counts(left.blocks[0].lo, (0,) * len(left.blocks[0].counts))
        right = content.Pile((*right.blocks, *[none] * most)[:most])
    if isinstance(left, value.Counts):
        right = value.Counts(left.lo, tuple(value.count(right, left.lo + i) for i in range(len(left.counts))))
    if isinstance(left, content.LineContent):
        right = content.LineContent((*right.items, *[0] * len(left.items))[:len(left.items)], right.length)
    ones: list[Any] = []
    others: list[Any] = []
    changed(left, ones.append)
    changed(right, others.append)
    return list(zip(ones, others, strict=True))


__all__ = ["Compiled", "Exact", "Guided", "Structured", "apart", "entries_apart", "name_of"]
