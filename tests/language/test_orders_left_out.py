"""An order that is left out: the table is asked where it makes a difference, and only there."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.event import CHOICE, TABLE, Event
from referee.game.setting import Setting
from referee.game.state import State, Stopped
from referee.interpreter.walker import Walker

NAMES = ("ana", "ben", "cleo")
HEAD = """game "Left out" for 3 players ana, ben and cleo

kind Card is RED, BLUE
kind Token of player

components
  4 of each Card in deck
  2 RED in heap
  1 BLUE in heap
  2 Token of each player in bag

zones
  deck: pile of Card, face down
  heap: bag of Card, open
  hand of player: bag of Card, open
  row: line of Card, open
  bag: bag of Token, open
  out: bag of Token, open

counters
  points of player: 0..9
  pot: 0..9 starts 5
  last: player or none
  turned: yes or no
  both: 0..99

action wait
  nothing

"""


def walker(tmp_path: Path, body: str, more: str = "") -> Walker:
    path = tmp_path / "left_out.rules"
    path.write_text(f"{HEAD}{more}\nplay\n{body}  ana must wait\n", encoding="utf-8")
    return Walker(lower(load(path)))


def points(made: Walker) -> list[str]:
    """The points that are reached before `wait`, the first candidate being taken, or the first event of fate."""
    step, found = made.begin(Setting(NAMES)), []
    while isinstance(step, State) and made.asked(step).point.name != "play.wait":
        found.append(made.asked(step).kind)
        step = made.advance(step, next(iter(made.legal(step))))
    return found


@pytest.mark.parametrize("body", [
    "raise points of p by 1",
    "set points of p to 3",
    "raise pot by 1",
    "lower pot by 1, not below 0",
    "set turned to yes",
    "move Token of p from bag to out",
    "move all Token of p in bag to out",
    "raise points of left of p by 2",
    "if points of p = 0: set points of p to 1",
    "for each c in heap: raise points of p by 1",
    "deal 1 from deck to hand of p",
    "carry out give(p)",
    "if pot > 3: lower pot by 2",
    "raise pot by 1; set points of ana to pot",
])
def test_rounds_that_do_not_meet_have_no_order(tmp_path: Path, body: str) -> None:
    procedure = "procedure give(q: player)\n  raise points of q by pot\n"
    for clause in ("", ", order unspecified"):
        found = points(walker(tmp_path, f"  for each p in players{clause}\n    {body}\n", procedure))
        assert "table" not in found


@pytest.mark.parametrize("body", [
    "set last to p",
    "set points of p to pot; lower pot by 1",
    "raise points of p by points of left of p",
    "move RED from heap to row; move all Token of p in bag to out",
    "if heap has at least 2: move RED from heap to hand of p",
    "carry out take(p)",
    "p may wait",
])
def test_rounds_that_meet_are_ordered_by_the_table(tmp_path: Path, body: str) -> None:
    procedure = "procedure take(q: player)\n  raise points of q by pot\n  lower pot by 1\n"
    found = points(walker(tmp_path, f"  for each p in players\n    {body}\n", procedure))
    assert found[:1] == ["table"]
    assert found.count("table") == 2  # the last one comes by itself


def test_an_order_that_is_said_is_not_asked_for(tmp_path: Path) -> None:
    assert points(walker(tmp_path, "  for each p in players, in order from ben: set last to p\n")) == []


TRIGGERS = """
when pot = 6
  {one}

when pot = 6{order}
  {other}
