"""Why a component cannot be an argument: how many there are, of which kind, where they lie and since which line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import referee
from tests.reasons.test_turning_points import kept

RULES = """
game "Stalls" for 2 players first and second

kind Fruit is APPLE, PEAR
kind Coin_of_gold is DUCAT
kind Seal is LION

components
  3 APPLE in crate                                                          [A-1]
  2 PEAR in crate                                                           [A-1]
  2 DUCAT in crate                                                          [A-2]
  1 LION in chest                                                           [A-3]

zones
  crate: pile of Fruit or Coin_of_gold, face down
  chest: bag of Fruit or Coin_of_gold or Seal, open                         [A-4]
  hand of player: bag of Fruit or Coin_of_gold or Seal, open

setup
  shuffle crate
  for each p in players: deal 2 from crate to hand of p                     [B-1 dealt_in_turn]

play
  turns from first, to the left
    turn player must take one of eat, keep, seal, steal, shout

action eat(fruit: Fruit in my hand)                                         [C-1 a_bite]
  move fruit to chest                                                       [C-2]

action keep(what: Fruit or Coin_of_gold or Seal in my hand)                 [D-1]
  nothing

action seal(what: Fruit or Coin_of_gold or Seal in chest)                   [E-1]
  move what to hand of me                                                   [E-2]

action steal(what: Coin_of_gold in my hand)                                 [F-1]
  me chooses 1 Fruit in hand of opponent as wanted                          [F-2]
  move wanted from hand of opponent to hand of me

action shout
  nothing

assume dealt_in_turn "cards are dealt in turn" [B-1]

assume a_bite "a fruit is eaten at once" [C-1]
"""


@pytest.fixture(scope="module")
def rules() -> referee.Ruleset:
    return referee.loads(RULES, "stalls")


def deal(to: str, *cards: str) -> dict[str, Any]:
    return {"by": "fate", "do": "deal", "with": {"to": to, "cards": list(cards)}}


def event(by: str, do: str, **args: Any) -> dict[str, Any]:
    return {"by": by, "do": do, "with": args}


def refused(rules: referee.Ruleset, *lines: dict[str, Any]) -> referee.WrongLine:
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "stalls", "players": ["ana", "ben"]}
    wrong = rules.judge([head, *lines]).wrong
    assert wrong is not None
    assert wrong.line == len(lines) + 1
    return wrong


DEALT = (deal("ana", "APPLE", "DUCAT"), deal("ben", "PEAR", "APPLE"))


@pytest.mark.parametrize(("lines", "text", "cites"), [
    ([deal("ana", "LION", "APPLE")], "LION is a Seal, and crate is for Fruit or Coin of gold only", ("B-1", "A-3")),
    ([deal("ana", "DUCAT", "DUCAT", "DUCAT")], "there are only 2 DUCAT", ("A-2", "B-1")),
    ([DEALT[0], deal("ben", "DUCAT", "DUCAT")], "there is only 1 DUCAT in crate", ("B-1",)),
    ([*DEALT, event("ana", "eat", fruit="DUCAT")], "DUCAT is a Coin of gold, not a Fruit", ("C-1",)),
    ([*DEALT, event("ana", "eat", fruit="PEAR")], "PEAR is not in hand of ana, but in hand of ben since line 3, crate",
     ("C-1",)),
    ([*DEALT, event("ana", "keep", what="DUCAT"), event("ben", "keep", what="LION")],
     "LION is not in hand of ben, but in chest since the start", ("D-1",)),
    ([*DEALT, event("ana", "keep", what="DUCAT"), event("ben", "shout"), event("ana", "shout"),
      event("ben", "seal", what="APPLE")],
     "APPLE is not in chest, but in hand of ben since line 3, hand of ana since line 2, crate", ("E-1",)),
])
def test_why_a_component_cannot_be_it(rules: referee.Ruleset, lines: Sequence[dict[str, Any]], text: str,
                                      cites: tuple[str, ...]) -> None:
    wrong = refused(rules, *lines)
    assert wrong.because[0].text == text
    assert wrong.statements == cites


def test_where_the_only_one_lies_is_told_with_the_line_and_statement_that_put_it_there(rules: referee.Ruleset) -> None:
    wrong = refused(rules, *DEALT, event("ana", "seal", what="LION"), event("ben", "keep", what="LION"))
    assert wrong.because[0].text == "LION is not in hand of ben, but in hand of ana since line 4"
    assert wrong.statements == ("E-2", "D-1")


def test_what_led_to_a_choice_is_told_with_its_refusal(rules: referee.Ruleset) -> None:
    wrong = refused(rules, *DEALT, event("ana", "steal", what="DUCAT"), event("ana", "choose", wanted="DUCAT"))
    assert [(one.line, one.text, one.statements) for one in wrong.because] == [
        (None, "DUCAT is a Coin of gold, not a Fruit", ("F-2",)),
        (4, "ana: steal what DUCAT led to this choice", ("F-1",))]


def test_only_what_the_deciding_part_rests_on_is_assumed(rules: referee.Ruleset) -> None:
    kind = refused(rules, deal("ana", "LION", "APPLE"))
    assert [one.name for one in kind.assumed] == ["dealt_in_turn"]
    number = refused(rules, deal("ana", "DUCAT", "DUCAT", "DUCAT"))
    assert number.because[0].text == "there are only 2 DUCAT"
    assert number.assumed == ()


def test_what_is_no_component_cites_the_action_and_what_can_be_taken_comes_first(rules: referee.Ruleset) -> None:
    wrong = refused(rules, *DEALT, event("ana", "eat", fruit="MELON"))
    assert (wrong.kind, wrong.message) == ("bad argument", '"MELON" is no component')
    assert wrong.statements == ("C-1",)
    assert wrong.nearest[0].text == "eat fruit APPLE"
    unknown = refused(rules, *DEALT, event("ana", "drink", fruit="APPLE"))
    assert (unknown.kind, unknown.statements) == ("unknown action", ())


def test_of_a_wrong_number_how_it_was_worked_out_and_for_what_it_is() -> None:
    found = kept("adrenaline/057")
    assert found.message == "cubes cannot be RED x2 here: at most 1 of them may be taken, not 2"
    assert [one.text for one in found.because] == [
        "the game is at pay_for(ana), in grab_weapon", "blues_due + reds_due + yellows_due: 1"]
    assert dict(found.because[1].shows) == {"blues_due": "0", "reds_due": "1", "yellows_due": "0"}
    assert found.cites[0] == "AD-107"


def test_to_a_player_how_a_number_was_worked_out_is_not_told() -> None:
    assert kept("adrenaline/057", "ana").because == ()


LEFT = """
game "Market" for 2 players first and second

