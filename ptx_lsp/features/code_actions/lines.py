"""Where statements stand among the lines of the text: what edits of whole statements need."""

from __future__ import annotations

from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.statements.context import Use


def indentation(use: Use) -> str:
    """The blanks before a statement, as far as they stand on its line."""
    before = use.statement.text[: use.statement.lead].rpartition("\n")[2]
    return before if before.isspace() else ""


def body(use: Use) -> str:
    """A statement without what stands before and behind it."""
    return use.statement.text[use.statement.lead :].rstrip()


def place_of(module: Module, use: Use) -> int:
    """The offset in the document of the first token of a statement."""
    return module.statement_start(use.chunk, use.index) + use.statement.lead


def end_of(module: Module, use: Use) -> int:
    """The offset in the document behind the last token of a statement."""
    start = module.statement_start(use.chunk, use.index)
    tokens = use.statement.tokens
    return start + (tokens[-1].end if tokens else len(use.statement.text))


def neighbour(use: Use, by: int) -> Use | None:
    """The statement after (``by`` 1) or before (-1) another in the same function."""
    chunks = use.function.chunks
    number, index = chunks.index(use.chunk), use.index + by
    while not 0 <= index < len(chunks[number]):
        number += by
        if not 0 <= number < len(chunks):
            return None
        index = 0 if by > 0 else len(chunks[number]) - 1
    return Use(use.module, use.function, chunks[number], index)
