"""Which logs are found in files, folders and archives, how they are called, and that they can be opened again."""

from __future__ import annotations

import gzip
import pickle
import tarfile
import zipfile
from pathlib import Path

import pytest

from referee.archives.log_opening import open_log
from referee.archives.log_places import readings
from referee.archives.log_splitting import TAKEN
from referee.archives.log_walk import log_streams, logs_in, stream_at
from referee.archives.short_files import short_file
from referee.game.log.log_lines import EventLine
from referee.game.log.log_reader import LogProblem
from tests.archives.packing import AGAIN, CENTRE, HEADER, ILLEGAL, LEGAL, gzipped, plain, tar, zipped

LONG = HEADER + CENTRE * (TAKEN // len(CENTRE) + 1)
"""Longer than what is read at once."""


def found(*paths: str) -> dict[str, bytes]:
    """What every log holds, by how it is called once it was read."""
    texts = {}
    for one in log_streams(paths):
        text = one.stream.read()
        texts[str(one.settled())] = text
    return texts


def carried(*paths: str) -> dict[str, bytes]:
    """The same by places that were sent somewhere else."""
    texts = {}
    for place in logs_in(paths):
        with stream_at(pickle.loads(pickle.dumps(place))) as one:  # noqa: S301
            text = one.stream.read()
            texts[str(one.settled())] = text
    return texts


def test_a_header_begins_a_log(tmp_path: Path) -> None:
    path = plain(tmp_path / "a.jsonl", "\n" + LEGAL + "\n\n" + ILLEGAL + LONG + LEGAL)
    wanted = {f"{path}#1": "\n" + LEGAL + "\n\n", f"{path}#2": ILLEGAL, f"{path}#3": LONG, f"{path}#4": LEGAL}
    assert found(path) == carried(path) == {name: text.encode() for name, text in wanted.items()}


def test_a_file_with_one_log_is_called_by_its_path(tmp_path: Path) -> None:
    for text in (LEGAL, LONG, "", "\n\n", "no log\n", '{"schema"', HEADER.strip()):
        path = plain(tmp_path / "a.jsonl", text)
        assert found(path) == carried(path) == {path: text.encode()}


@pytest.mark.parametrize(("line", "begins"), [
    (HEADER, True), (" " + HEADER, True), ("\ufeff" + HEADER, True), ('{ "schema" : 3\n', True),
    ('{"ruleset": "r", "players": [], "schema": "referee/log/1"}\n', True),
    ('{"by": "x", "do": "mark", "note": "schema"}\n', False), ('{"by": "x", "note": "\\"schema\\": 1"}\n', False),
    ('{"by": "x", "do": "mark", "with": {"schema": "referee/log/1"}}\n', False),
    ('{"by": "x", "schema": "another"}\n', False), ('x {"schema": "referee/log/1"}\n', False), ('["schema"]\n', False),
])
def test_what_begins_a_log(tmp_path: Path, line: str, begins: bool) -> None:
    path = plain(tmp_path / "a.jsonl", LEGAL + line + CENTRE)
    assert len(found(path)) == 1 + begins


@pytest.mark.parametrize("gap", range(-3, 4))
def test_headers_are_found_wherever_reading_breaks_off(tmp_path: Path, gap: int) -> None:
    note = TAKEN - len(LEGAL) - len('{"note": ""}\n') + gap
    first = LEGAL + '{"note": "' + "x" * note + '"}\n'
    path = plain(tmp_path / "a.jsonl", first + ILLEGAL)
    assert found(path) == carried(path) == {f"{path}#1": first.encode(), f"{path}#2": ILLEGAL.encode()}


MEMBERS = [("two/b.jsonl", LEGAL + ILLEGAL), ("one/a.jsonl", LONG), ("one/README", "schema"), ("c.JSONL", LEGAL)]


def packed(path: Path) -> str:
    if path.name.endswith(".zip"):
        return zipped(path, MEMBERS, zipfile.ZIP_STORED if "stored" in path.name else zipfile.ZIP_DEFLATED)
    if path.name.endswith(".zst"):
        zstandard = pytest.importorskip("zstandard")
        path.write_bytes(zstandard.compress(Path(tar(path.with_suffix(""), MEMBERS)).read_bytes()))
        return str(path)
    return tar(path, MEMBERS, "w:gz" if path.name.endswith("gz") else "w")


@pytest.mark.parametrize("name", ["a.tar", "a.tar.gz", "a.tgz", "a.tar.zst", "a.zip", "stored.zip"])
def test_logs_in_archives(tmp_path: Path, name: str) -> None:
    path = packed(tmp_path / name)
    wanted = {f"{path}::two/b.jsonl#1": LEGAL, f"{path}::two/b.jsonl#2": ILLEGAL, f"{path}::one/a.jsonl": LONG,
              f"{path}::c.JSONL": LEGAL}
    assert found(path) == carried(path) == {name: text.encode() for name, text in wanted.items()}


@pytest.mark.parametrize("kind", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_and_foreign_names_in_archives(tmp_path: Path, kind: int) -> None:
    names = ["ein/Spiel_\N{LATIN SMALL LETTER U WITH DIAERESIS}.jsonl", "/".join(["deep" * 10] * 3) + "/game.jsonl"]
    with tarfile.open(tmp_path / "a.tar", "w", format=kind) as file:
        for name in names:
            (tmp_path / "game.jsonl").write_text(LEGAL)
            file.add(tmp_path / "game.jsonl", name)
    path = str(tmp_path / "a.tar")
    assert list(found(path)) == [f"{path}::{name}" for name in names]


def test_packed_files_in_a_row_and_packed_members(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(LEGAL.encode()) + b"\0" * 20 + gzip.compress(ILLEGAL.encode()))
    assert found(str(path)) == {f"{path}#1": LEGAL.encode(), f"{path}#2": ILLEGAL.encode()}
    inner = gzip.compress(LEGAL.encode())
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("x.jsonl.gz", inner)
    assert list(found(str(tmp_path / "a.zip")).values()) == [LEGAL.encode()]


def test_a_folder_stands_for_everything_in_it_in_order(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a/z.jsonl", "a/deep/er/c.jsonl", "note.txt", ".c.jsonl.7.part"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(LEGAL)
    gzipped(tmp_path / "a" / "y.jsonl.gz", LEGAL)
    tar(tmp_path / "c.tar", [("m.jsonl", LEGAL)])
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    assert list(found(str(tmp_path))) == [
        f"{tmp_path}/{name}"
        for name in ("a/deep/er/c.jsonl", "a/y.jsonl.gz", "a/z.jsonl", "b.jsonl", "c.tar::m.jsonl")]


def test_what_an_address_may_mean() -> None:
    assert list(readings("a.tar::b::c.jsonl#3")) == [
        ("a.tar::b::c.jsonl", "", 3), ("a.tar::b", "c.jsonl", 3), ("a.tar", "b::c.jsonl", 3)]
    assert list(readings("a.jsonl#0")) == []


def test_one_log_is_opened_by_its_address(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.tar.gz")
    many = plain(tmp_path / "many#1.jsonl", LEGAL + ILLEGAL)
    for log, first, lines in ((f"{path}::two/b.jsonl#2", 4, 2), (f"{path}::c.JSONL", 2, 1), (f"{many}#2", 4, 2)):
        with open_log(log) as opened:
            read = list(opened)
            assert all(isinstance(line, EventLine) for line in read)
            assert (opened.path, read[0].number, len(read)) == (log, first, lines)


def test_an_address_stands_for_its_log_among_others(tmp_path: Path) -> None:
    path = packed(tmp_path / "a.tar.gz")
    many = plain(tmp_path / "many#1.jsonl", LEGAL + ILLEGAL)
    assert found(f"{path}::two/b.jsonl#2", f"{many}#2", f"{path}::c.JSONL") == {
        f"{path}::two/b.jsonl#2": ILLEGAL.encode(), f"{many}#2": ILLEGAL.encode(), f"{path}::c.JSONL": LEGAL.encode()}


@pytest.mark.parametrize(("name", "code", "line", "says"), [
    ("many.jsonl", "LG56", 3, "many.jsonl#1"), ("a.tar::two/b.jsonl", "LG56", 3, "a.tar::two/b.jsonl#1"),
    ("a.tar", "LG56", 3, "a.tar::two/b.jsonl"), ("many.jsonl#3", "LG01", 1, "no log 3"),
    ("a.tar::none.jsonl", "LG01", 1, "no member none.jsonl"), ("a.tar::c.JSONL#2", "LG01", 1, "no log 2 in c.JSONL"),
    ("none.jsonl#2", "LG01", 1, "no such file"), ("none.tar::x.jsonl", "LG01", 1, "no such file"),
])
def test_a_log_that_is_not_named_well(tmp_path: Path, name: str, code: str, line: int, says: str) -> None:
    tar(tmp_path / "a.tar", MEMBERS)
    plain(tmp_path / "many.jsonl", LEGAL + ILLEGAL)
    with pytest.raises(LogProblem) as caught, open_log(tmp_path / name) as log:
        list(log)
    told = caught.value.diagnostic
    assert (told.code, told.span.line) == (code, line)
    assert says in f"{told.message} {told.hint}"


def test_lines_count_in_the_file_and_overruling_in_the_log(tmp_path: Path) -> None:
    overruled = ILLEGAL + '{"by": "table", "do": "overrule", "with": {"line": 3}}\n'
    path = plain(tmp_path / "a.jsonl", LEGAL + overruled)
    with open_log(f"{path}#2") as log:
        lines = list(log)
    assert [line.number for line in lines] == [4, 5, 6]
    assert isinstance(lines[2], EventLine)
    assert lines[2].args == {"line": 5}
    assert AGAIN in overruled


def test_a_file_with_one_short_log_is_read_in_one_go(tmp_path: Path) -> None:
    """And any other is looked at as it was: what is not plainly one log is not taken for one."""
    log = b'{"schema": "referee/log/1", "ruleset": "r"}\n{"by": "a", "do": "b"}\n'
    plain = tmp_path / "plain.jsonl"
    plain.write_bytes(log)
    assert short_file(str(plain)) == log
    assert [(one.place.path, one.whole, one.place.several) for one in log_streams([str(plain)])] == [
        (str(plain), log, False)]
    for name, text in {"two.jsonl": log * 2, "open.jsonl": log[:-1], "packed.gz": log, "blank.jsonl": b"\n" + log,
                       "empty.jsonl": b"", "long.jsonl": log + b"\n" * TAKEN, "none.jsonl": b'{"by": "a"}\n'}.items():
        (tmp_path / name).write_bytes(text)
        assert short_file(str(tmp_path / name)) is None, name
    assert [short_file(path) for path in (
        str(tmp_path), str(tmp_path / "absent"), "-", "http://a/b", "a\0")] == [None] * 5
