"""What is in a file: its bytes, unpacked, or those of each member that is a log."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from typing import IO, cast

from referee.archives.archive_members import ArchiveMember
from referee.archives.tar_members import tar_members
from referee.archives.unpacking import Allowance, Inflated, Zstd, damaged
from referee.archives.urls import is_url, open_url
from referee.archives.zip_members import zip_members
from referee.game.log.log_reader import STDIN, StreamFault, opened_file
from referee.system.lazy_dataclasses import dataclass

_GZIP, _ZSTD, _ZIP, _TAR = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", (b"PK\x03\x04", b"PK\x05\x06"), b"ustar"
_SKIPPABLE = 0x184D2A50
"""The least of the 16 numbers by which a frame of zstd begins that holds nothing to be unpacked."""
_TAR_AT = 257
"""The byte of a tar archive at which its sign stands."""
_HEAD = 512
"""So many first bytes tell how a file is packed: the header of a tar archive is as long."""
_TEXT = b"{ \t\r\n\xef"
"""A log begins with one of these, and nothing else does that is read here."""
_TOLD: dict[str, tuple[str, bytes | tuple[bytes, ...]]] = {
    ".gz": ("gzip", _GZIP), ".tgz": ("gzip", _GZIP), ".zst": ("zstd", _ZSTD), ".zip": ("zip", _ZIP)}


@dataclass(frozen=True, slots=True)
class BytePart:
    """Bytes in which there are logs: of a file, or of the member of an archive; where there are none, to read them
    raises `StreamFault`, which says why. `at_hand`: they lie in a file that can be read from any place; `waits`: more
    of them may be waited for."""

    member: str
    read: Callable[[int], bytes]
    at_hand: bool = False
    waits: bool = True


def parts_of(path: str) -> Generator[BytePart, None, None]:
    """What is in a file, a URL or the standard input, each part to be read before the next is asked for."""
    with ExitStack() as stack:
        try:
            file = _opened(path, stack)
        except StreamFault as fault:
            yield BytePart("", raising(fault))
            return
        yield from _parts(path, file)


def _opened(path: str, stack: ExitStack) -> IO[bytes]:
    if path == STDIN:
        return sys.stdin.buffer
    if is_url(path):
        file = open_url(path)
        stack.callback(file.close)
        return file
    return stack.enter_context(opened_file(path))


def _parts(path: str, file: IO[bytes]) -> Iterator[BytePart]:
    seekable = path != STDIN and (os.path.isfile(path) or is_url(path)) and _seeks(file)
    read = _at_once(file)
    try:
        packed = _Begun(read, seekable)
    except OSError as fault:
        yield BytePart("", raising(as_fault(fault)))
        return
    head = packed.head
    kind, wanted = next((told for ending, told in _TOLD.items() if path.lower().endswith(ending)), ("", b""))
    allowance = Allowance()
    if not head.startswith(wanted) and not _is_zstd(head):
        yield BytePart("", raising(damaged(f"no {kind} data, which the name promises")))
    elif head.startswith(_ZIP):
        if not seekable:
            yield BytePart("", raising(StreamFault(
                "LG51", "a zip archive cannot be read from here: the list of its members is at its end",
                "write it to a file first")))
        else:
            yield from _members(lambda: zip_members(file, allowance), allowance)
    elif head.startswith(_GZIP) or _is_zstd(head):
        try:
            unpacked = _Begun((Inflated if head.startswith(_GZIP) else Zstd)(packed, allowance).read, True)
        except OSError as fault:
            yield BytePart("", raising(as_fault(fault)))
            return
        if _is_tar(unpacked.head, path):
            yield from _members(lambda: tar_members(unpacked), allowance)
        else:
            yield BytePart("", unpacked.read)
    elif _is_tar(head, path):
        yield from _members(lambda: tar_members(packed), allowance)
    else:
        yield BytePart("", packed.read, at_hand=seekable and not is_url(path), waits=seekable)


class _Begun:
    """Bytes of which the first were looked at. `waits`: for all of these; else no more than tells a log from what is
    packed, for somebody may be typing it."""

    def __init__(self, read: Callable[[int], bytes], waits: bool) -> None:
        self._read = read
        self.head = b""
        while len(self.head) < _HEAD and (waits or not self.head.startswith(tuple(bytes([one]) for one in _TEXT))):
            data = read(_HEAD - len(self.head))
            if not data:
                break
            self.head += data
        self._left = self.head

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        if not self._left:
            return self._read(size)
        data, self._left = self._left[:size], self._left[size:]
        return data


def _at_once(file: IO[bytes]) -> Callable[[int], bytes]:
    """Reads what there is: of a pipe no more is waited for."""
    return cast("Callable[[int], bytes]", getattr(file, "read1", file.read))


def _seeks(file: IO[bytes]) -> bool:
    try:
        return file.seekable()
    except OSError:
        return False


def _is_zstd(head: bytes) -> bool:
    return head.startswith(_ZSTD) or int.from_bytes(head[:4], "little") & ~0xF == _SKIPPABLE


def _is_tar(head: bytes, path: str) -> bool:
    named = path.lower().endswith((".tar", ".tgz", ".tar.gz", ".tar.zst"))
    return head[_TAR_AT:_TAR_AT + 5] == _TAR or (named and not head.startswith(b"{"))


def _members(members: Callable[[], Iterator[ArchiveMember]], allowance: Allowance) -> Iterator[BytePart]:
    """The logs among the members; of an archive that breaks off that is told at its end, and so that it has none."""
    found = False
    told: list[OSError] = []

    def noted(read: Callable[[int], bytes]) -> Callable[[int], bytes]:
        def reading(size: int) -> bytes:
            try:
                return read(size)
            except OSError as fault:
                told.append(fault)
                raise

        return reading

    try:
        for member in members():
            if not member.is_log:
                continue
            found = True
            if member.odd:
                yield BytePart(member.name, raising(
                    StreamFault("LG53", f"the member of the archive is {member.odd}, and is not looked at")))
            elif member.fault is not None:
                yield BytePart(member.name, raising(member.fault))
            else:
                yield from _unpacked(member, noted(member.body.read), allowance)
    except OSError as fault:
        if not any(fault is one for one in told):
            yield BytePart("", raising(as_fault(fault)))
        return
    if not found:
        yield BytePart("", raising(StreamFault("LG57", "no log is in the archive",
                                            "logs are members called *.jsonl, *.jsonl.gz or *.jsonl.zst")))


def _unpacked(member: ArchiveMember, read: Callable[[int], bytes], allowance: Allowance) -> Iterator[BytePart]:
    name = member.name.lower()
    if not name.endswith((".gz", ".zst")):
        yield BytePart(member.name, read)
        return
    source = _MemberBytes(read)
    try:
        yield BytePart(member.name, (Inflated if name.endswith(".gz") else Zstd)(source, allowance).read)
    except StreamFault as fault:
        yield BytePart(member.name, raising(fault))


class _MemberBytes:
    def __init__(self, read: Callable[[int], bytes]) -> None:
        self.read: Callable[[int], bytes] = read


def as_fault(fault: OSError) -> StreamFault:
    """What went wrong, with a code."""
    if isinstance(fault, StreamFault):
        return fault
    return StreamFault("LG01", f"cannot be read: {fault.strerror or fault}")


def raising(fault: OSError) -> Callable[[int], bytes]:
    """Bytes that cannot be read."""
    def read(size: int) -> bytes:
        raise fault

    return read
