"""What is told of a winner or a score that is claimed wrongly: what decided, and by which line of the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import referee
from referee.api.results.verdicts import Verdict
from tests.changed_text import changed

MOST = """
game "Most" for 3 players

counters
  hidden_points of player: 0..9, seen by owner
  points of player: 0..9
  coins of player: 0..9
  out of player: yes or no

given first: player

play
  turns from first, to the left, skipping players where out of it, until every p in players: points of p > 0
    turn player must add
  THE WINNER

define held of player p = points of p + 1

action add(n: 1..3, m: 0..3)
  raise points of me by n
  raise hidden_points of me by n
  raise coins of me by m
"""
RACE = """
game "Race" for 2 players

counters
  steps of player: 0..9
  left_over: 0..9 starts 5

given first: player

play
  turns from first, to the left
    turn player must step

action step(many: 1..3)
  raise steps of me by many
  lower left_over by many, not below 0

end as soon as left_over = 0: first wins
  else as soon as some player p where steps of p >= 2: p wins
"""
SHEET = """
game "Sheet" for 2 players

type Row is aces, twos, threes, rest

counters
  entry of player and Row: 0..30
  bonus of player: 0..9

given first: player

play
  turns from first, to the left, until every p in players: entry(p, rest) > 0
    turn player must write
  nobody wins

action write(row: Row, many: 0..9)
  set entry(me, row) to many
  set entry(me, rest) to 7
  raise bonus of me by 2

define total of player p = (sum of (entry(p, it)) in Row) + bonus of p

score of player p = total of p
"""
NAMES = ("ana", "ben", "cleo")


def judged(rules: str, do: str, values: Sequence[Mapping[str, Any]], players: tuple[str, ...],
           viewer: str | None = None, **end: Any) -> Verdict:
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "made", "players": list(players),
                            "given": {"first": players[0]}}
    lines: list[dict[str, Any]] = [{"by": players[at % len(players)], "do": do, "with": {**one}}
                                   for at, one in enumerate(values)]
    return referee.loads(rules, "made").judge([head, *lines, {"end": end}], for_=viewer)


def most(winner: str, *added: tuple[int, int], viewer: str | None = None) -> Verdict:
    """A game of which the rules say who wins by `winner`; cleo is claimed to have won."""
    values = [{"n": n, "m": m} for n, m in added]
    return judged(changed(MOST, {"THE WINNER": winner}), "add", values, NAMES, viewer, winner="cleo")


def reasons(verdict: Verdict) -> list[tuple[int | None, str, dict[str, str]]]:
    assert verdict.wrong is not None
    return [(one.line, one.text, dict(one.values)) for one in verdict.wrong.because]


def rule(verdict: Verdict, rules: str) -> tuple[str | None, str]:
    """What a line is refuted by, and that line of the rules."""
    assert verdict.wrong is not None
    assert verdict.wrong.place is not None
    return verdict.wrong.rule, rules.splitlines()[int(verdict.wrong.place.rpartition(":")[2]) - 1].strip()


def test_what_each_candidate_has_is_told_with_the_line_that_compares_it() -> None:
    winner = "the p in players with the most held, ties: with the most coins, then all wins"
    verdict = most(winner, (1, 0), (3, 0), (2, 0))
    assert reasons(verdict) == [
        (4, "who has won: none -> ben, by play", {}),
        (4, "the p in players with the most held: ben", {"held of ben": "4", "held of cleo": "3", "held of ana": "2"}),
        (4, "every p in players: points of p > 0: yes",
         {f"points of {who}": n for who, n in zip(NAMES, "132", strict=True)}),
    ]
    assert rule(verdict, changed(MOST, {"THE WINNER": winner})) == ("play", winner)


@pytest.mark.parametrize(("ties", "won", "has"), [
    ("with the most coins, then all", "ana", {"coins of ana": "2", "coins of ben": "1"}),
    ("nobody", "ana and ben", {}),
])
def test_of_those_who_are_level_it_is_told_what_decides_then(ties: str, won: str, has: dict[str, str]) -> None:
    told = reasons(most(f"the p in players with the most held, ties: {ties} wins", (3, 2), (3, 1), (1, 3)))
    said = f", ties: {ties}" if has else ""
    assert told[1] == (4, f"the p in players with the most held{said}: {won}",
                       {"held of ana": "4", "held of ben": "4", "held of cleo": "2", **has})


def test_a_player_is_not_told_what_he_does_not_see() -> None:
    shown = most("the p in players with the most points, ties: all wins", (1, 0), (3, 0), (2, 0), viewer="ana")
    assert reasons(shown)[1][2] == {"points of ben": "3", "points of cleo": "2", "points of ana": "1"}
    hidden = most("the p in players with the most hidden_points, ties: all wins", (1, 0), (3, 0), (2, 0), viewer="ana")
    assert not [text for _, text, _ in reasons(hidden) if "hidden_points" in text]


def test_that_the_turn_passes_on_is_said_of_each_who_is_not_skipped() -> None:
    """Of `skipping players where out of it` nothing is told but its last test."""
    told = reasons(most("the p in players with the most held, ties: all wins", (1, 0), (3, 0), (2, 0)))
    assert not [text for _, text, values in told if "out of it" in (text, *values)]


def test_of_several_ends_the_one_that_came_is_told() -> None:
    verdict = judged(RACE, "step", [{"many": 1}, {"many": 3}], ("ana", "ben"), winner="ana")
    assert reasons(verdict) == [
        (3, "who has won: none -> ben, by end as soon as some player p where steps of p >= 2", {}),
        (3, "some player p where steps of p >= 2: yes", {"steps of ben": "3"}),
    ]
    assert rule(verdict, RACE) == ("end", "else as soon as some player p where steps of p >= 2: p wins")


def test_a_score_is_told_with_all_that_it_is_the_sum_of() -> None:
    """Line 4: ana is said to have 12. The rows in which nothing stands add nothing."""
    rows = [{"row": "twos", "many": 4}, {"row": "aces", "many": 3}]
    verdict = judged(SHEET, "write", rows, ("ana", "ben"), scores={"ana": 12, "ben": 12})
    assert verdict.wrong is not None
    assert verdict.wrong.message == "the score of ana is 13, not 12"
    assert reasons(verdict)[-2] == (
        None, "score of ana: 13", {"entry(ana, twos)": "4", "entry(ana, rest)": "7", "bonus of ana": "2"})
    assert rule(verdict, SHEET) == ("score", "score of player p = total of p")
