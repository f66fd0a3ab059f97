"""Smugglers against a second opinion in plain Python: dice that are kept, what is loaded, who is caught, who wins."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import referee

NAMES = ("ana", "ben", "cleo")
BANDS = ({"arch", "bell"}, {"crag", "dune", "eddy"})


def groups(coves: set[str]) -> int:
    """How many groups coves make: in the first band two are next to each other, in the other `dune` lies between."""
    first, other = (coves & band for band in BANDS)
    return bool(first) + (len(other) if len(other) == 2 and "dune" not in other else bool(other))


@pytest.mark.parametrize("seed", range(8))
def test_games_are_those_of_plain_python(seed: int) -> None:
    luck = random.Random(seed)
    game = referee.load("rulesets/classics/smugglers.rules").new_game(NAMES, seed=seed)
    quay, hulls = Counter(TEA=8, SILK=6), {name: Counter[str]() for name in NAMES}
    coves: dict[str, set[str]] = {name: set() for name in NAMES}
    kept: list[int] = []
    seen = 0
    while True:
        game.advance_fate()
        for event in game.events[seen:]:
            if event.do == "roll" and "rolled" in event.with_:
                rolled, kept = Counter(event.with_["rolled"]), []
        seen = len(game.events)
        if game.over:
            break
        event = luck.choice(list(game.legal()))
        mine = {e.with_["die"] for e in game.legal() if e.do == "keep"}
        assert mine in (set(), {die for die in rolled if rolled[die] and die >= max(kept, default=0)})
        game.play(event)
        seen = len(game.events)
        me, given = event.by, event.with_
        if event.do == "keep":
            kept.append(int(str(given["die"])))
            rolled[given["die"]] -= 1
        elif event.do == "load":
            room = min(4 - hulls[me].total(), len(kept) if given["crate"] == "TEA" else 1, quay[str(given["crate"])])
            hulls[me][str(given["crate"])] += room
            quay[str(given["crate"])] -= room
        elif event.do == "land":
            assert max(kept) >= 5
            coves[me].add(str(given["at"]))
        elif event.do == "swap_hulls":
            assert len(kept) == 3
            hulls[me]["TEA"] -= 1
            quay["TEA"] += 1
            hulls[me], hulls[str(given["whose"])] = hulls[str(given["whose"])], hulls[me]
        if kept == [6, 6, 6] and event.do == "pass":
            assert set(game.winners or ()) == set(NAMES) - {me}
            return
    worth = {name: hulls[name]["TEA"] + 3 * hulls[name]["SILK"] + 3 * len(coves[name]) - groups(coves[name])
             for name in NAMES}
    assert len(game.winners or ()) == 1
    assert all(worth[name] == max(worth.values()) for name in game.winners or ())
