"""Arguments that are free in a range: told by their ends they are all that is legal, and play by lot draws them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import referee
from referee.frontend.loading.loader import load_flow
from referee.game.event import Event
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.offers import InRange
from referee.interpreter.playouts import choose, complete
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine
from tests.interpreter.large_stakes import TEXT


def spread(told: InRange) -> set[Event]:
    """The events for which one stands that is told by ends."""
    event, most = told
    found = {event}
    for name, greatest in most:
        found = {Event(one.by, one.label, tuple((arg, number if arg == name else value) for arg, value in one.args))
                 for one in found for number in range(int(str(dict(event.args)[name])), greatest + 1)}
    return found


def test_what_is_told_by_ends_is_all_that_is_legal() -> None:
    walker, random = engine(load_flow("holdem", 3)), Random(4)
    wide = 0
    for seed in range(6):
        step = walker.begin(complete(walker, Setting(("ana", "ben", "cleo")), Random(seed)))
        while isinstance(step, State):
            for by in walker.who(step) if walker.asked(step).kind == "decide" else ():
                told = [spread(one) for one in walker.in_ranges(step, by)]
                assert sum(map(len, told)) == len(set().union(*told)) == len(list(walker.events(step, by)))
                assert set().union(*told) == set(walker.events(step, by))
                wide += any(len(one) > 100 for one in told)
            step = walker.advance(step, choose(walker, step, random))
    assert wide > 5


def test_a_stake_among_many_is_drawn_as_often_as_anything_else_and_by_both_engines_alike() -> None:
    flow = load_flow("holdem", 2)
    games = []
    for walker in (Walker(flow), engine(flow)):
        done: Counter[str] = Counter()
        events: list[Event] = []
        for seed in range(20):
            random = Random(seed)
            step = walker.begin(complete(walker, Setting(("ana", "ben")), random))
            while isinstance(step, State):
                events.append(choose(walker, step, random))
                done[events[-1].label] += 1
                step = walker.advance(step, events[-1])
        assert done["fold"] > 4 < done["raise"] < 40
        games.append(events)
    assert games[0] == games[1]


def test_a_number_that_something_else_asks_for_is_told_one_by_one() -> None:
    text = TEXT.replace(
        "action bid(chips: (highest + 1)..(purse of me))",
        'action bid(chips: (highest + 1)..(purse of me))\n  needs "no five": chips != 5')
    rules = referee.loads(text.replace("5000000", "9").replace("2000000", "9"), "few")
    game = rules.new_game(["ana", "ben"])
    assert [choice.event.with_["chips"] for choice in game.choices() if choice.event.do == "bid"] == [
        1, 2, 3, 4, 6, 7, 8, 9]


def test_programs_are_told_the_ends() -> None:
    rules = referee.loads(TEXT, "stakes")
    game = rules.new_game(["ana", "ben"], parameters={"brought": {"ana": 4_000_000, "ben": 2_500}})
    told = [(choice.event.do, dict(choice.event.with_), dict(choice.most)) for choice in game.choices()]
    assert told == [
        ("bid", {"chips": 1}, {"chips": 4_000_000}),
        *(("show", {"above": above, "number_of": above * 1000}, {"number_of": 4_000_000}) for above in (1, 2, 3))]
    game.play("ana", "bid", chips=2_000)
    assert [(choice.event.do, dict(choice.most)) for choice in game.choices()] == [
        ("bid", {"chips": 2_500}), ("show", {"number_of": 2_500}), ("show", {"number_of": 2_500})]


def test_a_number_beyond_the_ends_is_told_with_them() -> None:
    rules = referee.loads(TEXT, "stakes")
    game = rules.new_game(["ana", "ben"], parameters={"brought": {"ana": 4_000_000, "ben": 2_500}})
    with pytest.raises(referee.IllegalEvent, match="chips cannot be 0 here, only 1 to 4000000"):
        game.play("ana", "bid", chips=0)
