"""Plays backgammon with OpenSpiel: `python -m tests.foreign.backgammon_agreement --scratch FOLDER`.

As `tests.foreign.agreement` does for other games, but without a mapping: one action of OpenSpiel is up to two steps of
the rules, and its text does not tell which die was used first; its number does. Needs the extra `oracles`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from typing import Any, cast

from referee.api.runs.log_engines import Rules
from referee.convert.conversion import FollowedGame, begun
from referee.convert.foreign_game import ForeignGame
from referee.convert.mapping import FormatMapping
from referee.game.log.strict_json import Json
from tests.foreign.agreement import KINDS, Comparison, Found, along, damaged, options
from tests.foreign.oracle import Oracle, written

NAME = "backgammon"
PLAYERS = ("white", "black")
MAPPING = FormatMapping(None, PLAYERS, PLAYERS, None, {"gammons": "not_counted"}, (), frozenset(), {}, {}, (), None,
                        False, True, False, {})
PLACES, BAR, NOBODY = 26, 24, 25
"""What an action counts in: 24 points, the bar, and a place from which nothing goes."""
LONGEST, LONGEST_KEPT = 1500, 170
"""How many events a game has at most; those that are kept are of high rolls."""
Step = tuple[int, int]
"""From where, by the player's own count, and with which die."""


