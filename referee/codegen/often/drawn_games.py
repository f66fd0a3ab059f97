"""Plays random games from event to event without making a position for each.

What is legal is found, drawn, taken and gone on from with the entries in hand, as the walker draws.

Whoever is asked first says what is unusual: the game is handed back before anything is drawn for it, or the one event
is the walker's.
"""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any, NamedTuple, assert_never

from referee.codegen.compiled_steps import HERE, EventReading, Stepping, ways_of
from referee.codegen.offer_groups import plain
from referee.codegen.runtime_support import Again, StepError
from referee.core.flow import Ask, Draw, Fork, Gather, OfferNode, Rule, Run, offered
from referee.game.event import FATE, Event
from referee.game.state import State, Step
from referee.interpreter.closures.closure_types import Slots
from referee.interpreter.walker import Walker

MOST_PLAYED = 1_000
"""So many events are played at once."""
MOST_KNOWN = 16_384
"""So many events of one point are kept by what was drawn, then all are forgotten."""
_LEFT = (StepError, Again)
Way = tuple[Any, ...]


class _Place(NamedTuple):
    """A point at which something is drawn. `fate`: parameters are drawn one by one, by `draws`, which never leave
    anything if `sure`; `pending`: the entry that says who acts, None where one does; `known`: events by their ways."""

    fate: bool
    draws: tuple[Any, ...]
    sure: bool
    pending: int | None
    ways: Any
    who: Any
    readings: list[EventReading]
    known: dict[tuple[int, Way], Event]


class DrawnGames:
    """Plays games of one flow."""

    def __init__(self, engine: Walker, steps: Stepping, few: int, tries: int) -> None:
        """`few`, `tries`: as `Walker.pick` takes them."""
        self._engine = engine
        self._steps = steps
        self._few, self._tries = few, tries
        self._places: dict[int, _Place | None] = {}

    def played(self, state: State, slots: Slots, random: Random, most: int) -> tuple[list[Event], int | Step, Slots]:
        """The events of a game from a position on, of which these are the entries; where it then is, and the entries
        there; or the step that it has come to. What draws is a `Random` of Python's own."""
        steps, at, events = self._steps, state.at, list[Event]()
        bits, choice, places = random.getrandbits, random.choice, self._places
        for _ in range(min(most, MOST_PLAYED)):
            place = places[at] if at in places else self._place(at)
            if place is None:
                break
            by, way = FATE, None
            if place.fate:
                before = None if place.sure else random.getstate()
                try:
                    for _ in range(self._tries):
                        way = choice(place.draws)(slots, FATE, random)
                        if way is not None:
                            break
                except _LEFT:
                    assert before is not None
                    random.setstate(before)
                    break
                drawn = way is not None
            else:
                drawn = False
                if place.pending is None and place.who is not None:
                    try:
                        by = place.who(slots)
                    except _LEFT:
                        break
            if way is None:
                if place.pending is not None:
                    by = choice(sorted(slots[place.pending]))
                else:
                    while bits(1):  # what `Random.choice` of one does (`Random._randbelow` of CPython)
                        pass
                try:
                    ways = list(islice(place.ways(slots, by), self._few + 1))
                except _LEFT:
                    ways = []
                number = len(ways)
                if not 0 < number <= self._few:
                    return self._slowly(events, at, slots, by, random)
                wide = number.bit_length()
                taken = bits(wide)
                while taken >= number:
                    taken = bits(wide)
                way = ways[taken]
            read = place.readings[way[0]]
            event = place.known.get((by, way)) or self._event(place, read, by, way)
            events.append(event)
            before_it = slots.copy()
            try:
                taking = way[:read.kept] if read.sure or not drawn else steps.taken(at, slots, event)
                if taking is None:
                    raise Again
                after = steps.apply(at, taking, slots)
                at = at if after == HERE else steps.go(after, slots, False)
            except _LEFT:
                return events, Walker.advance(self._engine, State.of_short(at, tuple(before_it)), event,
                                              test_arrival=False), before_it
            if at.__class__ is tuple:
                break
        return events, at, slots

    def _slowly(self, events: list[Event], at: int, slots: Slots, by: int, random: Random) -> tuple[
            list[Event], int | Step, Slots]:
        """One event as the walker picks it, of whom it is known that he acts."""
        state = State.of_short(at, tuple(slots))
        event = self._engine.pick(state, by, random, self._few, self._tries)
        if event is None:
            return events, self._engine.arrive(state), slots
        events.append(event)
        return events, self._engine.advance(state, event, test_arrival=False), slots

    def _place(self, at: int) -> _Place | None:
        """What is known of a point; None where what is drawn is left to others."""
        made = None
        node = self._engine.flow.nodes[at]
        match node:
            case Ask() | Draw() | Gather():
                if plain(node) and (isinstance(node, Draw) or not self._engine.ranges_wide(at, self._few)):
                    made = self._made(at, node)
            case Run() | Fork() | Rule():
                pass
            case _:
                assert_never(node)
        self._places[at] = made
        return made

    def _made(self, at: int, node: OfferNode) -> _Place:
        program = self._steps.program
        ways, readings = program.function("ways", at), ways_of(node)
        match node:
            case Ask():
                return _Place(False, (), True, None, ways, program.function("who", at), readings, {})
            case Gather():
                pending = self._engine.layout.vars[node.pending].base
                return _Place(False, (), True, pending, ways, None, readings, {})
            case Draw():
                numbers = range(len(offered(node)))
                draws = tuple(program.function("draw", at, number) for number in numbers)
                sure = all(program.whole("draw", at, number) for number in numbers)
                return _Place(True, draws, sure, None, ways, None, readings, {})
            case _:
                assert_never(node)

    def _event(self, place: _Place, read: EventReading, by: int, way: Way) -> Event:
        if len(place.known) >= MOST_KNOWN:
            place.known.clear()
        made = place.known[by, way] = read.event(by, way)
        return made
