"""Wreckers against a second opinion in plain Python: who may point at and vote for whom, who goes, and who wins."""

from __future__ import annotations

import random

import pytest

import referee

NAMES = ("ana", "ben", "cleo", "dan", "eve", "fay", "gil")


@pytest.fixture(scope="module")
def rules() -> referee.Ruleset:
    return referee.load("rulesets/classics/wreckers.rules")


def winners(wrecker: set[str], staying: set[str], everybody: set[str]) -> set[str] | None:
    """Who has won with those who stay, None while it goes on."""
    dark = wrecker & staying
    if not dark:
        return everybody - wrecker
    return wrecker if 2 * len(dark) >= len(staying) else None


@pytest.mark.parametrize("number", [5, 6, 7])
def test_choices_and_results_are_those_of_plain_python(rules: referee.Ruleset, number: int) -> None:
    for seed in range(4):
        luck, names = random.Random(seed), NAMES[:number]
        game = rules.new_game(names, seed=seed)
        game.advance_fate()
        wrecker = {str(event.with_["to"]) for event in game.events if event.with_["card"] == "WRECKER"}
        staying, won = set(names), None
        for turn in range(14):
            night = turn % 2 == 0
            chosen: dict[str, str] = {}
            while len(chosen) < len(staying):
                legal = list(game.legal())
                expected = {(by, "point" if night else "vote", at) for by in staying - set(chosen) for at in staying
                            if not night or by != at}
                assert {(event.by, event.do, *event.with_.values()) for event in legal} == expected
                event = luck.choice(legal)
                game.play(event)
                chosen[event.by] = str(*event.with_.values())
            if night:
                struck = {at for by, at in chosen.items() if by in wrecker}
                staying -= struck - {at for by, at in chosen.items() if by not in wrecker}
            else:
                votes = {name: list(chosen.values()).count(name) for name in staying}
                first = [name for name in staying if votes[name] == max(votes.values())]
                staying -= set(first if len(first) == 1 else ())
            won = winners(wrecker, staying, set(names)) or (set(names) - wrecker if turn == 13 else None)
            assert game.over == (won is not None)
            if won is not None:
                break
        assert set(game.winners or ()) == won
