"""Draws the pictures of the classics: `python -m tests.page.drawn_pictures` writes them.

A picture is a white shape with a dark edge, so that it is seen on light and dark. Shapes are made of polygons and
circles on a field of 40 x 40, with the origin at the top left.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "rulesets" / "classics" / "pictures"
SIZE = 40
FINE = 3
"""Points in each direction that a pixel is made of."""
EDGE = 4
"""How wide the dark edge is, in points."""

Point = tuple[float, float]
Part = tuple[Point, ...] | tuple[float, float, float]
"""A polygon, or a circle: its centre and radius."""

_FOOT: tuple[Part, ...] = (((9, 31), (31, 31), (31, 36), (9, 36)),)
SHAPES: Mapping[str, tuple[Part, ...]] = {
    "pawn": (*_FOOT, (20, 12, 6), ((17, 15), (23, 15), (28, 32), (12, 32))),
    "rook": (*_FOOT, ((10, 6), (15, 6), (15, 10), (18, 10), (18, 6), (22, 6), (22, 10), (25, 10), (25, 6), (30, 6),
                      (30, 15), (26, 18), (27, 31), (13, 31), (14, 18), (10, 15))),
    "knight": (*_FOOT, ((12, 32), (15, 22), (19, 18), (13, 20), (8, 23), (6, 19), (13, 9), (18, 7), (18, 3), (23, 7),
                        (29, 14), (31, 23), (29, 32))),
    "bishop": (*_FOOT, (20, 6, 2.5), ((20, 7), (27, 16), (25, 24), (29, 32), (11, 32), (15, 24), (13, 16))),
    "queen": (*_FOOT, (6, 10, 2.5), (13, 6, 2.5), (20, 4.5, 2.5), (27, 6, 2.5), (34, 10, 2.5),
              ((6, 10), (12, 20), (13, 7), (18, 18), (20, 5), (22, 18), (27, 7), (28, 20), (34, 10), (29, 32),
               (11, 32))),
    "king": (*_FOOT, ((18, 2), (22, 2), (22, 5), (25, 5), (25, 8), (22, 8), (22, 13), (18, 13), (18, 8), (15, 8),
                      (15, 5), (18, 5)), (13, 19, 7), (27, 19, 7), ((8, 22), (32, 22), (28, 32), (12, 32))),
}  # fmt: skip


def _inside(part: Part, x: float, y: float) -> bool:
    if isinstance(part[0], tuple):
        odd = False
        for (left, top), (right, bottom) in zip(part, (*part[1:], part[0]), strict=True):
            if (top > y) != (bottom > y) and x < (right - left) * (y - top) / (bottom - top) + left:
                odd = not odd
        return odd
    across, down, radius = part
    return (x - across) ** 2 + (y - down) ** 2 <= radius**2


def picture(parts: tuple[Part, ...]) -> bytes:
    """A PNG of a shape: grey, with transparency."""
    points = range(SIZE * FINE)
    body = {(x, y) for y in points for x in points
            if any(_inside(part, (x + 0.5) / FINE, (y + 0.5) / FINE) for part in parts)}  # fmt: skip
    around = [(x, y) for x in range(-EDGE, EDGE + 1) for y in range(-EDGE, EDGE + 1) if x * x + y * y <= EDGE * EDGE]
    rim = {(x, y) for x, y in body if not {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} <= body}
    edge = {(x + right, y + down) for x, y in rim for right, down in around}
    rows = []
    for y in range(SIZE):
        row = bytearray(1)
        for x in range(SIZE):
            here = [(x * FINE + i, y * FINE + j) for i in range(FINE) for j in range(FINE)]
            white = sum(one in body and one not in edge for one in here)
            covered = sum(one in body or one in edge for one in here)
            row += bytes((255 * white // max(covered, 1), 255 * covered // len(here)))
        rows.append(bytes(row))
    head = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 4, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(b"".join(rows), 9)) + _chunk(
        b"IEND", b"")  # fmt: skip


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, parts in SHAPES.items():
        (FOLDER / f"{name}.png").write_bytes(picture(parts))
