"""A ruleset is remembered between commands only as long as everything that was read for it is as it was."""

from __future__ import annotations

import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.diagnostics.diagnostic import Problems
from referee.frontend import load as load_rules
from referee.frontend import load_flow
from referee.frontend.loading.loader import program_digest
from referee.system import bundled_files, disk_cache
from referee.system.file_observations import FileObservations, holds
from tests.changed_text import changed

LOAD = sys.modules["referee.frontend.loading.loader"]
RULES = """\
game "Three heaps" for 2 players

kind Coin from "coins.csv"
  worth: 0..9
kind Stone from "data/stones.json"
  worth: 0..9
kind Leaf from "data/sub/leaves.toml"
  worth: 0..9

components
  1 of each Coin in purse
  1 of each Stone in purse
  1 of each Leaf in purse

zones
  purse: bag of Coin or Stone or Leaf, open

play
  turns from left of turn player
    turn player must stop

action stop  [R-1]
  me wins
"""
MORE = "counters\n  steps of player: 0..9\n"
FILES = {
    "main.rules": (
        RULES, changed(RULES, {"2 players": "3 players"}), changed(RULES, {"coins.csv": "data/coins.csv"}), "game"),
    "more.rules": (MORE, changed(MORE, {"steps": "leaps"}), "# nothing\n"),
    "coins.csv": ("name,worth\nred,1\n", "name,worth\nred,2\n", "name\nred\n"),
    "data/coins.csv": ("name,worth\nblue,1\n", "name,worth\nblue,2\n"),
    "data/stones.json": ('[{"name": "flint", "worth": 1}]', '[{"name": "chalk", "worth": 1}]'),
    "data/sub/leaves.toml": ('[[leaf]]\nname = "oak"\nworth = 3\n', '[[leaf]]\nname = "ash"\nworth = 3\n', "leaf"),
    "statements.toml": ('[statement.R-1]\ntext = "Stop."\n', '[statement.R-1]\ntext = "Halt."\n', "[statement.R-2]\n"),
    "data/unused.csv": ("name,worth\ngreen,1\n", "name,worth\ngreen,2\n"),
}
START = tuple(FILES)[:3] + tuple(FILES)[4:7]
NAMES = st.sampled_from(list(FILES))
Change = Callable[[Path], None]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        path.rmdir()
    path.unlink(missing_ok=True)  # it may be a link, to itself too
    path.write_text(text, encoding="utf-8")


def written(name: str) -> st.SearchStrategy[Change]:
    return st.sampled_from(FILES[name]).map(lambda text: lambda folder: write(folder / name, text))


def removed(name: str) -> Change:
    return lambda folder: (folder / name).unlink(missing_ok=True)


def renamed(name: str, other: str) -> Change:
    def change(folder: Path) -> None:
        if (folder / name).is_file():
            (folder / name).replace(folder / other)
    return change


def swapped(name: str, other: str) -> Change:
    def change(folder: Path) -> None:
        if name != other and (folder / name).is_file() and (folder / other).is_file():
            (folder / name).rename(folder / "kept")
            (folder / other).rename(folder / name)
            (folder / "kept").rename(folder / other)
    return change


