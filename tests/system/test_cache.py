"""The cache folder: whole data or none, and only from a folder that nobody else can write to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.system import disk_cache, late_writes

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_is_written_is_read() -> None:
    disk_cache.write("key", b"data")
    assert disk_cache.read("key") == b"data"
    disk_cache.write("key", b"other")
    assert disk_cache.read("key") == b"other"


def test_nothing_is_read_where_nothing_was_written() -> None:
    assert disk_cache.read("key") is None


@POSIX
def test_the_folder_is_made_for_the_user_alone(folder: Path) -> None:
    assert disk_cache.cache_folder() == folder
    assert folder.stat().st_mode & 0o777 == 0o700


@POSIX
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_that_others_can_write_to_is_not_used(folder: Path, mode: int) -> None:
    disk_cache.write("key", b"data")
    folder.chmod(mode)
    assert disk_cache.cache_folder() is None
    assert disk_cache.read("key") is None


@POSIX
def test_a_link_is_not_followed(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "elsewhere")
    assert disk_cache.cache_folder() is None


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 100])
def test_a_damaged_file_is_no_data(folder: Path, damage: bytes) -> None:
    disk_cache.write("key", b"data")
    (folder / "key").write_bytes(damage)
    assert disk_cache.read("key") is None


def test_a_file_cut_short_is_no_data(folder: Path) -> None:
    disk_cache.write("key", b"data" * 100)
    (folder / "key").write_bytes((folder / "key").read_bytes()[:-1])
    assert disk_cache.read("key") is None


@POSIX
@pytest.mark.parametrize("mode", [0o666, 0o660, 0o602])
def test_a_file_that_others_can_write_to_is_no_data(folder: Path, mode: int) -> None:
    disk_cache.write("key", b"data")
    (folder / "key").chmod(mode)
    assert disk_cache.read("key") is None
    disk_cache.write("key", b"data")
    assert disk_cache.read("key") == b"data"


@POSIX
def test_a_file_of_somebody_else_is_no_data(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_cache.write("key", b"data")
    if os.geteuid() == 0:
        os.chown(folder / "key", 65_534, 65_534)
    else:
        real, somebody = os.fstat, os.geteuid() + 1
        monkeypatch.setattr("os.fstat", lambda handle: os.stat_result((*real(handle)[:4], somebody, *real(handle)[5:])))
    assert disk_cache.read("key") is None


@POSIX
def test_what_is_no_file_is_no_data(folder: Path, tmp_path: Path) -> None:
    disk_cache.write("key", b"data")
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to(folder / "key")
    (folder / "room").mkdir()
    assert [disk_cache.read(name) for name in ("pipe", "link", "room")] == [None] * 3


def test_what_was_written_under_another_key_is_no_data(folder: Path) -> None:
    """Two whole files, each of them right, that were exchanged."""
    disk_cache.write("key", b"data")
    disk_cache.write("other", b"else")
    (folder / "key").rename(folder / "between")
    (folder / "other").rename(folder / "key")
    (folder / "between").rename(folder / "other")
    assert [disk_cache.read("key"), disk_cache.read("other")] == [None, None]


def test_nothing_is_left_over_from_writing(folder: Path) -> None:
    disk_cache.write("key", b"data")
    assert [path.name for path in folder.iterdir()] == ["key"]


def test_where_no_folder_can_be_made_there_is_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / "file" / "cache"))
    disk_cache.write("key", b"data")
    assert disk_cache.read("key") is None


def test_an_empty_name_turns_the_cache_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_CACHE", "")
    assert disk_cache.cache_folder() is None


def test_a_key_tells_its_parts_apart() -> None:
    assert (
        len(
            {
                disk_cache.key_of("ab", "c"),
                disk_cache.key_of("a", "bc"),
                disk_cache.key_of("abc"),
                disk_cache.key_of(b"abc", ""),
            }
        )
        == 4
    )


def test_the_folder_does_not_grow_for_ever(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "MOST_KEPT", 10)
    for number in range(60):
        disk_cache.write(f"key{number}", b"data")
        assert disk_cache.read(f"key{number}") == b"data"
    assert len(list(folder.iterdir())) <= 10


def test_few_large_files_do_not_fill_the_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "MOST_BYTES", 10_000)
    for number in range(20):
        disk_cache.write(f"key{number}", b"x" * 2_000)
        assert disk_cache.read(f"key{number}") == b"x" * 2_000
        assert sum(path.stat().st_size for path in folder.iterdir()) <= 10_000


@POSIX
def test_where_the_disk_is_full_nothing_is_kept_by_half(folder: Path) -> None:
    """No file may grow beyond some bytes, as where there is no room for more."""
    import resource

    disk_cache.write("key", b"data")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        assert not disk_cache.write("key", b"x" * 2_000)
        assert not disk_cache.write("other", b"x" * 2_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert disk_cache.read("key") == b"data"
    assert [path.name for path in folder.iterdir()] == ["key"]


@POSIX
def test_a_folder_that_nobody_may_write_to_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a file system that is mounted to be read; a mode alone does not keep an administrator from writing."""
    disk_cache.write("key", b"data")
    folder.chmod(0o500)

    def barred(*_: object, **__: object) -> tuple[int, str]:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("tempfile.mkstemp", barred)
    assert not disk_cache.write("other", b"data")
    assert disk_cache.read("key") == b"data"
    assert disk_cache.read("other") is None


def test_it_is_known_whether_what_waits_could_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nowhere").write_text("no folder", encoding="utf-8")
    for cache, kept in (("cache", True), ("nowhere/cache", False), ("", True), ("nowhere/cache", False)):
        late_writes.write_all()
        monkeypatch.setenv("REFEREE_CACHE", str(tmp_path / cache) if cache else "")
        late_writes.keep("key", lambda: b"data")
        assert late_writes.write_all() is kept
        assert late_writes.write_all(), "it is told once"


def test_a_process_says_that_it_could_keep_nothing(tmp_path: Path) -> None:
    (tmp_path / "nowhere").write_text("no folder", encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", "referee", "play", "tic_tac_toe", "--random", "1"],
                          env={**os.environ, "REFEREE_CACHE": str(tmp_path / "nowhere" / "cache")}, check=True,
                          capture_output=True, text=True, cwd=Path(__file__).parents[2])
    assert "is not kept, and will be made anew" in done.stderr
