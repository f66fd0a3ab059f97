"""What is said of a value that cannot be taken, and of the lines that are judged after a wrong one."""

from __future__ import annotations

from typing import Any

import pytest

import referee
from referee.api.results.verdicts import Verdict

RULES = referee.loads("""
game "Words" for 2 players ana and ben

kind Card is Guard < Priest < Queen

counters
  thrown: up to 5 dice 1..6

components
  2 of each Card in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner

setup
  deal 1 from deck to hand of ana
  deal 1 from deck to hand of ben

play
  ana rolls 2 dice 1..6 into thrown
  ana must keep
  ana chooses one of players where it is not ana as victim
  ana chooses one of Card where it is not Guard as guess
  ben must lay

action keep(die: thrown)
  lower thrown(die) by 1

action lay(card: Card in my hand)
  forbidden "the queen stays": my hand has Queen
  move card to the bottom of deck
""", "words")
DEALT = """
game "Dealt" for 2 players ana and ben

kind Card is Guard < Priest < Queen

components
  2 of each Card in deck

zones
  deck: pile of Card, face down
  hand of player: bag of Card, seen by owner

setup
  deal 3 from deck to hand of ben

play
  nobody wins
"""
START: list[dict[str, Any]] = [
    {"schema": "referee/log/1", "ruleset": "words", "players": ["ana", "ben"]},
    {"by": "fate", "do": "deal", "with": {"to": "ana", "card": "Guard"}},
    {"by": "fate", "do": "deal", "with": {"to": "ben", "card": "Priest"}},
    {"by": "fate", "do": "roll", "with": {"for": "ana", "thrown": [5, 6]}},
]
COURSE: list[dict[str, Any]] = [
    {"by": "ana", "do": "keep", "with": {"die": 5}},
    {"by": "ana", "do": "choose", "with": {"victim": "ben"}},
    {"by": "ana", "do": "choose", "with": {"guess": "Queen"}},
    {"by": "ben", "do": "lay", "with": {"card": "Priest"}},
]


def judged(at: int, viewer: str | None = None, **wrong: Any) -> Verdict:
    """The game up to an event of its course, which takes something else, and the events behind it."""
    course = [*COURSE[:at], {**COURSE[at], "with": wrong}, *COURSE[at + 1:]]
    return RULES.judge([*START, *course], for_=viewer)


def because(verdict: Verdict) -> str:
    assert verdict.wrong is not None
    return verdict.wrong.because[0].text


@pytest.mark.parametrize(("at", "wrong", "said"), [
    (0, {"die": 2}, "there is no 2 in thrown"),
    (1, {"victim": "ana"}, "victim is not ana: no"),
    (2, {"guess": "Guard"}, "guess is not Guard: no"),
])
def test_a_value_that_is_refused_is_not_compared_with_itself(at: int, wrong: dict[str, Any], said: str) -> None:
    assert because(judged(at, **wrong)) == said


def test_a_player_is_told_that_he_does_not_see_whether_a_card_can_be_played() -> None:
    """Line 8: ben lays a card that he does not hold; ana sees the card, and not his hand."""
    verdict = judged(3, "ana", card="Guard")
    assert verdict.wrong is not None
    [failed] = verdict.wrong.failed
    assert failed.text == "a condition that reads what ana does not see"
    assert dict(failed.values) == {"card is one of those it can be": "hidden", "the queen stays": "hidden"}


@pytest.mark.parametrize(("at", "wrong", "how"), [
    (0, {"die": 2}, ": it was judged as if line 5 had not been there"),
    (3, {"card": "Guard"}, ""),
])
def test_that_what_follows_may_come_of_the_first_wrong_line_is_said_once(at: int, wrong: dict[str, Any],
                                                                        how: str) -> None:
    said = str(judged(at, **wrong))
    assert said.count("what follows may come of line") == (1 if how else 0)
    assert how in said


def test_of_several_cards_that_a_player_does_not_see_it_is_said_in_the_plural() -> None:
    """Line 2: of the three queens that ben is dealt there are two; ana may not know that it is queens."""
    rules = referee.loads(DEALT, "dealt")
    queens: dict[str, Any] = {"by": "fate", "do": "deal", "with": {"to": "ben", "cards": ["Queen", "Queen", "Queen"]}}
    wrong = rules.judge([{**START[0], "ruleset": "dealt"}, queens], for_="ana").wrong
    assert wrong is not None
    assert wrong.message == "cards are none of those they could be here; what they are, ana does not see"
