"""Unpacks gzip and zstd piece by piece: never more at once than is asked for, and not without end."""

from __future__ import annotations

import zlib
from typing import Protocol

from referee.game.log.log_reader import StreamFault

TAKEN = 1 << 16
"""Packed bytes that are taken at once."""
TAKEN_OF_ZSTD = 1 << 10
"""The same for zstd, of which four bytes can stand for 128 KiB, all of which comes at once."""
MOST_WINDOW = 1 << 27
"""How far back data packed by zstd may point: the memory that unpacking takes."""
FREE = 1 << 28
"""So many bytes are unpacked whatever they were packed in."""
MOST_RATIO = 1_000
"""Bytes that one packed byte may stand for, beyond that."""
MOST_UNPACKED = 1 << 40
"""Bytes that are unpacked from one file, at most."""
EXTRA = "pip install 'referee[archives]'"


class ByteSource(Protocol):
    """Gives bytes: at most so many, fewer if it likes, none at the end."""

    def read(self, size: int, /) -> bytes: ...


class Allowance:
    """How much may still be unpacked from one file. Raises `StreamFault` (LG52) beyond."""

    def __init__(self) -> None:
        self.packed = 0
        self.unpacked = 0

    def gave(self, unpacked: int) -> None:
        """Notes bytes that were unpacked."""
        self.unpacked += unpacked
        if self.unpacked > MOST_UNPACKED:
            raise StreamFault("LG52", f"more than {MOST_UNPACKED >> 40} TiB when unpacked")
        if self.unpacked > FREE and self.unpacked > MOST_RATIO * self.packed:
            raise StreamFault("LG52", f"{self.packed} packed bytes stand for more than {self.unpacked - 1} bytes: "
                                      f"no log is packed so well")


def damaged(what: str) -> StreamFault:
    """Packed data that is not what it should be."""
    return StreamFault("LG51", what)


class Inflated:
    """What was packed by gzip, one file of it or several one behind the other, or (`raw`) a member of a zip file."""

    def __init__(self, packed: ByteSource, allowance: Allowance, *, raw: bool = False) -> None:
        self._packed, self._allowance = packed, allowance
        self._raw = raw
        self._left = b""
        self._inflating = zlib.decompressobj(-15 if raw else 31)

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        while True:
            if self._inflating.eof and not self._next():
                return b""
            if not self._left:
                self._left = self._taken()
                if not self._left:
                    raise damaged("the packed data is cut off")
            try:
                data = self._inflating.decompress(self._left, size)
            except zlib.error as error:
                raise damaged(f"the packed data is damaged: {_words(error)}") from None
            self._left = self._inflating.unused_data if self._inflating.eof else self._inflating.unconsumed_tail
            if data:
                self._allowance.gave(len(data))
                return data

    def _taken(self) -> bytes:
        data = self._packed.read(TAKEN)
        self._allowance.packed += len(data)
        return data

    def _next(self) -> bool:
        """Whether another packed file follows; zeros between are filling."""
        if self._raw:
            return False
        self._left = self._left.lstrip(b"\0")
        while not self._left:
            data = self._taken()
            if not data:
                return False
            self._left = data.lstrip(b"\0")
        self._inflating = zlib.decompressobj(31)
        return True


class Zstd:
    """What was packed by zstd. Raises `StreamFault` (LG55) where nothing is installed that reads it."""

    def __init__(self, packed: ByteSource, allowance: Allowance) -> None:
        try:
            import zstandard
        except ImportError:
            raise StreamFault("LG55", "packed by zstd, and zstandard is not installed", EXTRA) from None
        self._packed, self._allowance = packed, allowance
        self._fault = zstandard.ZstdError
        self._unpacker = zstandard.ZstdDecompressor(max_window_size=MOST_WINDOW)
        self._frame = self._unpacker.decompressobj()
        self._left = b""
        self._ready = b""
        self._at = 0

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        while self._at >= len(self._ready):
            if not self._left:
                self._left = self._packed.read(TAKEN)
                if not self._left:
                    if self._begun:
                        raise damaged("the packed data is cut off")
                    return b""
            self._unpack()
        data = self._ready[self._at:self._at + size]
        self._at += len(data)
        return data

    _begun = True
    """Whether a frame has begun and not ended: none at all is no packed data."""

    def _unpack(self) -> None:
        """Takes some packed bytes."""
        if not self._begun:
            self._frame, self._begun = self._unpacker.decompressobj(), True
        piece, self._left = self._left[:TAKEN_OF_ZSTD], self._left[TAKEN_OF_ZSTD:]
        try:
            self._ready, self._at = self._frame.decompress(piece), 0
        except self._fault as error:
            raise damaged(f"the packed data is damaged: {_words(error)}") from None
        unused = b""
        if self._frame.eof:
            unused, self._begun = self._frame.unused_data, False
        self._left = unused + self._left
        self._allowance.packed += len(piece) - len(unused)
        self._allowance.gave(len(self._ready))


def _words(error: Exception) -> str:
    """What a library says is wrong, on one line."""
    return " ".join(str(error).split())[:200]
