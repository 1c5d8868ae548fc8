"""The files that are measured: kept ones, and fresh ones, on which no change was tuned."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from benchmarks import kept
from benchmarks.making.joining import join

LENGTHS = ("1k", "10k", "100k", "1m")
KEPT, FRESH = "kept", "fresh"
_COPIES_OF_A_MILLION = 10
"""No kept file has a million lines: ten copies of the one of 100,000 are joined."""


class Text(NamedTuple):
    """A file, the set that it belongs to, the key of its length, and how many lines it has."""

    set: str
    length: str
    path: Path
    lines: int


def kept_text(length: str, folder: Path) -> Text:
    """A kept file, written into a folder."""
    text = join([kept.read("f100k.ptx")] * _COPIES_OF_A_MILLION) if length == "1m" else kept.read(f"f{length}.ptx")
    path = folder / f"kept-{length}.ptx"
    path.write_text(text, encoding="utf-8")
    return Text(KEPT, length, path, text.count("\n"))


def text_of(path: Path, length: str) -> Text:
    """A file that was made elsewhere, as a fresh one."""
    with path.open("rb") as file:
        return Text(FRESH, length, path.resolve(), sum(1 for _ in file))
