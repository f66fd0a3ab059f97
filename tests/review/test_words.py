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
