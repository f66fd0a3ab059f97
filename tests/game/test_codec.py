"""Values and events between core and JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from referee.core.expr import All, Within
from referee.core.expr import Place as At
from referee.core.ruleset import Component, Form, Home
from referee.core.stmt import Unspecified
from referee.core.types import Bool, Elem, Int, Many, Maybe, SetOf, Type, Value
from referee.game.event import FATE, TABLE, Event
from referee.game.log.strict_json import Json, parse
from referee.game.player_views import HIDDEN, Recorded
from referee.game.setting import Setting
from referee.game.value_codec import BadValue, decode_event, decode_value, encode_event, encode_recorded, encode_value
from tests import cores
from tests.cores import TWO

SUIT = cores.enum("suit", "red", "blue")
ROW = cores.enum("row", 1, 2, 3)
THING = Elem("component", 0, 2)
N = Int(0, 9)
COMPONENTS = (
    Component("GOAL", "thing", (Home("box", (), None, 3),)), Component("ONE", "thing", (Home("box", (), None, 1),), 0),
    Component("ONE", "thing", (Home("box", (), None, 1),), 1),
)
CORE = cores.made(
    (Unspecified(cores.point("tie"), "which?", "which", SUIT.whole, All(SUIT.whole)),
     Unspecified(cores.point("who"), "who?", "who", None, All(TWO))),
    domains=[SUIT, ROW], components=COMPONENTS, zones=[cores.zone("box", Form.BAG)],
    actions=[cores.action("play", [cores.param("card", THING, Within(At("box"))), cores.param("to", TWO, All(TWO))]),
             cores.action("bid", [cores.param("amount", N, All(N))]),
             replace(cores.action("bid2", [cores.param("amount", SUIT.whole, All(SUIT.whole))]), label="bid"),
             cores.action("pass")])
SEATS = Setting(("ana", "ben"))


@pytest.mark.parametrize(("kind", "raw", "value"), [
    (Bool(), True, True), (N, 4, 4), (SUIT.whole, "blue", 1), (ROW.whole, 3, 2), (TWO, "ben", 1), (THING, "GOAL", 0),
    (Maybe(TWO), None, None), (Maybe(TWO), "ana", 0), (SetOf(TWO), ["ben"], frozenset({1})),
    (SetOf(N), [], frozenset()),
    (Many(THING, 3), ["ONE", "GOAL", "GOAL"], (0, 0, 1)),
])
def test_values_go_both_ways(kind: Type, raw: Json, value: Value) -> None:
    assert decode_value(CORE, SEATS.players, kind, raw) == value
    assert decode_value(CORE, SEATS.players, kind, encode_value(CORE, SEATS.players, kind, value)) == value


@pytest.mark.parametrize(("raw", "value"), [
    ({"GOAL": 2}, (0, 0)), ({"GOAL": 0}, ()), (["GOAL#1", "GOAL#3"], (0, 0)),
])
def test_alike_ones_may_be_counted_or_numbered(raw: Json, value: Value) -> None:
    assert decode_value(CORE, SEATS.players, Many(THING, 3), raw) == value


@pytest.mark.parametrize(("kind", "raw"), [
    (Bool(), 1), (Bool(), "true"), (N, True), (N, 1.0), (N, "1"), (SUIT.whole, "green"), (SUIT.whole, None),
    (ROW.whole, "1"), (ROW.whole, True), (TWO, "cy"), (TWO, 0), (THING, "GOAL#4"), (THING, "GOAL#0"), (THING, "GOAL#x"),
    (THING, ["GOAL"]), (SetOf(N), 3), (Many(THING, 2), {"GOAL": -1}), (Many(THING, 2), {"GOAL": True}),
    (Many(THING, 2), {"GOAL": 10**9}), (SUIT.whole, {}),
])
def test_other_values_are_refused(kind: Type, raw: Json) -> None:
    with pytest.raises(BadValue):
        decode_value(CORE, SEATS.players, kind, raw)


LONG = Int(-10**18, 10**30)


@pytest.mark.parametrize(("value", "raw"), [
    (0, 0), (10**18 - 1, 10**18 - 1), (10**18, "1000000000000000000"), (10**30, f"1{30 * '0'}"),
    (1 - 10**18, 1 - 10**18), (-10**18, "-1000000000000000000"),
])
def test_a_number_too_long_for_a_log_is_a_text_there(value: int, raw: Json) -> None:
    assert encode_value(CORE, SEATS.players, LONG, value) == raw
    assert decode_value(CORE, SEATS.players, LONG, raw) == value
    assert parse(json.dumps(raw)) == raw


@pytest.mark.parametrize("raw", [
    "", "1", "999999999999999999", f"0{10**18}", f"+{10**18}", f" {10**18}", f"{10**18}\n", f"{10**18}.0", "1e18", "-",
    f"{10**18:_}", f"{10**18:x}", "1000000000000000000x", "\u0661" * 19, "9" * 32, "9" * 100_000, [str(10**18)], 1e18,
])
def test_no_other_text_is_a_number(raw: Json) -> None:
    with pytest.raises(BadValue) as bad:
        decode_value(CORE, SEATS.players, LONG, raw)
    assert "no whole number" in bad.value.message
    assert len(bad.value.message) < 100


def test_a_text_is_no_number_where_none_is_so_long() -> None:
    with pytest.raises(BadValue):
        decode_value(CORE, SEATS.players, N, str(10**18))


def test_a_label_nearly_right_gets_a_hint() -> None:
    with pytest.raises(BadValue) as bad:
        decode_value(CORE, SEATS.players, SUIT.whole, "bleu")
    assert bad.value.hint == "did you mean blue?"
    assert bad.value.expected == ("red", "blue")


def test_of_components_called_alike_his_own_are_meant() -> None:
    for by in (0, 1):
        line: dict[str, Json] = {"by": SEATS.players[by], "do": "play", "with": {"to": "ana", "card": "ONE"}}
        assert decode_event(CORE, SEATS, line) == Event(by, "play", (("card", 1 + by), ("to", 0)))


@pytest.mark.parametrize("event", [
    Event(0, "play", (("card", 0), ("to", 1))), Event(1, "pass"), Event(FATE, "bid", (("amount", 3),)),
    Event(TABLE, "tie", (("choice", 1),)), Event(TABLE, "who", (("choice", 0),)),
])
def test_events_go_both_ways(event: Event) -> None:
    assert decode_event(CORE, SEATS, encode_event(CORE, SEATS, event)) == event


def test_a_label_of_two_actions_takes_the_type_that_fits() -> None:
    found = decode_event(CORE, SEATS, {"by": "ana", "do": "bid", "with": {"amount": "blue"}})
    assert found == Event(0, "bid", (("amount", 1),))


def problems(line: dict[str, Json]) -> list[tuple[str, str]]:
    found = decode_event(CORE, SEATS, line)
    assert isinstance(found, list)
    return [(one.where, one.kind) for one in found]


def test_everything_that_is_wrong_is_told() -> None:
    assert problems({"by": "cy", "do": "pass"}) == [("by", "player")]
    assert problems({"by": "ana", "do": "pas"}) == [("do", "label")]
    assert problems({"by": 3, "do": "pass"}) == [("do", "form")]
    both: dict[str, Json] = {"by": "ana", "do": "play", "with": {"crd": "GOAL", "to": "cy"}}
    assert problems(both) == [("to", "value"), ("crd", "argument")]
    assert problems({"by": "table", "do": "rule", "with": {"point": "tee"}}) == [("point", "value")]
    assert problems({"by": "table", "do": "rule", "with": {"point": "tie"}}) == [("choice", "argument")]
    assert problems({"by": "table", "do": "rule", "with": {"point": "tie", "choice": 1}}) == [("choice", "value")]


def test_an_argument_left_out_is_for_the_rules_to_refuse() -> None:
    assert decode_event(CORE, SEATS, {"by": "ana", "do": "play"}) == Event(0, "play")


def test_what_somebody_did_not_see_is_a_question_mark() -> None:
    known = Recorded(0, "play", (("card", HIDDEN), ("to", 1)))
    assert encode_recorded(CORE, SEATS, known) == {"by": "ana", "do": "play", "with": {"card": "?", "to": "ben"}}
    assert encode_recorded(CORE, SEATS, Recorded(1, "pass", ())) == {"by": "ben", "do": "pass"}