"""


@pytest.mark.parametrize(("one", "other"), [
    ("raise points of ana by 1", "raise points of ben by 1"),
    ("raise points of ana by 1", "raise points of ana by 2"),
    ("set turned to yes", "set turned to yes"),
    ("set last to ana", "set turned to yes"),
])
def test_triggers_that_do_not_meet_have_no_order(tmp_path: Path, one: str, other: str) -> None:
    more = TRIGGERS.format(one=one, other=other, order="")
    assert points(walker(tmp_path, "  raise pot by 1\n", more)) == []


@pytest.mark.parametrize(("one", "other"), [
    ("set last to ana", "set last to ben"),
    ("raise points of ana by 1", "set points of ana to 5"),
    ("raise points of ana by 1", "if points of ana > 0: set turned to yes"),
    ("lower pot by 1", "raise points of ben by pot"),
    ("ana must wait", "ben must wait"),
])
def test_triggers_that_meet_are_ordered_by_the_table(tmp_path: Path, one: str, other: str) -> None:
    more = TRIGGERS.format(one=one, other=other, order="")
    made = walker(tmp_path, "  raise pot by 1\n", more)
    state = made.begin(Setting(NAMES))
    assert isinstance(state, State)
    assert (made.asked(state).kind, made.asked(state).point.name) == ("table", "when.order")
    assert [event.args for event in made.legal(state)] == [((CHOICE, 0),), ((CHOICE, 1),)]
    said = walker(tmp_path, "  raise pot by 1\n", TRIGGERS.format(one=one, other=other, order=", after those above"))
    assert "table" not in points(said)


def test_each_order_of_three_triggers_is_carried_out(tmp_path: Path) -> None:
    more = "".join(f"\nwhen pot = 6: set both to both + both + {number}\n" for number in (1, 2, 3))
    made = walker(tmp_path, "  raise pot by 1\n", more)
    for order in permutations(range(3)):
        step = made.begin(Setting(NAMES))
        expected = 0
        for index in order:
            expected = 2 * expected + index + 1
            assert isinstance(step, State)
            if made.asked(step).kind == "table":
                step = made.advance(step, Event(TABLE, "when.order", ((CHOICE, index),)))
        assert isinstance(step, State)
        assert made.layout.read_var(step, "both") == expected


def test_what_was_set_off_happens_though_the_other_took_its_cause_away(tmp_path: Path) -> None:
    more = "\nwhen pot = 6\n  lower pot by 1\n  set last to ana\n\nwhen pot = 6\n  raise both by 1\n  set last to ben\n"
    made = walker(tmp_path, "  raise pot by 1\n", more)
    for index, last in ((0, 1), (1, 0)):
        step = made.begin(Setting(NAMES))
        assert isinstance(step, State)
        step = made.advance(step, Event(TABLE, "when.order", ((CHOICE, index),)))
        assert isinstance(step, State)
        read = [made.layout.read_var(step, name) for name in ("pot", "both", "last")]
        assert read == [5, 1, last]


def test_triggers_of_which_one_ends_the_game_are_ordered(tmp_path: Path) -> None:
    more = TRIGGERS.format(one="raise points of ana by 1", other="raise points of ben by 1", order="")
    more += "\nend as soon as some player p where points of p = 1: p wins\n"
    assert points(walker(tmp_path, "  raise pot by 1\n", more)) == ["table"]


def test_what_is_done_before_and_after_has_no_order_either(tmp_path: Path) -> None:
    more = "\nafter wait: set last to ana\nafter wait: set last to ben\nbefore wait: set both to 1\n"
    made = walker(tmp_path, "", more)
    state = made.begin(Setting(NAMES))
    assert isinstance(state, State)
    state = made.advance(state, next(iter(made.legal(state))))
    assert isinstance(state, State)
    assert made.asked(state).point.name == "wait.after"
    state = made.advance(state, Event(TABLE, "wait.after", ((CHOICE, 1),)))
    assert isinstance(state, Stopped)
    assert [made.layout.read_var(state.state, name) for name in ("last", "both")] == [0, 1]


def test_a_loop_in_no_order_in_which_somebody_decides_goes_round(tmp_path: Path) -> None:
    """It asks as surely as the same loop in an order: a loop around it comes to an end."""
    for clause in ("", ", in order from ana"):
        loop = f"  repeat until pot = 0\n    for each p in players{clause}\n      p may wait\n      set pot to 0\n"
        assert walker(tmp_path, loop).begin(Setting(NAMES)) is not None


def test_what_is_moved_at_once_onto_a_pile_lies_there_in_no_order(tmp_path: Path) -> None:
    text = """game "Stack" for 2 players ana and ben

kind Card is 1..4

components
  1 of each Card in box

zones
  box: bag of Card, open
  deck: pile of Card, face down
  hand: bag of Card, open

play
  move all Card in box where it <= 3 to the top of deck
  move all Card in box to the top of deck
  for each n in 1..4: deal 1 from deck to hand
  nobody wins
"""
    path = tmp_path / "stack.rules"
    path.write_text(text, encoding="utf-8")
    made = Walker(lower(load(path)))
    state = made.begin(Setting(NAMES[:2]))
    offered = []
    while isinstance(state, State):
        legal = list(made.legal(state))
        offered.append([dict(event.args)["card"] for event in legal])
        state = made.advance(state, legal[-1])
    assert offered == [[3], [0, 1, 2], [0, 1], [0]]
