"""What a header may fix, by name, and what is said of entries that do not fit the ruleset."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from referee.core.ruleset import Core, Role
from referee.core.types import Int
from referee.game.log.header_setting import setting_of
from referee.game.log.log_header import Header, HeaderFault
from tests.cores import TWO, state
from tests.judge import made_open

PLAYERS = ("ana", "ben")


def core() -> Core:
    """A given, a parameter by player and number, a reading, a point to rule on."""
    price = state("price", Int(1, 6), None, TWO, Int(1, 3), role=Role.PARAMETER)
    starter = state("starter", TWO, None, role=Role.GIVEN)
    tie = made_open.tie()
    return replace(tie, vars={**tie.vars, "price": price, "starter": starter},
                   readings=made_open.two_readings().readings)


def setting(**entries: Any) -> Any:
    return setting_of(Header("made", PLAYERS, **entries), core())


def test_values_are_decoded_by_the_types_of_the_ruleset() -> None:
    found = setting(given={"starter": "ben"}, parameters={"price": {"ana": {"1": 2, "3": 6}, "ben": {"2": 1}}},
                    readings={"strict": "loose"}, rulings={"tie.first": "ana"})
    assert found.players == PLAYERS
    assert found.givens == {"starter": {(): 1}}
    assert found.parameters == {"price": {(0, 1): 2, (0, 3): 6, (1, 2): 1}}
    assert found.readings == {"strict": 0}
    assert found.rulings == {"tie.first": 0}


@pytest.mark.parametrize(("entries", "message", "hint"), [
    ({"given": {"startr": "ben"}}, '"startr" in `given` is nothing that this ruleset has', "did you mean starter?"),
    ({"given": {"starter": "zed"}}, 'starter: "zed" does not play', None),
    ({"given": {"starter": 0}}, "starter: 0 does not play", None),
    ({"given": {"price": 1}}, '"price" in `given` is nothing that this ruleset has', None),
    ({"parameters": {"price": 3}}, "price has a value for each key: an object, not 3", None),
    ({"parameters": {"price": {"zed": {}}}}, 'price has no key "zed"', None),
    ({"parameters": {"price": {"ana": {"4": 1}}}}, 'price has no key "4"', None),
    ({"parameters": {"price": {"ana": {"1": 7}}}}, "price cannot be 7", None),
    ({"parameters": {"price": {"ana": {"1": True}}}}, "price: true is no whole number", None),
    ({"readings": {"strct": "loose"}}, '"strct" in `readings` is nothing that this ruleset has',
     "did you mean strict?"),
    ({"readings": {"strict": "lose"}}, '"lose" is no choice of the reading strict', "did you mean loose?"),
    ({"rulings": {"tie": "ana"}}, '"tie" in `rulings` is nothing that this ruleset has', None),
    ({"rulings": {"tie.first": "zed"}}, 'tie.first: "zed" does not play', None),
])
def test_what_does_not_fit_is_named(entries: dict[str, Any], message: str, hint: str | None) -> None:
    with pytest.raises(HeaderFault) as caught:
        setting(**entries)
    assert (caught.value.code, caught.value.message) == ("LG19", message)
    if hint is not None:
        assert caught.value.hint == hint


def test_the_number_of_players_is_that_of_the_rules() -> None:
    with pytest.raises(HeaderFault) as caught:
        setting_of(Header("made", ("ana", "ben", "cas")), core())
    assert (caught.value.code, caught.value.key) == ("LG18", "players")
