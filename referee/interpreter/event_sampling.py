"""Draws events at random, parameter by parameter: what fate does, and what stands for a choice among too many."""

from __future__ import annotations

from random import Random

from referee.core.stmt import Param
from referee.core.types import Value
from referee.game.event import Event
from referee.interpreter.closures.frame import Frame
from referee.interpreter.course import FlowCourse
from referee.interpreter.interruptions import Fault
from referee.interpreter.multisets import sample
from referee.interpreter.offers import Offer


def sampled(course: FlowCourse, at: int, by: int, frame: Frame, random: Random, tries: int) -> Event | None:
    """An event whose parameters are drawn one by one, tried again if it is not legal; None if no try was."""
    offers = course.offers(at, by, frame)
    for _ in range(tries):
        offer = random.choice(offers)
        offer.enter(by, frame)
        if all(_draw(offer, index, frame, random) for index in range(len(offer.params) + 1)):
            return offer.event(by, frame)
    return None


def _draw(offer: Offer, index: int, frame: Frame, random: Random) -> bool:
    """Binds parameter number index - 1 to something drawn; False if there is nothing, or a guard does not hold."""
    if index > 0:
        param = offer.params[index - 1]
        value = _drawn(param, frame, random)
        if value is None:
            return False
        frame.env[param.name] = value
    return offer.holds(index, frame)


def _drawn(param: Param, frame: Frame, random: Random) -> Value:
    try:
        if param.count is not None:
            return sample(param, frame, random)
        source = frame.members(param.source)
    except Fault:
        return None
    return random.choice(source) if source else None
