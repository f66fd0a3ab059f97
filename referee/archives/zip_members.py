"""Goes through a zip archive by the list at its end, piece by piece: a million members take no memory."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import IO

from referee.archives.archive_members import ArchiveMember
from referee.archives.unpacking import Allowance, ByteSource, Inflated, Zstd, damaged
from referee.game.log.log_reader import StreamFault

_END, _ENTRY, _LOCAL = b"PK\x05\x06", b"PK\x01\x02", b"PK\x03\x04"
_END64, _END64_AT = b"PK\x06\x06", b"PK\x06\x07"
_LISTED = struct.Struct("<4s4x2H4x3I3H4x2I")
"""An entry of the list: its mark, flags, method, CRC, packed and unpacked size, how long its name, its further fields
and its comment are, attributes, where it lies (APPNOTE.TXT 4.3.12)."""
_END_SIZE, _MOST_COMMENT = 22, 65_535
"""Bytes of the end of a zip archive without its comment, and of the longest comment: so far back it is looked for."""
_TAKEN = 1 << 16
"""Bytes of the list of members that are read at once."""
_FULL = 0xFFFFFFFF
"""Stands where a number of four bytes would be too large: then a longer one stands elsewhere."""
_ENCRYPTED, _UTF8 = 0x1, 0x800
"""Bits of the flags of a member: it is encrypted, its name is UTF-8."""
_STORED, _DEFLATED, _ZSTD = 0, 8, (93, 20)
"""The numbers of the ways to pack that are read; zstd has two."""
_LINK, _FILE_KINDS = 0o120000, (0, 0o100000)
"""Kinds of members as Unix numbers them: a link, and what is a file (0: nothing is said)."""


def zip_members(file: IO[bytes], allowance: Allowance) -> Iterator[ArchiveMember]:
    """Each member but folders. Raises `StreamFault` where the list of members is damaged."""
    for entry in _entries(file):
        flags, method, crc, packed, size, attributes, at, name = entry
        if name.endswith("/"):
            continue
        kind = (attributes >> 16) & 0o170000
        if kind not in _FILE_KINDS:
            yield ArchiveMember(name, _NOTHING, "a link" if kind == _LINK else "no file")
        elif flags & _ENCRYPTED:
            yield ArchiveMember(name, _NOTHING, fault=StreamFault("LG54", "the member is encrypted"))
        elif method not in (_STORED, _DEFLATED, *_ZSTD):
            fault = StreamFault("LG54", f"the member is packed by method {method}, which is not read here")
            yield ArchiveMember(name, _NOTHING, fault=fault)
        else:
            try:
                yield ArchiveMember(name, _Checked(_body(file, at, packed, method, allowance), size, crc))
            except StreamFault as fault:
                yield ArchiveMember(name, _NOTHING, fault=fault)


_Entry = tuple[int, int, int, int, int, int, int, str]
"""Flags, method, CRC, packed and unpacked size, attributes, where it lies, name."""


def _entries(file: IO[bytes]) -> Iterator[_Entry]:
    at, number = _directory(file)
    listed = b""
    for _ in range(number):
        while len(listed) < _LISTED.size or len(listed) < _whole_length(listed):
            file.seek(at)
            more = file.read(_TAKEN)
            if not more:
                raise damaged("the zip archive is damaged: its list of members is cut off")
            at += len(more)
            listed += more
        mark, flags, method, crc, packed, size, of_name, of_extra, _, attributes, where = _LISTED.unpack_from(listed)
        if mark != _ENTRY:
            raise damaged("the zip archive is damaged: no member where its list has one")
        behind_name = _LISTED.size + of_name
        name, extra = listed[_LISTED.size:behind_name], listed[behind_name:behind_name + of_extra]
        listed = listed[_whole_length(listed):]
        size, packed, where = _long(extra, size, packed, where)
        text = name.decode("utf-8" if flags & _UTF8 else "cp437", "backslashreplace")
        yield flags, method, crc, packed, size, attributes, where, text


def _whole_length(listed: bytes) -> int:
    """How many bytes the first entry has, with what belongs to it."""
    of_name, of_extra, of_comment = _LISTED.unpack_from(listed)[6:9]
    return _LISTED.size + int(of_name) + int(of_extra) + int(of_comment)


def _directory(file: IO[bytes]) -> tuple[int, int]:
    """Where the list of members lies, and how many there are."""
    end = file.seek(0, 2)
    first = max(0, end - _END_SIZE - _MOST_COMMENT)
    file.seek(first)
    tail = file.read(_END_SIZE + _MOST_COMMENT)
    found = tail.rfind(_END)
    if found < 0 or len(tail) - found < _END_SIZE:
        raise damaged("the zip archive is cut off: the list of its members is at its end")
    number, of_list, at = struct.unpack_from("<H2I", tail, found + 10)
    if number == 0xFFFF or _FULL in (of_list, at):
        file.seek(max(0, first + found - 20))
        mark, _, at64, _ = struct.unpack("<4sIQI", file.read(20).ljust(20, b"\0"))
        if mark == _END64_AT:
            file.seek(min(at64, end))
            long = file.read(56).ljust(56, b"\0")
            if long[:4] != _END64:
                raise damaged("the zip archive is damaged: the list of its members is not where it is said to be")
            number, of_list, at = struct.unpack_from("<3Q", long, 32)
    if at + of_list > end:
        raise damaged("the zip archive is cut off: the list of its members is not whole")
    return at, number


def _long(extra: bytes, size: int, packed: int, where: int) -> tuple[int, int, int]:
    """Numbers for which there is no room where they usually stand."""
    wanted = [size == _FULL, packed == _FULL, where == _FULL]
    values = [size, packed, where]
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<2H", extra)
        if kind == 1:
            given = iter(struct.unpack_from(f"<{min(length, len(extra) - 4) // 8}Q", extra, 4))
            values = [next(given, value) if wants else value for wants, value in zip(wanted, values, strict=True)]
            break
        extra = extra[4 + length:]
    return values[0], values[1], values[2]


def _body(file: IO[bytes], at: int, packed: int, method: int, allowance: Allowance) -> ByteSource:
    file.seek(min(at, 1 << 62))
    local = file.read(30)
    if len(local) < 30 or local[:4] != _LOCAL:
        raise damaged("the zip archive is damaged: the member is not where its list has it")
    stored = _Stretch(file, at + 30 + sum(struct.unpack_from("<2H", local, 26)), packed)
    if method == _STORED:
        return stored
    return Inflated(stored, allowance, raw=True) if method == _DEFLATED else Zstd(stored, allowance)


class _Stretch:
    """So many bytes of a file from a place on."""

    def __init__(self, file: IO[bytes], at: int, size: int) -> None:
        self._file, self._at, self._left = file, at, size

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        if not self._left:
            return b""
        self._file.seek(self._at)
        data = self._file.read(min(size, self._left))
        if not data:
            raise damaged("the zip archive is cut off")
        self._at += len(data)
        self._left -= len(data)
        return data


class _Checked:
    """The bytes of a member, which are to be as many as its archive says, and the same."""

    def __init__(self, source: ByteSource, size: int, crc: int) -> None:
        self._source, self._left, self._wanted = source, size, crc
        self._crc = 0

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        data = self._source.read(size)
        self._left -= len(data)
        self._crc = zlib.crc32(data, self._crc)
        if self._left < 0:
            raise damaged("the member is longer than its archive says")
        if not data and (self._left or self._crc != self._wanted):
            raise damaged("the member is not what its archive says: its check sum is another one")
        return data


class _Nothing:
    def read(self, size: int, /) -> bytes:
        """Nothing."""
        return b""


_NOTHING = _Nothing()
