"""Machine code follows games as the generated code does, step for step, and what it cannot do others do for it.

Every construct of the language and every bundled game with `REFEREE_FULL_SAMPLES=1`; in the usual run some small ones.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections.abc import Iterator, Sequence
from copy import copy
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from referee.api.rule_sources import RulesSource
from referee.api.ruleset import load
from referee.api.runs.log_engines import Rules
from referee.codegen.generated_engine import Generated
from referee.core.flow import Flow
from referee.core.stmt import Chance
from referee.flow.lowering import lower
from referee.game.event import Event, Spoken, spoken
from referee.game.event_table import EventTable
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.interpreter.interruptions import Unsettled
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome
from referee.native import compiled_module
from referee.native.compiled_module import JUDGE
from referee.native.engine_names import engine
from referee.native.judging.memory_position import MemoryPosition
from referee.native.native_engine import Native
from referee.native.point_ir import END, UNUSUAL
from referee.system import disk_cache
from tests.conformance.agreement import GIVEN
from tests.conformance.samples import core_of as core_of_kind
from tests.laws.games import NAMES, strange
from tests.laws.shapes import Case, core_of, firsts, places, usual
from tests.sample_sizes import CLASSICS, CONSTRUCTS, FULL, SLOW, in_turn

GAMES = 10 if FULL else 2
MOST_EVENTS = 300 if FULL else 100


def flow_of(name: str) -> Flow:
    """The flow of a ruleset in its first shape."""
    return lower(core_of(usual(next(where for where in places() if where.stem == name))[0]))


def told(step: Step) -> tuple[object, ...]:
    """All of a step that can differ."""
    if isinstance(step, State):
        return "state", step.at, step.slots
    if isinstance(step, Ended):
        return "ended", step.state.at, step.state.slots, step.winners
    return "else", type(step)


def followed(walker: Walker, setting: Setting, events: Sequence[Spoken], *,
             tested: bool) -> Iterator[tuple[object, ...]]:
    """Where a game comes to, as a judge follows it: as far as that is quickly done, then an event by itself. Without
    tests the events are handed over one by one."""
    table = EventTable()
    numbers = array("i", map(table.number, events))
    step, done = walker.begin(setting, test_arrival=False), 0
    yield 0, *told(step)
    while isinstance(step, State) and done < len(events):
        number, step = walker.follow_numbers(step, numbers[done:], table, tested=tested) if tested else (
            walker.follow(step, iter(events[done:]), tested=tested))
        done += number
        if isinstance(step, State) and done < len(events):
            if walker.check(step, events[done][0]) is not None:
                break
            step = walker.advance(step, events[done][0], test_arrival=False)
            done += 1
    yield done, *told(step)


def games(flow: Flow, generated: Generated) -> Iterator[tuple[Setting, list[Spoken]]]:
    """Random games, each as it was and with an odd event in it."""
    open_ = Setting(flow.core.seats.roles or NAMES[:flow.core.seats.number])
    for seed in range(GAMES):
        played, random = play_out(generated, open_, seed, MOST_EVENTS), Random(seed)
        events: list[Event] = list(played.events)
        odd = list(strange(flow.core, events, random, 1)) if events else []
        at = random.randrange(len(events) + 1)
        for one in (events, [*events[:at], *odd, *events[at:]]):
            yield played.setting, list(map(spoken, one))


def sampled() -> list[Case]:
    """In the usual run a few small ones: to compile a large one takes seconds."""
    few = in_turn(firsts(), "machine code", 16, CLASSICS | CONSTRUCTS)
    return few if FULL else [case for case in few if case.where.suffix == ".rules" and case.where.stem not in SLOW]


@pytest.mark.parametrize("case", sampled(), ids=str)
def test_games_are_followed_as_by_generated_code(case: Case) -> None:
    flow = lower(core_of(case))
    native, generated = Native(flow), Generated(flow)
    for setting, events in games(flow, generated):
        for tested in (True, False):
            assert list(followed(native, setting, events, tested=tested)) == list(
                followed(generated, setting, events, tested=tested))


def test_what_is_followed_is_followed_by_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    flow = flow_of("tic_tac_toe")
    native, generated = Native(flow), Generated(flow)
    setting, events = next(games(flow, generated))
    begun = native.begin(setting)
    assert isinstance(begun, State)
    monkeypatch.setattr(Generated, "follow", None)
    assert native.follow(begun, events, tested=True)[0] == len(events)
    table = EventTable()
    numbers = array("i", map(table.number, events))
    monkeypatch.setattr(native, "_reached", lambda at: at)
    assert native.follow_numbers(begun, numbers, table, tested=True) == (len(events), END)


IMPASSE = """
game "Impasse" for 2 players first and second

parameter most: 0..3 unknown "nobody says how many"

counters
  taken: 0..3 starts 0

setup
  set taken to most

play
  turns from first, to the left
    turn player must take

action take
  needs "there is one": taken < 3
  raise taken by 1
