"""Lines in blocks are those that are read one after the other, however the bytes come."""

from __future__ import annotations

import io
from random import Random

import pytest

from referee.game.log.line_blocks import BLOCK, MAX_LINE, LineBlocks, TooLongLine


class Drops(io.BytesIO):
    """Bytes that come in drops, as from a pipe; `broken`: after how many of them an error comes."""

    def __init__(self, data: bytes, random: Random, broken: int | None = None) -> None:
        super().__init__(data)
        self._random = random
        self._broken = broken

    def read1(self, size: int | None = -1, /) -> bytes:
        if self._broken is not None and self.tell() >= self._broken:
            raise OSError(5, "broken")
        least = min(size or 1, self._random.choice((1, 7, 60, BLOCK)))
        return super().read1(least)


def lines(blocks: LineBlocks) -> list[bytes]:
    """All lines as they stand in the stream."""
    found: list[bytes] = []
    block = blocks.first()
    while block:
        found += [line + b"\n" for line in block[:-1]]
        found.append(block[-1] + (b"" if blocks.cut else b"\n"))
        block = blocks.more()
    assert blocks.more() == []
    return found


@pytest.mark.parametrize("seed", range(30))
def test_blocks_hold_the_lines_of_a_stream(seed: int) -> None:
    random = Random(seed)
    data = b"".join(bytes(random.choices(b"ab\r{}\xc3\xa4", k=random.choice((0, 1, 30, 400)))) + b"\n"
                    for _ in range(random.choice((0, 1, 3, 900)))) + random.choice((b"", b"a", b"a\r"))
    wanted = io.BytesIO(data).readlines()
    assert lines(LineBlocks(Drops(data, random))) == wanted
    assert lines(LineBlocks(io.BytesIO(data))) == wanted
    text = data.decode("utf-8", "replace")
    assert lines(LineBlocks(io.StringIO(text, newline="\n"))) == [line.encode() for line in io.StringIO(
        text, newline="\n")]


@pytest.mark.parametrize("more", [b"", b"\nb\n", b"x" * 10 * BLOCK])
@pytest.mark.parametrize("length", [MAX_LINE - 1, MAX_LINE, MAX_LINE + 1])
def test_a_line_that_is_too_long_is_a_fault_behind_those_before_it(length: int, more: bytes) -> None:
    blocks = LineBlocks(io.BytesIO(b"a\nb\n" + b"x" * length + more))
    found = lines(blocks)
    too_long = length + len(more[:1]) > MAX_LINE if more[:1] != b"x" else True
    assert found[:2] == [b"a\n", b"b\n"]
    assert isinstance(blocks.fault, TooLongLine) == too_long == (len(found) == 2)


@pytest.mark.parametrize("seed", range(5))
def test_what_was_whole_before_a_stream_broke_is_given(seed: int) -> None:
    blocks = LineBlocks(Drops(b"a\nb\nccc\n", Random(seed), broken=5))
    found = lines(blocks)
    assert found[:2] == [b"a\n", b"b\n"]
    assert isinstance(blocks.fault, OSError)


def test_a_text_may_hold_what_is_no_character() -> None:
    blocks = LineBlocks(io.StringIO("a\ud800\n"))
    assert blocks.first() == ["a\ud800".encode("utf-8", "surrogatepass")]
    assert blocks.lenient


def test_one_line_is_taken_first() -> None:
    stream = io.StringIO("a\nb\n")
    assert LineBlocks(stream).first() == [b"a"]
    assert stream.readline() == "b\n"