@dataclass(frozen=True)
class BackgammonOracle:
    """A position of OpenSpiel, within a turn too. `rolled`: what the first dice show, as far as they were rolled;
    `dice`: those of the turn; `done`: the steps of an action that is not done yet."""

    state: Any
    rolled: tuple[int, ...] = ()
    dice: tuple[int, int] = (0, 0)
    done: tuple[Step, ...] = ()
    last: int = 1
    """Who moved last; at the beginning the one who rolls second."""

    @cached_property
    def results(self) -> tuple[float, ...] | None:
        return tuple(self.state.returns()) if self.state.is_terminal() else None

    @property
    def _begins(self) -> bool:
        return not self.state.history()

    @cached_property
    def _actions(self) -> dict[tuple[Step, ...], int]:
        """Each legal action as the steps that it is."""
        return {self._steps(action): action for action in self.state.legal_actions()}

    def _steps(self, action: int) -> tuple[Step, ...]:
        high, low = max(self.dice), min(self.dice)
        order, number = ((high, low), action) if action < PLACES**2 else ((low, high), action - PLACES**2)
        said = zip((number % PLACES, number // PLACES), order, strict=True)
        mine = self.state.current_player()
        return tuple((25 if place == BAR else 24 - place if mine == 0 else place + 1, die)
                     for place, die in said if place != NOBODY)

    @cached_property
    def events(self) -> Mapping[str, tuple[str, ...]]:
        return dict.fromkeys(self._events(), ())

    def _events(self) -> Iterator[str]:
        if self.results is not None:
            return
        if self.state.is_chance_node() and self._begins:
            name = ("white_die", "black_die")[len(self.rolled)]
            for die in range(1, 7):
                yield self._told("fate", "roll", {"for": PLAYERS[len(self.rolled)], name: die})
            return
        if self.state.is_chance_node():
            for both in combinations_with_replacement(range(1, 7), 2):
                yield self._told("fate", "roll", {"for": PLAYERS[1 - self.last], "both": list(both)})
            return
        so_far, by = len(self.done), PLAYERS[self.state.current_player()]
        for steps in self._actions:
            if steps[:so_far] == self.done and len(steps) > so_far:
                yield self._told(by, "step", {"from": steps[so_far][0], "die": steps[so_far][1]})

    @staticmethod
    def _told(by: str, do: str, with_: Mapping[str, Json]) -> str:
        return written({"by": by, "do": do, "with": dict(with_)})

    def after(self, event: str) -> BackgammonOracle:
        """The position after a legal event."""
        with_ = json.loads(event)["with"]
        if not self.state.is_chance_node():
            done = (*self.done, (with_["from"], with_["die"]))
            mine = self.state.current_player()
            if done not in self._actions:
                return replace(self, done=done)
            return replace(self, state=self.state.child(self._actions[done]), done=(), last=mine).moved()
        rolled = tuple(with_["both"]) if "both" in with_ else (
            *self.rolled, next(with_[name] for name in with_ if name != "for"))
        if len(rolled) == 1:
            return replace(self, rolled=rolled)
        one, other = rolled
        if self._begins and one == other:
            return replace(self, rolled=())
        wanted = f"{one}{other}"
        outcome = next(action for action in self.state.legal_actions() if self._fits(action, wanted))
        return replace(self, state=self.state.child(outcome), rolled=(), dice=(one, other)).moved()

    def _fits(self, action: int, wanted: str) -> bool:
        """Whether an outcome is this roll; of the first one, whether who has rolled more begins."""
        text = self.state.action_to_string(-1, action)
        starter = "X" if wanted[0] > wanted[1] else "O"
        begins = not self._begins or f"{starter} starts" in text
        return begins and any(f"roll: {said}" in text for said in (wanted, wanted[::-1]))

    def high(self, choice: Sequence[str], random: Random) -> list[str]:
        """Of rolls those without ones and twos, every second time two alike."""
        if self._begins:
            return list(choice[2:])
        pairs = {one: json.loads(one)["with"]["both"] for one in choice}
        alike = random.random() < 0.5
        return [one for one, both in pairs.items() if min(both) > 2 and (not alike or both[0] == both[1])]

    def moved(self) -> BackgammonOracle:
        """The same once nobody has to pass: the rules do not ask who cannot go."""
        found = self
        while found.results is None and not found.state.is_chance_node() and list(found._actions) == [()]:
            mine = found.state.current_player()
            found = replace(found, state=found.state.child(found._actions[()]), last=mine)
        return found


@dataclass
class Table:
    """What two programs are asked with."""

    load: Rules
    ruleset: str = NAME
    skip: int = 1
    mapping: FormatMapping = MAPPING

    def oracle(self) -> BackgammonOracle:
        """The other program at the beginning."""
        import pyspiel

        return BackgammonOracle(pyspiel.load_game("backgammon(scoring_type=winloss_scoring)").new_initial_state())

    def followed(self) -> FollowedGame:
        """Our rules there."""
        return begun(ForeignGame(1, None), NAME, self.mapping, self.load)

    def recorded(self, events: Sequence[str], results: Sequence[float]) -> tuple[str, ...]:
        """The log of a game."""
        scores = dict(zip(PLAYERS, map(int, results), strict=True))
        winner = max(scores, key=lambda name: scores[name])
        return (*self.followed().lines, *events, json.dumps({"end": {"winner": winner, "scores": scores}}))


def played(table: Table, random: Random, few: int) -> tuple[list[str], tuple[float, ...] | None]:
    """A game by lot; no result after more than `few` events."""
    oracle, events = table.oracle(), list[str]()
    while oracle.results is None and len(events) <= few:
        choice = sorted(oracle.events)
        if few < LONGEST and oracle.state.is_chance_node():
            choice = oracle.high(choice, random)
        events.append(random.choice(choice))
        oracle = oracle.after(events[-1])
    return events, oracle.results


def compare(games: int, ask: int, keep: int, scratch: Path) -> int:
    """Compares; how many differences there were."""
    table = Table(Rules(NAME))
    with_ = cast(Comparison, table)
    random, found = Random(NAME), Found(NAME, ask, keep, scratch)
    while found.right < games:
        events, results = played(table, random, LONGEST_KEPT if found.right < keep else LONGEST)
        if results is None or results[0] == results[1]:
            continue
        lines, positions = table.recorded(events, results), cast(Sequence[Oracle], along(with_, events))
        found.game(with_, events, positions, lines)
        for kind in (*(KINDS[found.damaged % len(KINDS)],) * 20, "wrong result"):
            made = damaged(with_, lines, positions, kind, random)
            if made is not None:
                found.wrong(with_, *made, kind)
                break
    return found.done("open_spiel", print)


if __name__ == "__main__":
    given = options(__doc__).parse_args()
    sys.exit(1 if compare(given.games, given.asked, given.keep, given.scratch) else 0)
