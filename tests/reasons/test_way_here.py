"""Who is due, and how the game came there: the last deed, the order of turns, what the point stands in."""

from __future__ import annotations

from typing import Any

import pytest

import referee
from tests.reasons.test_turning_points import kept

RULES = """
game "Duels" for 3 players

kind Piece is STONE

components
  9 STONE in bag

zones
  bag: bag of Piece, open
  heap of player: bag of Piece, open

counters
  wounds of player: 0..9

given first: player

setup
  carry out prepare                                                         [D-7]

procedure prepare
  for each n in 1..2: deal 1 from bag to heap of first                      [D-8]

play
  turns from first, to the left                                             [D-1]
    turn player must take one of fight, rest, take, brag, plead, retreat    [D-2 bragging_is_free]

action fight(against: another player)                                       [D-3]
  carry out duel(me, against)                                               [D-4]

procedure duel(a: player, d: player)
  if wounds of a = wounds of d                                              [D-9]
    d must answer                                                           [D-5]
  simultaneously
    a commits one of 1..3 as blow, logged as strike(force: blow)                      [D-6]
    d commits one of 1..3 as guard, logged as parry(force: guard)                     [D-6]
  raise wounds of d by 1

action answer                                                               [D-5]
  nothing

action rest
  nothing

action take
  needs "a stone is left": heap of me has at least 3 STONE
  nothing

action brag                                                                 [D-10]
  nothing

action plead
  nothing

action retreat
  nothing

assume bragging_is_free "who is in turn may brag as often as he likes"      [D-10]
"""


def does(by: str, label: str, **args: Any) -> dict[str, Any]:
    return {"by": by, "do": label, **({"with": args} if args else {})}


def told(*lines: dict[str, Any]) -> tuple[str, list[tuple[int | None, str, tuple[str, ...]]]]:
    """The headline and the reasons of the wrong line that comes last."""
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "duels", "players": ["ana", "ben", "cleo"],
                            "given": {"first": "ana"}}
    deal = does("fate", "deal", to="ana", card="STONE")
    verdict = referee.loads(RULES, "duels").judge([head, deal, deal, *lines])
    assert verdict.wrong is not None
    assert verdict.wrong.line == 3 + len(lines)
    return verdict.wrong.message, [(one.line, one.text, one.statements) for one in verdict.wrong.because]


TURNS = "(turns from first, to the left)"


def test_the_turn_that_is_over_with_what_was_done_in_it() -> None:
    assert told(does("ana", "rest"), does("ana", "rest")) == ("it is ben's turn, not ana's", [
        (4, f"the turn of ana is over, ben is next {TURNS}", ("D-1",)),
        (4, "ana: rest", ("D-2",)),
    ])


def test_what_is_taken_for_granted_of_an_action_where_it_is_asked_for_is_told_in_the_turn_of_another() -> None:
    assert told(does("cleo", "brag"))[1][0] == (None, "brag only in one's own turn", ("D-10",))


def test_who_begins() -> None:
    message, reasons = told(does("ben", "rest"))
    assert message == "it is ana's turn, not ben's"
    assert (3, f"ana begins {TURNS}", ("D-1",)) in reasons


def test_fate_is_told_what_was_dealt_and_that_nothing_is_due() -> None:
    message, reasons = told(does("fate", "deal", to="ana", card="STONE"))
    assert message == "it is ana's turn: no deal is due here"
    assert reasons[0] == (3, "fate: deal to ana card STONE, the last of 2 such in a row, from line 2 on", ("D-8",))


def test_the_calls_that_a_point_stands_in_with_their_statements_and_the_condition_that_led_there() -> None:
    message, reasons = told(does("ana", "fight", against="cleo"), does("ben", "answer"))
    assert message == "only cleo may answer here, not ben"
    assert (None, "the game is at duel(ana, cleo), in fight", ("D-4", "D-3")) in reasons
    assert (4, "wounds of ana = wounds of cleo: yes", ("D-9",)) in reasons


