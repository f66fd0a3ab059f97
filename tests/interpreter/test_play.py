"""Play-outs: the same seed gives the same game, and every game comes to a named end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from referee.core.expr import All, End, Local, Place, Within
from referee.core.ruleset import Form, Role
from referee.core.stmt import Chance, Decide, Move, Option, Repeat, Unspecified
from referee.core.types import Bool, Elem, Int, Many
from referee.flow.lowering import lower
from referee.game.setting import Setting
from referee.game.state import Ended
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from tests import cores
from tests.cores import FOREVER, HERE, TWO
from tests.made_grid import grid

SEATS = Setting(("ana", "ben"))


def test_the_same_seed_gives_the_same_game() -> None:
    walker = Walker(lower(grid()))
    games = [play_out(walker, SEATS, seed) for seed in (1, 1, 2)]
    assert games[0] == games[1]
    assert games[0].events != games[2].events
    assert {game.outcome for game in games} == {"end"}
    assert isinstance(games[0].last, Ended)


def test_every_event_of_a_play_out_is_legal() -> None:
    walker = Walker(lower(grid()))
    for seed in range(5):
        state = walker.begin(SEATS)
        for event in play_out(walker, SEATS, seed).events:
            assert walker.check(state, event) is None  # type: ignore[arg-type]
            state = walker.advance(state, event)  # type: ignore[arg-type]


def test_a_long_game_is_cut() -> None:
    go = Decide(cores.point("ask"), cores.seat(0), (Option("go"),), None)
    walker = Walker(lower(cores.made((Repeat(FOREVER, (go,), None, HERE),), actions=[cores.action("go")])))
    game = play_out(walker, SEATS, 1, 7)
    assert (game.outcome, len(game.events)) == ("cut", 7)


def test_the_table_rules_at_random_or_the_game_stops() -> None:
    main = (Unspecified(cores.point("tie"), "who?", "who", TWO, All(TWO)),)
    walker = Walker(lower(cores.made(main)))
    assert [event.label for event in play_out(walker, SEATS, 1).events] == ["tie"]
    stopped = play_out(walker, SEATS, 1, rule=False)
    assert (stopped.outcome, stopped.events) == ("stopped", ())


def test_open_parameters_are_drawn_and_told() -> None:
    variables = [cores.state("p", Int(1, 9), None, role=Role.PARAMETER),
                 cores.state("f", Bool(), None, role=Role.GIVEN)]
    walker = Walker(lower(cores.made((), variables=variables)))
    drawn = play_out(walker, replace(SEATS, parameters={"p": {(): 4}}), 1).setting
    assert drawn.parameters == {"p": {(): 4}}
    assert isinstance(drawn.givens["f"][()], bool)
    assert play_out(walker, SEATS, 5).setting == play_out(walker, SEATS, 5).setting


def drawing(*numbers: int, most: int = 1) -> Walker:
    kind = Elem("component", 0, len(numbers) - 1)
    top = Place("deck", end=End.TOP)
    drawn = replace(cores.param("card", kind, Within(top)), type=Many(kind, most), count=(cores.num(most),) * 2)
    deal = cores.action("deal", [drawn], (), (Move(Local("card", Many(kind, most)), None, top, Place("box"), HERE),))
    zones = [cores.zone("deck", Form.PILE, capacity=1000), cores.zone("box", Form.BAG, capacity=1000)]
    main = (Chance(cores.point("deal"), "deal"),)
    return Walker(lower(cores.made(main, actions=[deal], zones=zones, components=cores.things("deck", *numbers))))


def test_fate_draws_by_number() -> None:
    walker = drawing(9, 1)
    drawn = Counter(play_out(walker, SEATS, seed).events[0].args[0][1] for seed in range(300))
    assert 240 < drawn[(0,)] < 295


def test_many_ways_to_draw_are_not_listed() -> None:
    walker = drawing(*(1,) * 60, most=20)
    (event,) = play_out(walker, SEATS, 1).events
    assert len(set(event.args[0][1])) == 20  # type: ignore[arg-type]


def test_a_choice_of_many_is_sampled() -> None:
    kind = Elem("component", 0, 39)
    some = replace(cores.param("cards", kind, Within(Place("box"))), type=Many(kind, 20),
                   count=(cores.num(10), cores.num(20)))
    take = cores.action("take", [some])
    main = (Decide(cores.point("ask"), cores.seat(0), (Option("take"),), None),)
    walker = Walker(lower(cores.made(main, actions=[take], zones=[cores.zone("box", Form.BAG)],
                                     components=cores.things("box", *(1,) * 40))))
    (event,) = play_out(walker, SEATS, 3).events
    assert 10 <= len(event.args[0][1]) <= 20  # type: ignore[arg-type]
