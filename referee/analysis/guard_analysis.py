"""What is offered at a position, its guards looked at one by one: which hold, which fail, which alone decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.core.flow import Alternative, Ask, Gather
from referee.core.stmt import Guard
from referee.game.state import State
from referee.interpreter.closures.frame import Frame
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.offers import Offer
from referee.interpreter.walker import Walker

MOST_WAYS = 400
"""So many combinations of parameters are looked at, of each offer."""


@dataclass(frozen=True, slots=True)
class GuardedWay:
    """One way to take an alternative, whether it is legal or not: the guards that fail. `empty`: a parameter for which
    there is nothing to choose, so that there is no way at all. `more`: there are others that were not looked at."""

    alternative: Alternative
    failed: tuple[Guard, ...]
    empty: str | None = None
    more: bool = False


def ways(walker: Walker, state: State) -> Iterator[GuardedWay]:
    """Every way in which somebody could take what is offered, did no guard forbid it; nothing where fate or the table
    is asked. `walker` is the reference engine."""
    node = walker.flow.nodes[state.at]
    if not isinstance(node, Ask | Gather):
        return
    frame = walker.course.frame(state)
    for by in sorted(walker.course.who(state.at, frame)):
        for offer in walker.course.offers(state.at, by, frame):
            offer.enter(by, frame)
            yield from _ways(walker, offer, frame)


def _ways(walker: Walker, offer: Offer, frame: Frame) -> Iterator[GuardedWay]:
    left, empty = MOST_WAYS, list[str]()
    for _ in _bound(offer, frame, 0, empty):
        left -= 1
        if left < 0:
            yield GuardedWay(offer.alternative, (), more=True)
            return
        yield GuardedWay(offer.alternative, tuple(g for g in offer.alternative.guards if not _holds(walker, g, frame)))
    if left == MOST_WAYS:
        yield GuardedWay(offer.alternative, (), empty[0] if empty else "")


def _bound(offer: Offer, frame: Frame, index: int, empty: list[str]) -> Iterator[None]:
    """Binds every combination of parameters; notes the first for which there is nothing."""
    if index == len(offer.choices):
        yield
        return
    choice, some = offer.choices[index], False
    for value in choice.values(frame):
        some = True
        frame.env[choice.param.name] = value
        yield from _bound(offer, frame, index + 1, empty)
    if not some:
        empty.append(choice.param.arg or choice.param.name)


def _holds(walker: Walker, guard: Guard, frame: Frame) -> bool:
    try:
        return bool(walker.course.code.expr(guard.cond)(frame.slots, frame.env))
    except (Fault, Unsettled):
        return False


def why_not(found: Sequence[GuardedWay]) -> Iterator[str]:
    """For each action that is offered and not possible: what forbids all of it."""
    known = [way for way in found if not way.more]
    actions = dict.fromkeys(way.alternative.action for way in known)
    for action in actions:
        mine = [way for way in known if way.alternative.action == action]
        if any(way.empty is None and not way.failed for way in mine):
            continue
        missing = next((way.empty for way in mine if way.empty is not None), None)
        always = [g for g in mine[0].failed if all(g in way.failed for way in mine)]
        if missing is not None:
            yield f"{action}: nothing to choose for {missing}" if missing else f"{action}: nothing to choose"
        elif always:
            yield f"{action}: {always[0].text}"
        else:
            yield f"{action}: no combination passes all its conditions"
