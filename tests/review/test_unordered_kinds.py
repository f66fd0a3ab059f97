"""Every kind of place where the rules may leave a chooser, an order or a priority open: told where it matters only."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.review.finding import Finding
from tests.review.flawed import Reviewed, reviewed

HEAD = """game "Kinds" for {players} players

kind Coin
kind Card is RED, BLUE

components
  9 Coin in bank
  1 of each Card in row

zones
  bank: bag of Coin, open
  row: bag of Card, open
  purse of player: bag of Coin, open
  hand of player: bag of Card, open

counters
  points of player: 0..9
  pot: 0..9 starts 3
  gone: 0..9
  last: player or none

given starter: player

action work
  raise points of me by 1

action wait
  nothing

"""
CLASSES = ("no-chooser", "no-order", "conflict", "no-target")


def found(tmp_path: Path, rules: str, players: str = "2") -> list[Finding]:
    return [one for code in CLASSES for one in done(tmp_path, rules, players).of(code)]


def done(tmp_path: Path, rules: str, players: str) -> Reviewed:
    path = tmp_path / "kinds.rules"
    path.write_text(HEAD.format(players=players) + rules, encoding="utf-8")
    return reviewed(path, *CLASSES)


ALL_WORK = """play
  for each p in players, in order from starter: p must take one of work, wait
"""
MATTERS = {
    "a tie of players": (ALL_WORK + """  let best = the p in players with the most points
  raise pot by points of best
  best wins
""", "no-chooser/play.tie"),
    "an end for several": (ALL_WORK + """  set pot to 9
  nobody wins

end as soon as some player p where points of p = 1 and pot = 9: p wins
""", "no-chooser/end.p"),
    "two ends at once": (ALL_WORK + """  set pot to 9
  nobody wins

end as soon as pot = 9: starter wins
end as soon as pot > 8: nobody wins
""", "conflict/end"),
    "which way turns go": ("""play
  turns from starter, until gone = 4
    turn player must work
    raise gone by 1
  the p in players with the most points, ties: all wins
""", "no-order/play.direction"),
    "who is asked first": ("""play
  for each p in players: p must take one of work, wait
  the p in players with the most points, ties: all wins
""", "no-order/play.order"),
    "who comes first to what is scarce": (ALL_WORK + """  for each p in players
    if bank has at least 8: move 2 Coin from bank to purse of p
  if purse of starter is empty: nobody wins
  else: starter wins
""", "no-order/play.order"),
    "who is the last": (ALL_WORK + """  for each p in players where points of it > 0: set last to p
  if last is starter: starter wins
  else: nobody wins
""", "conflict/play.order"),
    "what follows an action": (ALL_WORK + """  nobody wins

after work: raise pot by pot
after work: lower pot by 1
""", "no-order/work.after"),
}  # fmt: skip


@pytest.mark.parametrize("name", MATTERS)
def test_it_is_told_where_it_matters(tmp_path: Path, name: str) -> None:
    rules, place = MATTERS[name]
    players = "3" if "way" in name else "2"
    told = found(tmp_path, rules, players)
    assert [one.id for one in told] == [place]
    assert told[0].witness is not None
    assert done(tmp_path, rules, players).accepted_by_judge(told[0].witness)
    assert len({one.end for one in told[0].candidates}) == len(told[0].candidates) > 1


SILENT = {
    "tied, and whoever it is comes to the same": ALL_WORK + """  let best = the p in players with the most points
  raise pot by points of best
  nobody wins
""",
    "an order that never shows": ALL_WORK + """  for each p in players
    if pot > 9 - pot: lower pot by points of p
  nobody wins
""",
    "alike cards": ALL_WORK + """  for each p in players: move Coin from bank to purse of p
  nobody wins
""",
    "two ends, and both are the same": ALL_WORK + """  set pot to 9
  nobody wins

end as soon as pot = 9: nobody wins
end as soon as pot > 8: nobody wins
""",
    "triggers that come to the same": ALL_WORK + """  raise pot by 1
  nobody wins

when pot = 4: set gone to 5
when pot >= 4: set gone to 5 + points of starter - points of starter
""",
}  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_it_is_not_told_where_it_makes_no_difference(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, SILENT[name]) == []
    known = done(tmp_path, SILENT[name], "2")
    assert {outcome for code in CLASSES for outcome, _ in known.known(code)} == {"proved absent"}


def test_one_of_several_in_a_condition(tmp_path: Path) -> None:
    rules = """play
  turns from starter, to the left, until gone = 5
    turn player must take one of take, look, wait
    raise gone by 1
  nobody wins

action take(card: Card in row)
  move card to hand of me

action look
  needs "his card is red": not hand of me is empty and the Card in hand of me is RED
  nothing
"""
    (told,) = found(tmp_path, rules)
    assert told.id.startswith("no-target/look.")
    assert told.witness is not None
    assert len(told.witness.events) == 4
