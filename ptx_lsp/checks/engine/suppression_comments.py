"""The passages of a document with suppression comments, so that not all of its text is read after each edit."""

from __future__ import annotations

from collections.abc import Generator

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.stepwise import run_to_completion
from ptx_lsp.suppressions import MARK, Passage, reading
from ptx_lsp.syntax.chunk import Chunk
from ptx_lsp.syntax.document import Change
from ptx_lsp.text import Span


class SuppressionComments:
    """The chunks of a module with comments that may silence findings. Empty in most modules."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._marked: set[Chunk] = {chunk for chunk in module.document.chunks if MARK in chunk.text}
        self._codes: frozenset[str] | None = None
        """The codes that some comment is about; None: not known yet."""

    def __bool__(self) -> bool:
        return bool(self._marked)

    def silencing_some(self, code: str) -> Generator[None, None, bool]:
        """Whether some comment is about a code, wherever it stands; found in steps of a few comments."""
        if self._codes is None:
            found: set[str] = set()
            for chunk in self._marked:
                found |= yield from chunk.deriving(_codes_in, _reading_codes(chunk))
                yield
            self._codes = frozenset(found)
        return code in self._codes

    def update(self, change: Change) -> None:
        """Take over an edit."""
        self._codes = None
        self._marked.difference_update(change.removed)
        added = self._module.document.chunks[change.first : change.first + change.added]
        self._marked.update(chunk for chunk in added if MARK in chunk.text)

    def passages(self) -> Generator[None, None, list[Passage]]:
        """The lines of these chunks and the line after them, which a comment alone on its line is about.

        Pauses after each chunk.
        """
        document = self._module.document
        spans: list[Span] = []
        for number in sorted(map(self._module.positions.chunk_number, self._marked)):
            line = document.chunk_line(number)
            start = document.offset(line, 0)
            end = document.offset(line + document.chunks[number].newlines + 2, 0)
            if spans and spans[-1].end >= start:
                spans[-1] = Span(spans[-1].start, max(end, spans[-1].end))
            else:
                spans.append(Span(start, end))
            yield
        return [Passage(span.start, document.slice(span)) for span in spans]


def _codes_in(chunk: Chunk) -> frozenset[str]:
    """The codes that the comments of a chunk silence somewhere."""
    return run_to_completion(_reading_codes(chunk))


def _reading_codes(chunk: Chunk) -> Generator[None, None, frozenset[str]]:
    found = yield from reading([Passage(0, chunk.text)])
    return found.everywhere.union(*{numbers for _, numbers in found.lines})
