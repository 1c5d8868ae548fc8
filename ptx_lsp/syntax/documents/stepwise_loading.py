"""Construction of a document in steps of a few milliseconds, so that other work can run in between.

The result equals ``Document(text)``, chunk by chunk.
"""

from __future__ import annotations

from array import array
from collections.abc import Generator
from itertools import islice
from time import perf_counter

from ptx_lsp.syntax.chunk import CHUNK_SIZE, Chunk, chunks
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.shape import SHAPES, shaping
from ptx_lsp.syntax.split import statements

STEP_SECONDS = 0.004
"""Target duration of a step, in seconds."""

_FEWEST, _MOST = 32, 2048
"""Bounds of the number of statements per step: few while shapes are new, many once they are cached."""
_CHUNKED_AT_ONCE = 8 * CHUNK_SIZE
"""The fewest statements that are cut into chunks in a step."""


def load_stepwise(text: str) -> Generator[None, None, Document]:
    """Build the document of ``text`` step by step; it is the return value of the generator."""
    source = statements(text)
    made: list[Chunk] = []
    pending: list[str] = []
    shapes = SHAPES.use(array("I"))
    count, most_pending = _FEWEST, _CHUNKED_AT_ONCE
    while True:
        begin = perf_counter()
        parts = list(islice(source, count))
        if not parts:
            break
        shapes.extend((yield from shaping(parts)))
        pending += parts
        seconds = perf_counter() - begin
        if seconds < STEP_SECONDS / 2 and count < _MOST:
            count *= 2
        elif seconds > STEP_SECONDS and count > _FEWEST:
            count //= 2
        yield
        if len(pending) >= most_pending:
            # The end of the last chunk depends on the statements that follow.
            *settled, last = chunks(pending, shapes=shapes)
            made += settled
            pending, shapes = last.parts(), SHAPES.use(array("I", last.shapes))
            most_pending = max(_CHUNKED_AT_ONCE, 2 * len(pending))  # one chunk can be long
            yield
    made += chunks(pending, shapes=shapes)
    return Document.of(made)
