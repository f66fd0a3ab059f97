"""How games are played that are to show what rules can do: at random, by taste, or after what was seldom seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from random import Random
from typing import assert_never

from referee.core.flow import Ask, Draw, Gather, Rule
from referee.core.ruleset import Form, Role
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Value
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.closures.zone_moves import amount
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import choose, complete
from referee.interpreter.walker import Walker

Manner = Callable[[State], tuple[Event, Step]]
"""What is done at a position, and what comes of it."""
LOOKED_AT = 6
"""Between so many events somebody chooses who is after something rare."""
MOST_OFFERED = 200
"""So many legal events of a position are chosen from."""
SMALL = 32
"""Variables with more entries are not looked at for what is rare."""
_PLAIN = (bool, int, type(None))
STEADY = 0.9
"""How often somebody does what he likes best."""


class Manners:
    """Ways of playing; what is rare is remembered from game to game."""

    def __init__(self, walker: Walker, random: Random) -> None:
        self._walker, self._random = walker, random
        self._rare: Counter[object] = Counter()
        layout, zones = walker.layout, walker.core.zones
        self._zones = [(at, zone) for name, zone in zones.items() for at in layout.zones[name].entries]
        small = [spread for spread in layout.vars.values() if spread.count <= SMALL]
        self._small = [at for spread in small for at in spread.entries]

    def of(self, number: int) -> Manner:
        """The manner in which a game is played: they take turns."""
        kinds = (self.any, self._taste(), self._rarest, self._taste(), self._seldom)
        return kinds[number % len(kinds)]

    def any(self, state: State) -> tuple[Event, Step]:
        """Whatever is possible, each alike; but the table rules what it ruled least often."""
        if isinstance(self._walker.flow.nodes[state.at], Rule):
            return self._seldom(state)
        event = choose(self._walker, state, self._random)
        return event, self._walker.advance(state, event)

    def _taste(self) -> Manner:
        """Somebody who likes some things more than others, throughout a game: it goes far in one direction."""
        likes: dict[object, float] = {}

        def liked(event: Event) -> tuple[float, float]:
            kind = likes.setdefault(event.label, self._random.random())
            return kind, likes.setdefault((event.label, event.args), self._random.random())

        def do(state: State) -> tuple[Event, Step]:
            if not self._decided(state) or self._random.random() > STEADY:
                return self.any(state)
            event = max(self._some(state), key=liked)
            return event, self._walker.advance(state, event)

        return do

    def _seldom(self, state: State) -> tuple[Event, Step]:
        """What was done least often at this point."""
        node = self._walker.flow.nodes[state.at]
        if isinstance(node, Draw):
            return self.any(state)
        ruled = isinstance(node, Rule)

        def kind(event: Event) -> tuple[int, str, object]:
            return state.at, event.label, event.args if ruled else ()

        event = min(self._some(state), key=lambda e: self._rare[kind(e)])
        self._rare[kind(event)] += 1
        return event, self._walker.advance(state, event)

    def _rarest(self, state: State) -> tuple[Event, Step]:
        """What leads to something that was seldom there."""
        if not self._decided(state):
            return self.any(state)
        tried = [(event, self._walker.advance(state, event)) for event in self._some(state)[:LOOKED_AT]]
        seen = [(self._rarity(step), index) for index, (_, step) in enumerate(tried)]
        event, step = tried[min(seen)[1]]
        if isinstance(step, State):
            self._rare.update(self._features(step))
        return event, step

    def _decided(self, state: State) -> bool:
        return isinstance(self._walker.flow.nodes[state.at], Ask | Gather)

    def _some(self, state: State) -> list[Event]:
        """Some of the legal events, in no order."""
        found = list(islice(self._walker.legal(state), MOST_OFFERED))
        self._random.shuffle(found)
        return found

    def _rarity(self, step: Step) -> float:
        return min(map(self._rare.__getitem__, self._features(step))) if isinstance(step, State) else 3.0

    def _features(self, state: State) -> list[object]:
        """What is told of a position: where it is, how full each zone is, what each small variable holds."""
        found: list[object] = [state.at]
        slots = state.slots
        found += [(at, slots[at] if z.form is Form.SLOTS else amount(z, slots[at])) for at, z in self._zones]
        found += [(at, slots[at]) for at in self._small if isinstance(slots[at], _PLAIN)]
        return found


def drawn(walker: Walker, setting: Setting, number: int, random: Random) -> Setting:
    """The setting of a game. The first game, and some later ones, have what the rules prefer, the others have any
    readings and any parameters. Raises `Fault` (RT08) if no values are found that are related as the rules say."""
    if number % 2:
        choices = {name: random.randrange(len(one.choices)) for name, one in walker.core.readings.items()}
        setting = replace(setting, readings=choices)
    if number % 4 >= 2:
        try:
            return complete(walker, replace(setting, parameters=_parameters(walker, random)), random)
        except Fault:
            pass
    return complete(walker, setting, random)


def _parameters(walker: Walker, random: Random) -> dict[str, dict[tuple[int, ...], Value]]:
    """Values for parameters of which the rules say which play-outs are to have: here they have any."""
    found: dict[str, dict[tuple[int, ...], Value]] = {}
    for name, var in walker.layout.defs.items():
        if var.role is Role.PARAMETER and var.in_play_outs is not None:
            share = random.random()
            keys = walker.layout.vars[name].keys()
            match var.type:
                case Bool():
                    found[name] = {key: random.random() < share for key in keys}
                case Int(lo, hi) | Elem(_, lo, hi):
                    found[name] = {key: random.randint(lo, hi) for key in keys}
                case Maybe() | SetOf() | Many():
                    continue
                case _:
                    assert_never(var.type)
    return found
