"""Reading files: bytes that are no text, files that are none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee.diagnostics.diagnostic import Reporter
from referee.diagnostics.source import Source
from referee.syntax import decode, read_source, size_limits
from referee.system.file_observations import FileObservations


def read(path: Path) -> tuple[Source | None, list[tuple[str, int, int]]]:
    reporter = Reporter()
    source = read_source(path, reporter, FileObservations())
    return source, [(d.code, d.span.line, d.span.column) for d in reporter.found()]


def test_a_byte_order_mark_is_left_out() -> None:
    source = decode(b"\xef\xbb\xbfsetup\n", "t", Reporter())
    assert source is not None
    assert source.text == "setup\n"


def test_another_encoding_is_reported_where_it_shows(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_bytes("eins\nzw\xf6lf\n".encode("latin-1"))
    assert read(tmp_path / "a.rules") == (None, [("SY02", 2, 3)])


def test_a_zero_byte_is_reported_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_bytes(b"a\nbc\0")
    assert read(tmp_path / "a.rules") == (None, [("SY02", 2, 3)])


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    with (tmp_path / "a.rules").open("wb") as file:
        file.truncate(1 << 40)
    assert read(tmp_path / "a.rules")[1] == [("SY04", 1, 1)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with a name")
def test_what_would_have_to_be_waited_for_is_no_text(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.rules")
    assert read(tmp_path / "a.rules") == (None, [("SY01", 1, 1)])
    assert read(Path("/dev/zero"))[1] == [("SY01", 1, 1)]


@pytest.mark.parametrize("cut", range(4))
def test_a_file_cut_within_a_letter_is_too_large_and_nothing_else(tmp_path: Path, cut: int) -> None:
    (tmp_path / "a.rules").write_bytes(b"x" * cut + "\u20ac".encode() * size_limits.SOURCE_BYTES)
    assert read(tmp_path / "a.rules")[1] == [("SY04", 1, 1)]


@pytest.mark.parametrize("name", ["missing.rules", ".", "a\0b"])
def test_what_is_no_file_cannot_be_read(tmp_path: Path, name: str) -> None:
    assert read(tmp_path / name) == (None, [("SY01", 1, 1)])
