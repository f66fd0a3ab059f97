"""Pictures in files: which of the forms that a page may hold they have, and how large they are, by their content."""

from __future__ import annotations

import struct
from dataclasses import dataclass

MOST_BYTES = 5_000_000
"""Of all pictures of a ruleset together."""
MOST_PIXELS = 4_096
"""In each direction."""
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""Segments of a JPEG that say how large it is."""
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""Segments of a JPEG without a length."""


@dataclass(frozen=True, slots=True)
class PictureForm:
    """What a picture is. `media`: its type, as a data URI names it."""

    media: str
    width: int
    height: int


def picture_form(data: bytes) -> PictureForm:
    """What the content of a file is. Raises `ValueError`, which says why it is no picture that a page may hold."""
    try:
        form = _png(data) or _webp(data) or _jpeg(data)
    except (struct.error, IndexError):
        raise ValueError("it ends before it says how large it is") from None
    if form is None:
        raise ValueError("by its content it is no PNG, JPEG or WebP")
    if not 0 < form.width <= MOST_PIXELS or not 0 < form.height <= MOST_PIXELS:
        raise ValueError(f"it has {form.width} x {form.height} pixels, expected 1 to {MOST_PIXELS} in each direction")
    return form


def _png(data: bytes) -> PictureForm | None:
    if not data.startswith(b"\x89PNG\r\n\x1a\n"):
        return None
    if data[12:16] not in (b"IHDR", b""):
        raise ValueError("it is no whole PNG")
    return PictureForm("image/png", *struct.unpack_from(">II", data, 16))


def _webp(data: bytes) -> PictureForm | None:
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        return None
    match data[12:16]:
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return PictureForm("image/webp", width & 0x3FFF, height & 0x3FFF)
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", data, 21)
            return PictureForm("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case b"VP8X":
            low, mid, high, *other = struct.unpack_from("<6B", data, 24)
            width, height = (one + (two << 8) + (three << 16) + 1 for one, two, three in ((low, mid, high), other))
            return PictureForm("image/webp", width, height)
        case _:
            raise ValueError("it is no whole WebP")


def _jpeg(data: bytes) -> PictureForm | None:
    if not data.startswith(b"\xff\xd8\xff"):
        return None
    at = 2
    while True:
        if data[at] != 0xFF:
            raise ValueError("it is no whole JPEG")
        kind = data[at + 1]
        if kind in _FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            return PictureForm("image/jpeg", width, height)
        if kind == 0xFF:
            at += 1
        elif kind in _ALONE:
            at += 2
        else:
            (length,) = struct.unpack_from(">H", data, at + 2)
            at += 2 + max(length, 2)
