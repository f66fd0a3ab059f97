"""What players see: the table now, and the record of what happened."""

from __future__ import annotations

from dataclasses import replace

from referee.core.expr import All, Const, End, Local, Op, Operator, Place, Within
from referee.core.ruleset import Form, Sight
from referee.core.stmt import Chance, Commit, Decide, Move, Option, Part
from referee.core.types import Elem, Int, SetOf
from referee.flow.lowering import lower
from referee.game.event import FATE, Event
from referee.game.player_views import HIDDEN, Recorded, Sighting, record, sees, table
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.walker import Walker
from tests import cores
from tests.cores import HERE, TWO

SPOTS = cores.enum("spot", "north", "south")
THING = Elem("component", 0, 1)
N = Int(0, 3)
ZONES = [cores.zone("hand", Form.BAG, TWO, sight=Sight(False, (0,))), cores.zone("deck", Form.PILE, sight=Sight(False)),
         cores.zone("line", Form.LINE), cores.zone("cells", Form.SLOTS, spots=SPOTS.whole, sight=Sight(False))]
TOP = Place("deck", end=End.TOP)
TO = Local("to", TWO)


def game() -> Walker:
    card = replace(cores.param("card", THING, Within(TOP)), seen=Op(Operator.SET, (TO,), SetOf(TWO)))
    deal = cores.action("deal", [cores.param("to", TWO, All(TWO)), card], (),
                        (Move(Local("card", THING), None, TOP, Place("hand", (TO,)), HERE),))
    bid = cores.action("bid", [cores.param("amount", N, All(N))])
    everyone = Const(frozenset({0, 1}), SetOf(TWO))
    down = Move(Const(0, THING), None, Place("deck"), Place("cells", (), Const(1, SPOTS.whole)), HERE)
    main = (Chance(cores.point("deal"), "deal"), down,
            Commit(cores.point("bids"), (Part(everyone, "bid", ("secret",)),), True, True),
            Decide(cores.point("ask"), cores.seat(0), (Option("go"),), None))
    secret = replace(cores.state("secret", N, 0, TWO), seen_by=0)
    return Walker(lower(cores.made(
        main, domains=[SPOTS], zones=ZONES, components=cores.things("deck", 2, 1),
        actions=[deal, bid, cores.action("go")], variables=[secret, cores.state("turn", TWO, 0)])))


GAME = game()
EVENTS = (Event(FATE, "deal", (("to", 0), ("card", 1))), Event(1, "bid", (("amount", 3),)),
          Event(0, "bid", (("amount", 2),)))


def played(number: int) -> tuple[State, list[Sighting]]:
    step, sightings = GAME.begin(Setting(("ana", "ben"))), []
    for event in EVENTS[:number]:
        assert isinstance(step, State)
        sightings.append(GAME.sighting(step, event))
        step = GAME.advance(step, event)
    assert isinstance(step, State)
    return step, sightings


def test_the_table_shows_what_lies_visible() -> None:
    state, _ = played(1)
    for player, hands in ((0, [(1,), None]), (1, [None, ()]), (None, [None, None])):
        view = table(GAME.core, GAME.layout, state, player)
        assert [zone.content for zone in view.zones if zone.zone == "hand"] == hands
        assert [zone.number for zone in view.zones if zone.zone == "hand"] == [1, 0]


def test_of_a_hidden_zone_the_number_and_the_spots_are_seen() -> None:
    view = table(GAME.core, GAME.layout, played(1)[0], 0)
    hidden = {zone.zone: zone for zone in view.zones if zone.content is None and not zone.key}
    assert (hidden["deck"].number, hidden["deck"].taken) == (1, ())
    assert (hidden["cells"].number, hidden["cells"].taken) == (1, (False, True))


def test_a_zone_may_be_seen_by_all_but_its_owner() -> None:
    brow = Sight(False, (0,), others=True)
    assert [sees(brow, (1,), player) for player in (0, 1, 2, None)] == [True, False, True, False]
    assert [sees(Sight(False, (0, 1), others=True), (0, 2), player) for player in (0, 1, 2)] == [False, True, False]


def test_of_secret_spots_only_the_number_is_seen() -> None:
    core = replace(GAME.core, zones={**GAME.core.zones, "cells": replace(
        GAME.core.zones["cells"], sight=Sight(False, spots=False))})
    (view,) = [one for one in table(core, GAME.layout, played(1)[0], 0).zones if one.zone == "cells"]
    assert (view.number, view.content, view.taken) == (1, None, None)


def test_variables_are_seen_by_those_who_may_and_registers_by_nobody() -> None:
    view = table(GAME.core, GAME.layout, played(2)[0], 1)
    assert [(name, key) for name, key, _ in view.variables] == [("winners", ()), ("secret", (1,)), ("turn", ())]
    assert dict.fromkeys(name for name, _, _ in table(GAME.core, GAME.layout, played(2)[0], None).variables) == (
        {"winners": None, "turn": None})


def test_a_draw_is_known_to_who_sees_it() -> None:
    _, sightings = played(1)
    assert record(sightings, 0) == (Recorded(FATE, "deal", (("to", 0), ("card", 1))),)
    assert record(sightings, 1) == (Recorded(FATE, "deal", (("to", 0), ("card", HIDDEN))),)


def test_a_secret_choice_is_filled_in_once_all_have_chosen() -> None:
    half, full = played(2)[1], played(3)[1]
    assert record(half, 1)[1].args == (("amount", 3),)
    assert record(half, 0)[1].args == (("amount", HIDDEN),)
    assert [one.args for one in record(full, 0)[1:]] == [(("amount", 3),), (("amount", 2),)]
    assert [one.args for one in record(full, None)[1:]] == [(("amount", 3),), (("amount", 2),)]


def test_views_do_not_depend_on_what_is_hidden() -> None:
    state, _ = played(1)
    other = GAME.advance(GAME.begin(Setting(("ana", "ben"))), Event(FATE, "deal", (("to", 0), ("card", 0))))  # type: ignore[arg-type]
    assert isinstance(other, State)
    assert table(GAME.core, GAME.layout, state, 1) == table(GAME.core, GAME.layout, other, 1)
