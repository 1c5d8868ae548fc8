"""Division of a large text at the heads of functions, so that several processes can check it.

A *shard* is the text in which the blocks of the other shards are empty: of each only its line ends stay. A *block* is
the body of a function, or a debug section, between its braces. Bodies of device functions stay in every shard if they
are a small part of the text, since findings about kernels may depend on them. All that stands outside of blocks
(header, heads, variables of the module, ``.file`` lines) is in every shard, so a shard is a module by itself that
declares what the whole text declares, with every line at its place.

Blocks are found by searches for line ends and braces, in a hundredth of the time that it takes to read the text. They
may be wrong, so each shard is compared with :attr:`Shard.blocks` after it was read; if its blocks are others, the text
cannot be checked in shards. Texts in which a comment or raw text could hide braces are not divided.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, compress, pairwise

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.suppressions import MARK
from ptx_lsp.syntax import raw
from ptx_lsp.text import Span

_OPEN = re.compile(r"(?:\n[ \t]*+|\)[ \t]*+|\.section[ \t]++[\w.$]++[ \t]*+)\{(?P<empty>[ \t]*+\})?").search
_OUTSIDE = re.compile(
    r"\}[^\n{}]*+(?:\n[ \t\r]*+(?://[^\n]*+)?+)*+"
    r"(?:\.(?:visible|weak|extern|common|entry|func|global|const|shared|section|file|alias|version|target)\b|\Z)"
).match
"""A closing brace before something that stands outside of functions only: it ends a body."""
_DEVICE_HEADS = (".func",)
_HEADS = (".entry", *_DEVICE_HEADS)
_MOST_IN_ALL = 0.1
"""The part of the text that bodies of device functions may be to be in all shards."""
_MOST_IN_ONE = 0.7
"""If more than this part of the text is in one shard, a division saves little."""


class Division(NamedTuple):
    """A text with its blocks, and the blocks that each shard has to itself."""

    text: str
    blocks: list[Span]
    """From the opening to after the closing brace."""
    runs: list[range]
    """The numbers of the blocks of each shard; at least two runs."""
    shared: frozenset[int]
    """The numbers of the blocks that are in all shards."""

    def shard(self, number: int) -> Shard:
        """One of the shards."""
        return Shard(self, number)


class Shard:
    """The part of a text that one process checks."""

    def __init__(self, division: Division, number: int) -> None:
        self.own = division.runs[number]
        """The numbers of the blocks that this shard has to itself."""
        self.shared = division.shared
        """The numbers of those that all shards have; all others are empty."""
        self.is_first = number == 0
        """Whether what stands outside of blocks belongs to this shard."""
        self.blocks: list[Span] = []
        """All blocks, in offsets of the shard."""
        pieces: list[str] = []
        self._starts, self._shifts = [0], [0]
        text, begin, shift = division.text, 0, 0
        for index, (start, end) in enumerate(division.blocks):
            opening = start - shift
            if index not in self.own and index not in self.shared:
                lines = text.count("\n", start, end)
                pieces += text[begin : start + 1], "\n" * lines
                begin = end - 1
                shift = begin - (opening + 1 + lines)
                self._starts.append(opening + 1 + lines)
                self._shifts.append(shift)
            self.blocks.append(Span(opening, end - shift))
        self.text = "".join((*pieces, text[begin:]))

    def offset(self, offset: int) -> int:
        """The offset in the whole text of an offset in the shard."""
        return offset + self._shifts[bisect_right(self._starts, offset) - 1]

    @cached_property
    def _openings(self) -> list[int]:
        return [start for start, _ in self.blocks]

    def block_at(self, offset: int) -> int | None:
        """The number of the block that an offset of the shard is in; None outside of blocks."""
        number = bisect_left(self._openings, offset) - 1
        return number if number >= 0 and offset < self.blocks[number].end - 1 else None


def divide(text: str, count: int) -> Division | None:
    """Divide a text into at most ``count`` shards of similar size; None if it cannot be divided into two or more."""
    if count < 2 or MARK in text or raw.BEGIN in text or raw.END in text or _has_long_comments(text):
        return None
    blocks = list(_blocks(text))
    has_head = [_has_head(text, blocks, number, _HEADS) for number in range(len(blocks))]
    # Of debug sections a character takes half the time.
    sizes = [(end - start) // (1 if is_body else 2) for (start, end), is_body in zip(blocks, has_head, strict=True)]
    ends = list(accumulate(sizes, initial=0))
    runs = list(_runs([0, *compress(range(len(blocks)), has_head), len(blocks)], ends, count))
    if len(runs) < 2 or max(ends[run.stop] - ends[run.start] for run in runs) > _MOST_IN_ONE * ends[-1]:
        return None
    shared = [number for number in range(len(blocks)) if _has_head(text, blocks, number, _DEVICE_HEADS)]
    is_small = sum(sizes[number] for number in shared) <= _MOST_IN_ALL * ends[-1]
    return Division(text, blocks, runs, frozenset(shared if is_small else ()))


def _has_long_comments(text: str) -> bool:
    """Whether a ``/*`` is not closed on its line: then lines after it may be no code."""
    at = text.find("/*")
    while at >= 0:
        end = text.find("*/", at + 2)
        if end < 0 or text.find("\n", at, end) >= 0:
            return True
        at = text.find("/*", end + 2)
    return False


def _blocks(text: str) -> Iterator[Span]:
    """The probable blocks: from a brace that begins its line, or follows a head, to the one that closes it."""
    end = 0
    while (opening := _OPEN(text, end)) is not None:
        start = text.index("{", opening.start())
        indent = text[opening.start() + 1 : start] if opening[0].startswith("\n") else ""
        end = opening.end() if opening["empty"] else _end(text, start, indent)
        if not end:
            return
        yield Span(start, end)


def _end(text: str, start: int, indent: str) -> int:
    """The end of a block: after a brace with the same indentation; 0 if there is none.

    Bodies can have such braces too, of inline assembly, if they are not indented.
    """
    mark = f"\n{indent}}}"
    at = text.find(mark, start)
    while at >= 0:
        closing = at + len(mark) - 1
        if indent or _OUTSIDE(text, closing):
            return closing + 1
        at = text.find(mark, closing)
    return 0


def _has_head(text: str, blocks: list[Span], number: int, heads: tuple[str, ...]) -> bool:
    """Whether a function begins between a block and the one before it, so that the block may be its body."""
    begin = blocks[number - 1].end if number else 0
    return any(text.find(word, begin, blocks[number].start) >= 0 for word in heads)


def _runs(borders: list[int], ends: list[int], count: int) -> Iterator[range]:
    """Divide the blocks into at most ``count`` consecutive runs of similar size.

    Args:
        borders: the numbers of blocks before which a run can begin, and the number of all blocks.
        ends: the size of all blocks before each block, and of all together.
        count: how many runs are wanted.

    """
    before = [ends[border] for border in borders]
    chosen = {borders[0], borders[-1]}
    for share in range(1, count):
        wanted = ends[-1] * share // count
        at = bisect_left(before, wanted)
        near = range(max(at - 1, 0), min(at + 1, len(borders)))
        chosen.add(borders[min(near, key=lambda one: abs(before[one] - wanted))])
    yield from (range(first, last) for first, last in pairwise(sorted(chosen)))
