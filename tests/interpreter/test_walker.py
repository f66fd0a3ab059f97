"""The walker: who is asked, what is legal and why not, what happens silently, and how games end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.core.expr import All, Const, End, Local, Members, Numbers, Only, Within
from referee.core.expr import Place as At
from referee.core.ruleset import Core, Form, Invariant, Score
from referee.core.stmt import (
    Block,
    Chance,
    Commit,
    Decide,
    Finish,
    Move,
    Option,
    Part,
    Put,
    Repeat,
    Unspecified,
)
from referee.core.types import Bool, Elem, Int, Many, SetOf
from referee.flow.lowering import lower
from referee.game.event import FATE, TABLE, Event
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step, Stopped
from referee.interpreter.refusals import Refusal
from referee.interpreter.walker import Walker
from tests import cores
from tests.cores import FOREVER, HERE, TWO
from tests.made_grid import grid

N = Int(0, 3)
PLAYERS = Setting(("ana", "ben"))
ALL = Const(frozenset({0, 1}), SetOf(TWO))
THING = Elem("component", 0, 1)


def core(main: Block, **more: object) -> Core:
    more.setdefault("actions", [cores.action("go")])
    more.setdefault("variables", [cores.state("n", N, 0)])
    return cores.made(main, **more)  # type: ignore[arg-type]


def walker(main: Block, **more: object) -> Walker:
    return Walker(lower(core(main, **more)))


def ask(*options: str, automatic: bool = False, otherwise: Block | None = None, name: str = "ask") -> Decide:
    return Decide(cores.point(name, automatic), cores.seat(0), tuple(Option(one) for one in options), otherwise)


def at(step: Step) -> State:
    assert isinstance(step, State), step
    return step


def after(game: Walker, *events: Event, setting: Setting = PLAYERS) -> Step:
    step = game.begin(setting)
    for event in events:
        assert game.check(at(step), event) is None
        step = game.advance(at(step), event)
    return step


def mark(by: int, cell: int) -> Event:
    return Event(by, "mark", (("cell", cell),))


def refusal(game: Walker, state: State, event: Event) -> Refusal:
    found = game.check(state, event)
    assert found is not None
    return found


def test_the_grid_game_is_won_by_three_in_a_row() -> None:
    game = Walker(lower(grid()))
    step = after(game, mark(0, 0), mark(1, 3), mark(0, 1), mark(1, 4), mark(0, 2))
    assert isinstance(step, Ended)
    assert step.winners == {0}
    assert game.layout.read_var(step.state, "winners") == {0}


def test_legal_events_come_in_the_order_of_their_arguments() -> None:
    game = Walker(lower(grid()))
    state = at(after(game, mark(0, 4)))
    assert list(game.legal(state)) == [mark(1, cell) for cell in (0, 1, 2, 3, 5, 6, 7, 8)]
    assert game.asked(state).by == {1}
    assert game.asked(state).kind == "decide"


def test_a_failed_guard_is_named_with_its_values() -> None:
    game = Walker(lower(grid()))
    found = refusal(game, at(after(game, mark(0, 4))), mark(1, 4))
    assert found.kind == "guard"
    assert [one.guard.text for one in found.failed] == ["the cell is free"]
    assert [(shown.text, shown.value) for shown in found.failed[0].values] == [("on it", 0)]


def test_all_guards_are_tested_and_those_that_held_are_named_too() -> None:
    some = Local("a", N)
    guards = [cores.guard("not 3", cores.no(cores.eq(some, cores.num(3)))),
              *(cores.guard(f"is {number}", cores.eq(some, cores.num(number))) for number in (1, 0))]
    go = cores.action("go", [cores.param("a", N, All(N))], guards)
    assert isinstance(walker((ask("go"),), actions=[go]).begin(PLAYERS), Stopped)
    game = walker((ask("go", "out"),), actions=[go, cores.action("out")])
    found = refusal(game, at(game.begin(PLAYERS)), Event(0, "go", (("a", 2),)))
    assert [one.guard.text for one in found.failed] == ["is 1", "is 0"]
    assert [one.guard.text for one in found.held] == ["not 3"]


def test_a_guard_that_cannot_be_evaluated_has_failed() -> None:
    nobody = Only(Const(frozenset(), SetOf(TWO)), TWO)
    go = cores.action("go", (), [cores.guard("someone", cores.eq(nobody, cores.seat(0)))])
    game = walker((ask("go", "out"),), actions=[go, cores.action("out")])
    state = at(game.begin(PLAYERS))
    found = refusal(game, state, Event(0, "go"))
    assert [one.fault for one in found.failed] == ["there are 0, and exactly one is needed"]
    assert [event.label for event in game.legal(state)] == ["out"]


@pytest.mark.parametrize(("event", "kind"), [
    (mark(0, 1), "wrong player"), (Event(FATE, "mark", (("cell", 1),)), "wrong player"),
    (Event(1, "take", ()), "unknown event"), (mark(1, 9), "bad argument"), (Event(1, "mark"), "bad argument"),
    (Event(1, "mark", (("cell", 1), ("by", 2))), "bad argument"), (Event(1, "mark", (("cell", None),)), "bad argument"),
    (Event(1, "mark", (("cell", (1, 2)),)), "bad argument"),
])
def test_kinds_of_refusal(event: Event, kind: str) -> None:
    game = Walker(lower(grid()))
    assert refusal(game, at(after(game, mark(0, 4))), event).kind == kind


def test_of_two_actions_with_one_label_the_first_that_fits_is_taken() -> None:
    few = cores.param("a", N, Numbers(cores.num(0), cores.num(1)))
    low = cores.action("low", [few], (), (cores.put("n", cores.num(1)),))
    high = cores.action("high", [cores.param("a", N, All(N))], (), (cores.put("n", cores.num(2)),))
    actions = [replace(low, label="go"), replace(high, label="go")]
    game = walker((ask("low", "high"), ask("low")), actions=actions)
    assert game.layout.read_var(at(after(game, Event(0, "go", (("a", 1),)))), "n") == 1
    assert game.layout.read_var(at(after(game, Event(0, "go", (("a", 3),)))), "n") == 2
    assert len(list(game.legal(at(game.begin(PLAYERS))))) == 4


def test_an_argument_that_is_not_logged_is_found() -> None:
    secret = replace(cores.param("a", N, All(N)), arg=None)
    go = cores.action("go", [secret], [cores.guard("is 2", cores.eq(Local("a", N), cores.num(2)))],
                      (cores.put("n", Local("a", N)),))
    game = walker((ask("go"), ask("go")), actions=[go])
    assert game.layout.read_var(at(after(game, Event(0, "go"))), "n") == 2


def test_what_a_point_fixes_is_bound_and_not_logged() -> None:
    go = cores.action("go", [cores.param("a", N, All(N))], (), (cores.put("n", Local("a", N)),))
    fixed = Decide(cores.point("ask"), cores.seat(1), (Option("go", (("a", cores.num(3)),)),), None)
    game = walker((fixed, ask("go")), actions=[go])
    assert list(game.legal(at(game.begin(PLAYERS)))) == [Event(1, "go")]
    assert game.layout.read_var(at(after(game, Event(1, "go"))), "n") == 3


NEVER = cores.action("never", (), [cores.guard("no", cores.FOREVER)])


def test_nothing_possible_stops_the_game_or_goes_on_otherwise() -> None:
    step = walker((ask("never"),), actions=[NEVER]).begin(PLAYERS)
    assert isinstance(step, Stopped)
    assert step.point.name == "ask"
    game = walker((ask("never", otherwise=(cores.put("n", cores.num(2)),)), ask("go", name="next")),
                  actions=[NEVER, cores.action("go")])
    state = at(game.begin(PLAYERS))
    assert (game.asked(state).point.name, game.layout.read_var(state, "n")) == ("next", 2)


def test_that_nothing_is_possible_need_not_be_tested_at_once() -> None:
    main = (ask("go", name="first"), ask("never"))
    game = walker(main, actions=[NEVER, cores.action("go")])
    untested = at(game.advance(at(game.begin(PLAYERS)), Event(0, "go"), test_arrival=False))
    assert game.asked(untested).point.name == "ask"
    assert isinstance(game.arrive(untested), Stopped)
    assert game.arrive(untested) == game.advance(at(game.begin(PLAYERS)), Event(0, "go"))


def test_where_the_game_goes_on_otherwise_is_known_at_once() -> None:
    main = (ask("go", name="first"), ask("never", otherwise=()), ask("go", name="last"))
    game = walker(main, actions=[NEVER, cores.action("go")])
    after = at(game.advance(at(game.begin(PLAYERS)), Event(0, "go"), test_arrival=False))
    assert game.asked(after).point.name == "last"


def test_an_automatic_point_with_one_choice_is_taken_silently() -> None:
    main = (ask("go", automatic=True), ask("go", name="next"))
    assert walker(main).asked(at(walker(main).begin(PLAYERS))).point.name == "next"
    two = walker((ask("go", "out", automatic=True),), actions=[cores.action("go"), cores.action("out")])
    assert two.asked(at(two.begin(PLAYERS))).point.name == "ask"


BID = cores.action("bid", [cores.param("a", N, All(N))])
GROUP = Commit(cores.point("bids"), (Part(ALL, "bid", ()),), True, True)


def bid(by: int, number: int) -> Event:
    return Event(by, "bid", (("a", number),))


def test_a_group_takes_its_members_in_any_order_and_each_once() -> None:
    game = walker((GROUP, ask("go")), actions=[BID, cores.action("go")])
    state = at(after(game, bid(1, 2)))
    assert (game.asked(state).kind, game.asked(state).by) == ("commit", {0})
    assert refusal(game, state, bid(1, 3)).kind == "wrong player"
    assert game.asked(at(after(game, bid(1, 2), bid(0, 2)))).point.name == "ask"
    assert len(list(game.legal(at(game.begin(PLAYERS))))) == 8


def test_an_automatic_group_is_taken_only_if_nobody_has_a_choice() -> None:
    one = cores.action("bid", [cores.param("a", N, Numbers(cores.num(2), cores.num(2)))])
    group = replace(GROUP, point=cores.point("bids", automatic=True))
    game = walker((group, ask("go")), actions=[one, cores.action("go")])
    assert game.asked(at(game.begin(PLAYERS))).point.name == "ask"
    game = walker((group, ask("go")), actions=[BID, cores.action("go")])
    assert game.asked(at(game.begin(PLAYERS))).point.name == "bids"


def test_an_empty_group_asks_nobody() -> None:
    nobody = replace(GROUP, parts=(Part(Const(frozenset(), SetOf(TWO)), "bid", ()),))
    game = walker((nobody, ask("go")), actions=[BID, cores.action("go")])
    assert game.asked(at(game.begin(PLAYERS))).point.name == "ask"


WHICH = Unspecified(cores.point("tie"), "who is first?", "who", TWO, Members(ALL))
FIRST = (WHICH, Decide(cores.point("ask"), Local("who", TWO), (Option("go"),), None))


def test_the_table_rules_by_an_event_or_in_the_setting() -> None:
    game = walker(FIRST)
    state = at(game.begin(PLAYERS))
    assert (game.asked(state).kind, game.asked(state).by) == ("table", {TABLE})
    ruling = Event(TABLE, "tie", (("choice", 1),))
    assert list(game.legal(state)) == [Event(TABLE, "tie", (("choice", 0),)), ruling]
    assert game.asked(at(after(game, ruling))).by == {1}
    assert game.asked(at(game.begin(replace(PLAYERS, rulings={"tie": 1})))).by == {1}
    assert refusal(game, state, Event(0, "tie", (("choice", 1),))).kind == "wrong player"
    assert refusal(game, state, Event(TABLE, "tie", (("choice", 5),))).kind == "bad argument"


def test_a_ruling_with_one_candidate_is_silent_and_with_none_the_game_stops() -> None:
    one = walker((replace(WHICH, candidates=Members(Const(frozenset({1}), SetOf(TWO)))), FIRST[1]))
    assert one.asked(at(one.begin(PLAYERS))).by == {1}
    none = walker((replace(WHICH, candidates=Members(Const(frozenset(), SetOf(TWO)))), FIRST[1])).begin(PLAYERS)
    assert isinstance(none, Stopped)
    assert (none.point.name, none.why) == ("tie", "who is first?")
    open_ = walker((Unspecified(cores.point("what now"), "what now?", None, None, None),)).begin(PLAYERS)
    assert isinstance(open_, Stopped)


def test_a_value_that_leaves_its_range_is_an_error_with_its_place() -> None:
    step = walker((Put("n", (), cores.num(4), HERE),)).begin(PLAYERS)
    assert isinstance(step, Failed)
    assert (step.code, step.span) == ("RT01", HERE.span)


def test_a_game_that_never_asks_fails() -> None:
    two = Const(frozenset(), SetOf(TWO))
    nobody = Commit(cores.point("bids"), (Part(two, "bid", ()),), True, True)
    step = walker((Repeat(FOREVER, (nobody,), None, HERE),), actions=[BID]).begin(PLAYERS)
    assert isinstance(step, Failed)
    assert step.code == "RT06"


def test_fate_draws_block_after_block() -> None:
    deal = cores.action("deal", [replace(cores.param("cards", THING, Within(At("deck", end=End.TOP))),
                                         type=Many(THING, 3), count=(cores.num(2), cores.num(2)))], (),
                        (Move(Local("cards", Many(THING, 3)), None, At("deck", end=End.TOP), At("box"), HERE),))
    zones = [cores.zone("deck", Form.PILE), cores.zone("box", Form.BAG)]
    top = Move(Const(1, THING), None, At("deck"), At("deck"), HERE)
    game = walker((top, Chance(cores.point("deal"), "deal"), ask("go")), actions=[deal, cores.action("go")],
                  zones=zones, components=cores.things("deck", 2, 2))
    state = at(game.begin(PLAYERS))
    assert [event.args[0][1] for event in game.legal(state)] == [(0, 1), (1, 1)]
    dealt = at(after(game, Event(FATE, "deal", (("cards", (0, 1)),))))
    assert game.layout.read_zone(dealt, "box") == (0, 1)
    assert game.layout.read_zone(dealt, "deck") == ((0, 1),)


def test_invariants_and_limits_are_tested_at_rest_points() -> None:
    zones = [cores.zone("box", Form.BAG, limit=cores.num(1))]
    small = Invariant("small", cores.guard("n is small", cores.less(cores.get("n", N), cores.num(2))))
    made = core((ask("go"), cores.put("n", cores.num(3)), ask("go")), zones=zones, components=cores.things("box", 2))
    game = Walker(lower(replace(made, invariants=(small,))))
    first = at(game.begin(PLAYERS))
    assert [one.name for one in game.broken(first)] == ["limit of box"]
    assert [one.name for one in game.broken(at(after(game, Event(0, "go"))))] == ["small", "limit of box"]


def test_an_invariant_that_holds_everywhere_is_tested_after_every_statement() -> None:
    small = Invariant("small", cores.guard("n is small", cores.less(cores.get("n", N), cores.num(2))), True)
    made = core((cores.put("n", cores.num(3)), cores.put("n", cores.num(0)), ask("go")))
    step = Walker(lower(replace(made, invariants=(small,)))).begin(PLAYERS)
    assert isinstance(step, Failed)
    assert step.code == "RT07"


def test_scores_of_a_finished_game() -> None:
    score = Score("p", cores.add(Local("p", TWO), cores.get("n", N), Int(0, 4)), HERE)
    game = walker((ask("go"), cores.put("n", cores.num(2)), Finish(ALL, HERE)), score=score)
    step = after(game, Event(0, "go"))
    assert isinstance(step, Ended)
    assert game.scores(step.state) == {0: 2, 1: 3}


def test_a_silent_option_is_told() -> None:
    may = Decide(cores.point("may"), cores.seat(1), (Option("go"), Option("pass", silent=True)), None)
    game = walker((may, ask("go")), actions=[cores.action("go"), cores.action("pass")])
    state = at(game.begin(PLAYERS))
    assert game.asked(state).silent
    assert game.silent(state) == Event(1, "pass")


def test_an_option_taken_is_a_name() -> None:
    taken = cores.enum("which", "go", "out", "neither")
    may = replace(ask("go", "out"), taken="which", taken_domain="which")
    made = core((may, Put("n", (), Local("which", taken.whole), HERE), ask("go")), domains=[taken],
                actions=[cores.action("go"), cores.action("out")])
    game = Walker(lower(made))
    assert game.layout.read_var(at(after(game, Event(0, "out"))), "n") == 1


def test_claims_are_evaluated_at_a_position() -> None:
    game = Walker(lower(grid()))
    free = cores.eq(cores.get("turn", TWO), cores.seat(1))
    assert game.evaluate(at(after(game, mark(0, 0))), free) is True
    assert isinstance(free.type, Bool)
