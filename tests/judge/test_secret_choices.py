"""Choices and dice that only some see: holes in the views of the others, and nothing of them in what those are told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.game.log.log_lines import EventLine
from referee.game.player_views import table
from referee.game.setting import Setting
from referee.game.state import State
from referee.game.value_codec import decode_event
from referee.judge.display_names import Names
from referee.judge.partial.possible_worlds import PossibleState
from referee.judge.refusal_reports import Refusals
from referee.judge.verdict import FailedLine, LogOutcome
from referee.views.redaction import RedactionRefused
from tests.judge.playing import does
from tests.judge.test_redact import verdict, view, walker_of

HEADER: dict[str, Any] = {"schema": "referee/log/1", "ruleset": "secret_places", "players": ["ana", "ben"]}
SET_OUT = [
    does("ana", "anchor", at="a1"), does("ana", "moor", ship="RAFT", at="b1", raised="up"),
    does("ben", "anchor", at="c1"), does("ben", "moor", ship="RAFT", at="b1", raised="down"),
    does("ana", "choose", home="c1"), does("ana", "lay", at="b1"), does("ben", "shoot", at="a1"),
]
DICE: list[dict[str, Any]] = [
    HEADER | {"ruleset": "secret_dice", "given": {"oldest": "ana"}},
    {"by": "fate", "do": "roll", "with": {"for": "ana", "d": 2}},
    {"by": "fate", "do": "roll", "with": {"for": "ana", "cup": [1, 2]}},
    {"assert": {"found of ana": 0, "number of cup of ana": 2}},
    {"by": "fate", "do": "roll", "with": {"for": "ana", "aloud": 6}},
    {"assert": {"luck of ana": 2}},
]


def args(lines: list[dict[str, Any]]) -> list[list[Any]]:
    return [list(line["with"].values()) for line in lines if "do" in line]


@pytest.mark.parametrize(("player", "known"), [
    ("ana", [["a1"], ["RAFT", "b1", "up"], ["?"], ["RAFT", "?", "down"], ["c1"], ["b1"], ["a1"]]),
    ("ben", [["?"], ["RAFT", "?", "up"], ["c1"], ["RAFT", "b1", "down"], ["?"], ["b1"], ["a1"]]),
    ("public", [["?"], ["RAFT", "?", "up"], ["?"], ["RAFT", "?", "down"], ["?"], ["?"], ["a1"]]),
])
def test_what_is_laid_in_secret_is_a_hole_for_the_others(player: str, known: list[list[str]]) -> None:
    walker = walker_of("secret_places")
    found = view(walker, [HEADER, *SET_OUT], player)
    assert args(found[1:]) == known
    assert verdict(walker, found).outcome in (LogOutcome.LEGAL, LogOutcome.POSSIBLE)


def test_where_something_lies_in_secret_no_table_shows() -> None:
    walker = walker_of("secret_places")
    setting = Setting(("ana", "ben"))
    step = walker.begin(setting)
    for line in SET_OUT:
        event = decode_event(walker.core, setting, line)
        assert isinstance(step, State)
        assert not isinstance(event, list)
        step = walker.advance(step, event)
    assert isinstance(step, State)
    fleets = {seat: [zone for zone in table(walker.core, walker.layout, step, seat).zones if zone.zone == "fleet"]
              for seat in (0, 1, None)}
    assert [(one.content is None, one.number, one.taken) for one in fleets[1]] == [(True, 1, None), (False, 2, ())]
    assert [(one.content is None, one.taken) for one in fleets[None]] == [(True, None), (True, None)]


def test_no_header_can_say_that_a_place_is_taken_in_secret() -> None:
    place = {"fleet of ana at a1": ["SHIP"], "dock": ["SHIP", "RAFT", "RAFT"]}
    state = {"at": "play.shoot", "turn": "ben", "place": place}
    with pytest.raises(RedactionRefused, match="on which spots of fleet of ana something lies"):
        view(walker_of("secret_places"), [HEADER | {"state": state}], "ben")


def refused(by: int, viewer: int | None) -> FailedLine:
    """The verdict on a raft that is moored where the ship lies already."""
    walker, setting = walker_of("secret_places"), Setting(("ana", "ben"))
    step = walker.begin(setting)
    for line in SET_OUT[:1]:
        event = decode_event(walker.core, setting, line)
        assert isinstance(step, State)
        assert not isinstance(event, list)
        step = walker.advance(step, event)
    event = decode_event(walker.core, setting, does("ana", "moor", ship="RAFT", at="a1", raised="up"))
    assert isinstance(step, State)
    assert not isinstance(event, list)
    refusal = walker.check(step, event)
    assert refusal is not None
    told = Refusals(walker, setting, Names(walker.flow, setting.players), viewer)
    return told.wrong(EventLine(3, "ana", "moor", {}), event, [(PossibleState(step), refusal)])


def test_a_verdict_tells_no_secret_to_the_others() -> None:
    own, others = str(refused(0, 0)), str(refused(0, 1))
    assert "at a1" in own
    assert "a1" not in others


def test_dice_are_known_to_those_who_see_them() -> None:
    walker = walker_of("secret_dice")
    assert args(view(walker, DICE, "ana")) == [["ana", 2], ["ana", [1, 2]], ["ana", 6]]
    found = view(walker, DICE, "ben")
    assert args(found) == [["ana", "?"], ["ana", "?"], ["ana", 6]]
    assert [line["assert"] for line in found if "assert" in line] == [{"found of ana": 0}, {}]
    assert "luck" not in json.dumps(found)
