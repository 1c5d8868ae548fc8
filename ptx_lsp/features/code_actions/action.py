"""A code action and the request that it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ptx_lsp.analysis.cursor.cursor import Cursor, at
from ptx_lsp.analysis.module.module import Module
from ptx_lsp.analysis.semantics.semantics import Semantics
from ptx_lsp.analysis.statements.context import StatementContext
from ptx_lsp.diagnostic import Diagnostic, Edit
from ptx_lsp.text import Span

QUICK_FIX = "quickfix"
REWRITE = "refactor.rewrite"
FIX_ALL = "source.fixAll.ptx-lsp"
RAISE_HEADER = "source.raiseHeader.ptx-lsp"
LOWER_HEADER = "source.lowerHeader.ptx-lsp"
SORT_QUALIFIERS = "source.sortQualifiers.ptx-lsp"

KINDS = (QUICK_FIX, REWRITE, FIX_ALL, RAISE_HEADER, LOWER_HEADER, SORT_QUALIFIERS)
"""The kinds of code actions offered, by their LSP names."""


@dataclass(frozen=True)
class CodeAction:
    """An edit that the user can choose.

    An expensive edit is computed by ``compute_edits`` after the user has chosen it; otherwise ``edits`` is set.
    """

    title: str
    edits: tuple[Edit, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    """The findings that it fixes."""
    is_preferred: bool = False
    """Whether the client applies it on "fix this" without asking."""
    kind: str = QUICK_FIX
    """The LSP name of its kind."""
    compute_edits: Callable[[], Iterable[Edit]] | None = field(default=None, compare=False)
    """Computes the edits when the action is resolved; None if ``edits`` is set."""
    disabled: str = ""
    """The reason that it is not applicable here; empty if it is."""

    def resolved_edits(self) -> tuple[Edit, ...]:
        """Return the edits, sorted by position."""
        edits = self.edits if self.compute_edits is None else self.compute_edits()
        return tuple(sorted(edits, key=lambda edit: edit.span))


@dataclass(frozen=True)
class ActionRequest:
    """A request for code actions."""

    semantics: Semantics
    diagnostics: Sequence[Diagnostic]
    """All findings of the document."""
    span: Span
    """The selection, or an empty span at the cursor."""
    is_automatic: bool = False
    """Whether the client requested it because the cursor moved; expensive actions are then omitted."""

    @property
    def module(self) -> Module:
        """The functions, scopes and header of the text."""
        return self.semantics.module

    @cached_property
    def cursor(self) -> Cursor | None:
        """The token at the start of the selection."""
        return at(self.semantics, self.span.start)

    @cached_property
    def context(self) -> StatementContext | None:
        """The statement at the cursor, including white space after its last token on the same line."""
        if self.cursor is not None:
            return self.cursor.context
        module, offset = self.module, self.span.start
        if not module.document.chunks or not 0 <= offset <= module.document.length:
            return None
        for before in (0, 1):
            if not 0 <= offset - before < module.document.length:
                continue
            number, index, inside = module.document.locate(offset - before)
            chunk = module.document.chunks[number]
            context = StatementContext(module, module.function_of(chunk), chunk, index)
            if context.statement.lead <= inside:
                return context
        return None

    def start_of(self, context: StatementContext) -> int:
        """Return the offset in the document at which the text of a statement begins."""
        return self.module.positions.statement_start(context.chunk, context.index)
