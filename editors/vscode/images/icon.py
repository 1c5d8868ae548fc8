"""Draws icon.png: a tile of four by four lanes, a diagonal of them lit, over the wave under a mistake.

python3 images/icon.py
"""

from __future__ import annotations

import math
import struct
import zlib
from pathlib import Path

SIZE = 256
SAMPLES = 3
"""Each pixel is the mean of so many samples across and down."""

GROUND = (24, 34, 30)
LANE = (86, 112, 98)
LIT = (150, 220, 90)
WAVE = (240, 110, 80)


def rounded(x: float, y: float, left: float, top: float, width: float, height: float, radius: float) -> bool:
    """Whether a point lies in a rectangle with round corners."""
    dx = max(abs(x - left - width / 2) - width / 2 + radius, 0)
    dy = max(abs(y - top - height / 2) - height / 2 + radius, 0)
    return math.hypot(dx, dy) <= radius


def colour(x: float, y: float) -> tuple[int, int, int, int]:
    """Red, green, blue, opacity at a point."""
    if not rounded(x, y, 0, 0, 256, 256, 48):
        return (0, 0, 0, 0)
    for row in range(4):
        for column in range(4):
            if rounded(x, y, 56 + 38 * column, 34 + 36 * row, 30, 28, 6):
                return (*(LIT if row == column else LANE), 255)
    if 52 <= x <= 204 and abs(y - 208 - 9 * math.sin((x - 52) * math.pi / 19)) <= 6.5:
        return (*WAVE, 255)
    return (*GROUND, 255)


def pixel(column: int, row: int) -> bytes:
    """One pixel, its edges smooth."""
    points = [
        colour(column + (i + 0.5) / SAMPLES, row + (j + 0.5) / SAMPLES) for i in range(SAMPLES) for j in range(SAMPLES)
    ]
    opacity = sum(point[3] for point in points)
    if not opacity:
        return bytes(4)
    parts = (round(sum(point[part] * point[3] for point in points) / opacity) for part in range(3))
    return bytes((*parts, round(opacity / len(points))))


def png(size: int) -> bytes:
    """The picture as a file."""
    rows = b"".join(b"\0" + b"".join(pixel(column, row) for column in range(size)) for row in range(size))
    head = struct.pack(">2I5B", size, size, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def chunk(kind: bytes, data: bytes) -> bytes:
    """One part of a file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


if __name__ == "__main__":
    Path(__file__).with_name("icon.png").write_bytes(png(SIZE))
