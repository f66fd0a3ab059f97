"""Every position of a game is found, by each engine the same, and what was not looked at is told."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from jsonschema import Draft202012Validator

from referee.cli.main import run
from referee.core.flow import Flow
from referee.diagnostics.exit_codes import Exit
from referee.flow.lowering import lower
from referee.frontend import load
from referee.game.setting import Setting
from referee.game.state import Ended, Failed, State, Step
from referee.interpreter.playouts import complete
from referee.interpreter.walker import Walker
from referee.native.engine_names import engine
from referee.report.data.schemas import SCHEMAS
from referee.simulation.every_position import MOST_BYTES, PositionSearch, explore, search_of
from referee.simulation.game_counting import RulesFailed
from referee.system.deadline import NEVER
from tests.bench.yardsticks import four_by_four as by_hand
from tests.changed_text import changed
from tests.laws.games import NAMES
from tests.laws.shapes import Case, core_of, firsts
from tests.sample_sizes import CLASSICS, CONSTRUCTS, FULL, SLOW, in_turn

ROOM = 400_000
FAR = 400 if FULL else 60
SMALL_BOARD = (("columns 1..7, rows 1..6", "columns 1..4, rows 1..4"), ("21 Disc", "8 Disc"), (" = 42", " = 16"))
PICKING = """\
game "Picking" for 2 players first and second

kind Stone is RED, BLUE

components
  4 of each Stone in heap

zones
  heap: bag of Stone, open
  taken of player: bag of Stone, open

play
  turns from first, to the left
    turn player must take one of pick, stop

action pick(some: up to 2 Stone in heap)
  needs "any": number of some >= 1
  move some to taken of me

action stop
  needs "nothing is left": heap is empty
  nobody wins
"""
FAILING = """\
game "Failing" for 2 players first and second

counters
  left: 0..3 starts 3

play
  turns from first, to the left
    turn player must go

action go
  lower left by 2
"""


def begun(walker: Walker) -> Step:
    """The beginning of a game, with what is open in it drawn."""
    names = walker.core.seats.roles or NAMES[:walker.core.seats.number]
    return walker.begin(complete(walker, Setting(names), Random(0)))


def flow_of(name: str) -> Flow:
    return lower(load(name))


@pytest.fixture(scope="module")
def four_by_four(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Connect four on a board of four by four."""
    text = Path("rulesets/classics/connect_four.rules").read_text("utf-8")
    for old, new in SMALL_BOARD:
        assert old in text
        text = changed(text, {old: new})
    path = tmp_path_factory.mktemp("rules") / "four.rules"
    path.write_text(text[:text.index("scenario ")], "utf-8")
    return str(path)


def test_machine_code_finds_as_many_positions_as_a_search_by_hand(four_by_four: str) -> None:
    walker = engine(flow_of(four_by_four))
    found = explore(walker, begun(walker), MOST_BYTES, NEVER)
    assert found.positions == by_hand.states() == 161_029
    assert (found.engine, found.why) == ("by machine code", None)


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker"])
def test_the_engines_find_the_same_positions(name: str) -> None:
    walker = engine(flow_of(name))
    found = [explore(walker, begun(walker), MOST_BYTES, NEVER, other) for other in ("generated", "native")]
    assert len({(one.levels, one.ends, one.stops, one.ways, one.why) for one in found}) == 1
    assert found[0].engine != found[1].engine


def sampled() -> list[Case]:
    """In the usual run a few small ones: to compile a large one takes seconds."""
    few = in_turn(firsts(), "every position", 8, CLASSICS | CONSTRUCTS)
    return few if FULL else [case for case in few if case.where.suffix == ".rules" and case.where.stem not in SLOW]


def driven(search: PositionSearch, far: int) -> list[tuple[object, ...]]:
    """All that a search knows once it has gone on from so many positions."""
    while search.head < min(far, search.count):
        assert search.go_on(min(far, search.count))
    return [(*told(search.step(number)), search.before(number) if number else None) for number in range(search.count)]


