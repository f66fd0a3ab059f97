"""Generated code that is kept answers as the walker does, and is carried out only if it is as it was written."""

from __future__ import annotations

import pickle
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from referee.codegen.compiled_program import Program
from referee.codegen.function_source import FunctionSource
from referee.codegen.generated_engine import LOT, WHOLE, Generated
from referee.codegen.kept import code_store
from referee.codegen.whole_games.game_source import GameSource
from referee.core.flow import Flow
from referee.frontend.loading.loader import load_flow
from referee.game.setting import Setting
from referee.game.state import State
from referee.interpreter.playouts import play_out
from referee.system import disk_cache, late_writes
from tests.interpreter.agreement import Pair

GAMES = ("tic_tac_toe", "kuhn_poker", "hearts")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    late_writes.write_all()
    shared, own = disk_cache.cache_folder(), tmp_path / "own"
    own.mkdir(mode=0o700)
    for entry in shared.glob("grammar-*") if shared else ():  # it takes a second to be made
        shutil.copy(entry, own)
    monkeypatch.setenv("REFEREE_CACHE", str(own))
    return own


def kept(flow: Flow) -> Path:
    """The entry of the code of a flow, after some games."""
    both = Pair(flow)
    for seed in range(3):
        both.compare(seed, 60)
    before = set(Path(str(disk_cache.cache_folder())).iterdir())
    late_writes.write_all()
    entry, = set(Path(str(disk_cache.cache_folder())).iterdir()) - before
    return entry


def unwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on no function can be written."""

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("something was written that is kept")

    monkeypatch.setattr(FunctionSource, "written", refused)
    monkeypatch.setattr(GameSource, "__init__", refused)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_kept_answers_as_the_walker_and_nothing_is_written(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load_flow(game)
    kept(load_flow(game))
    unwritten(monkeypatch)
    both = Pair(load_flow(game))
    for seed in range(3):
        both.compare(seed, 60)
    assert both.generated.program.called()


def test_a_function_of_whole_games_that_is_kept_is_used_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    flow = load_flow("tic_tac_toe")
    engine = Generated(flow)
    engine.played_from = 0
    begun = engine.begin(Setting(("a", "b")))
    assert isinstance(begun, State)
    games = [engine.play_on(begun, Random(seed), 99, rule=False) for seed in range(4)]
    assert engine.lot_game is not None
    late_writes.write_all()
    unwritten(monkeypatch)
    again = Generated(load_flow("tic_tac_toe"))
    first = again.begin(Setting(("a", "b")))
    assert isinstance(first, State)
    assert [again.play_on(first, Random(seed), 99, rule=False) for seed in range(4)] == games
    assert again.lot_game is not None
    assert again.program.kept.knows_game((LOT, first.at))
    assert not again.program.kept.knows_game((WHOLE, first.at))


def cut(entry: Path) -> None:
    entry.write_bytes(entry.read_bytes()[:-7])


def flipped(entry: Path) -> None:
    data = bytearray(entry.read_bytes())
    data[len(data) // 2] ^= 1
    entry.write_bytes(data)


def emptied(entry: Path) -> None:
    entry.write_bytes(b"")


def opened(entry: Path) -> None:
    entry.chmod(0o666)


def exchanged(entry: Path) -> None:
    """For the code of another game, which is whole and was written by this program."""
    other = kept(load_flow("kuhn_poker"))
    entry.write_bytes(other.read_bytes())


@pytest.mark.parametrize("harm", [cut, flipped, emptied, opened, exchanged])
def test_what_is_not_as_it_was_written_is_not_carried_out(harm: Callable[[Path], None],
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    entry = kept(load_flow("tic_tac_toe"))
    harm(entry)

    def carried_out(code: bytes) -> None:
        raise AssertionError("what is kept was read")

    monkeypatch.setattr("referee.codegen.compiled_program.code_of", carried_out)
    Pair(load_flow("tic_tac_toe")).compare(1, 60)
    late_writes.write_all()
    assert disk_cache.read(entry.name) is not None
    assert entry.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps(()), pickle.dumps((b"", [], {}, {}))])
def test_an_entry_that_is_something_else_is_made_anew(content: bytes) -> None:
    entry = kept(load_flow("tic_tac_toe"))
    disk_cache.write(entry.name, content)
    Pair(load_flow("tic_tac_toe")).compare(1, 60)


def test_nothing_is_kept_of_a_flow_that_was_made_of_another(folder: Path) -> None:
    flow = load_flow("tic_tac_toe")
    assert flow.digest
    made = replace(flow)
    assert not made.digest
    before = set(folder.iterdir())
    Pair(made).compare(1, 60)
    late_writes.write_all()
    assert set(folder.iterdir()) == before


def test_other_options_and_another_program_have_other_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    flow = load_flow("hearts")
    assert flow.digest not in ("", load_flow("hearts", options={"length": "one_hand"}).digest)
    monkeypatch.setattr("referee.frontend.loading.loader.program_digest", lambda: "another")
    assert load_flow("hearts").digest not in ("", flow.digest)


def test_what_fails_for_want_of_room_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    flow = load_flow("tic_tac_toe")
    with monkeypatch.context() as patched:
        patched.setattr(FunctionSource, "compiled", lambda *_: (_ for _ in ()).throw(RecursionError))
        Pair(flow).compare(1, 5)
    late_writes.write_all()
    program = Program(flow, Generated(flow).layout)
    assert not any(program.kept.function(key) for key in program.source.keys())


def test_a_folder_that_nobody_can_write_to_changes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "file" / "cache"))
    flow = load_flow("tic_tac_toe")
    Pair(flow).compare(1, 60)
    late_writes.write_all()
    assert code_store.CodeStore(flow, Generated(flow).layout).function(("legal", 0)) is None


def test_a_seed_gives_the_same_game_with_what_is_kept() -> None:
    setting = Setting(("a", "b", "c", "d"))
    first = play_out(Generated(load_flow("hearts", 4)), setting, 5, 400)
    late_writes.write_all()
    assert play_out(Generated(load_flow("hearts", 4)), setting, 5, 400) == first
