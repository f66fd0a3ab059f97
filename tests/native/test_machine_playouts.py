"""Games that machine code plays by lot: legal for the reference, by the law of other play-outs, the same for a seed."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from referee.codegen.generated_engine import Generated
from referee.core.flow import Flow
from referee.game.event import TABLE
from referee.game.setting import Setting
from referee.game.state import State, Step
from referee.interpreter.playouts import CUT, END, STOPPED, PlayedGame, play_out
from referee.interpreter.walker import Walker
from referee.native.native_engine import Native
from tests.laws.games import NAMES
from tests.native.test_native_engine import flow_of, told
from tests.sample_sizes import FULL

GAMES = ("leduc_poker", "commits")
LARGE = ("connect_four", "breakthrough", "chess", "go_goal", "adrenaline", "holdem", "cribbage")
MOST = 400 if FULL else 60


def seated(flow: Flow) -> Setting:
    """A game of as many players as there have to be."""
    return Setting(flow.core.seats.roles or NAMES[:flow.core.seats.number])


def replayed(walker: Walker, played: PlayedGame) -> Step:
    """Where a game comes to, event by event; every one of them has to be legal."""
    step = walker.begin(played.setting, test_arrival=False)
    for event in played.events:
        assert isinstance(step, State)
        refusal = walker.check(step, event)
        assert refusal is None, (event, refusal)
        step = walker.advance(step, event, test_arrival=False)
    return walker.arrive(step) if isinstance(step, State) else step


@pytest.mark.parametrize("name", (*GAMES, *LARGE) if FULL else GAMES)
def test_each_game_is_legal_and_ends_as_it_is_told(name: str) -> None:
    flow = flow_of(name)
    native, walker, setting = Native(flow), Walker(flow), seated(flow)
    for seed in range(20 if FULL else 2):
        played = play_out(native, setting, seed, MOST)
        assert told(played.last) == told(replayed(walker, played))
        assert played.outcome == END or (played.outcome, len(played.events)) == (CUT, MOST)


def test_a_seed_gives_the_same_game_however_many_came_before() -> None:
    flow, setting = flow_of("leduc_poker"), Setting(NAMES[:2])
    one, other = Native(flow), Native(flow)
    games = [play_out(one, setting, seed) for seed in range(30)]
    assert [play_out(other, setting, seed).events for seed in reversed(range(30))] == [
        game.events for game in reversed(games)]
    assert len({game.events for game in games}) > 10


def test_where_the_table_is_asked_the_game_stops_unless_it_rules_by_lot() -> None:
    flow = flow_of("ties")
    native, setting = Native(flow), seated(flow)
    ruled, stopped = ([play_out(native, setting, seed, MOST, rule=rule) for seed in range(10)]
                      for rule in (True, False))
    assert {TABLE} < {event.by for game in ruled for event in game.events}
    assert TABLE not in {event.by for game in stopped for event in game.events}
    assert {game.outcome for game in stopped} >= {STOPPED}


def chi_square(seen: Counter[object], expected: dict[object, float]) -> float:
    """How far counts are from what is expected of them."""
    total = sum(seen.values())
    assert set(seen) <= set(expected)
    return sum((seen[one] - total * share) ** 2 / (total * share) for one, share in expected.items())


def begun(engine: Walker, setting: Setting, number: int, games: int) -> Counter[object]:
    """How often games begin with which events."""
    return Counter(play_out(engine, setting, seed, number).events for seed in range(games))


def test_each_legal_event_is_as_likely() -> None:
    flow = flow_of("tic_tac_toe")
    seen = begun(Native(flow), seated(flow), 2, 3_000)
    assert len(seen) == 72
    assert chi_square(seen, dict.fromkeys(seen, 1 / 72)) < 123  # 71 degrees of freedom: one of 10,000 is beyond


@pytest.mark.parametrize(("name", "number"), [("leduc_poker", 3), ("passed_cards", 1), ("several", 1)])
def test_games_by_lot_begin_as_in_other_play_outs(name: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fate draws, one or several from a pile; and what somebody takes who may take several at once."""
    flow, games = flow_of(name), 10_000 if FULL else 1_000
    setting = seated(flow)
    other = begun(Generated(flow), setting, number, games)
    for left in ("pick", "sampled"):
        monkeypatch.setattr(Generated, left, None)  # nothing of it is left to others
    one = begun(Native(flow), setting, number, games)
    unlike = sum((one[key] - other[key]) ** 2 / (one[key] + other[key]) for key in one | other)
    freedom = len(one | other) - 1
    assert freedom > 10
    assert unlike < freedom + 4.5 * (2 * freedom) ** 0.5, unlike


def test_every_choice_of_several_is_found() -> None:
    flow = flow_of("several")
    setting = seated(flow)
    begun_at = Walker(flow).begin(setting)
    assert isinstance(begun_at, State)
    native = Native(flow)
    assert {play_out(native, setting, seed, 1).events[0] for seed in range(300)} == set(Walker(flow).legal(begun_at))


def test_no_more_is_played_than_is_asked_for() -> None:
    flow = flow_of("leduc_poker")
    engine, setting = Native(flow), Setting(NAMES[:2])
    step = engine.begin(setting, test_arrival=False)
    assert isinstance(step, State)
    assert engine.play_on(step, Random(1), 0, rule=True) == ([], step)