def told(step: Step) -> tuple[object, ...]:
    """All of a step that counts."""
    assert not isinstance(step, Failed)
    state = step if isinstance(step, State) else step.state
    winners = step.winners if isinstance(step, Ended) else None
    return type(step), winners, state.at, None if isinstance(step, Ended) else state.slots


@pytest.mark.parametrize("case", sampled(), ids=str)
def test_positions_and_where_they_were_come_to_from_are_those_of_generated_code(case: Case) -> None:
    flow, found = lower(core_of(case)), []
    walker = engine(flow)
    start = begun(walker)
    assert isinstance(start, State)
    for native in (False, True):
        search, said = search_of(walker, [start], MOST_BYTES, lambda *_: None, tested=True, native=native)
        assert said == ("by machine code" if native else "by generated code")
        found.append((driven(search, FAR), search.ways, search.ends, search.stops))
    assert found[0] == found[1]


def test_what_machine_code_leaves_to_others_is_found_too(tmp_path: Path) -> None:
    """Several components at once are picked there."""
    path = tmp_path / "picking.rules"
    path.write_text(PICKING, "utf-8")
    walker = engine(flow_of(str(path)))
    found = [explore(walker, begun(walker), MOST_BYTES, NEVER, other) for other in ("generated", "native")]
    assert found[0].positions > 50
    assert len({(one.levels, one.ends, one.stops, one.ways, one.why) for one in found}) == 1


@pytest.mark.parametrize("name", ["generated", "native"])
def test_rules_that_fail_are_told(name: str, tmp_path: Path) -> None:
    path = tmp_path / "failing.rules"
    path.write_text(FAILING, "utf-8")
    walker = engine(flow_of(str(path)))
    with pytest.raises(RulesFailed):
        explore(walker, begun(walker), MOST_BYTES, NEVER, name)


@pytest.mark.parametrize("name", ["generated", "native"])
def test_without_room_for_all_it_says_so_and_keeps_to_it(name: str) -> None:
    walker = engine(flow_of("tic_tac_toe"))
    found = explore(walker, begun(walker), ROOM, NEVER, name)
    assert 500 < found.positions < 5_478
    assert found.bytes_used <= ROOM
    assert found.why == "there is no room for more positions"


def test_the_command_tells_all_positions(four_by_four: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["count", four_by_four, "--positions", "--format", "json"]) == Exit.GOOD
    said = json.loads(capsys.readouterr().out)
    Draft202012Validator(SCHEMAS["positions"]).validate(said)
    assert (said["positions"], said["ends"], said["engine"]) == (161_029, 26_740, "by machine code")
    assert said["whole"]
    assert run(["count", "tic_tac_toe", "--positions", "--engine", "generated"]) == Exit.GOOD
    assert "5,478 positions, all there are; 16,167 events from one to another" in capsys.readouterr().out


def test_the_command_tells_that_it_did_not_find_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["count", "breakthrough", "--positions", "--memory", "1", "--engine", "generated"]) == Exit.OPEN
    assert "not all: there is no room for more positions" in capsys.readouterr().out
    assert run(["count", "breakthrough", "--positions", "--timeout", "0.3", "--engine", "generated"]) == Exit.OPEN
    assert "not all: not done within 0.3 s" in capsys.readouterr().out


@pytest.mark.parametrize("words", [
    (), ("--depth", "1", "--positions"), ("--positions", "--by", "event"), ("--depth", "1", "--memory", "5")])
def test_what_does_not_belong_together_is_refused(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["count", "tic_tac_toe", *words]) == Exit.USAGE
    assert "--depth" in (said := capsys.readouterr().err) or "--positions" in said


@pytest.mark.parametrize("words", [("--by", "event"), ("--jobs", "2"), ("--executor", "mpi"), ("--without", "drop")])
def test_what_is_of_steps_is_refused(words: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["count", "tic_tac_toe", "--positions", *words]) == Exit.USAGE
    assert "for --depth" in capsys.readouterr().err
