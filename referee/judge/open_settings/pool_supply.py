"""Whether the cards that a log brings are enough to set the game up: told of its header, and not of its first deal."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import assert_never

from referee.core.expr import Expr
from referee.core.flow import Ask, Draw, Gather, Rule
from referee.core.stmt import Param
from referee.core.types import COMPONENT
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Stopped
from referee.interpreter.closures.frame import Frame
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.playouts import choose
from referee.interpreter.refusals import BrokenInvariant
from referee.interpreter.walker import Walker

TRIES = 6
"""So often set-up is tried with other cards before it is said that there are too few."""
MOST_DRAWS = 500
"""So many draws of set-up are carried out; if more come, nothing is said of the cards."""


def lacking(walker: Walker, setting: Setting) -> str | BrokenInvariant | None:
    """What is drawn in set-up and is not there, in every way in which it was tried; or what never holds with these
    cards, even before anything happens. None if there is nothing of either."""
    found: set[str] = set()
    try:
        first = walker.begin(setting)
        broken = walker.broken(first) if isinstance(first, State) else ()
        if broken:
            return broken[0]
        for seed in range(TRIES):
            stuck = _stuck(walker, setting, Random(seed))
            if stuck is None:
                return None
            found.add(stuck)
    except (Fault, Unsettled):  # it is told where it comes up
        return None
    return found.pop() if len(found) == 1 else None


def _stuck(walker: Walker, setting: Setting, random: Random) -> str | None:
    """Where fate finds too few, before anybody else is asked; None if it does not."""
    step = walker.begin(setting)
    for _ in range(MOST_DRAWS):
        match step:
            case State():
                if walker.asked(step).kind != "chance":
                    return None
                step = walker.advance(step, choose(walker, step, random))
            case Stopped():
                return _short(walker, step.state)
            case Ended() | Failed():
                return None
            case _:
                assert_never(step)
    return None


def _short(walker: Walker, state: State) -> str | None:
    """What a draw takes and how many are there, if that is why it cannot be carried out."""
    node = walker.course.point(state.at)
    match node:
        case Draw(point, alternative):
            frame = walker.course.frame(state)
            frame.env.update((name, frame.evaluate(value)) for name, value in alternative.fixed)
            for param in alternative.params:
                wanted = _wanted(frame, param.count)
                there = frame.members(param.source)
                if len(there) < wanted and not param.repeated:
                    return f"{point.name} takes {wanted}{_kinds(walker, param)}, and {len(there)} are there"
                frame.env[param.name] = next(iter(there), None)
            return None
        case Ask() | Gather() | Rule():
            return None
        case _:
            assert_never(node)


def _wanted(frame: Frame, count: tuple[Expr, Expr] | None) -> int:
    least: int = 1 if count is None else frame.evaluate(count[0])
    return least


def _kinds(walker: Walker, param: Param) -> str:
    """The kinds of the pool, if components are drawn."""
    inner = getattr(param.type, "of", param.type)
    drawn = getattr(inner, "domain", None) == COMPONENT
    return f" {' or '.join(kind for kind, _ in walker.core.pool)}" if drawn else ""


def pool_sizes(walker: Walker) -> str:
    """How many cards of each kind there are with the pool of a log."""
    numbers: Counter[str] = Counter()
    for component in walker.core.components:
        numbers[component.kind] += component.number
    return ", ".join(f"{numbers[kind]} {kind}" for kind, _ in walker.core.pool)
