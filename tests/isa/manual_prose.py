"""Which runs of words a text shares with NVIDIA's manual, told from a fingerprint that holds no word of it.

    python tests/isa/manual_prose.py FOLDER...      writes manual_prose.xz from the manual's Markdown or plain text

Source: the PTX ISA manual, 9.1 as Markdown, and plain text of 6.4, of 8.7 and of its chapters on tcgen05, instruction
descriptors and wgmma.sp. None of it is in the repository.

Method: of a text only the words of running prose count; fences, code, names, numbers and link targets are dropped, so
a run goes on over a name (which finds more, not less). Of each eight words in a row 40 bits of a hash are kept: sorted,
as differences, byte by byte in columns, compressed. Of nine million runs that the manual lacks one is found by chance.
"""

from __future__ import annotations

import lzma
import re
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

FINGERPRINT = Path(__file__).parent / "manual_prose.xz"
LENGTH = 8
"""Words in a run that is one too long: seven are shared by chance and by trade."""

_BYTES = 5
_FENCE = re.compile(r"^([`~]{3,}).*?^\1[`~]*[ \t]*$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"`[^`\n]*`|\]\([^)]*\)|<[^>\n]*>|\S*[\d_.%:=/\\|\[\]{}]\S*[\w}\]]\S*")
_WORD = re.compile(r"[a-z]+")
_NOT_A_NEWLINE = re.compile(r"[^\n]")


class Run(NamedTuple):
    """Words in a row that the manual has too."""

    line: int
    """Where the first one stands, counted from 1."""
    words: str


def runs(text: str) -> list[Run]:
    """The runs of at least ``LENGTH`` words that a text shares with the manual; runs that overlap count as one."""
    words = list(_prose(text))
    known = fingerprint()
    found: list[Run] = []
    end = 0
    for at, value in enumerate(_hashes([word for word, _ in words])):
        if value not in known:
            continue
        more = " ".join(word for word, _ in words[max(at, end) : at + LENGTH])
        if at < end:
            found[-1] = Run(found[-1].line, f"{found[-1].words} {more}")
        else:
            found.append(Run(words[at][1], more))
        end = at + LENGTH
    return found


@cache
def fingerprint() -> frozenset[int]:
    """The hashes of all runs of the manual."""
    columns = lzma.decompress(FINGERPRINT.read_bytes())
    count = len(columns) // _BYTES
    rows = zip(*(columns[column * count : (column + 1) * count] for column in range(_BYTES)), strict=True)
    return frozenset(accumulate(int.from_bytes(row, "little") for row in rows))


def _prose(text: str) -> Iterator[tuple[str, int]]:
    """The words of running prose in small letters, with their lines."""
    for dropped in (_FENCE, _NAME):
        text = dropped.sub(lambda found: _NOT_A_NEWLINE.sub(" ", found[0]), text)
    for number, line in enumerate(text.lower().split("\n"), 1):
        for found in _WORD.finditer(line):
            yield found[0], number


def _hashes(words: list[str]) -> Iterator[int]:
    for at in range(len(words) - LENGTH + 1):
        run = " ".join(words[at : at + LENGTH])
        yield int.from_bytes(blake2b(run.encode(), digest_size=_BYTES).digest(), "big")


def _write(folders: list[str]) -> None:
    hashes: set[int] = set()
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.suffix in {".md", ".txt"}:
                words = [word for word, _ in _prose(path.read_text(encoding="utf-8", errors="replace"))]
                hashes.update(_hashes(words))
    ordered = sorted(hashes)
    differences = [after - before for before, after in zip([0, *ordered], ordered, strict=False)]
    columns = b"".join(bytes(number >> 8 * column & 255 for number in differences) for column in range(_BYTES))
    FINGERPRINT.write_bytes(lzma.compress(columns, preset=9))
    print(f"{len(ordered)} runs of {LENGTH} words, {FINGERPRINT.stat().st_size} bytes")


if __name__ == "__main__":
    _write(sys.argv[1:])
