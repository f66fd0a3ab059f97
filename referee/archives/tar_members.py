"""Goes through a tar archive from its beginning to its end: each member once, nothing kept, nothing written."""

from __future__ import annotations

from collections.abc import Iterator

from referee.archives.archive_members import ArchiveMember
from referee.archives.unpacking import ByteSource, damaged

BLOCK = 512
"""Bytes: a header of a tar archive is one block, and what a member holds is filled up to whole ones."""
MOST_NAME = 1 << 16
"""Bytes of a name, or of what else is told of a member, at most."""
_FILES, _FOLDER = (b"0", b"\0", b"7"), b"5"
_OTHER = {b"1": "a link", b"2": "a link", b"3": "a device", b"4": "a device", b"6": "a pipe", b"S": "a file with gaps"}
_SKIPPED = 1 << 18
"""Bytes that are read at once where nobody wants them."""
MOST_FILLING = 1 << 26
"""Bytes that are read behind the last member: an archive could go on without an end."""


def tar_members(source: ByteSource) -> Iterator[ArchiveMember]:
    """Each member but folders, to be read before the next is asked for. Raises `StreamFault` where it is damaged."""
    told: dict[str, bytes] = {}
    blank = 0
    while True:
        header = _exactly(source, BLOCK, ends=True)
        if not header:
            return
        if not header.strip(b"\0"):
            blank += 1
            if blank == 2:
                _to_the_end(source)
                return
            continue
        blank = 0
        size, kind = _checked(header), header[156:157]
        if kind in (b"L", b"K", b"x", b"g"):
            if size > MOST_NAME:
                raise damaged(f"the tar archive is damaged: a name of {size} bytes")
            data = _exactly(source, -(-size // BLOCK) * BLOCK)[:size]
            told.update(_names(kind, data))
            continue
        name, size = _name(header, told), _told_size(told, size)
        told = {}
        body = _Body(source, size)
        if kind != _FOLDER and not name.endswith("/"):
            yield ArchiveMember(name, body, "" if kind in _FILES else _OTHER.get(kind, "of a kind not read"))
        body.skip()


def _to_the_end(source: ByteSource) -> None:
    """Reads what is behind the last member: what the archive is packed in says at its end whether it is whole. No
    archive is filled up with more than some bytes."""
    left = MOST_FILLING
    while left > 0 and (data := source.read(min(left, _SKIPPED))):
        left -= len(data)


class _Body:
    """The bytes of one member."""

    def __init__(self, source: ByteSource, size: int) -> None:
        self._source, self._left, self._filling = source, size, -size % BLOCK

    def read(self, size: int, /) -> bytes:
        """The next bytes."""
        if not self._left:
            return b""
        data = self._source.read(min(size, self._left))
        if not data:
            raise damaged("the tar archive is cut off")
        self._left -= len(data)
        return data

    def skip(self) -> None:
        """Goes on to the next member."""
        while self.read(_SKIPPED):
            pass
        if self._filling:
            _exactly(self._source, self._filling)


def _exactly(source: ByteSource, size: int, *, ends: bool = False) -> bytes:
    """So many bytes. `ends`: none at all will do as well."""
    pieces: list[bytes] = []
    while size > 0:
        data = source.read(size)
        if not data:
            if ends and not pieces:
                return b""
            raise damaged("the tar archive is cut off")
        pieces.append(data)
        size -= len(data)
    return b"".join(pieces)


def _checked(header: bytes) -> int:
    """The size that a header tells, if the header is whole."""
    told = _number(header[148:156])
    bytes_ = header[:148] + b" " * 8 + header[156:]
    signed = sum(one - 256 if one > 127 else one for one in bytes_)
    if told not in (sum(bytes_), signed):
        raise damaged("the tar archive is damaged: no header of a member where one is to be")
    size = _number(header[124:136])
    if size < 0:
        raise damaged("the tar archive is damaged: a member of no possible size")
    return size


def _number(field: bytes) -> int:
    """A number in a header: octal digits, or bytes behind a mark; -1 for neither."""
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:], "big")
    try:
        return int(field.strip(b"\0 ").decode("ascii") or "0", 8)
    except ValueError:
        return -1


def _names(kind: bytes, data: bytes) -> dict[str, bytes]:
    """What a header says of the member that follows."""
    if kind == b"L":
        return {"path": data.rstrip(b"\0")}
    if kind != b"x":
        return {}
    told: dict[str, bytes] = {}
    while data:
        length, _, _ = data.partition(b" ")
        if not length.isdigit() or len(length) > 6 or not 0 < int(length) <= len(data):
            raise damaged("the tar archive is damaged: what is told of a member cannot be read")
        key, _, value = data[len(length) + 1:int(length) - 1].partition(b"=")
        told[key.decode("utf-8", "replace")] = value
        data = data[int(length):]
    return told


def _name(header: bytes, told: dict[str, bytes]) -> str:
    name = told.get("path")
    if name is None:
        name = header[:100].partition(b"\0")[0]
        before = header[345:500].partition(b"\0")[0] if header[257:263] == b"ustar\0" else b""
        name = before + b"/" + name if before else name
    return name.decode("utf-8", "backslashreplace")


def _told_size(told: dict[str, bytes], size: int) -> int:
    if "size" not in told:
        return size
    if not told["size"].isdigit() or len(told["size"]) > 18:
        raise damaged("the tar archive is damaged: a member of no possible size")
    return int(told["size"])
