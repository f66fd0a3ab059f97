"""Machine code follows games as the generated code does, step for step, and what it cannot do others do for it.

Every construct of the language and every bundled game with `REFEREE_FULL_SAMPLES=1`; in the usual run some small ones.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from referee.api.ruleset import load
from referee.api.runs.log_engines import Rules
from referee.codegen.generated_engine import Generated
from referee.core.flow import Flow
from referee.flow.lowering import lower
from referee.game.event import Event, Spoken, spoken
from referee.game.log.log_reader import Log
from referee.game.setting import Setting
from referee.game.state import Ended, State, Step
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.judge.log_run import judge_log
from referee.judge.verdict import LogOutcome
from referee.native import compiled_module
from referee.native.engine_names import engine
from referee.native.native_engine import Native
from referee.system import disk_cache
from tests.laws.games import NAMES, strange
from tests.laws.shapes import Case, core_of, firsts
from tests.sample_sizes import CLASSICS, CONSTRUCTS, FULL, SLOW, in_turn

GAMES = 10 if FULL else 2
MOST_EVENTS = 300 if FULL else 100


def flow_of(name: str) -> Flow:
    """The flow of a ruleset in its first shape."""
    return lower(core_of(next(case for case in firsts() if case.where.stem == name)))


def told(step: Step) -> tuple[object, ...]:
    """All of a step that can differ."""
    if isinstance(step, State):
        return "state", step.at, step.slots
    if isinstance(step, Ended):
        return "ended", step.state.at, step.state.slots, step.winners
    return "else", type(step)


def followed(walker: Walker, setting: Setting, events: Sequence[Spoken], *,
             tested: bool) -> Iterator[tuple[object, ...]]:
    """Where a game comes to, as a judge follows it: as far as that is quickly done, then an event by itself."""
    step, done = walker.begin(setting, test_arrival=False), 0
    yield 0, *told(step)
    while isinstance(step, State) and done < len(events):
        number, step = walker.follow(step, iter(events[done:]), tested=tested)
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


def test_object_code_is_kept_and_damaged_one_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "own"))
    flow = flow_of("tic_tac_toe")
    Native(flow)
    kept, = (path for path in (tmp_path / "own").iterdir())
    with monkeypatch.context() as patched:
        patched.setattr(compiled_module, "_written", None)
        assert Native(flow).compiled.keys == {("mark", "cell"): 0}
    whole = kept.read_bytes()
    kept.write_bytes(whole[:-1] + bytes((whole[-1] ^ 1,)))
    made = Native(flow)
    assert made.compiled.keys == {("mark", "cell"): 0}
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