def linked(name: str, other: str) -> Change:
    def change(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(folder / other)
    return change


def one_byte(name: str, at: int) -> Change:
    def change(folder: Path) -> None:
        if (folder / name).is_file() and (data := (folder / name).read_bytes()):
            place = at % len(data)
            (folder / name).write_bytes(data[:place] + b"4" + data[place + 1:])
    return change


changes: st.SearchStrategy[Change] = st.one_of(
    NAMES.flatmap(written), NAMES.map(removed), st.builds(renamed, NAMES, NAMES), st.builds(swapped, NAMES, NAMES),
    st.builds(linked, NAMES, NAMES), st.builds(one_byte, NAMES, st.integers(0, 999)),
)


def found(where: Path, players: int | None = None) -> object:
    """What loading says: the flow, or what is wrong."""
    try:
        return load_flow(where, players)
    except Problems as problems:
        return problems.diagnostics


def anew(where: Path) -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REFEREE_CACHE", "")
        return found(where)


def begun(folder: Path) -> None:
    for name in START:
        write(folder / name, FILES[name][0])


@settings(max_examples=25)
@given(st.lists(changes, min_size=1, max_size=4))
@example([one_byte("coins.csv", 16)])
@example([one_byte("data/sub/leaves.toml", 30)])
@example([removed("coins.csv")])
@example([lambda folder: write(folder / "data" / "coins.csv", "name,worth\nblue,1\n"),
          lambda folder: write(folder / "main.rules", FILES["main.rules"][2]),
          lambda folder: write(folder / "data" / "unused.csv", "name,worth\ngold,9\n"),
          swapped("data/coins.csv", "data/unused.csv")])
def test_the_next_command_sees_whatever_changed(done: list[Change]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name) / "heaps"
        begun(folder)
        assert found(folder) == anew(folder)
        for change in done:
            change(folder)
            assert found(folder) == anew(folder)


@pytest.fixture(name="heaps")
def folder_of_heaps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(LOAD, "SETTLED", float("inf"))  # nothing is kept of the program
    begun(tmp_path / "heaps")
    yield tmp_path / "heaps"
    program_digest.cache_clear()


def entries(heaps: Path) -> list[Path]:
    return sorted((heaps.parent / "cache").iterdir())


def refusing(*_: object) -> None:
    raise AssertionError("made anew")


def test_what_is_as_it_was_is_not_made_anew(heaps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = found(heaps)
    write(heaps / "data" / "unused.csv", "name\n")
    write(heaps / "README.md", "Heaps.")
    monkeypatch.setattr(LOAD, "_made", refusing)
    assert found(heaps) == made


def test_every_byte_of_the_program_and_its_grammar_counts(heaps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = heaps.parent / "copy" / "referee"
    for name in ("meaning/load.py", "report/text.py", "judge/veil/deep.py", "../grammar/referee.lark"):
        write(package / name, "one")
    monkeypatch.setattr(LOAD, "__file__", str(package / "meaning" / "load.py"))
    monkeypatch.setattr(bundled_files, "grammar_path", lambda: package.parent / "grammar" / "referee.lark")
    keys: set[str] = set()
    for name in ("", "meaning/load.py", "report/text.py", "judge/veil/deep.py", "../grammar/referee.lark"):
        if name:
            write(package / name, "two")
        program_digest.cache_clear()
        found(heaps)
        keys.update(path.name for path in entries(heaps))
    assert len(keys) == 5


def test_a_program_that_looks_the_same_from_outside_is_not_read(heaps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = heaps.parent / "copy" / "referee"
    for name in ("meaning/load.py", "more/deep.py", "../grammar/referee.lark"):
        write(package / name, "one")
    monkeypatch.setattr(LOAD, "__file__", str(package / "meaning" / "load.py"))
    monkeypatch.setattr(bundled_files, "grammar_path", lambda: package.parent / "grammar" / "referee.lark")
    digests = []
    for settled in (2_000_000_000, -1, -1):
        monkeypatch.setattr(LOAD, "SETTLED", settled)
        program_digest.cache_clear()
        digests.append(program_digest())
    assert len(set(digests)) == 1
    with monkeypatch.context() as patch:
        patch.setattr(LOAD, "_digest_of_all", refusing)
        program_digest.cache_clear()
        assert program_digest() == digests[0]
        write(package / "more" / "deep.py", "other")
        program_digest.cache_clear()
        with pytest.raises(AssertionError, match="made anew"):
            program_digest()
    assert program_digest() != digests[0]


def sealed(data: bytes) -> bytes:
    return hashlib.sha256(data).digest() + data


POISON = {
    "nothing": b"", "no record": b"\n" + pickle.dumps(3), "a record alone": b"[]\n", "no pickle": b"[]\n\x80\x05junk",
    "no flow": b"[]\n" + pickle.dumps(["a list"]), "a number": b"7\n" + pickle.dumps(3), "an object": b'{"a": 1}\nx',
    "a question without a meaning": b'[["who", "a", "", ""]]\nx', "too short": b'[["bytes"]]\nx',
    "numbers for texts": b'[["bytes", 3, 4, 5]]\nx', "no number of bytes": b'[["bytes", "a", "b", ""]]\nx',
    "nested without an end": b"[" * 100_000 + b"\nx", "no path": b'[["real", "\\u0000", "", ""]]\nx',
    "not UTF-8": b"\xff\xfe\nx", "a device": b'[["bytes", "/dev/zero", "9", ""]]\nx',
}


@pytest.mark.parametrize("name", POISON)
def test_a_spoilt_entry_is_made_anew(heaps: Path, name: str) -> None:
    made = found(heaps)
    (entry,) = entries(heaps)
    for data in (sealed(POISON[name]), POISON[name], entry.read_bytes()[:-7]):
        entry.write_bytes(data)
        assert found(heaps) == made


def test_what_changes_while_it_is_read_is_not_remembered(heaps: Path) -> None:
    looks = FileObservations()
    looks.read(heaps / "coins.csv", 99)
    assert holds(looks.record())
    write(heaps / "coins.csv", "other")
    looks.read(heaps / "coins.csv", 99)
    assert looks.record() == b""
    assert not holds(b"")


def test_a_record_tells_nothing_found_from_something(heaps: Path) -> None:
    looks = FileObservations()
    looks.found(heaps / "new.toml")
    with pytest.raises(FileNotFoundError):
        looks.read(heaps / "more.csv", 99)
    record = looks.record()
    assert holds(record)
    write(heaps / "more.csv", "")
    assert not holds(record)


def test_processes_that_load_at_once_are_not_in_each_others_way(heaps: Path) -> None:
    code = "import sys; from referee.frontend import load; print(len(load(sys.argv[1]).components))"
    started = [subprocess.Popen([sys.executable, "-c", code, str(heaps)], stdout=subprocess.PIPE, env={**os.environ})
               for _ in range(2)]
    assert [process.communicate()[0].strip() for process in started] == [b"3"] * 2
    assert not [path for path in entries(heaps) if disk_cache.read(path.name) is None]


def test_names_of_shapes_do_not_meet(heaps: Path) -> None:
    assert [load_rules(heaps, players).seats.number for players in (None, 2, None)] == [2, 2, 2]
    assert len(entries(heaps)) == 2
