"""Every position of a game that fixes nothing open, found by the reference engine in the plainest way there is."""

from __future__ import annotations

from referee.core.flow import Flow
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.interruptions import BROKEN
from referee.interpreter.walker import Walker


def walked(flow: Flow, setting: Setting) -> tuple[int, dict[str, int]]:
    """How many positions there are at which a game goes on, and for each claim that is broken somewhere by how few
    events."""
    walker, broken = Walker(flow), dict[str, int]()
    begun = walker.begin(setting)
    layer = [begun] if isinstance(begun, State) else []
    seen, depth = set(layer), 0
    _noted(walker, begun, 0, broken)
    while layer:
        following, depth = [], depth + 1
        for state in layer:
            for event in walker.legal(state):
                step = walker.advance(state, event)
                _noted(walker, step, depth, broken)
                if isinstance(step, State) and step not in seen:
                    seen.add(step)
                    following.append(step)
        layer = following
    return len(seen), broken


def _noted(walker: Walker, step: Step, depth: int, broken: dict[str, int]) -> None:
    for name in broken_at(walker, step):
        broken.setdefault(name, depth)


def broken_at(walker: Walker, step: Step) -> list[str]:
    """The claims that are broken where a game has come to, or on the way there."""
    match step:
        case State():
            return [one.name for one in walker.broken(step)]
        case Ended() | Stopped():
            return [one.name for one in walker.broken(step.state)]
        case Failed():
            inside = (one for one in walker.core.invariants if one.everywhere and step.code == BROKEN)
            return [one.name for one in inside if one.guard.origin.span == step.span]
