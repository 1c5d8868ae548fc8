"""Whether a fix leaves no more syntax errors than before."""

from __future__ import annotations

from ptx_lsp.diagnostic import Diagnostic, Fix
from ptx_lsp.syntax.document import Document
from ptx_lsp.syntax.errors import syntax_errors
from ptx_lsp.syntax.kind import Kind
from ptx_lsp.syntax.split import split
from ptx_lsp.syntax.statement import Statement
from ptx_lsp.text import Span

_OF_SYNTAX = "E1"
_UNKNOWN_DIRECTIVE = "E107"
_LONGEST = 4000
"""Characters from the first to the last edited statement; longer parts are not examined."""


def repairs(document: Document, diagnostic: Diagnostic) -> bool:
    """Return False if the first fix leaves more syntax errors, or if a guessed directive leaves as many.

    In ``.entry k().extern .reg .b32 a;`` only ``.extern`` keeps ``.reg`` from being read as a part of the head.
    In ``.sect.reg .b32 %r<4>;`` the nearest directive to ``.sect`` is ``.section``, which makes no statement there. The
    fix of one of several mistakes in a statement may leave as many: only the first of them is reported. Not so at the
    head of a function: once it is known as one, what is wrong with its braces is reported too.
    """
    fix = diagnostic.fixes[0]
    if not fix.edits:
        return True
    start, end = min(edit.span.start for edit in fix.edits), max(edit.span.end for edit in fix.edits)
    whole = Span(_statement(document, start).start, _statement(document, end).end)
    if not diagnostic.code.startswith(_OF_SYNTAX):
        whole = Span(_statement(document, max(whole.start - 1, 0)).start, whole.end)  # what it ended may now go on
    if whole.end - whole.start > _LONGEST:
        return True
    text = document.slice(whole)
    edited = _edited(text, fix.shifted(-whole.start))
    before, after = _count(text), _count(edited)
    if not diagnostic.code.startswith(_OF_SYNTAX):
        return after <= before
    may_leave_as_many = diagnostic.code != _UNKNOWN_DIRECTIVE and not _is_wrong_head(edited)
    return before == 0 or after < before + may_leave_as_many


def _statement(document: Document, offset: int) -> Span:
    """The span of the statement at an offset."""
    place = document.locate(offset)
    if not document.chunks:
        return Span(0, 0)
    start = document.chunk_start(place.chunk)
    starts = document.chunks[place.chunk].starts()
    return Span(start + starts[place.statement], start + starts[place.statement + 1])


def _edited(text: str, fix: Fix) -> str:
    for edit in sorted(fix.edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def _is_wrong_head(text: str) -> bool:
    """Whether some statement of a text is the head of a function with a mistake."""
    shapes = [Statement(part).shape for part in split(text)]
    return any(shape.meant is Kind.FUNCTION and (shape.errors or shape.tree is None) for shape in shapes)


def _count(text: str) -> int:
    """The number of syntax errors of the statements of a text."""
    return sum(len(syntax_errors(Statement(part))) for part in split(text))
