"""Answers that need the loops and blocks of all functions: at once in short files, else in slices."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from ptx_lsp.analysis.semantics.text_sections import is_ready, preparing
from ptx_lsp.server.convert import while_unchanged
from ptx_lsp.server.transport.slices import in_slices
from ptx_lsp.stepwise import run_to_completion

if TYPE_CHECKING:
    from ptx_lsp.server.documents.document import OpenDocument

AnswerT = TypeVar("AnswerT")
AnswerInSlices = Coroutine[Any, Any, Any]
"""An answer that is late."""


def with_sections_in_steps(
    document: OpenDocument, answer: Callable[[], Generator[None, None, AnswerT]]
) -> AnswerT | Coroutine[Any, Any, AnswerT]:
    """Find the loops and blocks of a document, then answer in steps."""

    def steps() -> Generator[None, None, AnswerT]:
        yield from preparing(document.checker.semantics)
        return (yield from answer())

    if not is_ready(document.checker.semantics) or len(document.checker.document.chunks) > _FEW_CHUNKS:
        return _late(document, while_unchanged(steps(), document))
    return run_to_completion(steps())


_FEW_CHUNKS = 40
"""The answer for so many chunks, of some 10,000 statements, takes some 20 ms."""


async def _late(document: OpenDocument, steps: Generator[None, None, AnswerT]) -> AnswerT:
    with _waited_for(document):
        return await in_slices(steps)


@contextmanager
def _waited_for(document: OpenDocument) -> Iterator[None]:
    """Let the checks of a document pause: without it they take more than half of the time."""
    document.answers += 1
    try:
        yield
    finally:
        document.answers -= 1
