"""What lies where after one way in which a game goes on, and after another: two scenes, drawn side by side."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from referee.analysis.position_words import Words
from referee.core.ruleset import Core
from referee.game.event import Event
from referee.game.state import State, Step
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker
from referee.scene.arrangement import Arrangement
from referee.scene.scene import Scene

MOST_TRIED = 100
"""Of what is possible so many events are looked at."""
Ways = tuple[Scene | None, Scene | None]


def way_scenes(rules: Core, words: Words, one: Step, other: Step, only: Event | None = None,
               others: Words | None = None) -> Ways:
    """What two steps have come to, with all that some player sees; None where there is no position.

    `only`: an event that one of them alone allows: of that one it is what comes of it, of the other the position as it
    is. `words`: of the walker of the first step, `others` of the second, if that is another one. What other answers
    keep for themselves is not shown: `rules` are without them.
    """
    return _scene(rules, words, one, only), _scene(rules, others or words, other, only)


def _scene(rules: Core, words: Words, step: Step, only: Event | None) -> Scene | None:
    walker = words.walker
    try:
        if only is not None and isinstance(step, State) and walker.check(step, only) is None:
            step = walker.advance(step, only)
        found = Arrangement(walker, words.players).scene(step, range(len(words.players)))
    except (ValueError, Fault, Unsettled):
        return None
    if found.asked is not None and isinstance(step, State):
        found = replace(found, asked=replace(found.asked, what=_possible(rules, walker, step, found.asked.what)))
    return replace(found, zones=tuple(one for one in found.zones if one.name in rules.zones),
                   values=tuple(one for one in found.values if one.name in rules.vars))  # fmt: skip


def _possible(rules: Core, walker: Walker, state: State, what: tuple[str, ...]) -> tuple[str, ...]:
    """What can be done, without what is offered to another answer alone."""
    offered = {event.label for event in islice(walker.legal(state), MOST_TRIED)}
    return tuple(label for label in what if label in rules.actions or label in offered)