kind Fruit is APPLE, PEAR, PLUM

components
  1 of each Fruit in store

zones
  store: bag of Fruit, open
  stall of 1..2: bag of Fruit, open
  hand of player: bag of Fruit, open

setup
  move PEAR from store to stall of 1
  move APPLE from store to stall of 2

play
  turns from first, to the left
    turn player must take one of buy, weigh

action buy(fruit: Fruit, at: 1..2 where fruit is in stall of at), logged as buy(fruit: fruit)  [A-1]
  move fruit from stall of at to hand of me                                 [A-2]

action weigh(fruit: Fruit, n: 2..3 where (if fruit is PEAR then 5 else 0) > n), logged as weigh(fruit: fruit)  [B-1]
  nothing
"""


@pytest.mark.parametrize(("lines", "message", "text", "cites"), [
    ([event("ana", "buy", fruit="PEAR"), event("ben", "buy", fruit="PEAR")], "fruit cannot be PEAR here, only APPLE",
     "PEAR is not in stall, but in hand of ana since line 2", ("A-2", "A-1")),
    ([event("ana", "weigh", fruit="PEAR"), event("ben", "weigh", fruit="PLUM")], "fruit cannot be PLUM here, only PEAR",
     "there is no 2..3 where (if PLUM is PEAR then 5 else 0) > n", ("B-1",)),
])
def test_a_value_with_which_nothing_is_left_for_what_no_line_states_is_what_is_refused(
        lines: list[dict[str, Any]], message: str, text: str, cites: tuple[str, ...]) -> None:
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "market", "players": ["ana", "ben"]}
    wrong = referee.loads(LEFT, "market").judge([head, *lines]).wrong
    assert wrong is not None
    assert (wrong.line, wrong.kind, wrong.message) == (3, "illegal move", message)
    assert [(one.text, one.statements) for one in wrong.because[:1]] == [(text, cites)]


TOGETHER = """
game "Rows" for 2 players first and second

type Spot is LEFT, RIGHT

kind Card is A, B, C, D

components
  1 of each Card in box

zones
  box: bag of Card, open
  hand of player: bag of Card, open
  row of player: slots of Card on Spot, open

setup
  move A from box to hand of first
  move B from box to hand of first
  move C from box to hand of second
  move D from box to hand of second

play
  for each spot in Spot
    simultaneously
      each player commits 1 Card in hand of me as card, logged as lay(card: card)
    for each p in players: move card of p from hand of p to row of p at spot
"""


def test_what_was_chosen_together_came_with_the_line_that_chose_it() -> None:
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "rows", "players": ["ana", "ben"]}
    laid = [event("ana", "lay", card="A"), event("ben", "lay", card="C"), event("ana", "lay", card="A")]
    wrong = referee.loads(TOGETHER, "rows").judge([head, *laid]).wrong
    assert wrong is not None
    assert wrong.because[0].text == "A is not in hand of ana, but in row of ana since line 2"
