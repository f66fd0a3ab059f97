"""Games by lot that are to break a claim: played by machine code where making it pays, else by generated code.

Machine code plays a game, and then follows its events once more with all claims tested; what it leaves to others, so
also whatever breaks one, is looked at by itself. As soon as something is broken generated code goes on: nearly every
game would be unusual from there on.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING

from referee.codegen.generated_engine import Generated
from referee.core.flow import Flow
from referee.flow.lowering import lower
from referee.game.event import Event, spoken
from referee.game.event_table import EventTable
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.native.engine_names import AUTO, NATIVE, NO_LIBRARY, REFERENCE
from referee.proofs.counterexamples import Broken
from referee.proofs.proof_outcomes import PlayedGames, RefutingGame
from referee.proofs.slice_visits import any_setting, games
from referee.system.deadline import Deadline, Stopwatch

if TYPE_CHECKING:
    from referee.native.native_engine import Native

MOST_GAMES = 100_000
"""So many games are played at most, if the time does not pass before."""
TO_BEGIN, FOR_A_NODE = 0.4, 0.015
"""Seconds that machine code takes to be made, about: to begin with, and for each node of a flow."""


def worth_machine_code(flow: Flow, seconds: float) -> bool:
    """Whether there is machine code, and making it leaves half of the time."""
    return find_spec("llvmlite") is not None and TO_BEGIN + FOR_A_NODE * len(flow.nodes) < seconds / 2


class ClaimHunt:
    """Plays games of any setting. `played`: what was played so far; None before the first game."""

    def __init__(self, flow: Flow, setting: Setting, broken: Broken, engine_name: str) -> None:
        """`broken`: is asked of positions of the flow; `engine_name`: what plays; `auto`: machine code
        where it pays."""
        self._flow, self._setting, self._broken, self._engine = flow, setting, broken, engine_name
        self._plain = Walker(flow) if engine_name == REFERENCE else Generated(flow)
        self._machine: Native | None = None
        self._tried = False
        self._table = EventTable()
        self._said = "by the reference engine" if engine_name == REFERENCE else "by generated code"
        self.played: PlayedGames | None = None

    def broken(self, seconds: float, most: int, first: int) -> dict[str, RefutingGame]:
        """Claims that games of so many events at most break, each with the shortest game met. `first`: its seed."""
        found: dict[str, RefutingGame] = {}
        if seconds <= 0:
            return found
        until, watch, count = Deadline.computing(seconds), Stopwatch.computing(), _Count()
        native = self._native(seconds)
        if native is not None:
            first = self._by_machine(native, until, most, first, found, count)
        self._by_hand(until, most, first, found, count)
        before = self.played or PlayedGames(0, 0, 0.0, self._said)
        self.played = PlayedGames(before.games + count.games, before.events + count.events,
                                  before.seconds + watch.seconds, self._said)
        return found

    def _native(self, seconds: float) -> Native | None:
        """What plays by machine code, if it is to and there is any."""
        wanted = self._engine == NATIVE or (self._engine == AUTO and worth_machine_code(self._flow, seconds))
        if not wanted or self._tried:
            return self._machine
        self._tried = True
        try:
            from referee.native.native_engine import Native
            from referee.native.value_forms import NotNative
        except ModuleNotFoundError:
            self._said += f": {NO_LIBRARY}"
            return None
        core = self._flow.core
        stated = (*core.invariants, *(replace(one, everywhere=False) for one in core.refutable))
        try:
            self._machine = Native(lower(replace(core, invariants=stated, refutable=())) if core.refutable
                                   else self._flow)
            self._said = self._machine.note
        except NotNative as why:
            self._said += f": no machine code is made of {why}"
        return self._machine

    def _by_machine(self, native: Native, until: Deadline, most: int, first: int, found: dict[str, RefutingGame],
                    count: _Count) -> int:
        """Until something is broken or the time is over; the seed of the next game."""
        for seed in range(first, first + MOST_GAMES):
            if until.passed or found:
                return seed
            random = Random(seed)
            with suppress(Fault):
                whole = any_setting(self._plain, self._setting, random)
                game = play_out(native, whole, random.getrandbits(32), most)
                count.add(len(game.events))
                self._looked(native, whole, game.events, found)
        return first + MOST_GAMES

    def _looked(self, native: Native, setting: Setting, events: tuple[Event, ...],
                found: dict[str, RefutingGame]) -> None:
        """Follows a game, and keeps the claims that are broken on its way."""
        if self._table.full:
            self._table = EventTable()
        numbers = [self._table.number(spoken(event)) for event in events]
        step, done = native.begin(setting), 0
        self._keep(setting, events, done, step, found)
        while isinstance(step, State) and done < len(events):
            number, step = native.follow_numbers(step, numbers[done:], self._table, tested=True)
            done += number
            if isinstance(step, State) and done < len(events):
                step = native.advance(step, events[done])
                done += 1
            self._keep(setting, events, done, step, found)

    def _by_hand(self, until: Deadline, most: int, first: int, found: dict[str, RefutingGame], count: _Count) -> None:
        """Event by event, by the plain engine."""
        for chosen, passed in games(self._plain, self._setting, MOST_GAMES, until.seconds_left, most, first):
            told = [event for event, _ in passed if event is not None]
            for number, (_, step) in enumerate(passed):
                self._keep(chosen, told, number, step, found)
            count.add(len(told))

    def _keep(self, setting: Setting, events: Sequence[Event], number: int, step: Step,
              found: dict[str, RefutingGame]) -> None:
        """What is broken after so many of the events."""
        for name in self._broken(step):
            if name not in found or number < len(found[name].events):
                found[name] = RefutingGame(setting, tuple(events[:number]))


@dataclass
class _Count:
    """Games and events that were played."""

    games: int = 0
    events: int = 0

    def add(self, events: int) -> None:
        """One more game."""
        self.games += 1
        self.events += events
