"""The statements near one, whatever chunks they are in: an answer must not depend on the borders of chunks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ptx_lsp.named_tuples import NamedTuple
from ptx_lsp.syntax.chunk import Chunk


class ChunkPart(NamedTuple):
    """The statements of a chunk from ``first`` up to ``end``."""

    chunk: Chunk
    first: int
    end: int


def runs_before(chunks: Sequence[Chunk], chunk: Chunk, index: int, most: int) -> Iterator[ChunkPart]:
    """The statements before one, up to ``most``, the nearest run first.

    Args:
        chunks: of a document or a function, in the order of the text.
        chunk: one of them; if it is none of them, only its own statements are near.
        index: which of its statements it is.
        most: the number of statements.

    """
    run = ChunkPart(chunk, max(index - most, 0), index)
    yield run
    most -= run.end - run.first
    number = _number(chunks, chunk) if most > 0 else 0
    while number > 0 and most > 0:
        number -= 1
        size = len(chunks[number])
        run = ChunkPart(chunks[number], max(size - most, 0), size)
        yield run
        most -= run.end - run.first


def runs_after(chunks: Sequence[Chunk], chunk: Chunk, index: int, most: int) -> Iterator[ChunkPart]:
    """The statements after one, up to ``most``, the nearest run first; the arguments are those of runs_before."""
    run = ChunkPart(chunk, min(index + 1, len(chunk)), min(index + 1 + most, len(chunk)))
    yield run
    most -= run.end - run.first
    number = _number(chunks, chunk) + 1 if most > 0 else 0
    while 0 < number < len(chunks) and most > 0:
        run = ChunkPart(chunks[number], 0, min(len(chunks[number]), most))
        yield run
        most -= run.end
        number += 1


def _number(chunks: Sequence[Chunk], chunk: Chunk) -> int:
    try:
        return chunks.index(chunk)
    except ValueError:
        return -1


def runs_around(chunks: Sequence[Chunk], chunk: Chunk, index: int, most: int) -> dict[Chunk, ChunkPart]:
    """One statement with those before and after it, up to ``most`` on each side, by their chunks."""
    found = {}
    for runs in (runs_before, runs_after):
        for run in runs(chunks, chunk, index, most):
            found[run.chunk] = run
    found[chunk] = ChunkPart(chunk, max(index - most, 0), min(index + 1 + most, len(chunk)))
    return found


def before(chunks: Sequence[Chunk], chunk: Chunk, index: int, most: int) -> Iterator[tuple[Chunk, int]]:
    """The places of the statements before one, up to ``most``, the nearest first."""
    for run in runs_before(chunks, chunk, index, most):
        for at in range(run.end - 1, run.first - 1, -1):
            yield run.chunk, at


def after(chunks: Sequence[Chunk], chunk: Chunk, index: int, most: int) -> Iterator[tuple[Chunk, int]]:
    """The places of the statements after one, up to ``most``, the nearest first."""
    for run in runs_after(chunks, chunk, index, most):
        for at in range(run.first, run.end):
            yield run.chunk, at
