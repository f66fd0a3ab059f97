"""Players whom nothing tells apart any more: asked although no game has come to that, unless a sentence says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.runs.witness_games import load_for
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.review.finding import FindingOutcome
from referee.review.review import review
from referee.review.subject import ReviewEffort
from tests.changed_text import changed

RULES = """game "Two throws" for 2 players first and second

counters
  points of player: 0..900
  throws of player: 0..900

play
  for each p in players, as listed
    p must throw
  the p in players with the most points, ties: with the fewest throws, then all wins  [S-1]

action throw
  me rolls 1..900 as thrown
  set points of me to thrown
  me rolls 1..900 as again
  set throws of me to again
"""
NAME = "question/play.the-p-in-players-with-the-most-points-ties-with~"


def asked(folder: Path, sentence: str, rules: str = RULES) -> list[tuple[str, FindingOutcome, int]]:
    (folder / "game.rules").write_text(rules, encoding="utf-8")
    said = f'[statement.S-1]\ntext = "{sentence}"\nline = 1\nstatus = "encoded"\n'
    (folder / "statements.toml").write_text(said, encoding="utf-8")
    load = load_for(RulesSource(str(folder)))
    effort = ReviewEffort(games=4, events=20)
    found = review(parsed(find(str(folder))), load, [Shape()], effort, None, only=["question"])
    return [(one.message, one.outcome, one.weight.told) for one in found.flaws
            if one.weight is not None and one.id.startswith(NAME[:-1]) and one.id.endswith("who.nobody_of_several")]


def test_who_is_still_level_is_asked_though_no_game_comes_there(tmp_path: Path) -> None:
    ((message, outcome, told),) = asked(tmp_path, "The most points win; if tied, the fewest throws.")
    assert message.endswith("and if they are still level then?")
    assert (outcome, told) == (FindingOutcome.CANDIDATE, 0)


def test_where_nothing_else_decides_it_is_not_asked_unless_a_game_comes_there(tmp_path: Path) -> None:
    assert asked(tmp_path, "The most points win.", changed(RULES, {"with the fewest throws, then ": ""})) == []


@pytest.mark.parametrize("said", ["If still tied, both win.", "Then the victory is shared."])
def test_what_a_sentence_says_of_them_settles_it(said: str, tmp_path: Path) -> None:
    assert asked(tmp_path, f"The most points win; if tied, the fewest throws. {said}") == []
