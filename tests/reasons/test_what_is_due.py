"""What is due: at an end too early, where the table has to rule, and where chance is asked for what is not due here."""

from __future__ import annotations

from functools import cache
from typing import Any

import referee
from referee.api.results.verdicts import WrongLine

RULES = """
game "Inn" for 2 players

kind Piece is STONE

board yard: columns a..b, rows 1..2

components
  20 STONE in bag

zones
  bag: bag of Piece, open
  heap of player: bag of Piece, open
  left_out: bag of Piece, open

counters
  cup of player: 0..9
  lodging of player: yard or none starts none

given first: player

setup
  deal 1 from bag to heap of first                                          [D-7]

play
  turns from first, to the left                                             [D-1]
    if lodging of turn player is none                                       [D-9]
      deal 1 from bag to left_out                                           [D-8]
    turn player must take one of walk, toss, guess, ask_for_more, pay, if able  [D-2]

action walk(to: yard)                                                       [D-3]
  set lodging of me to to

action toss                                                                 [D-4]
  me rolls 1..6 as die                                                      [D-5]
  set cup of me to die

action guess                                                                [D-6]
  simultaneously
    me commits one of 1..3 as hidden, logged as hide(number: hidden)        [D-10]
    opponent commits one of 1..3 as said, logged as say(number: said)  [D-10]

action ask_for_more                                                         [D-11]
  unspecified "is there more?", one of                                      [D-12]
    some: nothing
    nothing_left: nothing

action pay                                                                  [D-13]
  deal 1 from bag to heap of me                                             [D-14]
"""


@cache
def inn() -> referee.Ruleset:
    return referee.loads(RULES, "inn")


def refused(*lines: dict[str, Any]) -> WrongLine:
    """The wrong line that comes last."""
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "inn", "players": ["ana", "ben"],
                            "given": {"first": "ana"}}
    verdict = inn().judge([head, deal("ana"), deal(None), *lines])
    assert verdict.wrong is not None
    assert verdict.wrong.line == 3 + len(lines)
    return verdict.wrong


def does(by: str, label: str, **args: Any) -> dict[str, Any]:
    return {"by": by, "do": label, **({"with": args} if args else {})}


def deal(to: str | None) -> dict[str, Any]:
    return does("fate", "deal", card="STONE", **({} if to is None else {"to": to}))


def because(wrong: WrongLine) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.text, one.statements) for one in wrong.because]


END = {"end": {"winner": "ana"}}
WALKED = (does("ana", "walk", to="a1"), deal(None))


def test_an_end_too_early_tells_what_it_waits_for_in_the_middle_of_something() -> None:
    wrong = refused(does("ana", "guess"), END)
    assert wrong.message == "the game is not over: it waits for ana to hide and ben to say"
    assert wrong.statements == ("D-6", "D-10")


def test_of_a_turn_it_is_told_whose_it_is() -> None:
    assert refused(END).message == "the game is not over: it waits for ana"


def test_a_ruling_that_names_no_point_is_told_the_one_that_is_due() -> None:
    wrong = refused(does("ana", "ask_for_more"), does("table", "rule", point="STONE", choice="some"))
    assert wrong.message.endswith('no point on which the table rules, it must rule on "is there more?" '
                                  "(ask_for_more.unspecified)")
    assert wrong.statements == ("D-12",)


def test_where_nothing_is_to_be_ruled_on_the_statement_of_what_is_due_is_cited() -> None:
    wrong = refused(does("table", "rule", point="STONE", choice="some"))
    assert wrong.message == '"STONE" is no point on which the table rules'
    assert (wrong.statements, len(wrong.nearest)) == (("D-2",), 3)


def test_what_is_no_square_of_a_board_is_called_so() -> None:
    assert refused(does("ana", "walk", to="d7")).message == '"d7" is no square of yard'


def test_where_chance_is_asked_for_what_is_not_due() -> None:
    wrong = refused(*WALKED, does("fate", "roll", **{"for": "ben"}, die=3))
    assert ("roll is asked for only here: me rolls 1..6 as die", ("D-5",)) in because(wrong)
    # a deal just before is told instead: the line does the same once more
    again = because(refused(*WALKED, deal(None)))
    assert any(text.startswith("fate: deal") for text, _ in again)
    assert not any("is asked for only" in text for text, _ in again)


def test_what_is_something_or_nothing_is_told_by_what_it_is() -> None:
    again = refused(*WALKED, does("ben", "walk", to="b2"), deal(None))
    assert ("lodging of turn player is a1, not none", ("D-9",)) in because(again)
    assert ("lodging of turn player is nothing", ("D-9",)) in because(refused(WALKED[0], does("ben", "toss")))


def test_what_was_done_in_an_earlier_turn_is_no_reason_for_what_chance_has_to_decide() -> None:
    assert not any(text.startswith("ana: walk") for text, _ in because(refused(WALKED[0], does("ben", "toss"))))
    # within the turn it is
    assert ("ana: pay", ("D-13",)) in because(refused(does("ana", "pay"), does("ben", "toss")))
