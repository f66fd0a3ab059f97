"""A modifier is gone when its component comes to another zone, whatever moves it; within its zone it stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.frontend.scenarios.scenario_reader import load_scenarios
from referee.native.engine_names import ENGINES
from referee.rule_tests.scenario_runs import run_scenario
from tests.changed_text import changed

RULES = """
game "Modified" for 2 players first and second

kind Hero is ADA < BOB < CYD
kind Orc is UGH < ZUG

zones
  field: bag of Hero or Orc, open
  spare: bag of Hero or Orc, open
  row: line of Hero or Orc, open, at most 9
  spot: slots of Hero or Orc on 1..3, open
  deck: pile of Hero or Orc, open
  heap: pile of Hero or Orc, open
  hand of player: bag of Hero or Orc, open
  shelf of 0..5: bag of Hero or Orc, open

counters
  att of Hero: 0..9 starts 1
  fury of Orc: 0..9 starts 1
  grudge of Hero and Hero: 0..9 starts 0
  last: 0..9 starts 1

components
  1 of each Hero in {home}
  1 of each Orc in {home}

play
  turns from first, to the left
    turn player must take one of boost, go

action boost
  for each c in Hero, as listed: raise att of c by 2 until the end of the round
  for each c in Orc, as listed: raise fury of c by 2 until the end of the round
  raise grudge(ADA, BOB) by 3 until the end of the round
  raise grudge(BOB, CYD) by 3 until the end of the round

action go
{body}

scenario "what moved is as it was"
  first boost
  second go{events}
  expect att of ADA = {ada}; att of BOB = {bob}; fury of UGH = {ugh}; fury of ZUG = 3
  expect grudge(ADA, BOB) = {first}; grudge(BOB, CYD) = {second}
"""
WAYS = {
    "move one": ("spare", "  move ADA from spare to field", "", "ada"),
    "move several": ("spare", "  fate chooses exactly 1 Hero in spare as c\n  move c to field",
                     "\n  fate choose ADA", "ada"),
    "move none": ("spare", "  move (last - 1) ADA from spare to field", "", ""),
    "move as many as a value": ("spare", "  move (last) ADA from spare to field", "", "ada"),
    "move all": ("spare", "  move all ADA in spare to field", "", "ada"),
    "move all of several kinds": ("spare", "  move all Hero or Orc in spare where it is in {ADA, UGH} to field", "",
                                  "ada ugh"),
    "move all by what is modified": ("spare", "  move all Hero in spare where att of it = 3 to field", "",
                                     "ada bob cyd"),
    "move all to a pile": ("spare", "  move all Hero in spare to the top of deck", "", "ada bob cyd"),
    "move all there is of nothing": ("spare", "  move all Hero in field to spare", "", ""),
    "draw": ("spare", "  first draws 1 from spare to field", "\n  fate draw ADA", "ada"),
    "draw several": ("spare", "  first draws 2 from spare to field", "\n  fate draw {ADA, UGH}", "ada ugh"),
    "deal from a pile": ("deck", "  shuffle deck\n  deal 1 from deck to row", "\n  fate deal UGH", "ugh"),
    "deal and name": ("spare", "  deal 1 from spare to field as c", "\n  fate deal ADA", "ada"),
    "shuffle into a pile": ("spare", "  shuffle spare into deck", "", "ada bob cyd ugh zug"),
    "shuffle a kind into a pile": ("spare", "  shuffle Hero in spare into deck", "", "ada bob cyd"),
    "shuffle a pile in itself": ("deck", "  shuffle deck", "", ""),
    "to a spot": ("spare", "  move BOB from spare to spot at 2", "", "bob"),
    "as a choice": ("spare", "  first chooses exactly 2 Hero in spare as them\n  move them to field",
                    "\n  first choose {ADA, BOB}", "ada bob"),
    "to another spot": ("spare", "  move BOB from spare to spot at 1\n"
                                 "  raise att of BOB by 2 until the end of the round\n"
                                 "  raise grudge(ADA, BOB) by 3 until the end of the round\n"
                                 "  raise grudge(BOB, CYD) by 3 until the end of the round\n"
                                 "  move BOB from spot at 1 to spot at 2", "", ""),
    "to another end": ("deck", "  move CYD from deck to the bottom of deck", "", ""),
    "all to another end": ("deck", "  move all Hero in deck to the bottom of deck", "", ""),
    "shuffle a kind in itself": ("deck", "  shuffle Hero in deck into deck", "", ""),
    "to the hand of another": ("hand of first", "  move ADA from hand of first to hand of second", "", "ada"),
    "to the hand of another, by name": ("hand of first", "  move ADA from hand of first to my hand", "", "ada"),
    "to the hand of the same": ("hand of second", "  move ADA from hand of second to my hand", "", ""),
    "all to the hand of another": ("hand of first", "  move all Hero in hand of first to my hand", "",
                                   "ada bob cyd"),
    "all to the hand of the same": ("hand of second", "  move all Hero in hand of second to my hand", "", ""),
    "draw to the hand of the same": ("hand of second", "  second draws 1 from my hand to hand of second",
                                     "\n  fate draw second ADA", ""),
    "draw to the hand of another": ("hand of first", "  second draws 1 from hand of first to my hand",
                                    "\n  fate draw second ADA", "ada"),
    "swap": ("spare", "  swap spare with field", "", "ada bob cyd ugh zug"),
    "swap with the other side named first": ("spare", "  swap field with spare", "", "ada bob cyd ugh zug"),
    "swap hands": ("hand of first", "  swap my hand with hand of first", "", "ada bob cyd ugh zug"),
    "swap a hand with itself": ("hand of second", "  swap my hand with hand of second", "", ""),
    "swap together": ("hand of first", "  together\n    swap my hand with hand of first\n    set last to number of "
                      "hand of first", "", "ada bob cyd ugh zug"),
    "to a key that differs before the move": ("shelf(5)", "  move ADA from shelf(number of shelf(5)) to shelf(4)", "",
                                              "ada"),
    "to a key that is the same before the move": ("shelf(5)", "  move ADA from shelf(number of shelf(5)) to shelf(5)",
                                                  "", ""),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("way", WAYS)
def test_a_modifier_goes_with_its_component(way: str, engine: str, tmp_path: Path) -> None:
    home, body, events, moved = WAYS[way]
    gone = set(moved.split())
    values = {name: 1 if name in gone else 3 for name in ("ada", "bob", "ugh")}
    text = RULES.replace("{home}", home).replace("{body}", body).replace("{events}", events)
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    text = text.replace("{first}", "0" if gone & {"ada", "bob"} else "3")
    text = text.replace("{second}", "0" if gone & {"bob", "cyd"} else "3")
    text = changed(text, {"fury of ZUG = 3": "fury of ZUG = 1" if "zug" in gone else "fury of ZUG = 3"})
    path = tmp_path / "modified.rules"
    path.write_text(text, "utf-8")
    for scenario in load_scenarios(path).found:
        result = run_scenario(scenario, engine)
        assert result.passed, [(failure.message, failure.values) for failure in result.failures]