"""


def test_games_begin_as_by_generated_code() -> None:
    """Where something is open, or nothing is possible at the first point, that one begins them."""
    flow = RulesSource("impasse.rules", IMPASSE).flow(2)
    native, generated = Native(flow), Generated(flow)
    for most, test_arrival, by_machine in ((2, True, True), (3, False, True), (3, True, False), (0, True, True)):
        setting = Setting(("ana", "ben"), parameters={"most": {(): most}})
        begun, expected = (one.begin(setting, test_arrival=test_arrival) for one in (native, generated))
        assert told(begun) == told(expected)
        assert isinstance(begun, MemoryPosition) == by_machine
        assert copy(begun) == expected
    with pytest.raises(Unsettled):
        native.begin(Setting(("ana", "ben")))


def test_what_comes_before_an_unusual_event_is_kept() -> None:
    """Where the rules fail machine code has nothing to say, and stands at the event before."""
    flow = flow_of("tic_tac_toe")
    native, generated = Native(flow), Generated(flow)
    setting, events = next(games(flow, generated))
    table = EventTable()
    numbers = array("i", map(table.number, events))
    begun = native.begin(setting, test_arrival=False)
    assert isinstance(begun, State)
    expected = generated.follow(begun, iter(events[:3]), tested=True)
    judge, calls = native.compiled.functions[JUDGE], list[int]()

    def failing(*args: Any) -> int:
        calls.append(args[4])
        followed: int = judge(*args[:4], min(args[4], 3), *args[5:])
        if args[4] > 3:
            ctypes.memset(native._state, 0, len(native._state))  # what lies there then is good for nothing
            native._reach[0] = UNUSUAL
        return followed

    native.compiled.functions = {JUDGE: failing}
    number, step = native.follow_numbers(begun, numbers, table, tested=True)
    assert (number, told(step)) == (3, told(expected[1]))
    assert calls == [len(numbers), 3]


def test_object_code_is_kept_and_damaged_one_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flow = flow_of("tic_tac_toe")  # which is kept, too
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "own"))
    kinds = Native(flow).compiled.kinds
    assert (("mark", "cell"), (False,)) in kinds
    kept, = (path for path in (tmp_path / "own").iterdir())
    with monkeypatch.context() as patched:
        patched.setattr(compiled_module, "_written", None)
        assert Native(flow).compiled.kinds == kinds
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-1] + bytes((whole[-1] ^ 1,)))
    made = Native(flow)
    assert made.compiled.kinds == kinds
    assert kept.read_bytes() == whole
    assert disk_cache.read(kept.name) is not None


def test_where_the_library_is_missing_generated_code_judges_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "referee.native.native_engine")
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    for name in [name for name in sys.modules if name.startswith("referee.native.") and name != engine.__module__]:
        monkeypatch.delitem(sys.modules, name)
    made = engine(flow_of("tic_tac_toe"), "native")
    assert type(made) is Generated
    assert made.note == "by generated code: llvmlite is not installed: pip install 'referee[native]'"


def test_a_flow_that_is_too_large_is_left_to_generated_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_CACHE", "")
    monkeypatch.setattr(compiled_module, "MOST_TEXT", 100)
    made = engine(flow_of("tic_tac_toe"), "native")
    assert type(made) is Generated
    assert made.note == "by generated code: no machine code is made of a flow that large"


def test_what_is_said_of_the_engine_changes_no_verdict_on_a_log_with_holes(monkeypatch: pytest.MonkeyPatch) -> None:
    """More is open in it than can be followed way by way."""
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    monkeypatch.delitem(sys.modules, "referee.native.native_engine", raising=False)
    rules = load("hearts")
    game = rules.new_game(seed=3)
    game.play_out(6)
    known = "".join(f"{line}\n" for line in rules.redact(game.log(), game.players[0])).encode()
    first, second = (judge_log(Log(BytesIO(known), "log"), Rules(None, name)) for name in ("generated", "native"))
    assert second.notes
    assert (first.outcome, first.lines) == (second.outcome, second.lines)
    assert first.outcome is not LogOutcome.UNKNOWN


def test_an_engine_of_another_name_is_none() -> None:
    with pytest.raises(ValueError, match="there is no engine 'quick'"):
        engine(flow_of("tic_tac_toe"), "quick")


def test_where_fewer_can_be_taken_than_have_to_be_fate_is_not_asked() -> None:
    """Of 1 to `m` components, where `m` is 0: the game stops there."""
    flow = lower(core_of_kind(Chance))
    walker, native = Walker(flow), Native(flow)
    begun = walker.begin(Setting(NAMES[:flow.core.seats.number], parameters={"given": {(): GIVEN}}))
    assert isinstance(begun, State)
    slots, entry = list(begun.slots), walker.layout.vars["m"].base
    for number in range(3):
        slots[entry] = number
        state = State(begun.at, tuple(slots))
        for event in walker.legal(state):
            after = walker.advance(state, event, test_arrival=False)
            followed, found = native.follow(state, [spoken(event)], tested=False)
            assert not followed or told(found) == told(after)
