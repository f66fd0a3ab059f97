"""What is damaged, made to do harm, or too much: one verdict with its code, and the next log is judged."""

from __future__ import annotations

import gzip
import io
import json
import resource
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.archives import unpacking
from referee.archives.log_walk import log_streams
from referee.cli.main import run
from tests.archives.packing import ILLEGAL, LEGAL, gzipped, plain, tar, zipped

LONG = LEGAL * 4_000


def judged(capsys: pytest.CaptureFixture[str], *paths: Path) -> list[tuple[str, str]]:
    """The outcome of each log, or the code of why it is unreadable, behind its member and number."""
    run(["judge", *map(str, paths), "--format", "json", "--jobs", "1"])
    verdicts = json.loads(capsys.readouterr().out)["verdicts"]
    return [(f"{one['member'] or Path(one['path']).name}#{one['index']}",
             one["diagnostics"][0]["code"] if one["outcome"] == "unreadable" else one["outcome"]) for one in verdicts]


def test_packed_data_that_is_cut_off_or_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = gzip.compress((LEGAL + ILLEGAL).encode(), mtime=0)
    (tmp_path / "a.jsonl.gz").write_bytes(whole[:-4])
    (tmp_path / "b.jsonl.gz").write_bytes(whole[:12] + b"\xff" + whole[13:])
    plain(tmp_path / "c.jsonl.gz", LEGAL)
    plain(tmp_path / "d.jsonl", LEGAL)
    found = judged(capsys, tmp_path)
    assert found[:2] == [("a.jsonl.gz#1", "legal"), ("a.jsonl.gz#2", "LG51")] or found[0] == ("a.jsonl.gz#1", "LG51")
    assert ("b.jsonl.gz#1", "LG51") in found
    assert found[-2:] == [("c.jsonl.gz#1", "LG51"), ("d.jsonl#1", "legal")]


def test_archives_that_are_cut_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    members = [("a.jsonl", LEGAL), ("b.jsonl", LEGAL)]
    for name, path in (("t.tar", tar(tmp_path / "t.tar", members)), ("z.zip", zipped(tmp_path / "z.zip", members))):
        data = Path(path).read_bytes()
        (tmp_path / name).write_bytes(data[:1536 + 20] if name == "t.tar" else data[:-30])
    assert judged(capsys, tmp_path / "t.tar", tmp_path / "z.zip") == [
        ("a.jsonl#1", "legal"), ("b.jsonl#1", "LG51"), ("z.zip#1", "LG51")] or \
        judged(capsys, tmp_path / "z.zip") == [("z.zip#1", "LG51")]


@pytest.mark.parametrize("taken", [1, 7, 8])
def test_an_archive_that_is_cut_in_what_says_that_it_is_whole(
        taken: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = gzip.compress(Path(tar(tmp_path / "t.tar", [("a.jsonl", LEGAL)])).read_bytes(), mtime=0)
    (tmp_path / "whole.tar.gz").write_bytes(whole)
    (tmp_path / "cut.tar.gz").write_bytes(whole[:-taken])
    assert judged(capsys, tmp_path / "whole.tar.gz") == [("a.jsonl#1", "legal")]
    assert judged(capsys, tmp_path / "cut.tar.gz") == [("a.jsonl#1", "legal"), ("cut.tar.gz#1", "LG51")]


def test_members_that_are_no_files_or_leave_the_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as file:
        for name, kind in (("l.jsonl", tarfile.SYMTYPE), ("h.jsonl", tarfile.LNKTYPE), ("d.jsonl", tarfile.CHRTYPE),
                           ("p.jsonl", tarfile.FIFOTYPE)):
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            file.addfile(info)
        info = tarfile.TarInfo("../../out.jsonl")
        info.size = len(LEGAL)
        file.addfile(info, io.BytesIO(LEGAL.encode()))
    assert judged(capsys, tmp_path / "a.tar") == [
        ("l.jsonl#1", "LG53"), ("h.jsonl#1", "LG53"), ("d.jsonl#1", "LG53"), ("p.jsonl#1", "LG53"),
        ("../../out.jsonl#1", "legal")]
    assert [path.name for path in tmp_path.iterdir()] == ["a.tar"]


def test_members_that_are_encrypted_or_changed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.zip"
    zipped(path, [("a.jsonl", LEGAL), ("b.jsonl", LEGAL), ("c.jsonl", LEGAL)], zipfile.ZIP_STORED)
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    at = data.index(LEGAL.encode(), data.index(LEGAL.encode()) + 1)
    data[at + 12] ^= 1
    path.write_bytes(bytes(data))
    assert [code for _, code in judged(capsys, path)] == ["LG54", "LG51", "legal"] or \
        judged(capsys, path)[::2] == [("a.jsonl#1", "LG54"), ("c.jsonl#1", "legal")]


def test_a_line_that_damage_made_wrong_is_no_wrong_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The check sum at the end says that nothing of it need be as it was written."""
    path = tmp_path / "a.zip"
    text = LEGAL + '{"by": "o", "do": "mark", "with": {"cell": "b3"}}\n'
    zipped(path, [("a.jsonl", text), ("b.jsonl", ILLEGAL)], zipfile.ZIP_STORED)
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"b3"', b'"b2"'))
    assert judged(capsys, path) == [("a.jsonl#1", "LG51"), ("b.jsonl#1", "illegal")]


def test_little_that_unpacks_to_much(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                     monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "FREE", 1 << 20)
    monkeypatch.setattr(unpacking, "MOST_RATIO", 100)
    gzipped(tmp_path / "a.jsonl.gz", LEGAL + "\n" * (1 << 23))
    plain(tmp_path / "b.jsonl", LEGAL)
    assert judged(capsys, tmp_path) == [("a.jsonl.gz#1", "LG52"), ("b.jsonl#1", "legal")]


def test_an_archive_without_logs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tar(tmp_path / "a.tar", [("README", LEGAL)])
    assert judged(capsys, tmp_path / "a.tar") == [("a.tar#1", "LG57")]


@pytest.mark.parametrize("ending", ["gz", "tar.gz", "zst", "zip"])
@pytest.mark.parametrize("text", ["", LEGAL])
def test_what_is_not_packed_as_its_name_says(ending: str, text: str, tmp_path: Path,
                                             capsys: pytest.CaptureFixture[str]) -> None:
    plain(tmp_path / f"a.jsonl.{ending}", text)
    assert judged(capsys, tmp_path / f"a.jsonl.{ending}") == [(f"a.jsonl.{ending}#1", "LG51")]


def test_a_line_without_end_and_the_log_behind_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain(tmp_path / "a.jsonl", LEGAL + "x" * (3 << 20) + '"schema"' + "\n" + ILLEGAL)
    assert judged(capsys, tmp_path / "a.jsonl") == [("a.jsonl#1", "LG04"), ("a.jsonl#2", "illegal")]


def test_memory_does_not_grow_with_the_archive(tmp_path: Path) -> None:
    """Many logs, and one long log, in an archive that is unpacked as it is read."""
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz", compresslevel=1) as file:
        for number in range(12):
            info = tarfile.TarInfo(f"{number}.jsonl")
            info.size = len(LONG) * 10
            file.addfile(info, io.BytesIO(LONG.encode() * 10))

    def logs() -> Iterator[int]:
        for one in log_streams([str(tmp_path / "a.tar.gz")]):
            yield len(one.stream.read())

    walk = logs()
    for _ in range(40_000):
        next(walk)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert sum(1 for _ in walk) == 12 * 40_000 - 40_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8_000
