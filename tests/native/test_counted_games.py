"""Games that are only counted: by the law of other play-outs, and what lies in memory stays what is read out of it."""

from __future__ import annotations

from array import array

import pytest

from referee.api.rule_sources import RulesSource
from referee.codegen.generated_engine import Generated
from referee.core.flow import Flow
from referee.game.event import spoken
from referee.game.event_table import EventTable
from referee.game.state import State
from referee.interpreter.playouts import play_out
from referee.native.by_lot import counted_games_ir
from referee.native.by_lot.counted_games import CountedGames, CountedPlay
from referee.native.memory_layout import HEAD
from referee.native.native_engine import Native
from referee.native.zones.zone_layout import AsBits, AsCounts, AsList, InBlocks, OnSpots
from tests.native.test_machine_playouts import seated
from tests.native.test_native_engine import flow_of
from tests.sample_sizes import FULL

SHARES = """
game "Shares" for 3 players a, b and c

counters
  last: 0..9 starts 0

play
  a must take one of pick, mark, further, give

action pick(number: 1..8)
  needs "an even one": number <= 2 or number = 4 or number = 6 or number = 8
  set last to number
  a wins

action mark(number: 1..3, other: 1..3)
  needs "they differ": number != other
  b wins

action further(other: 7..9), logged as pick(number: other)
  b wins

action give
  c wins
"""
MANY = 200_000 if FULL else 20_000


def counted(flow: Flow, games: int, seed: int = 1, most: int = 10_000) -> CountedPlay:
    """Games from the beginning."""
    generated = Generated(flow)
    begun = generated.begin(seated(flow), test_arrival=False)
    assert isinstance(begun, State)
    return CountedGames(flow, generated.layout).play(begun, seed, games, most)


def apart(won: tuple[int, ...], shares: tuple[float, ...]) -> float:
    """How far counts are from what is expected of them."""
    total = sum(won)
    return sum((one - total * share) ** 2 / (total * share) for one, share in zip(won, shares, strict=True))


def test_each_event_of_several_alternatives_is_as_likely() -> None:
    found = counted(RulesSource("shares.rules", SHARES).flow(3), MANY)
    assert (found.games, found.moves) == (MANY, MANY)
    # an eight is an event of the first alternative alone
    assert apart(found.won, (5 / 14, 8 / 14, 1 / 14)) < 18.4  # 2 degrees of freedom: one of 10,000 is beyond


@pytest.mark.parametrize("name", ("tic_tac_toe", "connect_four") if FULL else ("tic_tac_toe",))
def test_as_many_games_are_won_as_in_other_play_outs(name: str) -> None:
    flow, few = flow_of(name), 3_000 if FULL else 600
    found = counted(flow, MANY)
    games = [play_out(Generated(flow), seated(flow), seed) for seed in range(few)]
    assert found.games == MANY
    assert abs(found.moves / MANY - sum(len(game.events) for game in games) / few) < 0.3
    shares = [one / MANY for one in (*found.won, MANY - sum(found.won))]
    seen = [0] * len(shares)
    for game in games:
        winners = getattr(game.last, "winners")  # noqa: B009
        seen[min(winners) if winners else -1] += 1
    assert apart(tuple(seen), tuple(shares)) < 18.4


def test_a_seed_gives_the_same_games() -> None:
    flow = flow_of("tic_tac_toe")
    assert counted(flow, 500, 7) == counted(flow, 500, 7) != counted(flow, 500, 8)


def test_what_is_too_long_is_not_counted() -> None:
    found = counted(flow_of("tic_tac_toe"), 100, most=6)
    assert found.games < 100
    assert found.moves <= 6 * found.games


def test_a_large_course_is_played_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    flow = flow_of("tic_tac_toe")
    whole = counted(flow, MANY)
    monkeypatch.setenv("REFEREE_CACHE", "")
    monkeypatch.setattr(counted_games_ir, "MOST_FUSED", 0)
    steps = counted(flow, MANY)
    assert apart(steps.won, tuple(one / sum(whole.won) for one in whole.won)) < 30


@pytest.mark.parametrize(("name", "form"), [
    ("connect_four", AsCounts), ("connect_four", OnSpots), ("crazy_eights", AsBits), ("go_goal", AsList),
    ("leduc_poker", InBlocks)] if FULL else [("tic_tac_toe", OnSpots), ("leduc_poker", AsCounts)])
def test_what_lies_in_memory_is_what_is_read_out_of_it(name: str, form: type) -> None:
    """Sets of spots say the same as the spots, and what is empty is left as if it never was otherwise."""
    flow = flow_of(name)
    native, generated = Native(flow), Generated(flow)
    memory = native.compiled.memory
    assert any(isinstance(one, form) for one in memory.forms.values())
    for seed in range(3):
        played, table = play_out(generated, seated(flow), seed, 60), EventTable()
        numbers = array("i", [table.number(spoken(event)) for event in played.events])
        begun = native.begin(played.setting, test_arrival=False)
        assert isinstance(begun, State)
        for number in range(1, len(numbers)):
            _, step = native.follow_numbers(begun, numbers[:number], table, tested=False)
            if isinstance(step, State):
                assert bytes(memory.written(step.slots))[HEAD:] == bytes(native._state)[HEAD:]
