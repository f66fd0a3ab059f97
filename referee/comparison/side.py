"""A game as one of two rulesets has it, in words that both share: what is possible, what comes of it, what is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from referee.analysis.position_words import VisibleSpot, Words
from referee.comparison.correspondence import Dictionary, SharedEvent
from referee.core.expr import Expr
from referee.core.ruleset import WINNERS
from referee.game.event import Event
from referee.game.log.strict_json import Json
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.game.value_codec import decode_event, encode_event, encode_value
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.walker import Walker

MOST_LISTED = 400
"""Of a position with more legal events some are listed, and others are asked for one by one."""
MOST_STEPS = 64
"""So many positions a game may have come to by events that are not compared."""
MOST_KEPT = 4_096
"""So many offers of positions are kept, and 16 times as many texts; then all are forgotten."""
Standpoint = tuple[Step, ...]
"""What a game has come to: one step, or several where events that nobody compares may have happened or not."""


class TooManyStandpoints(Exception):
    """Events that are not compared lead to more positions than are followed."""


@dataclass(frozen=True, slots=True)
class SharedOffer:
    """What is possible: each event with the ways in which it can happen. `whole`: all of it is listed; `several`:
    something is possible that is not compared, because the other rules have several events for it."""

    ways: Mapping[SharedEvent, tuple[tuple[State, Event], ...]]
    whole: bool
    several: bool


class ComparedSide:
    """One of two rulesets, for one setting after the other."""

    def __init__(self, walker: Walker, players: tuple[str, ...], dictionary: Dictionary, silent: frozenset[str],
                 several: frozenset[str], claims: Sequence[Expr]) -> None:
        """`silent`, `several`: labels of these rules; `claims`: what is compared, in the order of the other side."""
        self.walker = walker
        self.words = Words(walker, players, dictionary.value)
        self.dictionary = dictionary
        self._players = players
        self._named = Setting(players)
        self._silent, self._several, self._claims = silent, several, claims
        self._shared: dict[Event, SharedEvent] = {}
        self._offers: dict[Standpoint, SharedOffer] = {}
        self._texts: dict[tuple[VisibleSpot, object], str] = {}

    # ------------------------------------------------------------------ how a game goes
    def begin(self, setting: Setting) -> Standpoint:
        """What a game begins with. Raises `TooManyStandpoints`."""
        return self._settled((self.walker.begin(setting),))

    def offer(self, here: Standpoint) -> SharedOffer:
        """What is possible. It may be listed in part."""
        found = self._offers.get(here)
        if found is None:
            if len(self._offers) >= MOST_KEPT:
                self._offers.clear()
            found = self._offers[here] = self._listed(here)
        return found

    def ways(self, here: Standpoint, event: SharedEvent) -> tuple[tuple[State, Event], ...]:
        """The ways in which an event can happen, none if it is not legal."""
        offer = self.offer(here)
        found = offer.ways.get(event, ())
        if found or offer.whole:
            return found
        own = self.own(event)
        if own is None or own.label in self._several or own.label in self._silent:
            return ()
        return tuple((step, own) for step in here if isinstance(step, State) and self.walker.check(step, own) is None)

    def after(self, here: Standpoint, event: SharedEvent) -> Standpoint:
        """What comes of an event that is legal. Raises `TooManyStandpoints`."""
        return self._settled([self.walker.advance(state, own) for state, own in self.ways(here, event)])

    def own(self, event: SharedEvent) -> Event | None:
        """The event as these rules have it; None if they have none such."""
        found = decode_event(self.walker.core, self._named, self.dictionary.own(event))
        return found if isinstance(found, Event) else None

    def shared(self, event: Event) -> SharedEvent:
        """An event of these rules in the words of both."""
        found = self._shared.get(event)
        if found is None:
            if len(self._shared) >= 16 * MOST_KEPT:
                self._shared.clear()
            line = encode_event(self.walker.core, self._named, event)
            found = self._shared[event] = self.dictionary.shared(line)
        return found

    def trail(self, setting: Setting, events: Sequence[SharedEvent], last: SharedEvent | None) -> tuple[Event, ...]:
        """One way in which these events happen, with those that are not compared; behind it `last` is legal, if it is
        anywhere."""
        paths: dict[Step, tuple[Event, ...]] = self._quiet({self.walker.begin(setting): ()})
        for event in events:
            further: dict[Step, tuple[Event, ...]] = {}
            for state, own in self.ways(tuple(paths), event):
                further.setdefault(self.walker.advance(state, own), (*paths[state], own))
            paths = self._quiet(further)
        if last is not None and (ways := self.ways(tuple(paths), last)):
            return paths[ways[0][0]]
        return min(paths.values(), key=len, default=())

    def _quiet(self, paths: dict[Step, tuple[Event, ...]]) -> dict[Step, tuple[Event, ...]]:
        """The same with what comes of events that are not compared."""
        waiting = list(paths) if self._silent else []
        while waiting and len(paths) < MOST_STEPS:
            step = waiting.pop(0)
            if not isinstance(step, State):
                continue
            for event in islice(self.walker.legal(step), MOST_LISTED):
                if event.label in self._silent:
                    came = self.walker.advance(step, event)
                    if came not in paths:
                        paths[came] = (*paths[step], event)
                        waiting.append(came)
        return paths

    def _settled(self, steps: Iterable[Step]) -> Standpoint:
        """The steps that show something, after whatever is not compared."""
        found = tuple(dict.fromkeys(steps))
        if not self._silent:
            return found
        reached = self._quiet(dict.fromkeys(found, ()))
        if len(reached) >= MOST_STEPS:
            raise TooManyStandpoints
        return tuple(step for step in reached if not self._waits_for_silent(step))

    def _waits_for_silent(self, step: Step) -> bool:
        if not isinstance(step, State):
            return False
        offered = list(islice(self.walker.legal(step), MOST_LISTED))
        return bool(offered) and all(event.label in self._silent for event in offered)

    def _listed(self, here: Standpoint) -> SharedOffer:
        ways: dict[SharedEvent, tuple[tuple[State, Event], ...]] = {}
        whole, several = True, False
        for state in here:
            if not isinstance(state, State):
                continue
            events = list(islice(self.walker.legal(state), MOST_LISTED + 1))
            whole = whole and len(events) <= MOST_LISTED
            for event in events[:MOST_LISTED]:
                if event.label in self._several:
                    several = True
                elif event.label not in self._silent:
                    shared = self.shared(event)
                    ways[shared] = (*ways.get(shared, ()), (state, event))
        return SharedOffer(ways, whole, several)

    # ------------------------------------------------------------------ what it shows
    def results(self, here: Standpoint, scored: bool) -> frozenset[tuple[object, ...]]:
        """How the game may be over: by whom it is won, and with which scores, if these count; that it stops; that the
        rules fail."""
        return frozenset(self._result(step, scored) for step in here if not isinstance(step, State))

    def _result(self, step: Step, scored: bool) -> tuple[object, ...]:
        match step:
            case Ended():
                scores = self.walker.scores(step.state) if scored else None
                points = None if scores is None else tuple(scores[seat] for seat in sorted(scores))
                return "end", tuple(self._players[seat] for seat in sorted(step.winners)), points
            case Stopped():
                return ("stop",)
            case Failed():
                return ("error",)
            case State():
                return ("on",)

    def broken(self, here: Standpoint) -> tuple[str, ...]:
        """The invariants and limits that do not hold, if it is known where the game stands."""
        state = only_state(here)
        return () if state is None else tuple(one.name for one in self.walker.broken(state))

    def spots(self, names: Mapping[str, str]) -> dict[str, VisibleSpot]:
        """The counters and places by what both call them. `names`: own name -> shared name."""
        found = {}
        for spot in self.words.spots:
            if spot.name != WINNERS:
                shared = names.get(spot.name)
                title = spot.title if shared is None else spot.title.replace(spot.name, shared, 1)
                found[self.dictionary.text(title)] = spot
        return found

    def text(self, state: State, spot: VisibleSpot) -> str:
        """What lies in a place, or a counter holds, in words of both."""
        key = spot, self.words.slot(state, spot)
        found = self._texts.get(key)
        if found is None:
            if len(self._texts) >= 16 * MOST_KEPT:
                self._texts.clear()
            said = self.words.value(state, spot)
            found = self._texts[key] = said if spot.is_zone else self.dictionary.text(said)
        return found

    def claimed(self, state: State) -> list[Json]:
        """The values of what is compared, as a log has them; a text where one has none."""
        return [self._value(state, claim) for claim in self._claims]

    def _value(self, state: State, claim: Expr) -> Json:
        try:
            value = self.walker.evaluate(state, claim)
            return self.dictionary.values(encode_value(self.walker.core, self._players, claim.type, value))
        except (Fault, Unsettled) as why:
            return f"no value: {why}"


def only_state(here: Standpoint) -> State | None:
    """The position that a game has come to, its last one if it is over; None if it may be several."""
    if len(here) != 1:
        return None
    step = here[0]
    return step if isinstance(step, State) else step.state
