"""Comparing the encoding with the engine: on known terms every condition is known, so no solver is needed."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from referee.core.flow import Alternative, Ask, Draw, Flow, Gather, Rule
from referee.game.event import FATE, Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.playouts import choose, complete
from referee.interpreter.walker import Walker
from referee.smt import value
from referee.smt.encoding.decoding import decode_state
from referee.smt.encoding.step_relation import Landing, Stepper
from referee.smt.encoding.term_store import TermStore, of_state


@dataclass
class Tally:
    """What was compared."""

    steps: int = 0
    illegal: int = 0
    kinds: set[str] = field(default_factory=set)
    differences: list[str] = field(default_factory=list)


def agree(flow: Flow, setting: Setting, seed: int, most: int, tally: Tally) -> None:
    """Plays a random game and compares every step, and some events that are not legal."""
    walker, stepper, random = Walker(flow), Stepper(flow), Random(seed)
    step: Step = walker.begin(complete(walker, setting, random))
    for _ in range(most):
        if not isinstance(step, State):
            return
        event = choose(walker, step, random)
        for tried in [event, *_damaged(event, walker, step, random)]:
            _compare(walker, stepper, step, tried, tally)
        if tally.differences:
            return
        step = walker.advance(step, event)


def _damaged(event: Event, walker: Walker, state: State, random: Random) -> list[Event]:
    """Events like a legal one with one argument changed."""
    found = []
    for i, (name, given) in enumerate(event.args):
        if isinstance(given, bool) or not isinstance(given, int):
            continue
        other = given + random.choice((-1, 1, 2))
        if other >= 0:
            found.append(Event(event.by, event.label, (*event.args[:i], (name, other), *event.args[i + 1 :])))
    return found


def _compare(walker: Walker, stepper: Stepper, state: State, event: Event, tally: Tally) -> None:
    node = walker.flow.nodes[state.at]
    assert isinstance(node, Ask | Gather | Draw | Rule)
    store = of_state(stepper.layout, state)
    tally.kinds.add(type(node).__name__)
    try:
        accepted = walker.check(state, event) is None
    except KeyError:
        return
    found = None
    if isinstance(node, Rule):
        if not accepted or node.type is None:
            return
        choice = dict(event.args)["choice"]
        found = stepper.rule(store, node, value.of(node.type, choice))
    else:
        for alternative, by in _offers(node, event, stepper, state):
            if any(param.arg is None for param in alternative.params):
                return  # what a log leaves out is for `Answers` to find
            args = _args(alternative, event)
            if args is None:
                continue
            legal = stepper.legal(store, alternative, by, args)
            assert isinstance(legal, bool), legal
            if legal:
                found = (
                    stepper.commit(store, node, alternative, event.by, args, state.at)
                    if isinstance(node, Gather)
                    else stepper.take(store, alternative, by, args)
                )
                break
    tally.steps += 1
    tally.illegal += not accepted
    if accepted != (found is not None):
        tally.differences.append(f"{event} at {node.point.name}: engine {accepted}, encoding {found is not None}")
    elif found is not None:
        _same(walker, state, event, found, tally)


def _offers(node: object, event: Event, stepper: Stepper, state: State) -> list[tuple[Alternative, int | None]]:
    if isinstance(node, Ask):
        return [(a, event.by) for a in node.alternatives if a.label == event.label]
    if isinstance(node, Draw):
        return [(node.alternative, None)] if event.by == FATE and node.alternative.label == event.label else []
    assert isinstance(node, Gather)
    return [(a, event.by) for _, a in node.parts if a.label == event.label]


def _args(alternative: Alternative, event: Event) -> dict[str, value.Sym] | None:
    given = dict(event.args)
    logged = [p for p in alternative.params if p.arg is not None]
    if len(logged) != len(alternative.params) or set(given) != {p.arg for p in logged}:
        return None
    return {p.name: value.of(p.type, given[p.arg]) for p in logged if p.arg is not None}


def _same(walker: Walker, state: State, event: Event, found: Landing[TermStore], tally: Tally) -> None:
    after = walker.advance(state, event)
    said = f"{event} at {walker.flow.nodes[state.at].point.name}"  # type: ignore[union-attr]
    where = [at for at, cond in found.at.items() if cond is True]
    stops = [at for at, cond in found.stops.items() if cond is True]
    errors = [f.code for f in found.failures if f.when is True]
    if found.lost is True:
        return
    match after:
        case Ended(last, _):
            _equal(last, found, said, tally) if found.over is True else tally.differences.append(f"{said}: not over")
        case Failed(code):
            if not errors or errors[0] != code:
                tally.differences.append(f"{said}: engine fails with {code}, encoding {errors}")
        case Stopped(_, point):
            names = [walker.flow.nodes[at].point.name for at in [*stops, *where]]  # type: ignore[union-attr]
            if point.name not in names:
                tally.differences.append(f"{said}: engine stops at {point.name}, encoding at {names}")
        case State(at):
            if where != [at] or errors or found.over is True:
                tally.differences.append(f"{said}: engine at {at}, encoding {where} {errors} {found.over}")
            else:
                _equal(after, found, said, tally)


def _equal(state: State, found: Landing[TermStore], said: str, tally: Tally) -> None:
    decoded = decode_state(found.store, state.at)
    layout = found.store.layout
    rulings = set(layout.rulings.values())
    for index, (left, right) in enumerate(zip(state.slots, decoded.slots, strict=True)):
        if index not in rulings and left != right:
            tally.differences.append(f"{said}: entry {index}: engine {left}, encoding {right}")
            return
