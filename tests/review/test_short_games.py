"""The game of a question is short: what it takes is drawn at once, and set-up does not count."""

from __future__ import annotations

from pathlib import Path

from referee.api.rule_sources import RulesSource
from referee.api.runs.witness_games import Games, load_for
from referee.frontend.loading.assembly import parsed
from referee.frontend.loading.ruleset_files import find
from referee.frontend.names.shapes import Shape
from referee.report.text.told_game import told_events
from referee.review.finding import Finding
from referee.review.questions.short_games import SHORT
from referee.review.review import review
from referee.review.subject import ReviewEffort

RULES = """game "Ace" for 2 players first and second

kind Card is 1..20

components
  1 of each Card in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner
  laid: bag of Card, open

counters
  points of player: 0..9

setup
  shuffle deck
  for each p in players, as listed: deal 2 from deck to hand of p
  for each p in players, as listed: p may keep

play
  turns from first, to the left, until number of deck = 0
    if (number of c in hand of turn player where c >= 18) = 3
      turn player may lay  [S-1]
    else
      turn player must take

action keep
  raise points of me by 1

action take
  deal 1 from deck to hand of me

action lay
  move all Card in hand of me where it >= 18 to laid
  raise points of me by 2
  if points of me > 2: me wins
"""


STATEMENTS = """[statement.S-1]
text = "The three best cards are laid down."
line = 1
status = "encoded"
"""


def asked(folder: Path) -> tuple[Games, tuple[Finding, ...]]:
    (folder / "ace.rules").write_text(RULES, encoding="utf-8")
    (folder / "statements.toml").write_text(STATEMENTS, encoding="utf-8")
    load = load_for(RulesSource(str(folder)))
    loaded = parsed(find(str(folder)))
    effort = ReviewEffort(games=8, events=80)
    return Games(load, None), review(loaded, load, [Shape()], effort, None, only=["question"]).flaws


def test_a_card_that_it_takes_is_dealt_at_once(tmp_path: Path) -> None:
    games, found = asked(tmp_path)
    (one,) = [finding for finding in found if "turn player may lay" in finding.message]
    assert one.witness is not None
    assert games.set_up(one.witness) == 4
    assert len(one.witness.events) <= 4 + SHORT  # without what is dealt then it takes ten at least
    numbers = [number for number, _ in told_events(games, one.witness, question=True, full=False)]
    assert numbers == [0, *range(5, 1 + len(one.witness.events))]
    assert len(told_events(games, one.witness, question=True, full=True)) == len(one.witness.events)
