"""Plays one random game with the walker and the generated engine, and compares every answer on the way."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from referee.codegen.generated_engine import Generated
from referee.core.flow import Flow
from referee.game.event import Event, spoken
from referee.game.event_table import EventTable
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.interpreter.interruptions import Fault, Unsettled
from referee.interpreter.playouts import choose, play_out
from referee.interpreter.walker import Walker
from tests.laws.games import NAMES, setting_for, strange

ROOT = Path(__file__).resolve().parents[2]
LISTED = 300
"""So many legal events are compared at a point."""
TRIED = 3


def answer(ask: Callable[..., Any], *args: Any, **more: Any) -> Any:
    """What is answered, or what is raised instead."""
    try:
        return ask(*args, **more)
    except Fault as fault:
        return ("fault", fault.code, fault.message, fault.span)
    except Unsettled as open_:
        return ("open", open_.var, open_.key, open_.pieces)
    except ValueError as error:
        return ("value", str(error))


def same(one: Any, other: Any, where: str) -> Any:
    """The one answer; `AssertionError` if the other is not the same to the last bit (True is not 1)."""
    assert one == other, where
    assert repr(one) == repr(other), where
    return one


def replayed(engine: Walker, setting: Setting, events: list[Event], test_arrival: bool) -> list[Any]:
    """Every step of a game that nothing else is asked about in between."""
    steps: list[Any] = [answer(engine.begin, setting)]
    for event in events:
        if not isinstance(steps[-1], State):
            break
        accepted = answer(engine.check, steps[-1], event) is None
        steps.append(answer(engine.advance, steps[-1], event, test_arrival=test_arrival) if accepted else "refused")
    return steps


class Pair:
    """Both engines of a flow. `followed`: so many events were carried out together, without a position for each."""

    def __init__(self, flow: Flow) -> None:
        self.walker = Walker(flow)
        self.generated = Generated(flow)
        self.generated.moves.least = 1 if len(flow.nodes) < 200 else 4  # to write and compile them takes its time
        self.followed = 0
        self._table = EventTable()

    def ask(self, method: str, *args: Any, **more: Any) -> Any:
        """The answer of both to the same question."""
        one, other = getattr(self.walker, method), getattr(self.generated, method)
        return same(answer(one, *args, **more), answer(other, *args, **more), f"{method} {args}")

    def listed(self, state: State) -> list[Event]:
        """What both say is legal."""
        one, other = (list(islice(engine.legal(state), LISTED)) for engine in (self.walker, self.generated))
        same(one, other, "legal")
        return one

    def compare(self, seed: int, most: int, setting: Setting | None = None) -> str:
        """How a random game ended; `AssertionError` where the engines differ."""
        random = Random(seed)
        setting = setting_for(self.walker, random) if setting is None else setting
        step: Step = self.ask("begin", setting)
        passed: list[Event] = []
        while isinstance(step, State) and len(passed) < most:
            legal = self._compared(step, passed, random)
            if not legal:
                break
            seed = random.getrandbits(40)
            event = same(choose(self.walker, step, Random(seed)), choose(self.generated, step, Random(seed)), "choice")
            passed.append(event)
            step = self.ask("advance", step, event)
        if isinstance(step, Ended):
            self.ask("scores", step.state)
            self.ask("broken", step.state)
        for test_arrival in (True, False):
            one, other = (replayed(engine, setting, passed, test_arrival) for engine in (self.walker, self.generated))
            same(one, other, "replay")
        self._followed(setting, passed, random)
        return type(step).__name__

    def _followed(self, setting: Setting, passed: list[Event], random: Random) -> None:
        """Follows a game, as it was and with an odd event in it: the steps are the walker's, and nothing was broken."""
        odd = list(strange(self.walker.core, passed, random, 1)) if passed else []
        at = random.randrange(len(passed) + 1)
        for events in (passed, [*passed[:at], *odd, *passed[at:]]):
            steps = replayed(self.walker, setting, events, test_arrival=False)
            begun = answer(self.generated.begin, setting, test_arrival=False)
            going = isinstance(begun, State) and isinstance(steps[0], State)  # else it stops before its first event
            for tested in (False, True) if going else ():
                number, step = self.generated.follow(begun, map(spoken, events), tested=tested)
                same(steps[number], step, f"followed for {number} of {events}")
                numbers = [self._table.number(spoken(event)) for event in events]
                for _ in range(2):  # the second time by the quick functions that were made the first time
                    again = self.generated.follow_numbers(begun, numbers, self._table, tested=tested)
                    same((number, step), again, f"followed by numbers for {again[0]} of {events}")
                self.followed += number
                for here in steps[1:number + 1] if tested else ():
                    assert answer(self.walker.broken, here.state if isinstance(here, Ended) else here) == ()

    def same_play_outs(self, seed: int, most: int) -> None:
        """`AssertionError` unless both play the same game at random, each for itself."""
        open_ = Setting(self.walker.core.seats.roles or NAMES[: self.walker.core.seats.number])
        one, other = (answer(play_out, engine, open_, seed, most) for engine in (self.walker, self.generated))
        same(one, other, f"play-out {seed}")

    def _compared(self, state: State, passed: list[Event], random: Random) -> list[Event]:
        """Everything that can be asked at a position, also of events that are not legal there; the legal ones."""
        legal = self.listed(state)
        for method in ("asked", "broken", "silent"):
            self.ask(method, state)
        odd = list(strange(self.walker.core, [*legal, *passed], random, 2 * TRIED)) if legal else []
        for event in (*random.sample(legal, min(TRIED, len(legal))), *odd):
            if self.ask("check", state, event) is None:
                self.ask("advance", state, event)
                after = self.ask("advance", state, event, test_arrival=False)
                if isinstance(after, State):
                    self.ask("arrive", after)
            else:
                self.ask("advance", state, event)
        return legal


def places() -> list[Path]:
    """Every ruleset that comes along, and those that the tests of the language are about."""
    folders = [folder for folder in sorted((ROOT / "rulesets").iterdir()) if any(folder.glob("*.rules"))]
    several = ROOT / "rulesets" / "classics"
    files = [several, *(ROOT / "tests" / "language" / name for name in ("constructs", "exam"))]
    return [*(folder for folder in folders if folder != several),
            *(path for folder in files for path in sorted(folder.glob("*.rules")))]
