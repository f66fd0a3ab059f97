"""`auto`: generated code for little work, machine code for much or where it is kept.

A report says which ran. A cache folder that nothing can be kept in, or in which something else lies, changes no
verdict.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from referee.api.ruleset import load
from referee.api.runs.log_engines import bytes_of
from referee.game.event import spoken
from referee.game.event_table import EventTable
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.playouts import play_out
from referee.interpreter.walker import Walker
from referee.native import compiled_module
from referee.native.compiled_module import FOR_JUDGES, kept
from referee.native.engine_names import AUTO, NATIVE, engine
from referee.native.judging import weighed_engine
from referee.native.judging.weighed_engine import Weighed
from referee.native.native_engine import NOT_KEPT, Native
from referee.system import disk_cache
from tests.native.test_native_engine import flow_of, told

GAME = "tic_tac_toe"


def followed(made: Weighed, times: int) -> set[object]:
    """Where the same game comes to, judged so many times."""
    played = play_out(made, Setting(("ana", "ben")), 3)
    table = EventTable()
    numbers = [table.number(spoken(event)) for event in played.events]
    found = set[object]()
    for _ in range(times):
        made.begin_log()
        begun = made.begin(played.setting, test_arrival=False)
        assert isinstance(begun, State)
        number, step = made.follow_numbers(begun, numbers, table, tested=True)
        found.add((number, told(step)))
    return found


@pytest.fixture(autouse=True)
def _own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache folder in which machine code alone is kept: flows are made before."""
    for name in (GAME, "connect_four"):
        flow_of(name)
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "own"))


def test_little_work_is_done_by_generated_code() -> None:
    made = Weighed(flow_of(GAME))
    assert len(followed(made, 3)) == 1
    assert made.note == "by generated code"


def test_much_work_is_done_by_machine_code() -> None:
    made = Weighed(flow_of(GAME), 100_000_000)
    one = followed(made, 1)
    assert made.note == "by machine code"
    assert one == followed(Weighed(flow_of(GAME)), 1)


def test_what_has_taken_as_long_as_compiling_goes_on_by_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighed_engine, "FIRST_LOOK", 0.0)
    monkeypatch.setattr(weighed_engine, "AT_LEAST", 0.0)
    monkeypatch.setattr(weighed_engine, "EACH_NODE", 1e-9)
    made = Weighed(flow_of(GAME))
    assert len(followed(made, 20)) == 1
    assert made.note == "by machine code"


def test_within_a_log_both_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Weighed(flow_of(GAME))
    followed(made, 1)
    monkeypatch.setattr(made, "_spent", 1e9)
    monkeypatch.setattr(made, "begin_log", lambda: None)
    followed(made, 1)
    assert made.note == "by generated code, then by machine code"


def test_what_is_kept_is_used_early(monkeypatch: pytest.MonkeyPatch) -> None:
    flow = flow_of(GAME)
    monkeypatch.setattr(weighed_engine, "FIRST_LOOK", 0.0)
    made = Weighed(flow)
    followed(made, 2)
    assert made.note == "by generated code"
    Native(flow)
    assert kept(flow, FOR_JUDGES)
    made = Weighed(flow)
    followed(made, 2)
    assert made.note == "by machine code"


def test_without_the_library_generated_code_goes_on_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("referee.native.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    made = engine(flow_of(GAME), AUTO, 100_000_000)
    assert isinstance(made, Walker)
    assert len(followed(made, 2)) == 1  # type: ignore[arg-type]
    assert made.note == "by generated code: llvmlite is not installed: pip install 'referee[native]'"


def test_a_flow_that_is_too_large_goes_on_by_generated_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_module, "MOST_TEXT", 100)
    made = Weighed(flow_of(GAME), 100_000_000)
    assert len(followed(made, 2)) == 1
    assert made.note == "by generated code: no machine code is made of a flow that large"


def test_the_work_is_the_files_that_are_there(tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    log.write_bytes(b"12345")
    assert bytes_of([str(log), str(tmp_path / "none"), "-", "\0"]) == 5


def test_a_verdict_says_which_engine_ran() -> None:
    rules = load(GAME)
    game = rules.new_game(seed=3)
    game.play_out()
    assert rules.judge(game.log(), engine=AUTO).notes == ("by generated code",)
    assert rules.judge(game.log(), engine=NATIVE).notes == ("by machine code",)
    assert rules.judge(game.log()).notes == ()


@pytest.mark.parametrize("spoiled", ["a file in its place", "readable by others", "of somebody else", "full"])
def test_where_nothing_can_be_kept_it_is_said(spoiled: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "spoiled"
    if spoiled == "a file in its place":
        folder.write_text("")
    else:
        folder.mkdir(mode=0o700)
    monkeypatch.setenv("REFEREE_CACHE", str(folder))
    if spoiled == "readable by others":
        folder.chmod(0o777)
    if spoiled == "of somebody else":
        monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    if spoiled == "full":
        monkeypatch.setattr(os, "replace", _full)
    made = engine(flow_of(GAME), NATIVE)
    assert made.note == f"by machine code{NOT_KEPT}"
    assert not folder.is_dir() or not list(folder.iterdir())
    monkeypatch.setenv("REFEREE_CACHE", "")  # nothing is to be kept
    assert engine(flow_of(GAME), NATIVE).note == "by machine code"


def _full(*_: object) -> None:
    raise OSError(28, "No space left on device")


def test_what_was_kept_under_another_key_is_not_taken(tmp_path: Path) -> None:
    """Whole and sealed, but of another game: no object code is loaded that is not this flow's own."""
    Native(flow_of(GAME))
    own, = (tmp_path / "own").iterdir()
    right = own.read_bytes()
    Native(flow_of("connect_four"))
    other, = (path for path in (tmp_path / "own").iterdir() if path != own)
    own.write_bytes(other.read_bytes())
    assert not kept(flow_of(GAME), FOR_JUDGES)
    assert Native(flow_of(GAME)).note == "by machine code"
    assert own.read_bytes() == right


@pytest.mark.parametrize("content", [b"", b"[]\n", b"{}\n", b"\xff\n", b"no line"])
def test_what_is_no_object_is_made_anew(content: bytes, tmp_path: Path) -> None:
    Native(flow_of(GAME))
    own, = (tmp_path / "own").iterdir()
    disk_cache.write(own.name, content)
    assert not kept(flow_of(GAME), FOR_JUDGES)
    assert Native(flow_of(GAME)).note == "by machine code"
    assert kept(flow_of(GAME), FOR_JUDGES)
