"""Logs of the small rulesets in which something is open: what they are legal under, where they stop, what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.core.ruleset import Core
from referee.frontend import load
from referee.judge.log_run import Options
from referee.judge.verdict import LogOutcome, LogVerdict
from tests.judge.playing import does, ends, header, judged, wrong

HERE = Path(__file__).parent / "constructs"
EVERY_READING = Options(all_readings=True)
Line = dict[str, Any]


def rules(name: str, players: int | None = None) -> Core:
    return load(HERE / f"{name}.rules", players)


def ruling(point: str, choice: Any) -> Line:
    return does("table", "rule", point=point, choice=choice)


def under(verdict: LogVerdict) -> list[list[str]]:
    """The assumptions under which a log is legal."""
    assert verdict.outcome is LogOutcome.LEGAL, verdict
    assert not verdict.more_worlds
    return [[str(made) for made in world] for world in verdict.under]


def failed(verdict: LogVerdict) -> list[str]:
    """The conditions that fail at the first wrong line."""
    assert verdict.wrong is not None
    return [fact.text for fact in verdict.wrong.failed]


def stopped(verdict: LogVerdict) -> tuple[str, int | None]:
    """The point for which the rules have no answer, and the line."""
    assert verdict.outcome is LogOutcome.STOPPED, verdict
    return verdict.reason.partition(":")[0], verdict.at


# --- a tie that nobody breaks, and a fact from outside

def gathers(*numbers: int, players: tuple[str, ...] = ("ben", "ana")) -> list[Line]:
    return [does(players[turn % len(players)], "gather", amount=number) for turn, number in enumerate(numbers)]


def test_the_end_tells_how_the_table_must_have_ruled_and_who_began() -> None:
    verdict = judged(rules("ties"), *gathers(1, 1, 1, 1), ends("ben"))
    assert under(verdict) == [["starter = ben", "play.tie = ben (line 6)"]]
    assert verdict.winners == ("ben",)


def test_before_the_end_nothing_need_be_known_of_the_tie() -> None:
    head = header(given={"starter": "ben"})
    verdict = judged(rules("ties"), *gathers(1, 1, 1, 1), head=head)
    assert under(verdict) == []
    assert not verdict.finished


@pytest.mark.parametrize("ruled", [{"rulings": {"play.tie": "ben"}}, {}])
def test_a_ruling_in_the_header_or_as_a_line_is_followed(ruled: dict[str, Any]) -> None:
    line = [] if ruled else [ruling("play.tie", "ben")]
    head = header(given={"starter": "ben"}, **ruled)
    verdict = judged(rules("ties"), *gathers(1, 1, 1, 1), *line, ends("ben"), head=head)
    assert under(verdict) == []
    verdict = judged(rules("ties"), *gathers(1, 1, 1, 1), *line, ends("ana"), head=head)
    assert wrong(verdict)[1:] == ("wrong result", "the winner is ben, not ana")


def test_the_table_takes_one_of_those_tied() -> None:
    three = ("cleo", "ana", "ben")
    head = header(sorted(three), given={"starter": "cleo"})
    lines = gathers(2, 2, 1, 0, 0, 0, players=three)
    verdict = judged(rules("ties", 3), *lines, ruling("play.tie", "ben"), head=head)
    assert wrong(verdict)[:2] == (8, "illegal move")
    assert under(judged(rules("ties", 3), *lines, ruling("play.tie", "cleo"), ends("cleo"), head=head)) == []


def test_a_ruling_for_somebody_who_is_not_tied_rules_nothing() -> None:
    three = ("cleo", "ana", "ben")
    head = header(sorted(three), given={"starter": "cleo"}, rulings={"play.tie": "ben"})
    verdict = judged(rules("ties", 3), *gathers(2, 2, 1, 0, 0, 0, players=three), ends("ana"), head=head)
    assert under(verdict) == [["play.tie = ana (line 8)"]]


def test_nobody_is_the_best_of_none() -> None:
    head = header(given={"starter": "ana"})
    lines = gathers(1, 0, 0, 2, players=("ana", "ben"))
    assert stopped(judged(rules("ties"), *lines, head=head)) == ("play.tie", 5)
    assert stopped(judged(rules("ties"), *lines, ends("ana"), head=head)) == ("play.tie", 6)


# --- an order that is left out

def shouts(*players: str) -> list[Line]:
    return [does(player, "shout", loud=0) for player in players]


THREE = header(["ana", "ben", "cleo"], given={"starter": "cleo"})


def test_the_events_tell_the_order() -> None:
    verdict = judged(rules("orders", 3), *shouts("cleo", "ana", "ben", "ben", "cleo", "ana"), head=THREE)
    assert under(verdict) == [["play.order = ben (line 5)", "play.order = cleo (line 6)"]]


def test_an_order_that_was_said_is_no_matter_of_ruling() -> None:
    assert wrong(judged(rules("orders", 3), *shouts("cleo", "ben"), head=THREE))[:2] == (3, "wrong player")


def test_who_has_had_his_turn_is_not_asked_again() -> None:
    verdict = judged(rules("orders", 3), *shouts("cleo", "ana", "ben", "ben", "ben"), head=THREE)
    assert wrong(verdict)[:2] == (6, "wrong player")


def test_a_ruling_in_the_header_is_for_as_long_as_it_can_be_followed() -> None:
    head = {**THREE, "rulings": {"play.order": "ben"}}
    lines = shouts("cleo", "ana", "ben", "ben", "cleo", "ana")
    assert under(judged(rules("orders", 3), *lines, head=head)) == [["play.order = cleo (line 6)"]]
    assert wrong(judged(rules("orders", 3), *shouts("cleo", "ana", "ben", "ana"), head=head))[:2] == (5, "wrong player")


def test_the_second_turn_tells_which_way_turns_go() -> None:
    ordered = shouts("cleo", "ana", "ben", "ana", "ben", "cleo", "ana", "ana", "ben", "ben", "cleo", "cleo")
    rulings = {"play.order": "ana", "play.order.2": "ana"}
    for second, way in (("ben", "right"), ("ana", "left")):
        verdict = judged(rules("orders", 3), *ordered, *shouts("cleo", second), head={**THREE, "rulings": rulings})
        assert [made for world in under(verdict) for made in world if "direction" in made] == [
            f"play.direction = {way} (line 14)"]
    head = {**THREE, "rulings": {**rulings, "play.direction": "left"}}
    assert wrong(judged(rules("orders", 3), *ordered, *shouts("cleo", "ben"), head=head))[:2] == (15, "wrong player")


# --- numbers and tables that the rulebook has lost

def shoots(player: str, shot: str, wind: int = 0) -> Line:
    return does(player, "shoot", shot=shot, wind=wind)


ANA_BEGINS = header(given={"begins": "ana"})
LOST_PAGE: list[tuple[list[Line], list[str]]] = [
    ([shoots("ana", "STRONG")], ["passes(STRONG, 0) = yes"]),
    ([shoots("ana", "STRONG"), does("ben", "wait")], ["passes(STRONG, 0) = yes", "goal = 3..5"]),
    ([shoots("ana", "STRONG"), ends("ana")], ["passes(STRONG, 0) = yes", "goal = 2"]),
    ([shoots("ana", "STRONG"), does("ben", "wait"), shoots("ana", "WEAK"), ends("ana")],
     ["passes(STRONG, 0) = yes", "passes(WEAK, 0) = yes", "goal = 3..4"]),
    ([shoots("ana", "STRONG"), does("ben", "wait"), shoots("ana", "WEAK"), does("ben", "wait")],
     ["passes(STRONG, 0) = yes", "passes(WEAK, 0) = yes", "goal = 5"]),
    ([shoots("ana", "STRONG", 1), {"assert": {"passes(STRONG, 1)": True, "passes(STRONG, 0)": False}}],
     ["passes(STRONG, 1) = yes", "passes(STRONG, 0) = no"]),
]


@pytest.mark.parametrize(("lines", "assumed"), LOST_PAGE)
def test_what_happened_narrows_what_was_lost(lines: list[Line], assumed: list[str]) -> None:
    assert under(judged(rules("parameters"), *lines, head=ANA_BEGINS)) == [assumed]


def test_what_no_value_allows_is_illegal() -> None:
    lines = [shoots("ana", "STRONG"), does("ben", "wait")]
    verdict = judged(rules("parameters"), *lines, {"assert": {"goal": 2}}, head=ANA_BEGINS)
    assert wrong(verdict)[:2] == (4, "broken claim")
    lines = [shoots("ana", "STRONG"), {"assert": {"goal": 5}}, does("ben", "wait"), shoots("ana", "WEAK"), ends("ana")]
    assert wrong(judged(rules("parameters"), *lines, head=ANA_BEGINS))[:2] == (6, "early end")


def test_a_value_in_the_header_is_for_all_keys_or_for_each() -> None:
    nothing = header(given={"begins": "ana"}, parameters={"passes": "nothing_at_all"})
    verdict = judged(rules("parameters"), shoots("ana", "WEAK"), head=nothing)
    assert wrong(verdict)[:2] == (2, "illegal move")
    assert failed(verdict) == ["the table lets it through"]
    table = {"STRONG": {"0": False, "1": True}, "WEAK": {"0": False}}
    some = header(given={"begins": "ana"}, parameters={"passes": table})
    assert under(judged(rules("parameters"), shoots("ana", "STRONG", 1), head=some)) == []
    assert wrong(judged(rules("parameters"), shoots("ana", "STRONG"), head=some))[:2] == (2, "illegal move")
    assert under(judged(rules("parameters"), shoots("ana", "WEAK", 1), head=some)) == [["passes(WEAK, 1) = yes"]]


def test_a_default_is_not_open() -> None:
    lines = [shoots("ana", "STRONG"), {"assert": {"number of purse of ana": 3}}]
    assert wrong(judged(rules("parameters"), *lines, head=ANA_BEGINS))[:2] == (3, "broken claim")
    three = header(given={"begins": "ana"}, parameters={"prize": 3, "goal": 5})
    assert under(judged(rules("parameters"), *lines, head=three)) == [["passes(STRONG, 0) = yes"]]


def grabs(player: str, coins: int) -> Line:
    return does(player, "grab", coins=coins)


def test_a_limit_with_a_lost_number_is_at_least_what_lay_there(tmp_path: Path) -> None:
    text = (HERE / "limits.rules").read_text(encoding="utf-8").partition("\nscenario")[0]
    unguarded = tmp_path / "limits.rules"
    unguarded.write_text("\n".join(line for line in text.split("\n") if "they fit" not in line), encoding="utf-8")
    lines = [grabs("ana", 3), grabs("ben", 1)]
    for core in (rules("limits"), load(unguarded)):
        assert under(judged(core, *lines)) == [["room = 3..9"]]
        assert under(judged(core, *lines, head=header(parameters={"room": 3}))) == []
    two = header(parameters={"room": 2})
    assert wrong(judged(rules("limits"), *lines, head=two))[:2] == (2, "illegal move")
    assert wrong(judged(load(unguarded), *lines, head=two))[:2] == (2, "broken invariant")
    lines = [grabs("ana", 3), grabs("ben", 1), grabs("ana", 3)]
    assert under(judged(load(unguarded), *lines)) == [["room = 6..9"]]
    known = [*lines[:1], {"assert": {"room": 4}}, *lines[1:]]
    assert wrong(judged(load(unguarded), *known))[:2] == (5, "broken invariant")


def test_a_score_with_a_lost_number() -> None:
    lines = [grabs("ana", 3), grabs("ben", 2), grabs("ana", 2)]
    known = header(parameters={"room": 9})
    verdict = judged(rules("limits"), *lines, ends("ana", scores={"ana": 10, "ben": 4}), head=known)
    assert under(verdict) == [["worth = 2"]]
    verdict = judged(rules("limits"), *lines, ends("ana", scores={"ana": 10, "ben": 6}), head=known)
    assert wrong(verdict)[:2] == (5, "wrong result")
    verdict = judged(rules("limits"), *lines, ends("ana", scores={"ana": 20}), head=known)
    assert wrong(verdict)[:2] == (5, "wrong result")
    assert under(judged(rules("limits"), *lines, ends("ana"), head=known)) == []


# --- readings

def strikes(player: str, force: int) -> Line:
    return does(player, "strike", force=force)


def test_readings_that_are_not_asked_for_are_at_their_default() -> None:
    verdict = judged(rules("readings"), strikes("ana", 3), strikes("ben", 1))
    assert wrong(verdict)[:2] == (3, "event after the end")


READINGS: list[tuple[list[Line], list[list[str]]]] = [
    ([strikes("ana", 3)], []),
    ([strikes("ana", 3), ends("ana")], [["exchange = at_once"]]),
    ([strikes("ana", 3), strikes("ben", 1), ends("ana")], [["exchange = one_by_one"]]),
    ([strikes("ana", 3), {"assert": {"power of ben": -3}}], [["exchange = at_once", "floor = anywhere"]]),
    ([strikes("ana", 3), {"assert": {"power of ben": 0}}], [["exchange = at_once", "floor = at_zero"]]),
    ([strikes("ana", 3), {"assert": {"power of ben": 2}}], [["exchange = one_by_one"]]),
    ([{"assert": {"power of ben": 5}}, strikes("ana", 3), {"assert": {"power of ana": 3}}], []),
]


@pytest.mark.parametrize(("lines", "assumed"), READINGS)
def test_all_readings_are_followed(lines: list[Line], assumed: list[list[str]]) -> None:
    assert under(judged(rules("readings"), *lines, options=EVERY_READING)) == assumed


def test_what_no_reading_allows_is_illegal() -> None:
    verdict = judged(rules("readings"), strikes("ana", 3), {"assert": {"power of ben": 1}}, options=EVERY_READING)
    assert wrong(verdict)[:2] == (3, "broken claim")


def test_a_reading_in_the_header_is_chosen() -> None:
    head = header(readings={"exchange": "one_by_one"})
    lines = [strikes("ana", 3), strikes("ben", 1), ends("ana")]
    for options in (Options(), EVERY_READING):
        assert under(judged(rules("readings"), *lines, head=head, options=options)) == []


# --- where the rules say nothing

def draws(player: str, *cards: str) -> Line:
    return does("fate", "draw", to=player, **({"card": cards[0]} if len(cards) == 1 else {"cards": list(cards)}))


GAPS: list[tuple[list[Line], str]] = [
    ([does("ana", "two"), draws("ana", "LOW", "LOW"), does("ben", "two")], "two.draw"),
    ([does("ana", "one"), draws("ana", "LOW"), does("ben", "trade")], "trade.choose_given"),
    ([does("ana", "quarrel")], "quarrel.unspecified"),
    ([does("ana", "one"), draws("ana", "LOW"), does("ben", "one"), draws("ben", "LOW"), does("ana", "quarrel")],
     "quarrel.tie"),
]


@pytest.mark.parametrize(("lines", "point"), GAPS)
def test_a_gap_stops_the_game(lines: list[Line], point: str) -> None:
    assert stopped(judged(rules("gaps"), *lines)) == (point, len(lines) + 1)
    for after in (ends("ana"), ends(None), does("ben", "one"), draws("ben", "LOW")):
        assert stopped(judged(rules("gaps"), *lines, after)) == (point, len(lines) + 2)


def test_a_gap_is_passed_where_there_is_enough() -> None:
    lines = [does("ana", "two"), draws("ana", "LOW", "HIGH"), does("ben", "trade"),
             does("ana", "choose", given={"LOW": 1, "HIGH": 1})]
    assert under(judged(rules("gaps"), *lines)) == []


# --- the end that several bring about at the same moment

def walks(*far: int) -> list[Line]:
    return [does(("ana", "ben")[turn % 2], "walk", far=one) for turn, one in enumerate(far)]


def test_two_arrive_at_once() -> None:
    lines = [*walks(2, 2, 2, 2), does("ana", "both")]
    assert under(judged(rules("ends"), *lines)) == []
    assert under(judged(rules("ends"), *lines, ends("ben"))) == [["end.p = ben (line 7)"]]
    assert under(judged(rules("ends"), *lines, ruling("end.p", "ana"), ends("ana"))) == []
    assert wrong(judged(rules("ends"), *lines, ends(None)))[:2] == (7, "wrong result")


def test_secret_choices_stand_in_any_order() -> None:
    shot, glove = does("ana", "commit", shot="left"), does("ben", "wear", glove="woollen")
    for lines in ([shot, glove], [glove, shot]):
        assert under(judged(rules("commits"), *lines, {"assert": {"goals of ana": 1}})) == []
    assert wrong(judged(rules("commits"), shot, shot))[:2] == (3, "wrong player")
    assert wrong(judged(rules("commits"), shot, does("ben", "commit", shot="left")))[:2] == (3, "illegal move")


# --- at once by fate

def test_what_several_roll_at_once_comes_for_each_of_them_in_any_order() -> None:
    core = rules("rolled_at_once")
    drawn = [does("fate", "draw", to=to, card=1) for to in ("ben", "ana")]
    twice = judged(core, *drawn, *(does("fate", "roll", **{"for": "ana"}, first_die=n) for n in (1, 2)))
    assert wrong(twice) == (5, "illegal move", "ben must roll a die 1..6 (first_die) here, not ana")
    rolled = [does("fate", "roll", **{"for": who}, first_die=n) for who, n in (("ben", 6), ("ana", 2))]
    missing = judged(core, *drawn, *rolled, does("ben", "stop"))
    assert wrong(missing) == (6, "missing event", "ana and ben must roll 3 dice 1..3 (cup) first")


def test_while_not_all_have_rolled_the_game_rests_as_at_any_chance(tmp_path: Path) -> None:
    path = tmp_path / "even.rules"
    path.write_text(EVEN, "utf-8")
    core = load(path)
    rolled = [does("fate", "roll", **{"for": who}, cup=[one]) for who, one in (("ben", 1), ("ana", 2))]
    assert wrong(judged(core, *rolled))[:2] == (2, "broken invariant")
    position = {"at": "play.roll", "place": {}, "set": {"play.cup to come": ["ana"]}}
    head = header(state=position)
    assert wrong(judged(core, rolled[0], head=head))[2] == "ana must roll 1 die 1..6 (cup) here, not ben"


EVEN = """\
game "Even" for 2 players ana and ben

counters
  cup of player: up to 3 dice 1..6

play
  simultaneously: each player rolls 1 dice 1..6 into cup of me
  nobody wins

always as_many: number of cup of ana = number of cup of ben
"""
