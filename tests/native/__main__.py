"""Compares machine code with the walker: `python -m tests.native [--steps N] [--random N] [NAME ...]`.

First samples of every kind and random cores, each step from a known position; then games of all rulesets (or of those
named), played by machine code, each as it was and with odd events in it. Machine code follows as many events as it can
in one call; the walker tests and carries out each of them, and has to be where that is. Each ruleset has its share of
the steps, or as many as the walker gets through in `--seconds` of computing; what is left is shared among the quick
ones. A line for each: steps that machine code made, steps that it left to others, differences.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from referee.core.flow import Flow
from referee.core.ruleset import Role
from referee.core.types import Value
from referee.flow.lowering import lower
from referee.game.event import Event, spoken
from referee.game.event_table import EventTable
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.interruptions import Fault
from referee.interpreter.playouts import choose, play_out
from referee.interpreter.walker import Walker
from referee.native.native_engine import Native
from referee.native.value_forms import NotNative
from referee.system.deadline import Deadline
from tests.conformance.agreement import GIVEN, told_apart
from tests.conformance.machined import Machined
from tests.conformance.samples import KINDS, core_of
from tests.conformance.test_conformance import named
from tests.laws.games import NAMES, strange
from tests.laws.shapes import core_of as core_of_case
from tests.laws.shapes import places, usual
from tests.native.test_native_engine import told
from tests.smt.drawn import shaken
from tests.twin.random_core import Maker

MOST_EVENTS = 1_000
SHOWN, SEEDS = 3, 10_000_000


@dataclass
class Compared:
    """What was compared. `made`, `left`: steps of machine code, and of others in its place; `wrong`: differences."""

    made: int = 0
    left: int = 0
    wrong: list[str] = field(default_factory=list)


def of_core(flow: Flow, seed: int, games: int) -> Compared:
    """Single steps, from positions of random games and from some in which much is otherwise."""
    random, found = Random(seed), Compared()
    walker, machined = Walker(flow), Machined(flow)
    given: dict[str, dict[tuple[int, ...], Value]] = {"given": {(): GIVEN}} if "given" in flow.core.vars else {}
    for _ in range(games):
        step: Step = walker.begin(Setting(NAMES[:flow.core.seats.number], parameters=given))
        for _ in range(12):
            if not isinstance(step, State):
                break
            for state in (step, shaken(walker, step, random, (Role.STATE,), 12)):
                try:
                    event = choose(walker, state, random)
                    after = None if walker.check(state, event) is not None else walker.advance(state, event)
                except (Fault, IndexError, ValueError):  # nothing is possible in a position that no game comes to
                    continue
                found.wrong.extend(f"{said} [{event} at {state.at}]" for said in machined.differs(state, event, after))
            step = walker.advance(step, choose(walker, step, random))
    found.made, found.left = machined.followed, machined.left
    return found


class ComparedGames:
    """Games by lot of one flow, from one seed on. `quick`: there is nothing that keeps them from going on as fast."""

    def __init__(self, flow: Flow, seed: int) -> None:
        self._flow, self._seed = flow, seed
        self._native, self._walker = Native(flow), Walker(flow)
        self._open = Setting(flow.core.seats.roles or NAMES[:flow.core.seats.number])
        self.quick = True

    def compare(self, steps: int, seconds: float) -> Compared:
        """So many steps more, or as many as are made in the time."""
        found, until = Compared(), Deadline.computing(seconds)
        while found.made < steps and self.quick:
            played, random = play_out(self._native, self._open, self._seed, MOST_EVENTS), Random(self._seed)
            self._seed += 1
            odd = list(strange(self._flow.core, played.events, random, 1)) if played.events else []
            at, before = random.randrange(len(played.events) + 1), found.made
            for events in (played.events, (*played.events[:at], *odd, *played.events[at:])):
                _follow(self._native, self._walker, played.setting, events, found)
            self.quick = found.made > before and not until.passed
        return found


def _follow(native: Native, walker: Walker, setting: Setting, events: tuple[Event, ...], found: Compared) -> None:
    table, done = EventTable(), 0
    numbers = [table.number(spoken(event)) for event in events]
    step: Step = native.begin(setting, test_arrival=False)
    exact: Step = walker.begin(setting, test_arrival=False)
    while isinstance(step, State) and isinstance(exact, State) and done < len(events):
        number, step = native.follow_numbers(step, numbers[done:], table, tested=True)
        for event in events[done:done + number]:
            if not isinstance(exact, State) or walker.check(exact, event) is not None:
                found.wrong.append(f"{event} is accepted")
                return
            exact = walker.advance(exact, event, test_arrival=False)
        if told(step) != told(exact):
            found.wrong.append(f"somewhere in {events[done:done + number]}")
            return
        done, found.made = done + number, found.made + number
        if not isinstance(step, State) or done == len(events):
            return
        if walker.check(step, events[done]) is not None:
            return
        step = exact = walker.advance(step, events[done], test_arrival=False)
        done, found.left = done + 1, found.left + 1


def compared(asked: argparse.Namespace) -> Iterator[tuple[str, Compared]]:
    """What was compared, by name."""
    if not asked.names:
        for number, kind in enumerate(KINDS):
            yield named(kind), of_core(lower(core_of(kind)), number, 3)
        for seed in range(asked.random):
            yield f"random core {seed}", of_core(told_apart(lower(Maker(seed).core())), seed, 3)
    waiting = [where for where in places() if not asked.names or where.stem in asked.names]
    left, first = asked.steps, asked.seed
    while waiting and left > 0:
        share, again = -(-left // len(waiting)), []
        for where in waiting:
            try:
                games = ComparedGames(lower(core_of_case(usual(where)[0])), first)
                found = games.compare(share, asked.seconds)
            except (NotNative, IndexError) as why:
                yield f"{where.stem} ({why})", Compared()
                continue
            yield where.stem, found
            left -= found.made
            if games.quick:
                again.append(where)
        waiting, first = again, first + SEEDS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.native", description=__doc__)
    parser.add_argument("names", nargs="*", help="names of rulesets; all, and what is drawn, if none is named")
    parser.add_argument("--steps", type=int, default=10_000_000, help="steps of games, shared among the rulesets")
    parser.add_argument("--random", type=int, default=100, help="random cores")
    parser.add_argument("--seconds", type=float, default=30.0, help="of computing for each ruleset, at most, each time")
    parser.add_argument("--seed", type=int, default=1)
    made = left = wrong = 0
    for name, found in compared(parser.parse_args()):
        print(f"{name}: {found.made} steps, {found.left} left to others, {len(found.wrong)} differences", flush=True)
        for said in found.wrong[:SHOWN]:
            print(f"  {said}")
        made, left, wrong = made + found.made, left + found.left, wrong + len(found.wrong)
    print(f"{made} steps, {left} left to others, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
