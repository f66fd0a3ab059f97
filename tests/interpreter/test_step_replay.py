"""A step that is replayed leads where the walker leads, and what it records is all that changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.core.flow import Flow, Fork
from referee.core.ruleset import Role
from referee.frontend.loading.loader import load_flow
from referee.game.event import Event
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.step_replay import StepReplay
from referee.interpreter.trace import Trace, TracedEvent, TracedFork, TracedLoop, TracedWrite, flat
from referee.interpreter.walker import Walker
from tests.laws.games import play
from tests.laws.shapes import places
from tests.sample_sizes import CLASSICS, CONSTRUCTS, in_turn

EVENTS = 25
LOOKED_AT = in_turn(places(), "replay", 3, CLASSICS | CONSTRUCTS)
EVERY = pytest.mark.parametrize("where", LOOKED_AT, ids=lambda where: where.stem)


def told(flow: Flow, replay: StepReplay, index: int) -> bool:
    found = flow.vars.get(replay.name_of(index)[0])
    return found is None or found.role not in (Role.REGISTER, Role.COUNTER)


def position(step: Step) -> State | None:
    match step:
        case State():
            return step
        case Ended() | Stopped():
            return step.state
        case Failed():
            return None


def compare(flow: Flow, replay: StepReplay, before: tuple[object, ...], led: Step, trace: Trace) -> None:
    """The step leads where the walker leads, and the entries that it says were written are those that changed."""
    assert trace.step == led
    after = position(led)
    if after is None or trace.left_out:
        return
    first: dict[int, object] = {}
    last: dict[int, object] = {}
    for entry in flat(trace.entries):
        if isinstance(entry, TracedWrite):
            assert last.get(entry.index, entry.old) == entry.old
            first.setdefault(entry.index, entry.old)
            last[entry.index] = entry.new
    changed = {index for index, (one, other) in enumerate(zip(before, after.slots, strict=True))
               if one != other and told(flow, replay, index)}
    whole = all(len(entry.rounds) == entry.number for entry in flat(trace.entries) if isinstance(entry, TracedLoop))
    if whole:
        assert {index for index in last if first[index] != last[index]} == changed
        assert all(after.slots[index] == value for index, value in last.items())


@EVERY
def test_a_replayed_step_is_that_of_the_walker(where: Path) -> None:
    flow = load_flow(where)
    walker, replay = Walker(flow), StepReplay(flow)
    for seed in range(2):
        game = play(walker, seed, EVENTS)
        first = replay.start(game.setting)
        assert first.step == game.steps[0]
        for (state, event), led in zip(game.states, game.steps[1:], strict=False):
            assert event is not None
            trace = replay.step(state, event)
            compare(flow, replay, state.slots, led, trace)
            assert isinstance(trace.entries[0], TracedEvent)
            assert trace.entries[0].event == event


def test_forks_say_what_decided_them_and_effects_what_they_wrote() -> None:
    flow = load_flow("go_goal", 2)
    walker, replay = Walker(flow), StepReplay(flow)
    cited: set[str] = set()
    decided = 0
    for seed in range(6):
        for state, event in play(walker, seed, 60).states:
            for entry in flat(replay.step(state, event).entries) if event is not None else ():
                if isinstance(entry, TracedWrite) and entry.name == "goals":
                    cited.update(entry.origin.cites)
                if isinstance(entry, TracedFork):
                    assert entry.node is None or isinstance(flow.nodes[entry.node], Fork)
                    decided += bool(entry.parts)
    assert "RO-30" in cited
    assert decided


def test_what_is_not_legal_is_not_replayed() -> None:
    flow = load_flow("tic_tac_toe")
    replay = StepReplay(flow)
    state = play(replay.plain, 1, 1).steps[0]
    assert isinstance(state, State)
    with pytest.raises(ValueError, match="not legal"):
        replay.step(state, Event(1, "place", ()))
