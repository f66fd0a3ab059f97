"""The legal lines that are nearest to an illegal one, and what each changes.

Of the same action those with the fewest arguments changed, and each of these as little as can be: a number by how far
it is from the one given, a member by its place in the list of its kind, several taken at once by how many of them are
others. They are looked for from the line on, not among all legal ones, of which there may be millions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from referee.core.types import Value
from referee.game.event import TABLE, Event
from referee.game.setting import Setting
from referee.game.state import State
from referee.game.value_codec import encode_event
from referee.interpreter.closures.frame import Frame
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.multisets import near_selections
from referee.interpreter.offers import Offer, ParameterChoice
from referee.interpreter.walker import Walker
from referee.judge.display_names import Names
from referee.judge.verdict import Nearest
from referee.judge.visibility import PlayerSight

MOST_TOLD = 3
"""So many legal events are told beside a wrong one."""
MOST_LOOKED_AT = 500
"""So many legal events are looked at for those that are like another one."""
MOST_VALUES = 4_000
"""So many values of arguments are tried to find lines near to one."""
MOST_NEAR = 200
"""So many lines with equally many arguments changed are compared."""

Change = tuple[int, int]
"""How many arguments differ, and by how much together."""


def nearest(walker: Walker, setting: Setting, names: Names, sight: PlayerSight, state: State,
            event: Event | None) -> tuple[Nearest, ...]:
    """At most `MOST_TOLD` legal events at a state, those like `event` first; only such as the viewer may be told."""
    try:
        found = [] if event is None else _NearWays(walker, sight, state, event).found()
        if len(found) < MOST_TOLD:
            found += [one for one in _others(walker, sight, state, event) if one not in found]
    except (Unsettled, Fault):
        return ()
    return tuple(Nearest(encode_event(walker.core, setting, one), _text(one, event, names), _changed(one, event))
                 for one in found[:MOST_TOLD])


def _others(walker: Walker, sight: PlayerSight, state: State, event: Event | None) -> list[Event]:
    """Some legal events, those like another one first; if none has its label, the first of each label first."""
    legal = [one for one in islice(walker.legal(state), MOST_LOOKED_AT) if one.by != TABLE and sight.of_actor(one.by)]
    legal.sort(key=lambda one: _distance(one, event))
    strange = event is None or all(one.label != event.label for one in legal)
    return _one_of_each_label(legal) if strange else legal


def _one_of_each_label(legal: list[Event]) -> list[Event]:
    """The first of each label before the second of any."""
    seen: set[str] = set()
    firsts = [one for one in legal if one.label not in seen and not seen.add(one.label)]  # type: ignore[func-returns-value]
    return firsts + [one for one in legal if one not in firsts]


class _NearWays:
    """Looks for legal events with the label of an event at a state, the nearest first."""

    def __init__(self, walker: Walker, sight: PlayerSight, state: State, event: Event) -> None:
        self._course = walker.course
        self._state = state
        self._event = event
        self._given = dict(event.args)
        self._left = MOST_VALUES
        asked = walker.who(state)
        actors = [event.by] if event.by in asked else sorted(asked)
        self._actors = [by for by in actors if by != TABLE and sight.of_actor(by)]

    def found(self) -> list[Event]:
        """At most `MOST_TOLD` of them. Raises `Unsettled` and `Fault`."""
        nearest: dict[Event, Change] = {}
        offers = [(offer, by) for by in self._actors
                  for offer in self._course.offers(self._state.at, by, self._course.frame(self._state))
                  if offer.label == self._event.label]
        for number in range(max((len(offer.args) for offer, _ in offers), default=-1) + 1):
            ways = (way for offer, by in offers for way in self._ways(offer, by, number))
            level = [way for way in islice(ways, MOST_NEAR) if way[0] not in nearest]
            for one, change in sorted(level, key=lambda way: way[1]):
                nearest.setdefault(one, change)
            if len(nearest) >= MOST_TOLD or self._left <= 0:
                break
        return list(nearest)[:MOST_TOLD]

    def _ways(self, offer: Offer, by: int, number: int) -> Iterator[tuple[Event, Change]]:
        """The events of an offer that change so many arguments, with how much they change."""
        frame = self._course.frame(self._state)
        offer.enter(by, frame)
        for _ in self._bound(offer, 0, number, frame):
            yield offer.event(by, frame), self._change(offer, frame)

    def _bound(self, offer: Offer, index: int, number: int, frame: Frame) -> Iterator[None]:
        """Binds the parameters from one on, so that so many of them are others than those given, and all is legal."""
        if self._left <= 0 or not offer.holds(index, frame):
            return
        if index == len(offer.params):
            if number == 0:
                yield
            return
        choice = offer.choices[index]
        arg, name = choice.param.arg, choice.param.name
        given = None if arg is None else self._given.get(arg)
        if given is not None and choice.allows(given, frame):
            frame.env[name] = given
            yield from self._bound(offer, index + 1, number, frame)
        if arg is not None and number == 0:
            return
        for value in _near_values(choice, given, frame):
            self._left -= 1
            if self._left <= 0:
                return
            if given is None or value != given:
                frame.env[name] = value
                yield from self._bound(offer, index + 1, number - (arg is not None), frame)

    def _change(self, offer: Offer, frame: Frame) -> Change:
        number = size = 0
        for param in offer.params:
            given = None if param.arg is None else self._given.get(param.arg)
            value = frame.env[param.name]
            if param.arg is None or value == given:
                continue
            number += 1
            if isinstance(value, tuple) and isinstance(given, tuple):
                others = (Counter(value) - Counter(given)).total() + (Counter(given) - Counter(value)).total()
                size += others
            elif isinstance(value, int) and isinstance(given, int):
                size += abs(value - given)
        return number, size


def _near_values(choice: ParameterChoice, given: Value, frame: Frame) -> Iterator[Value]:
    """What a parameter can be, that first which is nearest to a value."""
    if choice.param.count is not None and isinstance(given, tuple):
        yield from near_selections(choice.param, given, frame)
    elif choice.param.count is None and isinstance(given, int):
        yield from sorted(choice.values(frame), key=lambda one: abs(one - given) if isinstance(one, int) else 0)
    else:
        yield from choice.values(frame)


def _distance(one: Event, event: Event | None) -> tuple[bool, bool, int, int]:
    if event is None:
        return (False, False, 0, 0)
    return (one.label != event.label, one.by != event.by, len(_differing(one, event)), _steps(one, event))


def _steps(one: Event, event: Event) -> int:
    """How far apart the values are, by their place in their domains."""
    ours = dict(event.args)
    return sum(abs(value - other) for name, value in one.args
               if isinstance(value, int) and isinstance(other := ours.get(name), int))


def _differing(one: Event, event: Event) -> list[str]:
    ours = dict(event.args)
    return [name for name, value in one.args if name not in ours or ours[name] != value]


def _text(one: Event, event: Event | None, names: Names) -> str:
    text = names.event(one)
    return text if event is not None and one.by == event.by else f"{names.who(one.by)}: {text}"


def _changed(one: Event, event: Event | None) -> str:
    if event is None or one.label != event.label:
        return ""
    changed = ["player"] if one.by != event.by else []
    changed += _differing(one, event)
    return "other " + " and ".join(changed) if changed else ""