def test_each_of_two_is_told_what_he_has_to_do() -> None:
    fight = does("ana", "fight", against="ben"), does("ben", "answer")
    assert told(*fight, does("ben", "strike", force=1))[0] == "ben may not strike here, only parry"
    assert told(*fight, does("cleo", "strike", force=1))[0] == "only ana may strike here, not cleo"
    assert told(*fight, does("cleo", "rest"))[0] == "ana must strike and ben must parry, not cleo"


def test_what_has_been_done_already() -> None:
    message, reasons = told(does("ana", "fight", against="ben"), does("ben", "answer"), does("ana", "strike", force=2),
                            does("ana", "strike", force=1))
    assert message == "ben must parry, not ana"
    assert (6, "ana: strike force 2", ("D-6",)) in reasons


def test_where_the_rules_ask_for_what_is_not_asked_here() -> None:
    message, reasons = told(does("ana", "answer"))
    assert message == "ana may not answer here, only fight, rest, brag, plead or retreat"  # nothing can be taken
    assert (None, "answer is asked for only here: d must answer", ("D-5",)) in reasons


def test_what_kept_the_game_away_before_it_was_asked_is_no_reason() -> None:
    texts = [one.text for one in kept("king_of_the_pitch/034").because]
    assert texts == ["the turn of ben is over, ana is next (turns from first_king, to the left)",
                     "ben: take place 5"]


def test_of_several_refusals_the_one_that_names_who_could_do_it_is_told() -> None:
    assert kept("go_goal/042").message == "only ben may defend here, not ana"


@pytest.mark.parametrize("name", ["king_of_the_pitch/034", "king_of_the_pitch/036"])
def test_a_player_is_told_of_the_course_only_what_a_trace_shows(name: str) -> None:
    texts = [one.text for one in kept(name, "ana").because]
    assert not [one for one in texts if one.startswith(("the game is at", "ben: ", "ana: "))]


def test_what_made_the_values_that_a_failed_condition_compares() -> None:
    found = kept("adrenalyn_xl/014")
    assert [(one.line, one.text, one.cites) for one in found.because] == [
        (18, "exhausted of Wisthaler: no -> yes, by tire", ("AX-38",))]
    assert found.cites[:1] == found.failed[0].cites[:1]
    energy = kept("adrenalyn_xl/007").because
    assert [(one.line, one.text) for one in energy] == [(65, "energy of ana: 5 -> 2, by place")]


def test_what_the_first_turn_goes_by() -> None:
    begins, given = kept("go_goal/009").because[:2]
    assert (begins.line, begins.text) == (7, "ben begins (turns from starter, to the left)")
    assert (given.text, given.cites) == ("starter is ben, as the header of the log gives it", ("RO-13",))
    texts = [one.text for one in kept("king_of_the_pitch/033").because]
    assert "first_king: nothing -> ben, by setup" in texts


@pytest.mark.parametrize(("line", "assumed"), [({"do": "lay", "with": {"card": 2}}, ["place_by_place"]),
                                               ({"do": "rest"}, [])])
def test_who_is_asked_first_rests_on_what_the_point_takes_for_granted(line: dict[str, Any], assumed: list[str]) -> None:
    """Only for who could do this here too, but not now: for what is asked nowhere here the order is no reason."""
    rules = referee.loads('''
game "Laid" for 2 players ana and ben

assume place_by_place "both lay on a place before anybody lays on the next"

counters
  laid of player: 0..9

play
  for each n in 1..3: carry out fill
  ana must take one of rest
  nobody wins

procedure fill
  simultaneously                                                            [L-1 place_by_place]
    each player commits one of 1..3 as card, logged as lay(card: card)     [L-1]
  for each p in players: raise laid of p by 1

action rest
  nothing
''', "laid")
    head: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "laid", "players": ["ana", "ben"]}
    wrong = rules.judge([head, {"by": "ana", "do": "lay", "with": {"card": 1}}, {"by": "ana", **line}]).wrong
    assert wrong is not None
    assert [one.name for one in wrong.assumed] == assumed
