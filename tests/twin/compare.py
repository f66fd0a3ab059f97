"""Plays one random game with the walker and its twin, and compares them at every point."""

from __future__ import annotations

from random import Random

from referee.core.flow import Gather
from referee.core.ruleset import Core
from referee.flow.lowering import lower
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.playouts import choose, complete
from referee.interpreter.walker import Walker
from tests.twin.interpreter import Question, Twin


def compare(core: Core, seed: int, max_events: int, setting: Setting | None = None) -> str:
    """How a random game ended (`end`, `stopped`, `failed`, `cut`); `AssertionError` where walker and twin differ."""
    walker, random = Walker(lower(core)), Random(seed)
    players = tuple(f"player{number}" for number in range(core.seats.number))
    setting = complete(walker, Setting(players) if setting is None else setting, random)
    step: Step = walker.begin(setting)
    twin = Twin(core, setting)
    for played in range(max_events):
        _same(walker, step, twin, f"seed {seed}, after {played} events")
        if not isinstance(step, State):
            return {Ended: "end", Stopped: "stopped", Failed: "failed"}[type(step)]
        event = choose(walker, step, random)
        assert walker.check(step, event) is None
        step = walker.advance(step, event)
        twin.take(event)
    return "cut"


def _same(walker: Walker, step: Step, twin: Twin, where: str) -> None:
    match step:
        case State():
            question, asked = twin.question, walker.asked(step)
            assert question is not None, f"{where}: the twin is over, the walker is not"
            assert (question.point.name, question.by) == (asked.point.name, asked.by), where
            assert question.events == tuple(walker.legal(step)), where
            _same_refusals(walker, step, question, where)
            _same_things(walker, step, twin, where)
        case Ended(state, winners):
            assert twin.winners == winners, where
            _same_things(walker, state, twin, where)
        case Stopped(state, point):
            assert twin.halted is not None, f"{where}: the walker stops, the twin does not"
            assert twin.halted.name == point.name, where
            _same_things(walker, state, twin, where)
        case Failed(code):
            assert twin.fault == code, where


def _same_refusals(walker: Walker, state: State, question: Question, where: str) -> None:
    """Events near to a legal one: what the twin does not list, the walker refuses."""
    legal = frozenset(question.events)
    for event in question.events[:3]:
        for index, (name, _) in enumerate(event.args):
            for other in (*range(-1, 8), None, ()):
                near = Event(event.by, event.label, (*event.args[:index], (name, other), *event.args[index + 1:]))
                assert (walker.check(state, near) is None) == (near in legal), f"{where}: {near}"
        stranger = Event(event.by + 1, event.label, event.args)
        assert (walker.check(state, stranger) is None) == (stranger in legal), f"{where}: {stranger}"


def _same_things(walker: Walker, state: State, twin: Twin, where: str) -> None:
    """Everything but registers, which are the walker's own, and what a group keeps before all have chosen."""
    theirs = State(0, tuple(twin.frame.slots))
    node = walker.flow.nodes[state.at]
    unfinished = {name for _, one in node.parts for name, _ in one.stores} if isinstance(node, Gather) else set()
    for name in walker.core.vars.keys() - unfinished:
        for key in walker.layout.vars[name].keys():
            pair = walker.layout.read_var(state, name, key), twin.layout.read_var(theirs, name, key)
            assert pair[0] == pair[1], f"{where}: {name}{key}"
    for name in walker.core.zones:
        for key in walker.layout.zones[name].keys():
            pair = walker.layout.read_zone(state, name, key), twin.layout.read_zone(theirs, name, key)
            assert pair[0] == pair[1], f"{where}: {name}{key}"
