"""What sets positions apart, in words: of many components only what is not alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.analysis.position_words import Words
from referee.frontend import load_flow
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.walker import Walker

RULES = """game "Sack" for 2 players ana and ben

kind Bead is RED < BLUE < GREEN

components
  4 of each Bead in sack

zones
  sack: bag of Bead, open
  row: line of Bead, open
  box: bag of Bead, open

play
  turns from ana, to the left, until row has 12
    turn player must take one of lay, lay_first, put_away
  nobody wins

action lay(bead: Bead in sack)
  move bead to the bottom of row

action lay_first(bead: Bead in sack)
  move bead to the top of row

action put_away(bead: Bead in sack)
  move bead to box
"""


@pytest.fixture
def walker(tmp_path: Path) -> Walker:
    path = tmp_path / "sack.rules"
    path.write_text(RULES, encoding="utf-8")
    return Walker(load_flow(path))


def after(walker: Walker, *events: str) -> Step:
    """The game after some events, each told as the words for it."""
    words = Words(walker, ("ana", "ben"))
    step = walker.begin(Setting(("ana", "ben")))
    for said in events:
        assert isinstance(step, State)
        step = walker.advance(step, next(e for e in walker.legal(step) if words.event(e).partition(" ")[2] == said))
    return step


def apart(walker: Walker, one: Step, other: Step) -> tuple[str, str]:
    words = Words(walker, ("ana", "ben"))
    return words.apart(one, [other]), words.apart(other, [one])


def test_few_components_are_listed_and_of_many_those_that_are_not_alike(walker: Walker) -> None:
    one, other = after(walker, "put_away bead RED"), after(walker, "put_away bead BLUE")
    assert apart(walker, one, other) == ("sack: 11, with BLUE, box: RED", "sack: 11, with RED, box: BLUE")


def test_of_the_same_components_in_another_order_the_first_place_that_differs(walker: Walker) -> None:
    first = ["lay bead RED", "lay bead RED", "lay bead BLUE", "lay bead BLUE", "lay bead GREEN"]
    one = after(walker, *first, "lay bead RED", "lay bead BLUE")
    other = after(walker, *first, "lay bead BLUE", "lay bead RED")
    assert apart(walker, one, other) == ("row: 7, at place 1 BLUE", "row: 7, at place 1 RED")


def test_who_has_more_has_those_that_the_other_has_not(walker: Walker) -> None:
    one, other = after(walker, "put_away bead RED"), after(walker, "lay bead RED")
    more = after(walker, "put_away bead RED", "put_away bead GREEN")
    assert apart(walker, one, other)[0] == "row: nothing, box: RED"
    assert apart(walker, one, more)[0].startswith("whose turn it is: ben, sack: 11, with GREEN")
    assert "sack: 10" in apart(walker, one, more)[1]


def test_of_a_board_with_many_the_spots_that_are_not_alike(tmp_path: Path) -> None:
    path = tmp_path / "board.rules"
    path.write_text("""game "Board" for 2 players ana and ben

kind Stone of player

board square: columns a..e, rows 1..4

components
  10 Stone of each player in box of owner

zones
  box of player: bag of Stone, open
  field: slots of Stone on square, open

setup
  for each c in square where row of c < 4, as listed
    if number of box of ana > 0: move Stone of ana from box of ana to field at c
    else: move Stone of ben from box of ben to field at c

play
  turns from ana, to the left, until field is full
    turn player must take_off
  nobody wins

action take_off(at: square)
  needs "a stone lies there": field at at is not empty
  if field at at is Stone of ana: move Stone of ana from field at at to box of ana
  else: move Stone of ben from field at at to box of ben
""", encoding="utf-8")
    board = Walker(load_flow(path))
    one, other = after(board, "take_off at a1"), after(board, "take_off at b3")
    assert apart(board, one, other) == (
        "box of ana: Stone of ana, box of ben: 5 Stone of ben, field: a1 nothing, b3 Stone of ben",
        "box of ana: nothing, box of ben: 6 Stone of ben, field: a1 Stone of ana, b3 nothing")


def test_one_thing_and_several_may_be_chosen_by_one_name(tmp_path: Path) -> None:
    rules = RULES.replace("    turn player must take one of lay, lay_first, put_away\n",
                          "    turn player chooses exactly 1 Bead in sack as thrown\n"
                          "    move thrown from sack to box\n"
                          "    turn player chooses exactly 2 Bead in sack as thrown\n"
                          "    move thrown from sack to box\n").partition("action lay(")[0]  # fmt: skip
    path = tmp_path / "two.rules"
    path.write_text(rules, encoding="utf-8")
    walker = Walker(load_flow(path))
    words, step = Words(walker, ("ana", "ben")), walker.begin(Setting(("ana", "ben")))
    assert isinstance(step, State)
    said = []
    for _ in range(2):
        event = next(iter(walker.legal(step)))
        said.append(words.event(event))
        step = walker.advance(step, event)
        assert isinstance(step, State)
    assert said == ["ana choose thrown RED", "ana choose thrown RED, RED"]
