"""Il Mister's tournaments, looked at from outside: who meets whom, what a match brings, who wins what.

Random games are gone through event by event; what the rulebook lists for match days is written down here once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.flow.lowering import lower
from referee.frontend.loading.loader import load
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import Ended, State
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine

ROOT = Path(__file__).resolve().parent.parent.parent / "rulesets" / "il_mister"
LEAGUE = [((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3))] * 2
"""The six days of a league, players by their numbers."""
SEEDS = range(3)


@cache
def walker(tournament: str, season: str) -> Walker:
    return engine(lower(load(ROOT, 4, {"tournament": tournament, "season": season})))


@dataclass(frozen=True)
class Seen:
    """What lies open at one moment, by player; `numbers`: the players called 1 to 4."""

    numbers: tuple[int | None, ...]
    rivals: tuple[int | None, ...]
    goals: tuple[int, ...]
    penalties: tuple[int, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]


def seen(known: Walker, state: State) -> Seen:
    """Read off a position."""
    slots: tuple[Any, ...] = state.slots

    def of(name: str) -> tuple[Any, ...]:
        spread = known.layout.vars[name]
        return slots[spread.base:spread.base + spread.count]

    cards = known.layout.zones["goal_cards"].base
    goals = tuple(noted + len(slots[cards + at]) for at, noted in enumerate(of("noted")))
    return Seen(of("called"), of("rival"), goals, of("penalties"), of("points"), of("place"))


def moments(known: Walker, seed: int) -> Iterator[tuple[Event | None, Seen, frozenset[int]]]:
    """The event that led to each moment of a random game, what is seen then, who has won (at its end)."""
    setting = Setting(("ana", "ben", "cleo", "dan"), givens={"youngest": {(): Random(seed).randrange(4)}})
    game = play_out(known, setting, seed, 10_000)
    step = known.begin(game.setting)
    assert isinstance(step, State)
    yield None, seen(known, step), frozenset()
    for event in game.events:
        assert isinstance(step, State)
        step = known.advance(step, event)
        assert isinstance(step, State | Ended)
        state = step.state if isinstance(step, Ended) else step
        yield event, seen(known, state), step.winners if isinstance(step, Ended) else frozenset()


Result = tuple[tuple[int, ...], tuple[int, ...]]
"""Goals and penalties, by player."""


def ends(before: Seen, event: Event) -> set[Result]:
    """How a day may have ended with an event: the second of a shot and a dive may have brought a goal or a penalty."""
    found = {(before.goals, before.penalties)}
    if event.label in ("dive", "shoot"):
        attacker = event.by if event.label == "shoot" else before.rivals[event.by]
        more = tuple(int(at == attacker) for at in range(4))
        found.add((tuple(map(sum, zip(before.goals, more, strict=True))), before.penalties))
        found.add((before.goals, tuple(map(sum, zip(before.penalties, more, strict=True)))))
    return found


def brought(pairs: tuple[tuple[int, int], ...], goals: tuple[int, ...]) -> tuple[int, ...]:
    """Three points for a win, one for a draw, none for a defeat."""
    points = [0, 0, 0, 0]
    for one, two in pairs:
        for me, other in ((one, two), (two, one)):
            points[me] = 3 if goals[me] > goals[other] else 1 if goals[me] == goals[other] else 0
    return tuple(points)


@pytest.mark.parametrize("season", ["without_transfers", "with_transfers"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_league_pairs_and_counts_as_the_rulebook_lists(season: str, seed: int) -> None:
    days: list[tuple[tuple[int, int], ...]] = []
    before: Seen | None = None
    for event, now, winners in moments(walker("league", season), seed):
        if before is not None and event is not None and now.points != before.points:
            numbers = [at for at in before.numbers if at is not None]
            pairs = tuple((numbers[one - 1], numbers[two - 1]) for one, two in LEAGUE[len(days)])
            assert all(before.rivals[one] == two and before.rivals[two] == one for one, two in pairs), len(days)
            gained = tuple(after - then for after, then in zip(now.points, before.points, strict=True))
            assert gained in {brought(pairs, goals) for goals, _ in ends(before, event)}, len(days)
            days.append(pairs)
        if winners:
            assert {at for at in range(4) if now.points[at] == max(now.points)} >= winners
        before = now
    assert len(days) == 6


def may_win(player: int, rivals: Mapping[int, int], results: set[Result]) -> bool:
    """True if a player may have won his match of the cup: by goals, then by penalties, then by lot."""
    other = rivals[player]
    return any((goals[player], penalties[player] if goals[player] == goals[other] else 0)
               >= (goals[other], penalties[other] if goals[player] == goals[other] else 0)
               for goals, penalties in results)


@pytest.mark.parametrize("season", ["without_transfers", "with_transfers"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_cup_has_its_final_and_a_match_for_the_third_place(season: str, seed: int) -> None:
    days: list[dict[int, int]] = []
    results: list[set[Result]] = []
    before: Seen | None = None
    for event, now, winners in moments(walker("cup", season), seed):
        rivals = {at: rival for at, rival in enumerate(now.rivals) if rival is not None}
        if before is not None and event is not None and (winners or (days and days[-1] != rivals)):
            results.append(ends(before, event))
        if rivals and rivals not in days:
            days.append(rivals)
        if winners:
            champion, second, third, fourth = (now.places.index(place) for place in (1, 2, 3, 4))
            one, two, three, four = (at for at in now.numbers if at is not None)
            assert days[0] == {one: two, two: one, three: four, four: three}
            assert days[1] == {champion: second, second: champion, third: fourth, fourth: third}
            assert winners == {champion}
            assert all(may_win(at, days[0], results[0]) for at in (champion, second))
            assert all(may_win(at, days[1], results[1]) for at in (champion, third))
        before = now
    assert (len(days), len(results)) == (2, 2)
