"""Read a large text in steps of a few milliseconds, so that other work can be done in between.

The outcome is the document that ``Document(text)`` gives, chunk by chunk.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import islice
from time import perf_counter

from ptx_lsp.syntax.chunk import CHUNK_SIZE, Chunk, chunks
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.shape import shape_ids
from ptx_lsp.syntax.split import statements

STEP_SECONDS = 0.004
"""Seconds that a step should take."""

_FEWEST, _MOST = 32, 2048
"""Statements of one step: few while every shape is new, many when all are known."""
_CHUNKED_AT_ONCE = 8 * CHUNK_SIZE


def load_stepwise(text: str) -> Generator[None, None, Document]:
    """Make the document of ``text`` step by step; whoever iterates gets it as the generator's value."""
    source = statements(text)
    made: list[Chunk] = []
    pending: list[str] = []
    count = _FEWEST
    while True:
        begin = perf_counter()
        parts = list(islice(source, count))
        if not parts:
            break
        shape_ids(parts)  # learns the new ones, which is what takes time
        pending += parts
        seconds = perf_counter() - begin
        if seconds < STEP_SECONDS / 2 and count < _MOST:
            count *= 2
        elif seconds > STEP_SECONDS and count > _FEWEST:
            count //= 2
        yield
        if len(pending) >= _CHUNKED_AT_ONCE:
            # Where the last chunk ends is not known before more statements are.
            *settled, last = chunks(pending)
            made += settled
            pending = last.parts()
            yield
    made += chunks(pending)
    return Document.of(made)
